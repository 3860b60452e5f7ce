"""The rivals' ideas: the threats that each of them sees and overlooks."""

import pytest

from tournaments.rivals.budget import Budget
from tournaments.rivals.kill import Kill
from tournaments.rivals.minimax import Minimax
from tournaments.rivals.protocol import Chooser
from tournaments.rivals.threat import Threat
from tournaments.rivals.tree import Tree
from tournaments.rivals.weights import BLOCKED, LIVE, Weights, weigh
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import BLACK, WHITE, Board, Rule, is_win

# Black to move: k8 is a four and, with k9 and k10, a three.
FOUR_AND_THREE = "h8g8i8a1j8a3k9a5k10a7"


def board_after(text: str, rule: Rule = Rule.FREESTYLE) -> Board:
    board = Board(15, 15, rule)
    for x, y in parse_opening(text, 15, 15):
        board.place(x, y)
    return board


def points(strong: Chooser, weak: Chooser, nodes: int | None = None) -> float:
    """What the first scores in six games against the second; three openings, both colours, 120 stones are a draw."""
    score = 0.0
    for opening in ("h8i9k5", "h8g9l10", "h8j9d8"):
        for own in (BLACK, WHITE):
            board = board_after(opening)
            winner = None
            while winner is None and len(board.stones) < 120:
                mover = board.side_to_move
                (x, y), _ = (strong if mover == own else weak)(board, mover, Budget(nodes=nodes))
                board.place(x, y)
                winner = mover if is_win(board, x, y) else None
            score += 0.5 if winner is None else winner == own
    return score


def test_weights_are_looked_up_in_four_directions() -> None:
    board = board_after("h8a1i8a15")
    own_five, total = weigh(board, 6, 7, BLACK)
    # g8 lengthens a live pair for Black; to White it is a stone blocked by that pair; all else is a stone alone.
    assert own_five == 0 and total == LIVE[3] + 3 * LIVE[1] + BLOCKED[1] + 3 * LIVE[1]
    board.place(5, 7, WHITE)
    assert weigh(board, 6, 7, BLACK)[1] == BLOCKED[3] + 3 * LIVE[1] + BLOCKED[2] + 3 * LIVE[1]


def test_weights_takes_its_own_five_rather_than_stop_one() -> None:
    board = board_after("h8h9i8i9j8j9k8k9")
    assert Weights().choose(board, BLACK, Budget())[0] in ((6, 7), (11, 7))


def test_weights_looks_deeper_when_told() -> None:
    board = board_after("h8i9g7")
    assert Weights(2).choose(board, WHITE, Budget())[1].startswith("depth 2 ")
    assert Weights(2).choose(board, WHITE, Budget(nodes=5))[1].startswith("depth 1 ")


def test_the_tree_leaves_its_area_when_all_is_lost_there() -> None:
    # Black's open four is far from the last two stones: no move in their squares helps, so the whole board is tried.
    board = board_after("a8b2b8d2c8f2n14m15")
    board.place(3, 7, BLACK)
    board.place(13, 13, BLACK)
    (x, y), words = Tree().choose(board, WHITE, Budget())
    assert (x, y) == (4, 7) and "moves" in words


def test_minimax_deeper_beats_shallower() -> None:
    assert points(Minimax(2).choose, Minimax(1).choose) >= 4


def test_minimax_out_of_time_keeps_the_finished_depth() -> None:
    board = board_after("h8i9g7j7f9")
    _, words = Minimax(30).choose(board, WHITE, Budget(nodes=2000))
    assert 1 <= int(words.split()[1]) < 30
    assert Minimax(30).choose(board, WHITE, Budget(0.0))[1].startswith("depth 0 ")


def test_kill_says_whether_it_found_one() -> None:
    board = board_after(FOUR_AND_THREE)
    cell, words = Kill().choose(board, BLACK, Budget())
    assert cell == (10, 7) and words == "depth 5 ev +M5 kill found k8l8k11k7k12"
    assert "no kill found" in Kill(2).choose(board_after("h8i9"), BLACK, Budget())[1]


@pytest.mark.parametrize("seed", [1, 2])
def test_threat_wins_by_threats(seed: int) -> None:
    board = board_after(FOUR_AND_THREE)
    assert "by threats" in Threat(seed=seed).choose(board, BLACK, Budget())[1]


def test_threat_generates_threats_first() -> None:
    rival = Threat(depth=2, seed=1)

    def generated(text: str) -> list[tuple[int, int]]:
        board = board_after(text)
        rival.choose(board, board.side_to_move, Budget(0.0))
        return rival.generate(board.side_to_move)

    assert generated("h8h9i8i9j8j9k8k9") in ([(6, 7)], [(11, 7)]), "its own five"
    assert generated("h8a1i8a3j8a5k8") in ([(6, 7)], [(11, 7)]), "a five of theirs"
    assert generated("h8a1i8a3j8a5") in ([(6, 7)], [(10, 7)]), "a live four"
    against_three = generated("h8a1i8a3j8")
    assert {(6, 7), (10, 7)} <= set(against_three) <= {(x, 7) for x in range(5, 12)}
    assert len(generated("h8")) == 12, "a limit where nothing threatens"


def test_threat_chooses_among_equals_by_its_seed() -> None:
    board = board_after("h8")
    chosen = {Threat(2, seed).choose(board, WHITE, Budget())[0] for seed in range(12)}
    assert len(chosen) > 1
    assert len({Threat(2, 5).choose(board, WHITE, Budget())[0] for _ in range(3)}) == 1


def test_threat_scores_stones_near_the_edge_half() -> None:
    rival = Threat(seed=1)
    values = []
    for cell in ("h8", "h14"):
        board = board_after(cell)
        rival.choose(board, WHITE, Budget(0.0))
        values.append(rival.evaluate(BLACK))
    assert values[0] > 0 and values[1] < 0.8 * values[0]
    assert rival.evaluate(WHITE) == -rival.evaluate(BLACK)


def test_the_threat_rival_beats_the_weights() -> None:
    assert points(Threat(4, seed=1).choose, Weights().choose, nodes=12) >= 4
