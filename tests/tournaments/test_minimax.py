"""The rival: its side of the protocol as transcripts, moves that are always legal, and a clock that is kept."""

import random
import subprocess
import sys
import time

import pytest

from tournaments.opening import parse_opening
from tournaments.referee import BLACK, EMPTY, WHITE, Board, Rule, five_points, is_forbidden, is_win
from tournaments.rivals.minimax import Position, Search, Session

FOREVER = 1e12


def talk(transcript: str, depth: int = 1) -> None:
    """Plays a transcript: "> " lines go in, "< " lines must come out (MESSAGE lines aside)."""
    session, answers = Session(depth), list[str]()
    for line in transcript.strip().splitlines():
        mark, _, text = line.strip().partition(" ")
        if mark == ">":
            assert answers == [], "unexpected answer"
            answers = [answer for answer in session.reply(text) if not answer.startswith("MESSAGE")]
        else:
            assert answers and answers.pop(0) == text
    assert answers == []


def test_a_game_from_the_start() -> None:
    talk("""
        > START 15
        < OK
        > INFO rule 1
        > INFO timeout_turn 100000
        > BEGIN
        < 7,7
        > END
    """)


def test_board_blocks_and_completes_fives() -> None:
    talk("""
        > start 15\r
        < OK
        > board
        > 3,3,2
        > 9,9,1
        > 3,4,2
        > 10,10,1
        > 3,5,2
        > 3,7,2
        > done
        < 3,6
        > RECTSTART 20,12
        < OK
        > BOARD
        > 3,3,2
        > 9,9,1
        > 3,4,2
        > 9,8,1
        > 3,5,2
        > 9,7,1
        > 3,6,2
        > 9,6,1
        > 9,10,3
        > DONE
        < 9,5
    """)


def test_takeback_restart_and_errors() -> None:
    talk("""
        > BEGIN
        < ERROR no START yet
        > START 4
        < ERROR a board of 4x4 is not possible: each side must be 5 to 22
        > START x
        < ERROR invalid literal for int() with base 10: 'x'
        > START 15
        < OK
        > BEGIN
        < 7,7
        > TURN 7,7
        < ERROR 7,7 is already taken
        > TURN 15,0
        < ERROR 15,0 is off the 15x15 board
        > TAKEBACK 7,7
        < OK
        > TAKEBACK 7,7
        < ERROR no stone at 7,7
        > BEGIN
        < 7,7
        > RESTART
        < OK
        > BEGIN
        < 7,7
        > BEGIN
        < ERROR the board is not empty
        > SWAP2BOARD
        < UNKNOWN command SWAP2BOARD
        > INFO rule 2
        > TURN 0,0
        < ERROR this rule is not supported
        > INFO nonsense
        > ABOUT
        < name="minimax", version="1.0", author="The Tengen authors", country="any"
    """)


def search(board: Board, depth: int, deadline: float = FOREVER) -> tuple[tuple[int, int], int, int]:
    position = Position(board.width, board.height, board.rule)
    for stone in board.stones:
        position.place(*stone)
    before = (list(position.board.stones), list(position.totals))
    found = Search(position, board.side_to_move, depth, deadline).best()
    assert (position.board.stones, position.totals) == before
    return found


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("size", [(5, 5), (7, 6), (15, 15)])
def test_moves_are_legal_in_random_positions(rule: Rule, size: tuple[int, int]) -> None:
    generator = random.Random(f"{rule} {size}")
    for _ in range(6):
        board = Board(*size, rule)
        for _ in range(generator.randrange(size[0] * size[1])):
            board.place(*generator.choice(list(board.empty_cells())))
        (x, y), _, _ = search(board, 1)
        assert board.cell(x, y) == EMPTY
        if board.side_to_move == BLACK and not all(is_forbidden(board, *cell) for cell in board.empty_cells()):
            assert not is_forbidden(board, x, y)


@pytest.mark.parametrize("rule", Rule)
def test_fives_are_made_and_stopped(rule: Rule) -> None:
    board = Board(15, 15, rule)
    for x, y in parse_opening("h8h9i8i9j8j9k8", 15, 15):
        board.place(x, y)
    assert search(board, 2)[0] in five_points(board, BLACK), "white stops one of two"
    board.place(6, 8)
    (x, y), score, _ = search(board, 2)
    assert (x, y) in five_points(board, BLACK) and score > 9_000_000


def test_the_same_position_gives_the_same_move() -> None:
    board = Board(15, 15, Rule.FREESTYLE)
    for x, y in parse_opening("h8i9g7j7f9", 15, 15):
        board.place(x, y)
    assert search(board, 2) == search(board, 2)


def test_deeper_beats_shallower() -> None:
    points = 0
    for opening in ("h8i9k5", "h8g9l10", "h8j9d8"):
        for strong in (BLACK, WHITE):
            board = Board(15, 15, Rule.FREESTYLE)
            for x, y in parse_opening(opening, 15, 15):
                board.place(x, y)
            winner = None
            while winner is None and len(board.stones) < 120:
                mover = board.side_to_move
                x, y = search(board, 2 if mover == strong else 1)[0]
                board.place(x, y)
                winner = mover if is_win(board, x, y) else None
            points += winner == strong
    assert points >= 4


def test_a_search_out_of_time_falls_back() -> None:
    board = Board(15, 15, Rule.FREESTYLE)
    for x, y in parse_opening("h8i9g7j7f9", 15, 15):
        board.place(x, y)
    began = time.monotonic()
    (x, y), _, finished = search(board, 30, began + 0.2)
    assert board.cell(x, y) == EMPTY and 1 <= finished < 30
    assert time.monotonic() - began < 5
    assert search(board, 30, began)[2] == 0


def test_the_process_answers_and_leaves_at_the_end_of_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tournaments.rivals.minimax", "--depth", "1"],
        input=b"ABOUT\xff\xfe\nSTART 20\r\nBEGIN\n\nNONSENSE\n",
        capture_output=True,
        timeout=30,
        check=True,
    )
    lines = [line for line in done.stdout.decode().splitlines() if not line.startswith("MESSAGE")]
    assert lines[1:] == ["OK", "9,9", "UNKNOWN command NONSENSE"]
    assert done.stderr == b""
