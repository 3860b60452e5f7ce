"""Every rival as a brain: its side of the protocol as transcripts, legal moves, its time, its exit."""

import importlib
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tournaments.cli.main import main as tengen
from tournaments.rivals import RIVALS
from tournaments.rivals.budget import Budget, OutOfTime
from tournaments.rivals.kill import Kill
from tournaments.rivals.minimax import Minimax
from tournaments.rivals.protocol import Chooser, Rival
from tournaments.rivals.threat import Threat
from tournaments.rivals.tree import Tree
from tournaments.rivals.weights import Weights
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import BLACK, EMPTY, WHITE, Board, Cell, Rule, five_points, is_forbidden
from tournaments.storage.store import Store

CHOOSERS: dict[str, Chooser] = {
    "weights": Weights(1).choose,
    "tree": Tree(4).choose,
    "minimax": Minimax(2).choose,
    "kill": Kill(4).choose,
    "threat": Threat(4, seed=1).choose,
}


def talk(transcript: str) -> None:
    """Plays a transcript: "> " lines go in, "< " lines must come out (MESSAGE lines aside)."""
    rival, answers = Rival("minimax", CHOOSERS["minimax"]), list[str]()
    for line in transcript.strip().splitlines():
        mark, _, text = line.strip().partition(" ")
        if mark == ">":
            assert answers == [], "unexpected answer"
            answers = [answer for answer in rival.reply(text) if not answer.startswith("MESSAGE")]
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


def test_an_empty_board_is_opened_next_to_blocked_cells() -> None:
    talk("""
        > START 15
        < OK
        > BOARD
        > DONE
        < 7,7
        > BOARD
        > 7,7,3
        > DONE
        < 7,6
    """)


def test_takeback_restart_and_errors() -> None:
    talk("""
        > BEGIN
        < ERROR no START yet
        > BOARD
        < ERROR no START yet
        > START 4
        < ERROR a board of 4x4 is not possible: each side must be 5 to 22
        > START x
        < ERROR expected 1 number, not 'x'
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
        > YXSWAP2STEP1
        < UNKNOWN command YXSWAP2STEP1
        > INFO rule 2
        > TURN 0,0
        < ERROR this rule is not supported
        > INFO nonsense
        > ABOUT
        < name="minimax", version="1.0", author="The Tengen authors", country="any"
    """)


def test_a_full_board_is_an_error() -> None:
    cells = [f"{x},{y},{1 + (x + y) % 2}" for y in range(5) for x in range(5)]
    rival = Rival("weights", CHOOSERS["weights"])
    answers = [answer for line in ("START 5", "BOARD", *cells, "DONE") for answer in rival.reply(line)]
    assert answers == ["OK", "ERROR the board is full"]


def choose(name: str, board: Board, budget: Budget) -> Cell:
    """The rival's choice for the side to move, which must leave the board as it was."""
    before = list(board.stones)
    cell, words = CHOOSERS[name](board, board.side_to_move, budget)
    assert board.stones == before and words.startswith("depth ")
    return cell


@pytest.mark.parametrize("name", RIVALS)
@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("size", [(5, 5), (7, 6), (15, 15)])
def test_moves_are_legal_in_random_positions(name: str, rule: Rule, size: tuple[int, int]) -> None:
    generator = random.Random(f"{rule} {size}")
    for _ in range(5):
        board = Board(*size, rule)
        for _ in range(generator.randrange(1, size[0] * size[1])):
            board.place(*generator.choice(list(board.empty_cells())))
        x, y = choose(name, board, Budget(nodes=40))
        assert board.cell(x, y) == EMPTY
        if board.side_to_move == BLACK and not all(is_forbidden(board, *cell) for cell in board.empty_cells()):
            assert not is_forbidden(board, x, y)


@pytest.mark.parametrize("name", RIVALS)
@pytest.mark.parametrize("rule", Rule)
def test_fives_are_made_and_stopped(name: str, rule: Rule) -> None:
    board = Board(15, 15, rule)
    for x, y in parse_opening("h8h9i8i9j8j9k8", 15, 15):
        board.place(x, y)
    for budget in (Budget(nodes=500), Budget(0.0)):
        assert choose(name, board, budget) in five_points(board, BLACK), "white stops one of two"
    board.place(6, 8)
    for budget in (Budget(nodes=500), Budget(0.0)):
        assert choose(name, board, budget) in five_points(board, BLACK)


