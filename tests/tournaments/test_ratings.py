"""Elo, sequential tests and ratings, against figures that others have published and against plain recomputation."""

import math
import random

import pytest

from tournaments.stats.elo import PAIR_SCORES, Pentanomial, elo_of, pair_statistics, score_of
from tournaments.stats.match_score import MatchScore
from tournaments.stats.ratings import ELO_PER_UNIT, rate
from tournaments.stats.sprt import Sprt, _likeliest_with_t

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


def match_score_of(counts: Pentanomial, singles: tuple[int, int, int] = (0, 0, 0)) -> MatchScore:
    """A match with these numbers of pairs of 0, 1/2, 1, 3/2 and 2 points, and of games without the other one."""
    match_score = MatchScore()
    for halves, count in enumerate(counts):
        for _ in range(count):
            first = min(halves / 2, 1.0)
            number = match_score.games
            match_score.add(number, first)
            match_score.add(number, halves / 2 - first)
    for points, count in zip((0.0, 0.5, 1.0), singles, strict=True):
        for _ in range(count):
            match_score.add(match_score.games, points)
    return match_score


def test_ratings_are_those_that_are_published_for_baseball() -> None:
    duels = {
        (home, away): match_score_of((0, 0, 0, 0, 0), (losses, 0, wins))
        for home, row in BASEBALL.items()
        for away, (wins, losses) in row.items()
    }
    ratings = rate(7, duels, prior_elo=None, anchor=(6, 0.0))
    # The manual of the R package BradleyTerry2: log abilities by the model without a home advantage, Baltimore 0.
    published = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0]
    assert [value / ELO_PER_UNIT for value in ratings.elo] == pytest.approx(published, abs=1e-4)


@pytest.mark.parametrize("counts", [(3, 2, 30, 5, 10), (0, 0, 50, 10, 10), (10, 7, 3, 4, 5), (20, 41, 100, 60, 31)])
def test_a_match_has_one_elo_and_one_likelihood_of_superiority(counts: Pentanomial) -> None:
    """The table's difference is the Elo of the score, its margin and its LOS those of the pairs."""
    ratings, match = rate(2, {(0, 1): match_score_of(counts)}), pair_statistics(counts)
    assert match.elo is not None
    assert ratings.elo[0] - ratings.elo[1] == pytest.approx(match.elo[0], abs=0.2)
    # Each one's margin is that of its distance from the mean, half of the difference.
    assert 2 * ratings.margin[0] == pytest.approx(match.elo[1], rel=0.05)
    assert ratings.superiority(0, 1) == pytest.approx(match.superiority, abs=1e-3)
    assert ratings.superiority(0, 1) + ratings.superiority(1, 0) == pytest.approx(1.0)
    assert ratings.superiority(1, 1) == 0.5


def test_ratings_expect_the_points_that_were_scored() -> None:
    source = random.Random(1)
    duels: dict[tuple[int, int], MatchScore] = {}
    for pair in range(300):
        match_score = duels.setdefault((min(two := source.sample(range(5), 2)), max(two)), MatchScore())
        for _ in range(2):
            match_score.add(pair, source.choice((0.0, 0.5, 1.0, 1.0)))
    ratings = rate(5, duels, prior_elo=None)
    assert sum(ratings.elo) == pytest.approx(0.0, abs=1e-6)
    for player in range(5):
        scored = expected = 0.0
        for (first, second), match_score in duels.items():
            if player in (first, second):
                other = second if player == first else first
                scored += match_score.points if player == first else match_score.games - match_score.points
                expected += match_score.games * score_of(ratings.elo[player] - ratings.elo[other])
        assert scored == pytest.approx(expected, abs=1e-6)


def test_a_clean_sweep_needs_the_prior() -> None:
    sweep = {(0, 1): match_score_of((0, 0, 0, 0, 12))}
    with pytest.raises(ValueError, match="do not determine"):
        rate(2, sweep, prior_elo=None)
    ratings = rate(2, sweep)
    assert 500 < ratings.elo[0] - ratings.elo[1] < 2000
    # Twelve pairs with the same result: surely a long way ahead, but the distance is not known.
    assert ratings.superiority(0, 1) == pair_statistics((0, 0, 0, 0, 12)).superiority == 1 - 0.5**13
    assert ratings.margin[0] > ratings.elo[0]


@pytest.mark.parametrize("counts", [(0, 0, 0, 1, 0), (0, 0, 40, 0, 0), (0, 0, 2, 0, 0), (0, 0, 0, 0, 1)])
def test_pairs_that_went_alike_or_are_few_do_not_make_a_rating_sure(counts: Pentanomial) -> None:
    ratings = rate(2, {(0, 1): match_score_of(counts)})
    games = 2 * sum(counts)
    assert ratings.margin[0] > 0.8 * 1.96 * ELO_PER_UNIT / math.sqrt(games), "what independent games would show"


