"""Elo, sequential tests and ratings, against figures that others have published and against plain recomputation."""

import math
import random

import pytest

from tournaments.stats.elo import elo_difference, elo_of, pair_statistics, score_of
from tournaments.stats.ratings import ELO_PER_UNIT, Result, rate
from tournaments.stats.sprt import Sprt

# Home wins and away wins of the seven baseball teams of the American League's East, 1987 (A. Agresti, Categorical Data
# Analysis, 1990, table 10.6), in the order Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore.
BASEBALL = {
    0: {1: (4, 3), 2: (4, 2), 3: (4, 3), 4: (6, 1), 5: (4, 2), 6: (6, 0)},
    1: {0: (3, 3), 2: (4, 2), 3: (4, 3), 4: (6, 0), 5: (6, 1), 6: (4, 3)},
    2: {0: (2, 5), 1: (4, 3), 3: (2, 4), 4: (4, 3), 5: (4, 2), 6: (6, 0)},
    3: {0: (3, 3), 1: (5, 1), 2: (2, 5), 4: (4, 3), 5: (4, 2), 6: (6, 1)},
    4: {0: (5, 1), 1: (2, 5), 2: (3, 3), 3: (4, 2), 5: (5, 2), 6: (6, 0)},
    5: {0: (2, 5), 1: (3, 3), 2: (3, 4), 3: (4, 3), 4: (4, 2), 6: (2, 4)},
    6: {0: (2, 5), 1: (1, 5), 2: (1, 6), 3: (2, 4), 4: (1, 6), 5: (3, 4)},
}


def test_ratings_are_those_that_are_published_for_baseball() -> None:
    results: list[Result] = []
    for home, row in BASEBALL.items():
        for away, (wins, losses) in row.items():
            results += [(home, away, 0)] * wins + [(home, away, 1)] * losses
    ratings = rate(7, results, prior_elo=None, anchor=(6, 0.0))
    # Agresti 1990, and the manual of the R package BradleyTerry2: log abilities with a home advantage, Baltimore 0.
    published = [1.6196, 1.4754, 1.3271, 1.2813, 1.1438, 0.7047, 0.0]
    assert [value / ELO_PER_UNIT for value in ratings.elo] == pytest.approx(published, abs=2e-4)
    assert ratings.first_move is not None
    advantage, margin = ratings.first_move
    assert advantage / ELO_PER_UNIT == pytest.approx(0.3023, abs=1e-4)
    assert margin / ELO_PER_UNIT / 1.959964 == pytest.approx(0.1309, abs=1e-4)
    assert ratings.draw_share == 0.0


def test_two_players_rate_as_their_score_says() -> None:
    results: list[Result] = [*[(0, 1, 0)] * 30, *[(0, 1, 1)] * 20, *[(1, 0, 1)] * 30, *[(1, 0, 0)] * 20]
    ratings = rate(2, results, prior_elo=None)
    assert ratings.elo[0] - ratings.elo[1] == pytest.approx(elo_of(0.6))
    difference = elo_difference(60, 40, 0)
    # The half-width is that of the difference from the mean, half of the difference between the two.
    assert difference is not None and 2 * ratings.margin[0] == pytest.approx(difference[1], rel=0.03)
    assert ratings.superiority(0, 1) == pytest.approx(0.977, abs=0.002)
    assert ratings.superiority(0, 1) + ratings.superiority(1, 0) == pytest.approx(1.0)
    assert ratings.superiority(1, 1) == 0.5


def test_the_model_finds_what_made_the_games() -> None:
    source = random.Random(1)
    truth, advantage, tie = [150.0, 30.0, -60.0, -120.0], 80.0, 0.7
    results: list[Result] = []
    for _ in range(12000):
        black, white = source.sample(range(4), 2)
        half = (truth[black] - truth[white] + advantage) / ELO_PER_UNIT / 2
        weights = [math.exp(half), math.exp(-half), tie]
        results.append((black, white, source.choices([0, 1, None], weights)[0]))
    ratings = rate(4, results)
    assert all(abs(found - true) < 1.5 * margin for found, true, margin in
               zip(ratings.elo, truth, ratings.margin, strict=True))  # fmt: skip
    assert all(5 < margin < 12 for margin in ratings.margin)
    assert ratings.first_move is not None
    assert abs(ratings.first_move[0] - advantage) < ratings.first_move[1] < 10
    assert ratings.draw_share == pytest.approx(tie / (2 + tie), abs=0.02)


def test_a_clean_sweep_needs_the_prior() -> None:
    sweep: list[Result] = [(0, 1, 0), (1, 0, 1)] * 12
    with pytest.raises(ValueError, match="do not determine"):
        rate(2, sweep, prior_elo=None)
    ratings = rate(2, sweep)
    assert 500 < ratings.elo[0] - ratings.elo[1] < 2000
    assert 0.95 < ratings.superiority(0, 1) < 0.99


def test_an_anchor_is_where_it_was_put() -> None:
    ratings = rate(3, [(0, 1, 0), (1, 0, None), (1, 2, 0), (2, 1, 0)], anchor=(1, 1600.0))
    assert ratings.elo[1] == pytest.approx(1600.0) and ratings.margin[1] == pytest.approx(0.0, abs=1e-6)
    assert ratings.elo[0] > 1600.0


def test_nobody_has_played_yet() -> None:
    ratings = rate(2, [])
    assert ratings.elo == (0.0, 0.0) and ratings.first_move is None and ratings.superiority(0, 1) == 0.5
    with pytest.raises(ValueError, match="no player 5"):
        rate(2, [(0, 5, 0)])


