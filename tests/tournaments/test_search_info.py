"""Reports of brains about their searches, in the forms of many brains, and verdicts from these."""

import pytest

from tournaments.brains.search_info import NO_INFO, SearchInfo, parse_search_info
from tournaments.play.adjudication import judge
from tournaments.rules.ending import Ending
from tournaments.rules.referee import BLACK, WHITE
from tournaments.setup.game_rules import Adjudication


@pytest.mark.parametrize(
    ("lines", "info"),
    [
        (["depth 3-9 ev -31 n 1200 n/ms 40 tm 30 pv h8 i9"], SearchInfo(3, -31.0, None, 1200)),
        (
            ["depth 1-45 ev 60.1 winrate 56.7 drawrate 6.9 n 288959 n/s 12487 tm 23140 pv Xf4"],
            SearchInfo(1, 60.1, None, 288959),
        ),
        (["depth 5-5 ev +M7 n 10"], SearchInfo(5, None, 7, 10)),
        (
            ["Depth 6-9 | Eval -65 | Time 1ms | G8 G9", "Speed 628K | Depth 6-10 | Eval -M12 | Node 3140 | Time 5ms"],
            SearchInfo(6, None, -12, 3140),
        ),
        (["depth 4 ev +M3", "depth 5 ev 12"], SearchInfo(5, 12.0, None, None)),
        (["depth=4 NPS=0k", "best: [7,7] val=12"], SearchInfo(4, 12.0, None, None)),
        (["Node 2M"], SearchInfo(None, None, None, 2_000_000)),
        (["hello", "", "ev", "even 7", "nodepth 3"], NO_INFO),
        (["depth 3 n 99999999999G", "n 999999999999999999999"], SearchInfo(3)),
        (["n 7", "depth 3 n 999999999999999K"], SearchInfo(3, None, None, 999_999_999_999_999_000)),
        (["n 999999999G"], SearchInfo(None, None, None, 999_999_999_000_000_000)),
        (["ev 999999999999.999999999", "ev -M999999999999"], SearchInfo(None, None, -999_999_999_999)),
        (["depth \u0663 ev \u0661\u0662 n \u0667"], NO_INFO),
        ([], NO_INFO),
    ],
)
def test_dialects(lines: list[str], info: SearchInfo) -> None:
    assert parse_search_info(lines) == info


def test_a_move_of_a_book_has_no_nodes_of_its_own() -> None:
    """They are those of searches long ago: the nodes a second of the game would be nonsense."""
    assert parse_search_info(["book depth 12 ev -20 n 9742 pv i9"]) == SearchInfo(12, -20.0, None, None)


def test_any_number_in_a_message_can_be_stored() -> None:
    """SQLite's whole numbers have 64 bits."""
    for digits in range(1, 25):
        for unit in ("", "K", "M", "G"):
            number = "9" * digits
            info = parse_search_info([f"depth {number} ev {number} n {number}{unit}", f"ev -M{number}"])
            for value in (info.depth, info.score, info.mate, info.nodes):
                assert value is None or abs(value) < 2**63


def say(*scores: float | str | None) -> list[SearchInfo]:
    return [SearchInfo(mate=int(score)) if isinstance(score, str) else SearchInfo(score=score) for score in scores]


def test_a_win_takes_both_sides_for_all_their_last_moves() -> None:
    asked = Adjudication(win_score=100, win_moves=2)
    assert judge(asked, 9, say(100, -100, 150, "-3"), WHITE) == (Ending.AGREED_WIN, BLACK)
    assert judge(asked, 9, say(-100, 100, -150, "3"), WHITE) == (Ending.AGREED_WIN, WHITE)
    assert judge(asked, 9, say(0, 100, -150, "3", -500), BLACK) == (Ending.AGREED_WIN, WHITE)
    for scores in (
        say(100, -100, 150),
        say(99, -100, 150, -100),
        say(100, -99, 150, -100),
        say(100, None, 150, -100),
        say(100, 100, 100, 100),
    ):
        assert judge(asked, 9, scores, WHITE) is None


def test_a_draw_takes_level_scores() -> None:
    asked = Adjudication(draw_score=5, draw_moves=1)
    assert judge(asked, 9, say(900, -5, 5), BLACK) == (Ending.AGREED_DRAW, None)
    for scores in (say(6, 0), say(0, "9"), say(0, None), say(0)):
        assert judge(asked, 9, scores, WHITE) is None


def test_by_default_nothing_ends_a_game() -> None:
    assert judge(Adjudication(), 400, say(0, 0, 1e9, -1e9), WHITE) is None