def test_a_tournament_of_draws_does_not_make_ratings_sure() -> None:
    pairs = {(i, j): match_score_of((0, 0, 2, 0, 0)) for i in range(4) for j in range(i + 1, 4)}
    assert min(rate(4, pairs).margin) > 80, "12 pairs in which nobody won anything"
    pairs[0, 1] = match_score_of((0, 0, 2, 0, 0), (0, 1, 0))
    assert min(rate(4, pairs).margin) > 80, "a drawn game that waits for the other one of its pair"
    duel = {(0, 1): match_score_of((0, 0, 8, 0, 0)), (0, 2): match_score_of((2, 2, 2, 2, 2))}
    alike = rate(3, duel).margin[1]
    duel[0, 1].add(99, 0.5)
    assert rate(3, duel).margin[1] > 0.9 * alike, "the same between two of them"


def test_an_anchor_is_where_it_was_put() -> None:
    duels = {(0, 1): match_score_of((0, 0, 0, 1, 0)), (1, 2): match_score_of((0, 0, 1, 0, 0), (0, 0, 1))}
    ratings = rate(3, duels, anchor=(1, 1600.0))
    assert ratings.elo[1] == pytest.approx(1600.0) and ratings.margin[1] == pytest.approx(0.0, abs=1e-6)
    assert ratings.elo[0] > 1600.0 > ratings.elo[2] and ratings.pairs == (1, 3, 2)


def test_nobody_has_played_yet() -> None:
    ratings = rate(2, {})
    assert ratings.elo == (0.0, 0.0) and ratings.superiority(0, 1) == 0.5
    with pytest.raises(ValueError, match="no player 5"):
        rate(2, {(0, 5): match_score_of((0, 0, 1, 0, 0))})


def simulated_pair(source: random.Random, difference: float, spread: float, draws: float) -> tuple[float, float]:
    """The first player's points in two games of one opening, which favours Black by N(0, spread) Elo.

    Each game's expected score is exactly that of the logistic model; `draws` is the share of draws where that allows.
    """
    bias = source.gauss(0.0, spread)
    points = []
    for score in (score_of(difference + bias), score_of(difference - bias)):
        drawn, chance = min(draws, 2 * min(score, 1 - score)) / 2, source.random()
        points.append(1.0 if chance < score - drawn else 0.5 if chance < score + drawn else 0.0)
    return points[0], points[1]


def true_elo(difference: float, spread: float) -> float:
    """The Elo of the score that such pairs have in the long run, by summing over the openings."""
    weighed = [(step / 20, math.exp(-((step / 20) ** 2) / 2)) for step in range(-100, 101)]
    total = sum(weight for _, weight in weighed)
    score = sum(
        weight * (score_of(difference + spread * z) + score_of(difference - spread * z)) / 2 for z, weight in weighed
    )
    return elo_of(score / total)


@pytest.mark.slow
@pytest.mark.parametrize(("difference", "spread", "draws"), [(0, 0, 0.0), (100, 200, 0.1), (-200, 300, 0.0)])
@pytest.mark.parametrize("pairs", [10, 20, 50, 200])
def test_intervals_hold_the_truth_as_often_as_they_say(
    pairs: int, difference: float, spread: float, draws: float
) -> None:
    source, truth, held, line, games = random.Random(pairs), true_elo(difference, spread), 0, 0, 1500
    told = 0
    for _ in range(games):
        match_score = MatchScore()
        for pair in range(pairs):
            for points in simulated_pair(source, difference, spread, draws):
                match_score.add(pair, points)
        elo = pair_statistics(match_score.pairs).elo
        told += elo is not None
        line += elo is not None and abs(elo[0] - truth) <= elo[1]
        ratings = rate(2, {(0, 1): match_score})
        held += abs(ratings.elo[0] - ratings.elo[1] - truth) <= 2 * ratings.margin[0]
    assert told > 0.9 * games
    assert 0.925 < line / told < 0.985 and 0.91 < held / games < 0.975


@pytest.mark.slow
@pytest.mark.parametrize(("players", "pairs"), [(13, 1), (6, 2), (6, 10)])
def test_margins_of_a_table_hold_the_truth_as_often_as_they_say(players: int, pairs: int) -> None:
    source, held, total = random.Random(players), 0, 0
    for _ in range(300):
        truth = [source.gauss(0.0, 100.0) for _ in range(players)]
        duels = {(i, j): MatchScore() for i in range(players) for j in range(i + 1, players)}
        for (first, second), match_score in duels.items():
            for pair in range(pairs):
                for points in simulated_pair(source, truth[first] - truth[second], 0.0, 0.1):
                    match_score.add(pair, points)
        ratings = rate(players, duels)
        for elo, margin, true in zip(ratings.elo, ratings.margin, truth, strict=True):
            held += abs(elo - (true - sum(truth) / players)) <= margin
        total += players
    assert 0.92 < held / total < 0.97


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