@pytest.mark.parametrize("name", RIVALS)
def test_a_foul_is_not_played_where_the_five_is_elsewhere(name: str) -> None:
    # i8 would give Black two fours and no five in renju; without the rule it is the move.
    board = Board(15, 15, Rule.RENJU)
    cells = ["f8", "a1", "g8", "a3", "h8", "e8", "i5", "a5", "i6", "a7", "i7", "i4"]
    for index, name_of_cell in enumerate(cells):
        board.place(ord(name_of_cell[0]) - 97, int(name_of_cell[1:]) - 1, index % 2)
    assert is_forbidden(board, 8, 7)
    assert choose(name, board, Budget(nodes=300)) != (8, 7)


@pytest.mark.parametrize("name", RIVALS)
def test_a_fixed_number_of_nodes_gives_the_same_move(name: str) -> None:
    board = Board(15, 15, Rule.FREESTYLE)
    for x, y in parse_opening("h8i9g7j7f9", 15, 15):
        board.place(x, y)
    if name == "threat":
        cells = {Threat(4, seed=7).choose(board, WHITE, Budget(nodes=60)) for _ in range(3)}
    else:
        cells = {CHOOSERS[name](board, WHITE, Budget(nodes=60)) for _ in range(3)}
    assert len(cells) == 1


@pytest.mark.parametrize("name", RIVALS)
def test_a_turn_of_a_tenth_of_a_second_is_kept(name: str) -> None:
    """The limit here is generous, for slow and busy machines; most of these moves would take seconds if let."""
    deep: dict[str, Chooser] = {
        "weights": Weights(4).choose,
        "tree": Tree(8).choose,
        "minimax": Minimax(9).choose,
        "kill": Kill(20, 40).choose,
        "threat": Threat(20).choose,
    }
    rival = Rival(name, deep[name])
    taken, slowest = set(), 0.0
    lines = ["START 20", "INFO rule 4", "INFO timeout_turn 100", "BEGIN"]
    for x in range(8):
        for line in lines:
            began = time.monotonic()
            answers = list(rival.reply(line))
            slowest = max(slowest, time.monotonic() - began)
        taken.add(answers[-1])
        cell = next(text for y in range(5) if (text := f"{2 * x},{y}") not in taken)
        taken.add(cell)
        lines = [f"TURN {cell}"]
    assert len(taken) == 16
    assert slowest < 3


def test_a_budget_counts_its_parts_and_stops() -> None:
    budget = Budget(nodes=10)
    part = budget.part(0.5)
    for _ in range(5):
        part.tick()
    with pytest.raises(OutOfTime):
        part.tick()
    assert (part.nodes, budget.nodes) == (6, 6)
    for _ in range(4):
        budget.tick()
    with pytest.raises(OutOfTime):
        budget.tick()
    with pytest.raises(OutOfTime):
        Budget(seconds=-1.0).tick()
    unlimited = Budget()
    for _ in range(1000):
        unlimited.tick()


@pytest.mark.parametrize("name", RIVALS)
def test_the_process_answers_and_leaves_at_the_end_of_input(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"tournaments.rivals.{name}"],
        input=b"ABOUT\xff\xfe\nSTART 20\r\nINFO timeout_turn 200\nBEGIN\n\nNONS\x00NSE\nTURN 10,10\n",
        capture_output=True,
        timeout=60,
        check=True,
    )
    lines = [line for line in done.stdout.decode().splitlines() if not line.startswith("MESSAGE")]
    assert lines[1:4] == ["OK", "9,9", "UNKNOWN command NONS"] and len(lines) == 5
    assert done.stderr == b""


