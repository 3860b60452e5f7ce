"""Puzzles over real sockets to a real `tengen serve`: the day's puzzle, another one, answers and the rating."""

from collections.abc import Iterator

import pytest
from board_server import Server, run

from tournaments.board.puzzles.puzzle import Puzzle
from tournaments.board.puzzles.rating import START, level_rating
from tournaments.board.puzzles.sets import find_shipped, shipped_set
from tournaments.rules.proofs import parse_proof, refute
from tournaments.rules.referee import Rule


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("board") / "games.sqlite", "--processes", "1") as made:
        yield made


def shipped(id: str) -> Puzzle:
    found = find_shipped(id)
    assert found is not None
    return found


def test_a_puzzle_is_asked_without_its_answer_and_judged(server: Server) -> None:
    async def ask() -> None:
        async with server.owner() as me:
            day = await me.ask("puzzle", rule=0, day="2026-11-25")
            asked = day["asked"]
            puzzle = shipped(asked["puzzle"])
            assert asked["moves"] == [list(cell) for cell in puzzle.moves] and asked["to_move"] == puzzle.to_move
            assert not {"answer", "line", "plies"} & asked.keys() and not day["is_answered"]
            count = len(shipped_set(Rule.FREESTYLE).puzzles)
            assert day["standing"] == {"rating": START, "deviation": 350, "solved": 0, "answered": 0, "of": count}
            judged = await me.ask("puzzle_answer", puzzle=puzzle.id)
            assert (judged["right"], judged["answer"], judged["plies"]) == (False, list(puzzle.answer), puzzle.plies)
            assert judged["change"] < 0 and judged["standing"]["rating"] == START + judged["change"]
            again = await me.ask("puzzle", rule=0, day="2026-11-25")
            assert (again["is_answered"], again["is_solved"]) == (True, False)
            right = await me.ask("puzzle_answer", puzzle=puzzle.id, cell=puzzle.answer)
            assert right["right"] and right["verdict"] == "wins" and right["change"] is None
            assert (right["standing"]["solved"], right["standing"]["answered"]) == (1, 1)

    run(ask())


@pytest.mark.long
def test_a_wrong_answer_is_judged_by_proof_and_the_win_is_proved(server: Server) -> None:
    puzzle = min(shipped_set(Rule.FREESTYLE).puzzles, key=lambda puzzle: (puzzle.plies, len(puzzle.moves), puzzle.id))

    async def ask() -> None:
        async with server.owner() as me:
            wrong = next(cell for cell in ((0, 0), (0, 14), (14, 0)) if cell not in puzzle.moves)
            judged = await me.ask("puzzle_answer", puzzle=puzzle.id, cell=wrong)
            assert not judged["right"] and judged["verdict"] in ("loses", "misses") and judged["change"] < 0
            assert (judged["verdict"] == "loses") == (judged["proof"] is not None)
            proved = await me.ask("prove", position={"moves": puzzle.moves})
            proof = parse_proof(proved["proof"])
            assert refute(puzzle.board(), proof, is_sparing=True) is None and proof.steps[0].move == puzzle.answer

    run(ask())


def test_another_puzzle_is_near_to_the_level_or_the_rating_and_not_solved(server: Server) -> None:
    async def ask() -> None:
        async with server.owner() as me:
            puzzles = shipped_set(Rule.FREESTYLE).puzzles
            asked: list[str] = []
            for _ in range(3):
                answer = await me.ask("puzzle", rule=0, level=2, without=asked)
                asked.append(answer["asked"]["puzzle"])
            distances = [abs(shipped(id).rating - level_rating(2)) for id in asked]
            assert len({*asked}) == 3 and distances == sorted(distances)
            own = (await me.ask("puzzle", rule=0))["asked"]
            given_up = await me.ask("puzzle_answer", puzzle=own["puzzle"])
            assert (given_up["right"], given_up["verdict"], given_up["cell"]) == (False, "", None)
            assert (await me.ask("puzzle", rule=0, without=[puzzle.id for puzzle in puzzles]))["asked"] is None

    run(ask())


def test_requests_that_do_not_fit_are_refused_and_guests_have_no_puzzles(server: Server) -> None:
    puzzle = shipped_set(Rule.FREESTYLE).puzzles[0]

    async def ask() -> None:
        async with server.owner() as me, server.guest() as guest:
            for values, words in (
                ({"puzzle": "00000000"}, "This puzzle does not exist."),
                ({"puzzle": 7}, "This puzzle does not exist."),
                ({"puzzle": puzzle.id, "cell": [99, 0]}, "cell"),
                ({"puzzle": puzzle.id, "cell": list(puzzle.moves[0])}, "is taken"),
            ):
                assert words in await me.refused("puzzle_answer", **values)
            for values in ({"day": "2026-13-01"}, {"day": "today"}, {"level": 11}, {"rule": 3}, {"without": ["x"]}):
                assert await me.refused("puzzle", **values)
            for kind in ("puzzle", "puzzle_answer"):
                assert "Only the owner" in await guest.refused(kind, puzzle=puzzle.id)

    run(ask())
