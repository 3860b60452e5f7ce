"""The pattern tables against the reference histograms, and against lines whose answer a person can see."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from engine import Board, constants
from engine.patterns import class_histogram, line_histogram, line_pattern, mark_sums

(
    DEAD,
    OVERLINE,
    BLOCKED_ONE,
    OPEN_ONE,
    BLOCKED_TWO,
    OPEN_TWO,
    OPEN_TWO_3,
    OPEN_TWO_4,
    BLOCKED_THREE,
    OPEN_THREE,
    OPEN_THREE_2,
    BLOCKED_FOUR,
    OPEN_FOUR,
    FIVE,
) = range(14)

EXACT = [884547, 4864, 6489, 1710, 30177, 5229, 810, 99, 52623, 6642, 603, 40446, 2817, 11520]


@pytest.mark.parametrize(
    ("rule", "colour", "expected"),
    [
        (0, 0, [53248, 0, 448, 121, 2135, 400, 70, 13, 3890, 582, 78, 3214, 313, 1024]),
        (0, 1, [53248, 0, 448, 121, 2135, 400, 70, 13, 3890, 582, 78, 3214, 313, 1024]),
        (1, 0, EXACT),
        (1, 1, EXACT),
        (4, 0, [884547, 5377, 6489, 1710, 30456, 5058, 720, 81, 53388, 6048, 432, 40446, 2304, 11520]),
        (4, 1, [851968, 0, 7168, 1936, 34160, 6400, 1120, 208, 62240, 9312, 1248, 51424, 5008, 16384]),
    ],
)
def test_line_histograms_equal_the_reference(rule, colour, expected):
    assert line_histogram(rule, colour) == expected


def test_caro_counts_each_five_that_is_not_shut_in():
    # Six or more wins under rule 8, and of the 2^20 keys those with five and both ends taken do not win.
    fives = {rule: line_histogram(rule, 0)[FIVE] for rule in (1, 4, 8, 9)}
    white_overlines = line_histogram(4, 1)[FIVE] - fives[1]
    shut_in = fives[1] - fives[9]
    assert shut_in == 5 * 4**4  # both ends fixed, four free cells, five places of the centre in the five
    assert fives[8] == fives[9] + white_overlines


@pytest.mark.parametrize(
    ("rule", "colour", "expected"),
    [
        (0, 0, [70, 0, 105, 35, 155, 130, 70, 260, 176, 35, 130, 121, 533, 560]),
        (1, 1, [70, 0, 105, 35, 155, 130, 70, 260, 176, 35, 130, 121, 533, 560]),
        (4, 1, [70, 0, 105, 35, 155, 130, 70, 260, 176, 35, 130, 121, 533, 560]),
        (4, 0, [35, 866, 60, 20, 115, 100, 40, 200, 0, 20, 100, 72, 192, 560]),
    ],
)
def test_class_histograms_equal_the_reference(rule, colour, expected):
    assert class_histogram(rule, colour) == expected


@pytest.mark.parametrize(
    ("rule", "line", "expected"),
    [
        (0, "....xx.xx....", FIVE),
        (0, "...xxx.xx....", FIVE),
        (1, "...xxx.xx....", OVERLINE),
        (4, "...xxx.xx....", OVERLINE),
        (8, "...xxx.xx....", FIVE),
        (9, "...xxx.xx....", OVERLINE),
        (8, "...oxx.xxo...", DEAD),
        (9, "...oxx.xxo...", DEAD),
        (8, "...oxx.xx....", FIVE),
        (9, "...oxx.xx#...", FIVE),  # the edge never shuts in
        (0, ".......xxx...", OPEN_FOUR),
        (0, ".....o.xxx...", BLOCKED_FOUR),
        (1, ".......xxx.x.", BLOCKED_FOUR),  # filling the far gap would make six
        (4, "...x.x.x.x...", OVERLINE),  # two fours in one line are forbidden to black
        (1, "...x.x.x.x...", OPEN_FOUR),
        (0, "....xx.......", OPEN_THREE_2),
        (0, "...oxx.......", BLOCKED_THREE),
        (0, ".............", OPEN_ONE),
        (0, "....o...o....", DEAD),
    ],
)
def test_lines_that_a_person_can_read(rule, line, expected):
    assert line_pattern(rule, 0, line) == expected


def test_every_pattern_code_has_a_sum_of_marks_of_its_own_in_sixteen_bits():
    sums = mark_sums()
    assert len(sums) == len(set(sums)) == 2380
    assert min(sums) >= 0
    assert max(sums) < 1 << 16


def test_a_line_pattern_needs_a_readable_line():
    with pytest.raises(ValueError, match="empty middle"):
        line_pattern(0, 0, "..x..")


def test_an_unknown_rule_is_named():
    with pytest.raises(ValueError, match="rule 3 does not exist"):
        Board(15, 15, 3)


def test_what_python_knows_of_the_enums_is_right():
    """The constants of the engine that Python code needs too, and those of threats that depend on each other."""
    folder = Path(engine.__file__).parent
    values = dict(re.findall(r"^    ([A-Z_]+) = (\d+)", (folder / "types.pxd").read_text(), re.M))
    for header in ("network_shape.h", "policy.h"):
        values |= dict(re.findall(r"^#define ([A-Z_]+) +(\d+)", (folder / header).read_text(), re.M))
    known = {name: value for name, value in vars(constants).items() if name.isupper()}
    assert len(known) > 20 and known.pop("NETWORK_INPUTS") == 72
    assert known == {name: int(values[name]) for name in known}
    assert (int(values["BLACK"]), int(values["WHITE"])) == (engine.BLACK, engine.WHITE)
    masks = re.findall(r"!= 0\)(?: << (\d+))?$", (folder / "evaluate.pxd").read_text(), re.M)
    assert constants.THREAT_MASKS == 1 << len(masks) == 2 << max(int(bit or 0) for bit in masks)


# Python takes its lock from no thread here: the watcher runs only where another thread lets go of it.
BUILDING = """
import sys
import threading
from engine import Board, patterns

sys.setswitchinterval(1000.0)
is_building, seen, turns = [False], [], threading.Semaphore(0)
read_tables = patterns.read_tables

def watch():
    while True:
        turns.acquire()
        seen.append(is_building[0])

def let_the_watcher_go(rule):
    weights = read_tables(rule)
    is_building[0] = True
    turns.release()
    return weights

threading.Thread(target=watch, daemon=True).start()
patterns.read_tables = let_the_watcher_go
for rule in (1, 4, 8, 9):
    Board(15, 15, rule)
    is_building[0] = False
print(any(seen))
"""


def test_other_threads_run_while_the_tables_of_a_rule_are_built():
    """A brain reads its manager's lines all the time: END is obeyed, and the time of a move runs from its command."""
    done = subprocess.run([sys.executable, "-c", BUILDING], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"]


RACING = """
import threading
from engine import Board
from engine.patterns import class_histogram

together = threading.Barrier(2)
boards = []

def build():
    together.wait()
    boards.append(Board(15, 15, 1))

threads = [threading.Thread(target=build) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for board in boards:
    for x, y in ((6, 7), (0, 0), (7, 7), (2, 0), (8, 7), (4, 0), (9, 7), (6, 0)):
        board.play(x, y)
print([board.class_at(5, 7, 0) for board in boards], class_histogram(1, 0))
"""


def test_threads_that_need_the_tables_of_a_rule_at_once_get_the_same():
    done = subprocess.run([sys.executable, "-c", RACING], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{[engine.CLASS_FIVE] * 2} {class_histogram(1, 0)}"
