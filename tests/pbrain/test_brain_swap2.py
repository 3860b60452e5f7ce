"""SWAP2BOARD as transcripts over the fake engine, and what is kept of it in the manager's folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from needs import needs_posix
from test_brain_session import started
from transcript import Talk

from pbrain import saved_openings
from pbrain.saved_openings import load_openings, parse_opening, save_openings
from pbrain.thinker import Trial

OWN_STONES = ((1, 1), (2, 2), (3, 3))


def trial(*stones: tuple[int, int], score: int = 0) -> Trial:
    made = Trial(stones)
    made.score = score
    return made


def test_three_stones_for_an_empty_board(talk: Talk) -> None:
    """Case 27: single blanks, distinct cells on the board."""
    started(talk, "INFO max_depth 1")
    (answer,) = talk.answers("SWAP2BOARD", "DONE")
    stones = answer.split(" ")
    assert len(set(stones)) == 3
    assert all(0 <= int(part) < 15 for stone in stones for part in stone.split(","))


def score_white(talk: Talk, score: int) -> None:
    """From here on the engine thinks that much of every position, for the side to move."""
    make = talk.engine.Searcher

    def searcher(memory_bytes: int) -> object:
        made = make(memory_bytes)
        go = made.go

        def rated(*arguments: object) -> object:
            info = go(*arguments)  # type: ignore[arg-type]
            info.score = score
            return info

        made.go = rated  # type: ignore[method-assign, assignment]
        return made

    talk.engine.Searcher = searcher  # type: ignore[method-assign, assignment]


def test_the_better_colour_is_taken(talk: Talk) -> None:
    """Case 27: white is to move; what white thinks of it decides."""
    score_white(talk, 500)
    assert started(talk).answers("SWAP2BOARD", "7,7", "8,8", "6,5", "DONE") == ["6,6"]
    assert talk.answers("SWAP2BOARD", "7,7", "8,8", "6,5", "1,1", "2,2", "DONE") == ["6,6"]
    talk.engine.searchers.clear()
    losing = Talk()
    score_white(losing, -500)
    assert started(losing).answers("SWAP2BOARD", "7,7", "8,8", "6,5", "DONE") == ["SWAP"]
    assert losing.answers("SWAP2BOARD", "7,7", "8,8", "6,5", "1,1", "2,2", "DONE") == ["SWAP"]


def test_an_even_game_is_handed_back_with_two_stones_more(talk: Talk) -> None:
    """Case 27: but after five stones a colour must be taken."""
    score_white(talk, 0)
    (answer,) = started(talk, "INFO max_depth 1").answers("SWAP2BOARD", "7,7", "8,8", "6,5", "DONE")
    assert len(set(answer.split(" "))) == 2
    assert talk.answers("SWAP2BOARD", "7,7", "8,8", "6,5", "1,1", "2,2", "DONE") == ["6,6"]


@pytest.mark.parametrize(
    ("stones", "fault"),
    [
        (["7,7"], "takes 0, 3 or 5 stones, not 1"),
        (["7,7", "7,7", "7,7"], "takes 0, 3 or 5 stones, not 1"),
        (["7,7", "8,8", "15,0"], "15,0 is outside"),
        (["7,7", "8,8", "x"], '"x" is not x,y'),
        (["7,7", "8,8", "1,1,1"], '"1,1,1" is not x,y'),
    ],
)
def test_a_senseless_opening_is_refused(talk: Talk, stones: list[str], fault: str) -> None:
    (answer,) = started(talk).answers("SWAP2BOARD", *stones, "DONE")
    assert answer.startswith(f"ERROR SWAP2BOARD {fault}")
    assert talk.answers("BEGIN") == ["7,7"]


def test_swap2_before_start_is_refused(talk: Talk) -> None:
    assert talk.answers("SWAP2BOARD", "DONE") == ["ERROR no board yet: send START first"]


def test_after_swap_the_game_goes_on_with_us_black(talk: Talk) -> None:
    """Case 27: a TURN straight after it is white's fourth stone."""
    score_white(talk, -500)
    started(talk).answers("SWAP2BOARD", "7,7", "8,8", "6,5", "DONE")
    talk.say("TURN 0,0")
    board = talk.engine.boards[-1]
    assert board.history == [(7, 7), (8, 8), (6, 5), (0, 0)]
    assert board.side_to_move == 0


