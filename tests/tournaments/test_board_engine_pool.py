"""The queue in front of the brains: the order of questions, cancelled questions, and brains that fail."""

import asyncio
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from needs import needs_posix, needs_processes
from processes import SCRIPT, children, wait_until_gone
from waiting import run, wait_until, wait_until_async

from tournaments.board.engines import question_limits, shared_watchdog, worker
from tournaments.board.engines.analysis import Analysis, parse_line, win_probability
from tournaments.board.engines.brain_question import BrainQuestion
from tournaments.board.engines.engine_pool import EnginePool
from tournaments.board.engines.job_queue import Cancelled, Priority
from tournaments.board.engines.position import Position
from tournaments.board.engines.question_limits import QuestionLimits
from tournaments.board.engines.registration import register
from tournaments.board.game.actions import PlaceOpening, Play
from tournaments.board.game.events import Seat
from tournaments.brains.brain import Brain, BrainFailure
from tournaments.rules.referee import Cell, Rule

Result = TypeVar("Result")

PATIENCE = 60.0
START = Position(15, 15, Rule.FREESTYLE, ((7, 7), (8, 8), (6, 7)))


def scripted(*words: str) -> str:
    return f"Odd={shlex.join([sys.executable, '-I', '-S', str(SCRIPT), *words])}"


@pytest.fixture
def pool() -> Iterator[Callable[..., EnginePool]]:
    """Makes pools that are closed at the end."""
    pools: list[EnginePool] = []

    def make(processes: int = 1, *brains: str) -> EnginePool:
        pools.append(EnginePool(register(brains), processes))
        pools[-1].start()
        return pools[-1]

    yield make
    for each in pools:
        each.close()


def question(
    brain: str,
    position: Position = START,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    level: int | None = None,
    is_opening: bool = False,
) -> BrainQuestion:
    """What a brain in a seat with these limits is asked."""
    who = Seat("brain", brain, level, None if seconds is None else round(1000 * seconds), nodes)
    return BrainQuestion(position.to_move, who, position, is_opening)


async def move(pool: EnginePool, owner: str, asked: BrainQuestion) -> Cell:
    """Where the brain plays."""
    action = await pool.act(owner, asked)
    assert isinstance(action, Play) and action.ply == len(asked.position.moves)
    return action.cell


async def start_analysis(
    pool: EnginePool, owner: str, told: list[Analysis], seconds: float = 50
) -> "asyncio.Task[Analysis]":
    """An analysis that has said something."""
    task = asyncio.create_task(pool.analyse(owner, "tengen", START, QuestionLimits(seconds=seconds), 1, told.append))
    await wait_until_async(lambda: told, PATIENCE, "the analysis says something")
    return task


