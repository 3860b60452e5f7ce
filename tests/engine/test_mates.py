"""Wins: foul traps that selective searches overlook, the announced length of a win, and long wins by fours."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from oracle import Oracle, TooLong
from positions import CLASS_FIVE, CLASS_LIVE_FOUR, FOUL_TRAP, cells_of, clustered, empty_cells_of, set_up
from test_threats import prove

from engine import BLACK, RULES, WHITE, Board, Info, Limits, Searcher
from engine.board_probe import leaves_foul, plies_to_win
from engine.notation import parse_moves
from engine.threats import find_vcf
from engine.training.openings import random_stones

MEMORY = 1 << 20

# Random renju positions, White to move: a search without reductions proves a win, one that reduces and prunes what
# leaves Black a four that only a foul would stop did not within 20,000 nodes.
FOUL_TRAPS = (
    "k9k10k7m7l6i9j11h10l10i10j8m11n8",
    "j8h8i8i9g9i7j9i10g10k10h7l9h9f11h10e10k9i6j10",
    "h7g11f9g10e7i9e9k11h8i6k10f10i10h5k7e8j8j11k5",
    "e7g7e10j10f10i7f11e9h9f9f8i5g8k10e11g10h7g9f6",
    "h7g5h9g7j9e9j11i7g10f9e10k9i11k7g9i6e11k11j8",
    "f9i9f8i6g10i5h9g6g8e8e9j9h10h8e5k10i8f11i11",
    "f8g10f5j10h5e10e8j8h10h7i6h11e9h6i7j6f11g7k8",
    "i6k8j6j9k7h7i8i7j7h5f8e8f7j10i9",
    "g8h6e6g7i8i6g6f7h9j10e11k6i9g10f11",
)


def board_of(rule: int, moves: str, size: int = 15) -> Board:
    """The board after moves in letters and numbers, a1 at the top left."""
    board = Board(size, size, rule)
    for cell in parse_moves(moves, 15, 15):
        board.play(*cell)
    return board


# ---- Foul traps -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", FOUL_TRAPS)
def test_a_foul_trap_is_found_by_a_selective_search(moves: str) -> None:
    info = Searcher(MEMORY).go(board_of(4, moves), Limits(nodes=20_000))
    assert info.mate is not None and info.mate > 0


@pytest.mark.parametrize(
    ("moves", "key", "mate"),
    [
        ("g6g7j7h7h8i7j8k7h9k10i9", "l11", 5),
        ("i6l5k6h6g7j6j7f7g8h7h8i7j8f8h9i10h10", "i11", 7),
    ],
)
def test_a_quiet_move_that_leaves_only_fouls_is_no_late_move(moves: str, key: str, mate: int) -> None:
    info = Searcher(MEMORY).go(board_of(4, moves), Limits(nodes=20_000))
    assert (info.move, info.mate) == (parse_moves(key, 15, 15)[0], mate)
    assert info.nodes < 10_000


@pytest.mark.parametrize(
    ("moves", "nodes"),
    [
        ("g10h8g9i7h10f10i12g11h6i11f11g7h12g12e9", 5_000),  # 8,143 when a late move was always skipped
        ("j5i4g2j7g3l6m5o3l7n9i6h5m6l8l5k5h2i5n8", 5_000),  # 7,967
        ("h4k6j6k5m6f2i6l6l5i3j4h2g1j2i5k7k8k4k3h6i4l7m7g5e3", 12_000),  # 17,443
        ("f9f10h10h7e10i9j5k7l3g10h11k5h9h12g8e11j9", 10_000),  # 14,378
    ],
)
def test_below_the_root_too_a_late_move_may_set_a_trap(moves: str, nodes: int) -> None:
    info = Searcher(MEMORY).go(Board.from_moves(moves, rule=4), Limits(nodes=nodes))
    assert info.mate is not None and info.mate > 0


def generated_traps() -> list[tuple[int, str]]:
    """(plies, moves) of foul_traps.txt, in the order of the file."""
    lines = (Path(__file__).parent / "foul_traps.txt").read_text().splitlines()
    return [(int(plies), moves) for plies, _, moves in map(str.split, lines)]


@pytest.mark.parametrize(("plies", "moves"), generated_traps())
def test_a_generated_foul_trap_is_found(plies: int, moves: str) -> None:
    """In 0.3 s a search visits 100,000 nodes or more; the file has what brute force proved."""
    info = Searcher(MEMORY).go(Board.from_moves(moves, rule=4), Limits(nodes=50_000))
    assert info.mate is not None and 0 < info.mate <= plies


def test_the_moves_that_set_a_foul_trap_are_those_after_which_white_threatens_it() -> None:
    """The question that the search asks of late moves, against the static win of the position after a pass."""
    rng = random.Random(96)
    traps = quiet = 0
    for _ in range(400):
        board = clustered(rng, 4, 15, 15, rng.randrange(12, 40), careful=0.97)
        if board.side_to_move != WHITE or plies_to_win(board):
            continue
        for cell in empty_cells_of(board):
            board.play(*cell)
            board.pass_move()
            threat = plies_to_win(board)
            is_other = any(board.classes(WHITE)[kind] for kind in (CLASS_LIVE_FOUR, CLASS_FIVE)) or (
                board.classes(BLACK)[CLASS_FIVE] > 0
            )
            board.undo()
            board.undo()
            if not is_other:
                assert leaves_foul(board, *cell) == (threat == 3), (board.moves_text(), cell)
                traps += threat == 3
                quiet += threat != 3
    assert traps >= 30 and quiet >= 10_000


def test_a_four_that_only_a_foul_stops_is_played_at_once() -> None:
    """Without a search the claim of a win comes with the move that wins."""
    board = set_up(4, FOUL_TRAP, side=WHITE)
    info = Searcher(MEMORY).go(board, Limits(turn_ms=0))
    assert (info.move, info.mate) == ((4, 3), 3)


# ---- How long a win is said to be -----------------------------------------------------------------------------------


def proved_wins(rule: int, seed: str, nodes: int) -> Iterator[tuple[Board, Searcher, Info]]:
    """From games of weak players: positions where a search of `nodes` proves a win in seven plies or more."""
    rng = random.Random(f"{seed}/{rule}")
    while True:
        board, player = Board(15, 15, rule), Searcher(1 << 18)
        random_stones(rng, board)
        while board.winner() is None and board.ply < 80:
            searcher = Searcher(MEMORY)
            info = searcher.go(board, Limits(nodes=nodes))
            if info.mate is not None:
                if info.mate >= 7:
                    yield board.copy(), searcher, info
                break
            board.play(*player.go(board, Limits(nodes=rng.choice((50, 200)))).move)


def replay(board: Board, searcher: Searcher, info: Info, nodes: int) -> list[int | None]:
    """Plays a win out against a defender who searches for the longest defence; what was announced at each move."""
    said: list[int | None] = [info.mate]
    board.play(*info.move)
    while board.winner() is None:
        board.play(*Searcher(MEMORY).go(board, Limits(nodes=2_000)).move)
        assert board.winner() is None, (board.rule, said, board.moves())
        info = searcher.go(board, Limits(nodes=nodes))
        said.append(info.mate)
        board.play(*info.move)
    return said


def check_replays(rule: int, wins: int, nodes: int = 5_000) -> None:
    """With each move and reply the plies that are announced fall by two at least, and the game is no longer."""
    found = proved_wins(rule, "replay", nodes)
    for _ in range(wins):
        board, searcher, info = next(found)
        where = (rule, board.moves())
        said = replay(board, searcher, info, nodes)
        bound = said[0]
        for plies in said[1:]:
            assert bound is not None and plies is not None and 0 < plies <= bound - 2, (said, where)
            bound = plies
        assert said[-1] == 1, (said, where)


@pytest.mark.long
@pytest.mark.parametrize("rule", RULES)
def test_an_announced_win_never_grows(rule: int) -> None:
    check_replays(rule, 8)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_an_announced_win_never_grows_in_a_thousand_games(rule: int) -> None:
    check_replays(rule, 200)


@pytest.mark.parametrize("rule", RULES)
def test_a_win_by_fours_is_announced_at_its_shortest(rule: int) -> None:
    """No longer than the shortest that brute force finds."""
    rng = random.Random(f"shortest {rule}")
    seen = 0
    while seen < 12:
        board = clustered(rng, rule, 11, 11, rng.randrange(14, 40), careful=0.97)
        try:
            plies = Oracle(board, 3_000).shortest_win_by_fours(board.side_to_move, 13)
        except TooLong:
            continue
        if plies >= 5:
            seen += 1
            info = Searcher(MEMORY).go(board, Limits(nodes=20_000))
            assert info.mate is not None and 0 < info.mate <= plies, (rule, plies, board.moves())


def test_a_kept_win_is_of_its_position_alone() -> None:
    """The same searcher in other games says what a fresh one says, and the same position again keeps the win."""
    found = proved_wins(0, "kept", 5_000)
    board, searcher, info = next(found)
    again = searcher.go(board, Limits(nodes=5_000))
    assert again.mate is not None and info.mate is not None and 0 < again.mate <= info.mate
    assert searcher.go(board, Limits(turn_ms=0)).mate == again.mate
    other, _, _ = next(found)
    searcher.clear()
    expected = Searcher(MEMORY).go(other, Limits(nodes=5_000))
    found_there = searcher.go(other, Limits(nodes=5_000))
    assert (found_there.move, found_there.mate, found_there.nodes) == (expected.move, expected.mate, expected.nodes)
    for size, rule in ((16, 0), (15, 1)):
        twin = Board(size, size, rule)
        for move in board.moves():
            assert move is not None
            twin.play(*move)
        assert searcher.go(twin, Limits(turn_ms=0)).mate == (plies_to_win(twin) or None)


def test_a_win_is_kept_however_the_stones_came_onto_the_board() -> None:
    """As BOARD sends a position: the colours one after the other, with passes in between."""
    board, searcher, info = next(proved_wins(0, "order", 5_000))
    assert info.mate is not None
    board.play(*info.move)
    reply = Searcher(MEMORY).go(board, Limits(nodes=2_000)).move
    board.play(*reply)
    other = Board(15, 15, 0)
    for colour in (1, 0):
        for x in range(15):
            for y in range(15):
                if board.cell(x, y) == colour:
                    if other.side_to_move != colour:
                        other.pass_move()
                    other.play(x, y)
    if other.side_to_move != board.side_to_move:
        other.pass_move()
    assert other.key == board.key
    mate = searcher.go(other, Limits(nodes=5_000)).mate
    assert mate is not None and 0 < mate <= info.mate - 2


def test_a_forced_move_is_searched_where_time_is_not_limited() -> None:
    """Black must block a four, which makes a live four of his own; in a timed game the move comes at once."""
    board = set_up(
        0,
        """
        .........
        .........
        .........
        xoooo....
        .....x...
        .....x...
        .....x...
        .........
        .........""",
    )
    timed = Searcher(MEMORY).go(board, Limits(turn_ms=1_000))
    assert (timed.move, timed.nodes) == ((5, 3), 0)
    for limits in (Limits(nodes=20_000), Limits(depth=6)):
        info = Searcher(MEMORY).go(board, limits)
        assert (info.move, info.mate) == ((5, 3), 3) and info.nodes > 0


# ---- Long wins by fours ---------------------------------------------------------------------------------------------

# Corridors between blocked cells, from node to node three cells apart: in each stretch two black stones wait for those
# at its ends. It becomes a four when Black plays its far node, and White's one reply lies before it (a) or behind it
# (b); the last stretch is open at both ends.
CORRIDORS = (
    (
        "a1a2b2b1c1c2d2d1e1e2f2f1g1g2h2h3g3g4h4h5g5g6h6h7g7g8f8f7e7e8d8d7c7c6b6b7a7a6",
        "bbaabaaabaabbabbaabbaabbabbaabbaaaba",
        75,
    ),
    (
        "h8h7g7g8f8f7e7e8d8d7c7c8b8b7a7a6b6b5a5a4b4b3a3a2b2b1c1c2d2d1e1e2f2f3e3e4f4f5g5g4h4h5",
        "bbaabaaabaabbabbbabbaabbaabaaabbabbabaaa",
        83,
    ),
)


def corridor(path: str, replies: str) -> Board:
    """The board of a corridor, Black to move."""
    nodes = [(3 * x, 3 * y) for x, y in parse_moves(path, 8, 8)]
    black, cells = [nodes[0]], set(nodes)
    for ((x, y), (to_x, to_y)), reply in zip(pairwise(nodes), replies + "*", strict=True):
        dx, dy = (to_x - x) // 3, (to_y - y) // 3
        black += [(x + dx, y + dy), (x + 2 * dx, y + 2 * dy)]
        cells |= {(x - dx, y - dy)} if reply != "b" else set()
        cells |= {(to_x + dx, to_y + dy)} if reply != "a" else set()
    board = Board(22, 22, 0)
    for x, y in cells_of(board):
        if (x, y) not in cells and (x, y) not in black:
            board.block(x, y)
    for cell in black:
        board.play(*cell)
        board.pass_move()
    return board


@pytest.mark.parametrize(("path", "replies", "plies"), CORRIDORS)
def test_a_long_win_by_fours_is_found(path: str, replies: str, plies: int) -> None:
    board = corridor(path, replies)
    line = find_vcf(board)
    assert line is not None and len(line) == plies - 2
    prove(board, line)
    assert find_vcf(board, max_plies=plies - 2) is None
    info = Searcher(MEMORY).go(board, Limits(nodes=20_000))
    assert (info.mate, info.move) == (plies, line[0])


def test_the_solvers_end_with_the_time_of_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was spent before the solvers began, here on the network, is not added to the time of the move."""
    asked: list[int] = []

    def read_slowly(rule: int) -> None:
        asked.append(rule)
        time.sleep(0.3)

    board = corridor(*CORRIDORS[0][:2])
    monkeypatch.setattr("engine.searcher.shipped_network", read_slowly)
    info = Searcher(MEMORY).go(board, Limits(turn_ms=300))
    assert (asked, info.mate) == ([0], None)
