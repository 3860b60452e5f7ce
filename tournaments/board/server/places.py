"""Places for connections, counted by guest and by address; some are kept for the owner and for guests with a seat.

A client can make many keys, and an address can have many guests, so that both have a limit. A guest with a seat in a
game does not count for the address: another guest of the same house, or of the same proxy, cannot lock a player out.
"""

from collections import Counter

from tournaments.board.server.clients import Client
from tournaments.board.server.limits import (
    ADDRESS_BURST,
    ADDRESS_PER_SECOND,
    GUEST_BURST,
    GUEST_PER_SECOND,
    MOST_CONNECTIONS,
    MOST_GUESTS,
    MOST_OF_ADDRESS,
    MOST_OF_GUEST,
    MOST_UNSEATED,
    Rates,
)


class Places:
    """The connections that are open, counted."""

    def __init__(self) -> None:
        self._all = 0
        self._guests: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self._guest_rates = Rates(GUEST_PER_SECOND, GUEST_BURST)
        self._address_rates = Rates(ADDRESS_PER_SECOND, ADDRESS_BURST)

    def take(self, client: Client, has_seat: bool) -> bool:
        """Gives the client a place, and the rates that it shares with others; False if no place is free."""
        if self._all >= MOST_CONNECTIONS:
            return False
        if not client.is_owner:
            guest = client.guest or f"address {client.address}"
            if self._guests.total() >= MOST_GUESTS or self._guests[guest] >= MOST_OF_GUEST:
                return False
            if not has_seat:
                if self._addresses.total() >= MOST_UNSEATED or self._addresses[client.address] >= MOST_OF_ADDRESS:
                    return False
                self._addresses[client.address] += 1
                client.counts_by_address = True
            self._guests[guest] += 1
            client.guest_rate = self._guest_rates.of(guest)
            client.address_rate = self._address_rates.of(client.address)
        self._all += 1
        return True

    def give_back(self, client: Client) -> None:
        """A client with a place is gone."""
        self._all -= 1
        if not client.is_owner:
            _take_one(self._guests, client.guest or f"address {client.address}")
            if client.counts_by_address:
                _take_one(self._addresses, client.address)


def _take_one(counts: Counter[str], key: str) -> None:
    counts[key] -= 1
    if counts[key] <= 0:
        del counts[key]