def test_after_whites_move_the_game_goes_on_with_us_white(talk: Talk) -> None:
    score_white(talk, 500)
    started(talk).answers("SWAP2BOARD", "7,7", "8,8", "6,5", "DONE")
    talk.say("TURN 0,0")
    board = talk.engine.boards[-1]
    assert board.history == [(7, 7), (8, 8), (6, 5), (6, 6), (0, 0)]
    assert board.side_to_move == 1


def test_a_board_after_the_opening_replaces_it(talk: Talk) -> None:
    score_white(talk, -500)
    started(talk).answers("SWAP2BOARD", "7,7", "8,8", "6,5", "DONE")
    assert talk.answers("BOARD", "7,7,1", "8,8,2", "6,5,1", "0,0,2", "DONE") == ["6,6"]


# Yixin-Board's own way of it

THREE = ("YXBOARD", "7,7,2", "8,8,1", "6,5,2", "DONE")
FIVE = ("YXBOARD", "7,7,2", "8,8,1", "6,5,2", "1,1,1", "2,2,2", "DONE")


def test_a_gui_asks_for_the_three_stones(talk: Talk) -> None:
    started(talk, "INFO max_depth 1", "YXSHOWINFO", "BEGIN")
    lines = talk.say("yxswap2step1")
    assert [line.split()[:3] for line in lines] == [["MESSAGE", "SWAP2", f"MOVE{number}"] for number in (1, 2, 3)]
    stones = {tuple(map(int, line.split()[3:])) for line in lines}
    assert len(stones) == 3
    assert all(0 <= x < 15 and 0 <= y < 15 for x, y in stones)
    assert not talk.session.is_searching


@pytest.mark.parametrize(("score", "answer"), [(500, "NO"), (-500, "YES")])
def test_a_gui_asks_whether_to_swap(talk: Talk, score: int, answer: str) -> None:
    """NO has it ask for white's move by BOARD."""
    score_white(talk, score)
    started(talk, "YXSHOWINFO", *THREE)
    assert talk.say("YXSWAP2STEP2") == [f"MESSAGE SWAP2 SWAP1 {answer}"]
    started(talk, *FIVE)
    assert talk.say("YXSWAP2STEP3") == [f"MESSAGE SWAP2 SWAP2 {answer}"]
    started(talk)
    assert talk.answers("BOARD", *THREE[1:]) == ["6,6"]


def test_a_gui_is_given_two_stones_more(talk: Talk) -> None:
    score_white(talk, 0)
    started(talk, "INFO max_depth 1", *THREE)
    lines = talk.say("YXSWAP2STEP2")
    assert [line.split()[2] for line in lines] == ["MOVE4", "MOVE5"]
    assert len({line.split(None, 3)[3] for line in lines} - {"7 7", "8 8", "6 5"}) == 2


@pytest.mark.parametrize(("word", "position"), [("YXSWAP2STEP2", FIVE), ("YXSWAP2STEP3", THREE)])
def test_a_step_out_of_place_is_refused(talk: Talk, word: str, position: tuple[str, ...]) -> None:
    assert talk.say(word) == ["ERROR no board yet: send START first"]
    (answer,) = started(talk, *position).say(word)
    assert answer.startswith(f"ERROR {word} takes ")
    assert talk.say("YXSWAP2STEP1")[0].startswith("MESSAGE SWAP2 MOVE1 ")


# The folder


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    """Case 26: what the manager names is the manager's to make."""
    save_openings(str(tmp_path / "missing"), 0, 15, 15, [trial(*OWN_STONES)])
    assert list(tmp_path.iterdir()) == []


def test_openings_are_kept_and_found_again(tmp_path: Path) -> None:
    """Case 26: in a sub-folder of our own, in a folder with blanks and letters of any kind."""
    folder = str(tmp_path / "a folder żółć")
    os.mkdir(folder)
    save_openings(folder, 0, 15, 15, [trial(*OWN_STONES, score=-3), trial((0, 0), (14, 14), (5, 5))])
    assert load_openings(folder, 0, 15, 15) == [OWN_STONES, ((0, 0), (14, 14), (5, 5))]
    assert load_openings(folder, 1, 15, 15) == []
    assert load_openings(folder, 0, 20, 15) == []
    assert [path.name for path in Path(folder).iterdir()] == [saved_openings.FOLDER]