@pytest.mark.parametrize("name", RIVALS)
def test_help_and_bad_options_are_answered(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    main = importlib.import_module(f"tournaments.rivals.{name}").main
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0 and capsys.readouterr().out.startswith(f"usage: {name}")
    with pytest.raises(SystemExit) as left:
        main(["--depth", "0"])
    assert left.value.code == 2 and "argument --depth" in capsys.readouterr().err


def ask(rival: Rival, *lines: str) -> str:
    """The last answer to the lines."""
    return [answer for line in lines for answer in rival.reply(line)][-1]


def cells_of(answer: str) -> list[Cell]:
    return [(int(x), int(y)) for x, y in (word.split(",") for word in answer.split(" "))]


@pytest.mark.parametrize("name", RIVALS)
@pytest.mark.parametrize(("start", "size"), [("START 15", (15, 15)), ("RECTSTART 6,5", (6, 5))])
def test_swap2_is_opened_answered_and_decided(name: str, start: str, size: tuple[int, int]) -> None:
    seen = set()
    for seed in range(4):
        rival = Rival(name, CHOOSERS[name], seed)
        opening = ask(rival, start, "INFO max_node 60", "SWAP2BOARD", "DONE")
        assert len(set(cells_of(opening))) == 3
        answer = ask(rival, "SWAP2BOARD", *opening.split(" "), "DONE")
        stones = cells_of(opening)
        if answer != "SWAP":
            stones += cells_of(answer)
            assert len(set(stones)) == len(stones) in (4, 5)
        if len(stones) == 5:
            last = ask(rival, "SWAP2BOARD", *(f"{x},{y}" for x, y in stones), "DONE")
            assert last == "SWAP" or (len(cells_of(last)) == 1 and cells_of(last)[0] not in stones)
            stones += cells_of(last) if last != "SWAP" else []
        assert all(0 <= x < size[0] and 0 <= y < size[1] for x, y in stones)
        # The game goes on from there.
        board = [f"{x},{y},{1 if index % 2 == len(stones) % 2 else 2}" for index, (x, y) in enumerate(stones)]
        assert cells_of(ask(rival, "BOARD", *board, "DONE"))[0] not in stones
        seen.add(opening)
    assert len(seen) > 1, "not the same game each time"


def test_swap2_by_what_is_on_the_board() -> None:
    rival = Rival("weights", CHOOSERS["weights"], seed=1)
    ask(rival, "START 15")
    # Black's two stones stand together in the middle and White's in a corner: Black is the one to be.
    assert ask(rival, "SWAP2BOARD", "7,7", "0,0", "7,8", "DONE") == "SWAP"
    # Black is ours now, and White's stone comes by TURN.
    assert len(cells_of(ask(rival, "TURN 7,6"))) == 1
    # Black's stones are in two corners: White moves, and is ours.
    assert len(cells_of(ask(rival, "SWAP2BOARD", "0,0", "7,7", "14,14", "DONE"))) == 1
    assert len(cells_of(ask(rival, "TURN 1,13"))) == 1
    # After five stones there are but the two colours.
    assert ask(rival, "SWAP2BOARD", "7,7", "0,0", "7,8", "14,14", "8,8", "DONE") == "SWAP"
    assert len(cells_of(ask(rival, "SWAP2BOARD", "0,0", "7,7", "14,14", "8,7", "0,14", "DONE"))) == 1
    assert ask(rival, "SWAP2BOARD", "1,1", "DONE") == "ERROR SWAP2BOARD takes 0, 3 or 5 stones, not 1"
    assert ask(rival, "SWAP2BOARD", "1,1", "2,2", "1,1", "DONE") == "ERROR 1,1 is already taken"
    assert ask(rival, "SWAP2BOARD", "1,1", "2,2", "15,1", "DONE") == "ERROR 15,1 is off the 15x15 board"


def test_an_even_opening_gets_two_stones_more() -> None:
    answers = set()
    for seed in range(12):
        rival = Rival("weights", CHOOSERS["weights"], seed)
        opening = ask(rival, "START 15", "INFO timeout_turn 100000", "SWAP2BOARD", "DONE")
        answers.add(len(cells_of(ask(rival, "SWAP2BOARD", *opening.split(" "), "DONE").replace("SWAP", "0,0"))))
        if 2 in answers:
            return
    assert answers == {2}


def test_the_rivals_play_a_tournament_from_swap2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "swap2.tengen"
    brains = [word for name in RIVALS for word in ("--brain", name)]
    rules = ["--format", "gauntlet", "--swap2", "--games", "2", "--draw-after", "9", "--reuse"]
    clocks = ["--turn-time", "0.05", "--tolerance", "20"]
    assert tengen(["tournament", "run", "--store", str(path), *brains, *rules, *clocks]) == 0
    capsys.readouterr()
    with Store.open(path, read_only=True) as store:
        games = store.games()
        assert len(games) == 8
        assert [game.detail for game in games if game.ending.is_fault] == []
        assert {game.opening_plies for game in games} <= {3, 4, 5, 6}
