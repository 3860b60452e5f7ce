"""The points of two players in a row of games, each a rematch of the one before it."""

from tournaments.board.game.events import End, GameSettings
from tournaments.board.game.game import BrokenGame, Game
from tournaments.board.library.games import Games
from tournaments.board.library.library_file import BrokenLibrary, NoGame

MOST_GAMES = 50
"""The number of earlier games that are counted."""


def points_before(games: Games, settings: GameSettings) -> tuple[float, ...]:
    """The points of the players in seats 0 and 1 in the games from which a game with these settings goes on; none for
    another game. A rematch swaps the colours, so that its seat 0 is the player who had White in the end."""
    points, seats, origin = [0.0, 0.0], [0, 1], settings.origin
    for number in range(MOST_GAMES):
        try:
            game = None if origin is None else Game.from_events(games.events(origin[0]), origin[0])
        except (BrokenGame, BrokenLibrary, NoGame):
            game = None
        if game is None or not game.is_over:
            return tuple(points) if number else ()
        seats = [game.seat_of(1 - seat) for seat in seats]
        if game.ending is not End.STOPPED:
            for place, seat in enumerate(seats):
                points[place] += 0.5 if game.winner is None else float(game.winner == game.colours[seat])
        origin = game.settings.origin
    return tuple(points)