# The checks of fastchess (app/tests/sprt_test.cpp), whose six classes keep 1-1 pairs of draws apart: LLR to 1 %.
@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "model", "llr"),
    [
        ((365, 16618, 36029 + 200, 16974, 390), 0.0, 2.0, "normalised", 2.25),
        ((127, 4883, 10311 + 401, 5150, 104), -1.75, 0.25, "normalised", 3.01),
        ((0, 0, 0, 0, 5550), 0.0, 5.0, "normalised", 111.82),
        ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, "logistic", -3.07),
        ((871, 26175, 55003 + 980, 26678, 821), 0.0, 2.0, "logistic", -4.98),
    ],
)
def test_the_likelihood_ratio_is_that_of_fastchess(
    counts: tuple[int, int, int, int, int], elo0: float, elo1: float, model: str, llr: float
) -> None:
    assert Sprt(elo0, elo1, model=model).llr(counts) == pytest.approx(llr, rel=0.01)


def test_the_logistic_ratio_by_brute_force() -> None:
    counts = (3, 10, 40, 18, 5)
    test = Sprt(0.0, 30.0)

    def best(mean: float) -> float:
        """The top log likelihood over distributions with this mean, found by random descent in three dimensions."""
        source, scores = random.Random(2), (0.0, 0.25, 0.5, 0.75, 1.0)

        def likelihood(a: float, b: float, c: float) -> float:
            # The last two probabilities follow from the sum and the mean.
            rest, need = 1 - a - b - c, mean - 0.25 * b - 0.5 * c
            e = (need - 0.75 * rest) / 0.25
            p = (a, b, c, rest - e, e)
            if min(p) <= 0:
                return -math.inf
            assert sum(x * s for x, s in zip(p, scores, strict=True)) == pytest.approx(mean)
            return sum(n * math.log(x) for n, x in zip(counts, p, strict=True))

        at, width = (3 / 76, 10 / 76, 40 / 76), 0.05
        top = likelihood(*at)
        while width > 1e-7:
            for _ in range(300):
                near = tuple(x + source.gauss(0, width) for x in at)
                value = likelihood(near[0], near[1], near[2])
                if value > top:
                    at, top = (near[0], near[1], near[2]), value
            width /= 2
        return top

    assert test.llr(counts) == pytest.approx(best(score_of(30.0)) - best(score_of(0.0)), abs=1e-4)


def test_a_test_ends_at_walds_bounds() -> None:
    test = Sprt(0.0, 10.0)
    assert [test.lower, test.upper] == pytest.approx([-2.944, 2.944], abs=1e-3)
    assert test.llr((0, 0, 0, 0, 0)) == 0.0 and test.verdict((0, 0, 0, 0, 0)) is None
    assert test.verdict((100, 200, 400, 330, 150)) == "H1"
    assert test.verdict((150, 330, 400, 200, 100)) == "H0"
    assert test.describe((150, 330, 400, 200, 100)).endswith("pairs 150-330-400-200-100, H0 accepted")
    assert Sprt(0.0, 10.0, model="normalised").describe((1, 1, 1, 1, 1)).startswith("SPRT 0 10 nElo: LLR ")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((5.0, 0.0), "needs ELO0 < ELO1, not 5 and 0"),
        ((0.0, math.nan), "needs ELO0 < ELO1"),
        ((0.0, 5.0, 0.5), "between 0 and 0.5"),
        ((0.0, 5.0, 0.05, 0.05, "bayes"), "unknown Elo model 'bayes'"),
    ],
)
def test_hypotheses_that_cannot_be_tested(arguments: tuple[float, float], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Sprt(*arguments)


def test_error_rates_are_as_promised() -> None:
    """Of many simulated tests under H0, at most about alpha accept H1, and the other way round."""
    source = random.Random(3)
    test = Sprt(-40.0, 40.0)
    for elo, wrong in ((-40.0, "H1"), (40.0, "H0")):
        score = score_of(elo)
        mistakes = 0
        for _ in range(200):
            counts = [0] * 5
            verdict = None
            while verdict is None:
                for _ in range(4):
                    games = [source.random() < score for _ in range(2)]
                    counts[2 * sum(games)] += 1
                verdict = test.verdict((counts[0], 0, counts[2], 0, counts[4]))
            mistakes += verdict == wrong
        assert mistakes <= 20


def test_pairs_show_less_than_games_that_are_independent() -> None:
    biased = pair_statistics((0, 0, 50, 10, 10))
    games = elo_difference(80, 50, 10)
    assert biased.elo is not None and games is not None
    assert biased.elo[0] == pytest.approx(games[0]) and biased.elo[1] < games[1]
    assert biased.score == pytest.approx(85 / 140) and biased.superiority > 0.99
    assert biased.normalised is not None and biased.normalised[0] > biased.elo[0]
    # fishtest's formula for the same counts, by hand: mean 0.60714, variance 0.03316, t = 0.5883, times 347.4 / sqrt 2.
    assert biased.normalised[0] == pytest.approx(144.54, abs=0.01)


def test_pairs_that_cannot_tell() -> None:
    assert pair_statistics((0, 0, 0, 0, 0)).superiority == 0.5
    assert pair_statistics((0, 0, 0, 0, 9)).elo is None and 0.999 < pair_statistics((0, 0, 0, 0, 9)).superiority < 1
    assert pair_statistics((0, 0, 0, 1, 0)).superiority == 0.75 == 1 - pair_statistics((1, 0, 0, 0, 0)).superiority
    assert pair_statistics((0, 0, 9, 0, 0)).superiority == 0.5
    assert pair_statistics((1, 0, 1, 0, 2)).elo is None
    assert elo_of(0.0) == -math.inf and elo_of(1.0) == math.inf and elo_of(score_of(123.0)) == pytest.approx(123.0)