def test_a_hundred_games_keep_no_more_than_a_few(tmp_path: Path) -> None:
    """Case 26: far below twenty megabytes for all rules and sizes there are."""
    many = [trial((0, 0), (1, y % 15), (2, y // 15)) for y in range(200)]
    save_openings(str(tmp_path), 4, 22, 22, many)
    assert len(load_openings(str(tmp_path), 4, 22, 22)) == saved_openings.KEPT
    (file,) = (tmp_path / saved_openings.FOLDER).iterdir()
    assert file.stat().st_size * 5 * 18 * 18 < 5 << 20


@pytest.mark.parametrize(
    ("line", "is_opening"),
    [
        ("12 1,1 2,2 3,3", True),
        ("x 1,1 2,2 3,3", True),
        ("12 1,1 2,2", False),
        ("12 1,1 2,2 2,2", False),
        ("12 1,1 2,2 15,3", False),
        ("12 1,1 2,2 3,3 4,4", False),
        ("", False),
        ("\ufffd\ufffd", False),
    ],
)
def test_a_spoilt_file_costs_its_bad_lines_only(line: str, is_opening: bool) -> None:
    assert (parse_opening(line, 15, 15) is not None) == is_opening


@pytest.mark.parametrize("folder", [None, "", "/dev/null", "/dev/null/x", "a\0b", "/proc/1/nowhere"])
def test_a_folder_that_cannot_be_used_is_done_without(folder: str | None) -> None:
    """Case 26."""
    if folder != "":
        save_openings(folder, 0, 15, 15, [trial(*OWN_STONES)])
        assert load_openings(folder, 0, 15, 15) == []


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case 26: the old file stays whole, and no half of a new one beside it."""
    save_openings(str(tmp_path), 0, 15, 15, [trial(*OWN_STONES)])

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    save_openings(str(tmp_path), 0, 15, 15, [trial((5, 5), (6, 6), (7, 7))])
    assert load_openings(str(tmp_path), 0, 15, 15) == [OWN_STONES]
    assert len(list((tmp_path / saved_openings.FOLDER).iterdir())) == 1


@needs_posix
def test_a_write_that_fails_in_the_middle_leaves_what_was_there(tmp_path: Path) -> None:
    """Case 26: the system itself refuses, after ten bytes."""
    import resource

    save_openings(str(tmp_path), 0, 15, 15, [trial(*OWN_STONES)])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, limits[1]))
    try:
        save_openings(str(tmp_path), 0, 15, 15, [trial((5, 5), (6, 6), (7, 7))] * 9)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert load_openings(str(tmp_path), 0, 15, 15) == [OWN_STONES]
    assert len(list((tmp_path / saved_openings.FOLDER).iterdir())) == 1


def test_what_killed_brains_leave_behind_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case 26: each may leave a half-written file of its own."""
    monkeypatch.setattr(saved_openings, "MAX_FILES", 3)
    own = tmp_path / saved_openings.FOLDER
    own.mkdir()
    for process in (1, 2, 3):
        (own / f"swap2-rule0-15x15.txt.{process}").touch()
    save_openings(str(tmp_path), 0, 15, 15, [trial(*OWN_STONES)])
    assert len(list(own.iterdir())) == 3
    assert load_openings(str(tmp_path), 0, 15, 15) == []


def test_a_session_searches_on_from_what_was_kept(talk: Talk, tmp_path: Path) -> None:
    """Case 26: INFO folder takes the rest of the line; games without swap2 leave the folder alone."""
    folder = tmp_path / "with blanks"
    folder.mkdir()
    started(talk, f"INFO folder {folder}", "INFO max_depth 1", "BEGIN")
    assert list(folder.iterdir()) == []
    (opening,) = talk.answers("SWAP2BOARD", "DONE")
    kept = load_openings(str(folder), 0, 15, 15)
    assert opening == " ".join(f"{x},{y}" for x, y in kept[0])
    (again,) = talk.answers("SWAP2BOARD", "DONE")
    assert again == opening, "all are equal to the fake engine, and the kept ones come first"