@pytest.mark.parametrize("model", ["logistic", "normalised"])
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 7000), (-7000, 7000), (-10000, 10000), (0, 300), (-700, 0)])
def test_hypotheses_far_apart_have_a_likelihood_ratio(elo0: float, elo1: float, model: str) -> None:
    """It prefers the hypothesis that is nearer, and is the same from the other player's view."""
    test, mirrored = Sprt(elo0, elo1, model=model), Sprt(-elo1, -elo0, model=model)
    for counts in ((0, 0, 0, 0, 10), (1, 2, 3, 4, 5), (10, 0, 0, 0, 0), (0, 0, 10, 0, 0), (0, 3, 0, 0, 1)):
        llr = test.llr(counts)
        assert math.isfinite(llr) and llr == pytest.approx(-mirrored.llr(counts[::-1]), rel=1e-6, abs=1e-9)
    assert test.llr((0, 0, 0, 0, 10)) > 0 > test.llr((10, 0, 0, 0, 0))


@pytest.mark.parametrize("t", [-40.0, -5.0, -1.2, 0.0, 0.001, 1.2, 5.0, 40.0])
def test_the_normalised_model_has_the_strength_that_it_is_asked_for(t: float) -> None:
    for counts in ((0, 0, 0, 0, 10), (1, 2, 3, 4, 5), (0, 3, 0, 0, 1)):
        observed = [max(count, 1e-3) / sum(max(count, 1e-3) for count in counts) for count in counts]
        found = _likeliest_with_t(observed, t)
        mean = sum(p * score for p, score in zip(found, PAIR_SCORES, strict=True))
        deviation = math.sqrt(sum(p * (score - mean) ** 2 for p, score in zip(found, PAIR_SCORES, strict=True)))
        assert sum(found) == pytest.approx(1.0) and mean - 0.5 == pytest.approx(t * deviation, abs=1e-9)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((5.0, 0.0), "needs ELO0 < ELO1, not 5 and 0"),
        ((0.0, math.nan), "needs ELO0 < ELO1"),
        ((0.0, 10001.0), "between -10000 and 10000 Elo, not at 0 and 10001"),
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


def test_the_margin_is_that_of_the_pairs_not_of_the_games() -> None:
    # 80 wins, 50 losses, 10 draws: as 140 independent games 75.6 +/- 58.5, by hand as fastchess does it for pairs less,
    # since the openings that both sides win with one colour say nothing about the players.
    biased = pair_statistics((0, 0, 50, 10, 10))
    mean = (50 * 0.5 + 10 * 0.75 + 10) / 70
    deviation = math.sqrt((50 * (0.5 - mean) ** 2 + 10 * (0.75 - mean) ** 2 + 10 * (1 - mean) ** 2) / 70 / 70)
    low, high = elo_of(mean - 1.959964 * deviation), elo_of(mean + 1.959964 * deviation)
    assert biased.elo == pytest.approx((elo_of(85 / 140), (high - low) / 2)) and biased.elo is not None
    assert biased.elo[1] == pytest.approx(31.2, abs=0.1)
    # And more, if both games of a pair have one result: 20 pairs of 30 won and 10 lost are 30 observations, not 60.
    alike, games = pair_statistics((10, 0, 0, 0, 20)).elo, 1.96 * math.sqrt((2 / 9) / 60) * ELO_PER_UNIT / (2 / 9)
    assert alike is not None and alike[1] > 1.3 * games
    assert biased.score == pytest.approx(85 / 140) and biased.superiority > 0.99
    assert biased.normalised is not None and biased.normalised[0] > biased.elo[0]
    # fishtest's formula for the same counts, by hand: mean 0.60714, variance 0.03316, t = 0.5883, times 347.4 / sqrt 2.
    assert biased.normalised[0] == pytest.approx(144.54, abs=0.01)


def test_no_pairs_show_more_than_if_all_went_alike() -> None:
    most = pair_statistics((0, 0, 0, 0, 12)).superiority
    for counts in ((0, 0, 0, 1, 11), (0, 0, 1, 0, 11), (0, 0, 0, 12, 0)):
        assert pair_statistics(counts).superiority <= most
        assert pair_statistics(counts[::-1]).superiority >= 1 - most


def test_pairs_that_cannot_tell() -> None:
    assert pair_statistics((0, 0, 0, 0, 0)).superiority == 0.5
    assert pair_statistics((0, 0, 0, 0, 9)).elo is None and 0.999 < pair_statistics((0, 0, 0, 0, 9)).superiority < 1
    assert pair_statistics((0, 0, 0, 1, 0)).superiority == 0.75 == 1 - pair_statistics((1, 0, 0, 0, 0)).superiority
    assert pair_statistics((0, 0, 9, 0, 0)).superiority == 0.5
    assert pair_statistics((1, 0, 1, 0, 2)).elo is None
    assert elo_of(0.0) == -math.inf and elo_of(1.0) == math.inf and elo_of(score_of(123.0)) == pytest.approx(123.0)