def test_the_brains_are_ours_the_rivals_and_those_that_are_named() -> None:
    brains = register(["Mine (1)=weights"])
    assert list(brains)[:2] == ["tengen", "weights"] and brains["Mine (1)"].command.name == "weights"
    assert [name for name, brain in brains.items() if brain.is_ours] == ["tengen"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("weights", "'weights' is not NAME=COMMAND"),
        ("/bin/sh=sh", "'/bin/sh=sh' is not NAME=COMMAND"),
        ("tree=weights", "there are two brains 'tree'"),
        ("X=no-such-program", "there is no brain 'no-such-program'"),
    ],
)
def test_a_brain_is_named_and_its_program_is_there(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        register([text])


def test_a_line_of_our_brain_is_read_with_its_number_score_and_cells() -> None:
    text = "depth 9-14 multipv 2 ev -M4 n 1200 n/ms 80 tm 15 pv h8 o15"
    number, line, nodes, milliseconds = parse_line(text, 15) or pytest.fail("it is a line")
    assert (number, nodes, milliseconds, line.moves) == (2, 1200, 15, ((7, 7), (14, 0)))
    assert (line.score, line.mate, line.win, line.depth) == (None, -4, 0.0, 9)
    assert (parse_line("depth 1-1 ev 120 n 1 n/ms 0 tm 0 pv a1", 20) or pytest.fail())[1].moves == ((0, 19),)
    number, line, nodes, milliseconds = parse_line("without search multipv 2 ev +M3 pv g8", 15) or pytest.fail()
    assert (number, line.moves, line.mate, line.depth, nodes, milliseconds) == (2, ((6, 7),), 3, 0, 0, 0)
    assert parse_line("balance 3 depth 2", 15) is None


def test_the_two_sides_share_the_wins() -> None:
    for score in (0.0, 30.0, 200.0, 5000.0, 1e9):
        assert win_probability(score, None) + win_probability(-score, None) == pytest.approx(1.0)
    assert 0.7 < win_probability(150, None) < 0.75
    assert (win_probability(None, 3), win_probability(None, -2), win_probability(None, None)) == (1.0, 0.0, 0.5)


def test_any_brain_moves_and_opens_a_game(pool: Callable[..., EnginePool]) -> None:
    async def play() -> None:
        for name in ("tengen", "weights"):
            assert await move(made, "game", question(name, level=4, nodes=2000)) not in START.moves
            x, y = await move(made, "game", question(name, Position(9, 12, Rule.RENJU, ()), nodes=100))
            assert x < 9 and y < 12
        opening = question("tengen", Position(15, 15, Rule.FREESTYLE, ()), seconds=0.1, is_opening=True)
        placed = await made.act("game", opening)
        assert isinstance(placed, PlaceOpening) and len(placed.cells) == 3

    made = pool()
    run(play())


def test_an_opening_takes_the_time_of_its_brain_and_not_of_the_queue(pool: Callable[..., EnginePool]) -> None:
    async def play() -> None:
        began = time.monotonic()
        before = asyncio.create_task(move(made, "other", question("Odd", seconds=30)))
        await wait_until_async(lambda: made.is_asked("other"), PATIENCE, "the only process is busy")
        empty = Position(15, 15, Rule.FREESTYLE, ())
        placed = await made.act("game", question("tengen", empty, seconds=0.1, is_opening=True))
        took = time.monotonic() - began
        assert await before == (1, 1)
        assert isinstance(placed, PlaceOpening) and placed.ms <= 1000 * (took - 0.5) + 1

    made = pool(1, scripted("sleeps=0.5", "1,1"))
    run(play())


def test_an_analysis_by_nodes_is_the_same_again(pool: Callable[..., EnginePool]) -> None:
    told: list[Analysis] = []

    async def analyse() -> Analysis:
        return await made.analyse("watcher", "tengen", START, QuestionLimits(seconds=50, nodes=8000), 3, told.append)

    made = pool()
    first = run(analyse())
    assert len(first.lines) == 3 and len({line.moves[0] for line in first.lines}) == 3
    assert first.nodes > 0 and (first.lines[0].depth or 0) >= 4
    again = run(analyse())
    assert (again.lines, again.nodes) == (first.lines, first.nodes)


def test_what_the_other_side_would_do_is_an_analysis_after_a_pass(pool: Callable[..., EnginePool]) -> None:
    """Black has an open three and it is White's move; were it Black's again, there would be a win."""
    position = Position(15, 15, Rule.RENJU, ((7, 7), (0, 0), (8, 7), (14, 0), (9, 7)))

    async def ask(passes: bool) -> Analysis:
        limits = QuestionLimits(nodes=5000, seconds=50)
        return await made.analyse("watcher", "tengen", position, limits, 1, ignore, passes)

    def ignore(lines: Analysis) -> None:
        pass

    made = pool()
    mate = run(ask(True)).lines[0].mate
    assert mate is not None and mate > 0
    mine = run(ask(False)).lines[0].mate
    assert mine is None or mine < 0


FOUR = Position(15, 15, Rule.FREESTYLE, ((7, 7), (0, 0), (8, 7), (0, 2), (9, 7), (0, 4), (10, 7), (0, 6)))
"""Black wins at once, at g8 and at l8."""


def test_barred_cells_are_left_out_and_free_again_for_the_next_question(pool: Callable[..., EnginePool]) -> None:
    async def analyse(position: Position, barred: list[Cell], count: int = 3) -> list[Cell]:
        limits = QuestionLimits(seconds=50, nodes=3000)
        found = await made.analyse("watcher", "tengen", position, limits, count, lambda lines: None, barred=barred)
        return [line.moves[0] for line in found.lines]

    made = pool()
    assert run(analyse(FOUR, [], 1))[0] in ((6, 7), (11, 7))
    assert run(analyse(FOUR, [(6, 7)], 1)) == [(11, 7)], "the other way to win is found"
    first = run(analyse(START, []))
    others = run(analyse(START, first))
    assert len(others) == 3 and not set(first) & set(others), "the best moves are barred"
    assert run(analyse(START, [])) == first
    assert run(move(made, "game", question("tengen", FOUR, nodes=100))) in ((6, 7), (11, 7)), "a game bars nothing"


def test_an_analysis_ends_at_its_depth(pool: Callable[..., EnginePool]) -> None:
    async def analyse(depth: int | None) -> int:
        limits = QuestionLimits(seconds=1, depth=depth)
        found = await made.analyse("watcher", "tengen", START, limits, 1, lambda lines: None)
        return found.lines[0].depth or 0

    made = pool()
    assert run(analyse(3)) == 3
    assert run(analyse(None)) > 3, "the next one has no such limit"


def test_every_free_cell_gets_a_value(pool: Callable[..., EnginePool]) -> None:
    position = Position(7, 6, Rule.FREESTYLE, ((3, 3), (2, 2), (4, 3)))
    free = 7 * 6 - 3

    async def analyse() -> Analysis:
        limits = QuestionLimits(seconds=50, depth=2)
        return await made.analyse("watcher", "tengen", position, limits, free, lambda lines: None)

    made = pool()
    lines = run(analyse()).lines
    assert len({line.moves[0] for line in lines}) == len(lines) == free
    wins = [line.win for line in lines]
    assert wins == sorted(wins, reverse=True), "the best first"


def test_threads_and_memory_of_an_analysis_are_told_to_the_brain(
    pool: Callable[..., EnginePool], tmp_path: Path
) -> None:
    heard: list[str] = []

    async def analyse(limits: QuestionLimits) -> None:
        def hear(direction: str, text: str) -> None:
            heard.append(f"{direction} {text}")

        ours = made.brains["tengen"]

        def ask(brain: Brain) -> None:
            brain.ask(["YXBOARD", "7,7,2", "DONE", "YXNBEST 1"])

        await made._ask("watcher", Priority.STUDY, ours.name, START, limits, ask, hear)

    made = pool()
    run(analyse(QuestionLimits(seconds=1, nodes=500, threads=2, memory=200 << 20)))
    run(analyse(QuestionLimits(seconds=1, nodes=500)))
    told = [line[7:] for line in heard if line.startswith(("> INFO thread_num", "> INFO max_memory"))]
    assert told == [f"max_memory {200 << 20}", "thread_num 2", f"max_memory {128 << 20}", "thread_num 1"]


def test_a_brain_of_others_is_asked_for_its_move_and_says_one_line(pool: Callable[..., EnginePool]) -> None:
    async def analyse() -> Analysis:
        return await made.analyse("watcher", "Odd", START, QuestionLimits(seconds=20), 5, lambda lines: None)

    made = pool(1, scripted("evaluates=-31", "3,3"))
    (line,) = run(analyse()).lines
    assert (line.moves, line.score, line.depth) == (((3, 3),), -31.0, 7)


def test_even_stones_are_found(pool: Callable[..., EnginePool]) -> None:
    made = pool()
    for stones in (1, 2):
        cells, _ = run(made.balance("watcher", START, stones, QuestionLimits(seconds=0.3)))
        assert len(cells) == stones and not set(cells) & set(START.moves)


def test_an_analysis_gives_way_to_a_move_and_goes_on(pool: Callable[..., EnginePool]) -> None:
    told: list[Analysis] = []

    async def play() -> None:
        analysis = await start_analysis(made, "watcher", told)
        before = time.monotonic()
        await move(made, "game", question("tengen", nodes=1000))
        assert time.monotonic() - before < 20, "the only process was busy for 50 s"
        count = len(told)
        await wait_until_async(lambda: len(told) > count, PATIENCE, "the analysis goes on")
        assert not analysis.done()
        depths = [line.lines[0].depth or 0 for line in told]
        assert depths == sorted(depths), "what begins anew is not told until it is as deep as before"
        made.cancel("watcher")
        with pytest.raises(Cancelled):
            await analysis

    made = pool()
    run(play())


def test_analyses_take_turns(pool: Callable[..., EnginePool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "SLICE", 0.3)
    told: list[Analysis] = []

    async def play() -> None:
        first = await start_analysis(made, "first", [])
        second = await start_analysis(made, "second", told)
        made.cancel("first")
        made.cancel("second")
        for task in (first, second):
            with pytest.raises(Cancelled):
                await task

    made = pool()
    run(play())
    assert told


def test_a_cancelled_question_frees_its_process_at_once(pool: Callable[..., EnginePool]) -> None:
    async def play(name: str) -> None:
        waiting = [asyncio.create_task(move(made, owner, question(name, seconds=30))) for owner in "ab"]
        await wait_until_async(lambda: made.is_asked("a") and made.is_asked("b"), PATIENCE, "both wait for a move")
        await asyncio.sleep(0.3)
        for owner in "ab":
            made.cancel(owner)
        for task in waiting:
            with pytest.raises(Cancelled):
                await task
        await wait_until_async(lambda: not made.is_asked("a"), PATIENCE, "the first is answered")
        assert await move(made, "c", question("weights")) not in START.moves

    made = pool(1, scripted("sleeps=30", "1,1", "2,2"))
    for name in ("tengen", "Odd"):
        run(play(name))


def test_our_brain_moves_when_it_is_told_to(pool: Callable[..., EnginePool]) -> None:
    async def play() -> None:
        task = asyncio.create_task(move(made, "game", question("tengen", seconds=50)))
        await wait_until_async(lambda: made.hasten("game"), PATIENCE, "the brain thinks")
        assert await asyncio.wait_for(task, 25) not in START.moves
        assert not made.hasten("game"), "nothing is asked any more"

    made = pool()
    run(play())


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("crashes",), "its program ended"),
        (("exits-at-once",), "its program ended"),
        (("hangs",), "its turn time ran out"),
        (("refuses",), "it refused the board"),
        (("babbles",), "its answer is not a move"),
        (("plays", "7,7"), "it moved to an occupied point"),
        (("plays", "77,7"), "it moved off the board"),
    ],
)
def test_a_brain_that_fails_is_an_exception_and_the_next_question_is_answered(
    pool: Callable[..., EnginePool], words: tuple[str, ...], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_limits, "_TOLERANCE", 0.2)
    made = pool(1, scripted(*words))
    with pytest.raises(BrainFailure, match=complaint):
        run(move(made, "game", question("Odd", seconds=0.2)))
    assert run(move(made, "game", question("weights"))) not in START.moves


@needs_posix
@needs_processes
@pytest.mark.parametrize("fault", ["eats-memory=200", "child-eats-memory=200"])
def test_a_brain_that_takes_the_machines_memory_is_killed(
    pool: Callable[..., EnginePool], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_watchdog, "MOST_MEMORY", 100 << 20)
    made = pool(1, scripted(fault))
    with pytest.raises(BrainFailure, match=r"^it used too much memory \([12]\d\d MB\)$"):
        run(move(made, "game", question("Odd", seconds=20)))
    assert run(move(made, "game", question("weights"))) not in START.moves


@needs_posix
@needs_processes
def test_a_brain_that_starts_very_many_processes_is_killed(
    pool: Callable[..., EnginePool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_watchdog, "MOST_PROCESSES", 5)
    monkeypatch.setenv("CHILD_FILE", str(tmp_path / "pids"))
    made = pool(1, scripted("forks=8"))
    with pytest.raises(BrainFailure, match=r"^it started too many processes \(\d at once\)$"):
        run(move(made, "game", question("Odd", seconds=20)))
    assert wait_until_gone(int(pid) for pid in (tmp_path / "pids").read_text().split()) == []


@needs_processes
def test_an_idle_pool_holds_no_process(pool: Callable[..., EnginePool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "IDLE", 0.05)
    made = pool(2)
    run(move(made, "game", question("weights")))
    wait_until(lambda: not children(os.getpid(), "tournaments.rivals"), PATIENCE, "the brain's process is gone")


@needs_processes
def test_a_closed_pool_leaves_nothing_behind() -> None:
    async def play() -> None:
        told: list[Analysis] = []
        analysis = await start_analysis(made, "watcher", told)
        waiting = asyncio.create_task(move(made, "game", question("tengen", seconds=50)))
        left = children(os.getpid(), "pbrain-tengen")
        assert left
        await asyncio.get_running_loop().run_in_executor(None, made.close)
        for task in (analysis, waiting):
            with pytest.raises(Cancelled):
                await task
        assert wait_until_gone(left) == []
        with pytest.raises(Cancelled):
            await move(made, "game", question("weights"))

    made = EnginePool(register(), 1)
    made.start()
    run(play())


@pytest.mark.parametrize(
    ("moves", "complaint"),
    [
        (((7, 7), (7, 7)), r"Stone 2 \(h8\) stands on an earlier stone"),
        (tuple((x, y) for x in range(5) for y in (0, 2)), r"The game is over with stone 9 \(e15\)"),
    ],
)
def test_a_position_that_cannot_be_is_refused(moves: tuple[tuple[int, int], ...], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Position(15, 15, Rule.FREESTYLE, moves).check()
