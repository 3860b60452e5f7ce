"""Makes a network by repeating four steps: games, labels, training and a match. It can begin from nothing.

Each generation plays games against itself with the best network so far, and trains the next network from it, on the
positions of the last generations. A share of the positions is labelled with searches, and so are positions from inside
these searches; all positions of the games also come with the score of the game itself, and then the result of the game
counts for more. The new network plays a match against the best one: pairs of games with colours swapped, from openings
of its own. It is promoted, and is the best one from then on, if it makes at least half of the points.

At the end a policy of the order of moves is fitted to searches of the best network. It is kept if it makes at least
half of the points against the same network with the policy that its searches had until then, or none. Then the best
network plays a match against the classical evaluation, with the policy if that was kept.

With `--base none` the first network answers 0 to every position, so its search finds only proofs. The labels of its
games are then the results alone, and some moves are random. They are not mixed with the labels of later generations,
whose searches have an evaluation. No search uses a policy before the end. Otherwise the first network is that of the
package, or the classical evaluation if the package has none for the rule, and searches use the policy of the package.

The folder holds, of generation 0 and so on,

    games-00.txt, labels-00/, own-00/      as tengen selfplay and label write them; own: the scores of the games
    00.network, match-00.txt               as tengen train and match.py write them
    start.network, best.network            the first one from nothing; the best so far
    nodes-03.txt, 03.policy                searches for the policy after 3 generations, and that policy
    policy-match-03.txt, best.policy       its match; the same policy, if it was kept
    final-03.txt, table.txt                the match against the classical evaluation; the results
    cycle.log                              one JSON object a line: first the settings of the run, then the plan of each
                                           step, and after it the result and the seconds

The plans are written down before the steps begin. After that the result does not depend on the machine's speed: a
stopped run goes on with the same command. With more generations, or with minutes enough for one more, it goes on for
longer.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from engine import MAX_SIZE, MIN_SIZE
from engine.training import label, selfplay
from engine.training.evaluation import CLASSICAL, Evaluation, find_evaluation, with_policy
from engine.training.match import Match, Pentanomial, describe, play_match, score_of
from engine.training.outputs import save_network, whole_file
from engine.training.policy import collect_nodes, fit_policy, too_few
from engine.training.policy_fit import Fit, fit_speed
from engine.training.progress import help_first, new_parser
from engine.training.rules import add_rule_flag, add_size_flag
from engine.training.runs import engine_signature, open_run
from engine.training.scores import is_proved
from engine.training.work import Workers, add_flags, check_flags, open_workers, run_command
from engine.weights.networks import checksum, read_network

if TYPE_CHECKING:
    from engine.training.train import TrainSettings  # it loads torch, which takes long

LOG, TABLE, START, BEST, POLICY = "cycle.log", "table.txt", "start.network", "best.network", "best.policy"
RECIPE = 2  # another one with each change of the steps: a run does not go on by other steps
STEPS = ("games", "labels", "training", "match")
DATA_SHARE, TRAINING_SHARE, MATCH_SHARE = 0.75, 0.15, 0.1  # of a generation's time; data: games and labels
EVALUATED = 0.8  # the share of a game's positions that are worth a label, about
SEARCH_NODES = 300  # what a search takes beside its nodes, as nodes, about
# The steps after the generations: their shares of all the time, and the most seconds that they are worth.
END_SHARES = {"policy": (0.07, 1200.0), "policy-match": (0.03, 600.0), "final": (0.05, 600.0)}
FIT_SHARE = 0.5  # of the time for the policy; the rest is for the searches
MINUTES_A_GENERATION = 10
MIXED = 3  # generations whose positions a network is trained on
MATCH_NODES = 1000
OWN_SHARE = 0.6  # of the result in the targets of positions with the score of their game
POLICY_SEARCHES = (200, 40_000)  # the least and the most, where time sets them
MOST_SEARCHES = 1_000_000  # all their nodes are in memory for the fit
POLICY_SEARCH_NODES = 10_000
POLICY_EVERY = 8  # each eighth cut of these searches
POLICY_FIT = Fit(epochs=12, batch=256, rate=0.01, seed=1)
POLICY_MATCH_NODES = 5000  # a policy is asked from some depth on, so short searches would not tell its worth
MATCH_PAIRS = (10, 200)  # the least and the most, where time sets them
FEWEST_GAMES = 40
STEPS_WANTED = 1000  # of a training
BATCHES = (64, 512)  # positions a step: fewer in short trainings, so that they have steps enough


class CycleSettings(NamedTuple):
    """The settings of the user."""

    rule: int
    size: int
    base: str  # "none": from nothing; "classical": from what the package has
    seed: int
    minutes: float | None  # with them the sizes of the steps come from the machine's speed
    generations: int
    games: int  # sizes of each generation, without minutes
    visits: int
    pairs: int
    searches: int  # for the policy at the end


class Recipe(NamedTuple):
    """How a generation is made."""

    nodes: int  # a move of its games
    randomness: float  # share of moves at random
    labelled: float  # share of the positions of games that are labelled with searches
    label_nodes: int
    samples: int  # positions from inside the search of each of these
    share: float  # of the games' results in the targets of labels
    has_own: bool  # whether the scores of the games are targets too
    rate: float  # of learning
    looks: int  # at each position in the training at most, where time sets its length


def recipe_of(generation: int, base: str) -> Recipe:
    """The less the best network knows, the shorter its searches, and the more the results count.

    Results are few, and soon learned by heart: the positions of 1,331 games, with the results alone for targets, gave a
    loss on games held out of 0.656 with one look at each, 0.659 with three, and 0.742 with twenty.
    """
    if base != "none":
        return Recipe(2000, 0.0, 0.4, 1500, 2, 0.15, True, 0.01, 8)
    if generation == 0:
        return Recipe(500, 0.1, 1.0, 200, 0, 1.0, False, 0.01, 2)
    if generation == 1:
        return Recipe(1000, 0.03, 0.4, 1000, 1, 0.5, True, 0.01, 4)
    return Recipe(1500, 0.02, 0.4, 1500, 2, 0.3, True, 0.01, 6)


def shares_of(recipe: Recipe) -> dict[str, float]:
    """Of a generation's time, by steps: games and labels share theirs as the nodes that they take."""
    moves = recipe.nodes + SEARCH_NODES
    labels = EVALUATED * recipe.labelled * (1 + recipe.samples) * (recipe.label_nodes + SEARCH_NODES)
    games = DATA_SHARE * moves / (moves + labels)
    return {"games": games, "labels": DATA_SHARE - games, "training": TRAINING_SHARE, "match": MATCH_SHARE}


class Log:
    """The finished and the planned steps of a run: entries by generation and step."""

    def __init__(self, file: TextIO, lines: list[str], path: Path) -> None:
        self.file = file
        self.plans: dict[tuple[int, str], dict[str, Any]] = {}
        self.outcomes: dict[tuple[int, str], dict[str, Any]] = {}
        self.seconds: dict[tuple[int, str], float] = {}
        for at, line in enumerate(lines, 2):
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError):
                raise ValueError(f"{path}, line {at}: not a step of tengen train --cycle") from None

    def _take(self, entry: dict[str, Any]) -> None:
        key = int(entry["generation"]), str(entry["step"])
        if "plan" in entry:
            self.plans[key] = dict(entry["plan"])
        else:
            self.outcomes[key], self.seconds[key] = dict(entry["outcome"]), float(entry["seconds"])

    def add(self, generation: int, step: str, **what: Any) -> None:
        """Writes an entry down: `plan`, or `outcome` and `seconds`."""
        entry = {"generation": generation, "step": step, **what}
        print(json.dumps(entry), file=self.file, flush=True)
        self._take(entry)


class Cycle:
    """A run in its folder."""

    def __init__(self, folder: Path, settings: CycleSettings, workers: Workers, log: Log) -> None:
        self.folder, self.settings, self.workers, self.log = folder, settings, workers, log

    def run(self) -> None:
        """Does every step that is missing. Progress goes to stderr, the table to stdout and its file."""
        steps: dict[str, Callable[[int, float | None], dict[str, Any]]] = {
            "games": self.play_games,
            "labels": self.label_games,
            "training": self.train,
            "match": self.play_match,
        }
        if self.settings.base == "none":
            self.make_start()
        generations = self.settings.generations
        for generation in range(generations):
            for name, step in steps.items():
                self.do(generation, name, step)
            self.write_table()
        if self.evaluation(self.best(generations)).name != CLASSICAL:
            self.do(generations, "policy", self.fit_policy)
            self.do(generations, "policy-match", self.play_policy)
            self.write_table()
            self.do(generations, "final", self.play_final)
        self.write_table()
        print(self.table(), end="")

    def do(self, generation: int, name: str, step: Callable[[int, float | None], dict[str, Any]]) -> None:
        """A step, unless it is done."""
        if (generation, name) in self.log.outcomes:
            return
        seconds = self.time_for(generation, name)
        what = {
            "policy": "a policy for the best network",
            "policy-match": "the match of the policy",
            "final": "the match against the classical evaluation",
        }.get(name, f"generation {generation} of 0 to {self.settings.generations - 1}, {name}")
        until = "" if self.settings.minutes is None else f", {max(self.left(), 0) / 60:.1f} minutes left in all"
        print(f"{what}{until}", file=sys.stderr, flush=True)
        start = time.monotonic()
        outcome = step(generation, seconds)
        self.log.add(generation, name, outcome=outcome, seconds=round(time.monotonic() - start, 2))

    def left(self) -> float:
        """The seconds that are left of the minutes, those of steps that are not done not counted."""
        return 60 * (self.settings.minutes or 0) - sum(self.log.seconds.values())

    def time_for(self, generation: int, step: str) -> float | None:
        """The seconds that a step is to take; None without minutes. Later generations get more: they know more.

        A step after others that took longer has less, but at least half of its share; later generations pay for that.
        """
        if self.settings.minutes is None:
            return None
        seconds = 60 * self.settings.minutes
        at_the_end = {name: min(share * seconds, most) for name, (share, most) in END_SHARES.items()}
        if step in at_the_end:
            return at_the_end[step]
        weights = [2 + number for number in range(generation, self.settings.generations)]
        spent = sum(self.log.seconds.get((generation, name), 0) for name in STEPS)
        whole = max(self.left() + spent - sum(at_the_end.values()), 1) * weights[0] / sum(weights)
        shares = shares_of(recipe_of(generation, self.settings.base))
        after = sum(shares[name] for name in STEPS[STEPS.index(step) :])
        return max((whole - spent) * shares[step] / after, whole * shares[step] / 2)

    def plan(self, generation: int, step: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The sizes of a step, made once."""
        if (generation, step) not in self.log.plans:
            self.log.add(generation, step, plan=make())
        return self.log.plans[generation, step]

    def network(self, generation: int) -> Path:
        return self.folder / f"{generation:02}.network"

    def labels(self, generation: int) -> Path:
        return self.folder / f"labels-{generation:02}"

    def own(self, generation: int) -> Path:
        return self.folder / f"own-{generation:02}"

    def games(self, generation: int) -> Path:
        return self.folder / f"games-{generation:02}.txt"

    def best(self, generation: int) -> str | None:
        """The network that a generation begins with, as `find_evaluation` takes it."""
        for number in range(generation - 1, -1, -1):
            if self.log.outcomes[number, "match"]["promoted"]:
                return str(self.network(number))
        return str(self.folder / START) if self.settings.base == "none" else None

    def evaluation(self, network: str | None) -> Evaluation:
        """A network for searches; from nothing the policy of the package does not help."""
        return find_evaluation(network, self.settings.rule, self.is_from_nothing)

    @property
    def is_from_nothing(self) -> bool:
        return self.settings.base == "none"

    def make_start(self) -> None:
        """A network that says 0 everywhere; its other weights are random, so that it can learn."""
        if (self.folder / START).exists():
            return
        from engine.training.network_model import Model

        network = Model(self.settings.rule, self.settings.seed).to_network({"base": "none", "limit": 6000})
        save_network(self.folder / START, network)

    def play_games(self, generation: int, seconds: float | None) -> dict[str, Any]:
        recipe, best = recipe_of(generation, self.settings.base), self.best(generation)

        def play(games: int) -> None:
            selfplay.run(
                self.games(generation),
                games,
                self.settings.rule,
                self.settings.size,
                self.settings.size,
                recipe.nodes,
                self.settings.seed * 1000 + generation,
                self.workers,
                best,
                recipe.randomness,
                self.is_from_nothing,
            )

        def count() -> int:
            path = self.games(generation)
            return sum(1 for _ in selfplay.read_records(path)) if path.exists() else 0

        def make() -> dict[str, Any]:
            if seconds is None:
                return {"games": self.settings.games}
            games = enough(play, count(), 4 * selfplay.GAMES_A_TASK * self.workers.count(), seconds)
            return {"games": max(games, FEWEST_GAMES)}

        games = self.plan(generation, "games", make)["games"]
        play(games)
        return {"games": games}

    def label_games(self, generation: int, seconds: float | None) -> dict[str, Any]:
        """Labels the games: how many there are was chosen so that it takes its time."""
        recipe = recipe_of(generation, self.settings.base)
        kinds = [(self.labels(generation), recipe.label_nodes, recipe.samples, recipe.labelled)]
        if recipe.has_own:
            kinds.append((self.own(generation), 0, 0, 1.0))
        for folder, nodes, samples, share in kinds:
            label.label(
                [self.games(generation)],
                folder,
                nodes,
                samples,
                share,
                self.settings.seed * 1000 + generation,
                self.workers,
                self.best(generation),
                self.is_from_nothing,
            )
        labels = label.read_parts([folder for folder, *_ in kinds])
        return {"positions": len(labels.score), "proved": int(is_proved(labels.score).sum())}

    def train(self, generation: int, seconds: float | None) -> dict[str, Any]:
        from engine.training.examples import read_examples
        from engine.training.train import TrainSettings, train

        began = time.monotonic()
        rule, base = self.settings.rule, self.settings.base
        recipe = recipe_of(generation, base)
        first = max(generation - MIXED + 1, 1 if base == "none" and generation else 0)
        mixed = range(first, generation + 1)
        folders = [self.labels(number) for number in mixed]
        folders += [self.own(number) for number in mixed if recipe_of(number, base).has_own]
        examples = read_examples(folders, rule)
        best = self.evaluation(self.best(generation))
        start = None if best.name == CLASSICAL else Path(best.path())
        limit = 6000 if base == "none" else 1000
        if start is not None:
            weights = read_network(start)
            base, limit = weights.base, weights.limit
        share, seed = recipe.share, self.settings.seed
        settings = TrainSettings(rule, base, limit, share, OWN_SHARE, 1 << 40, BATCHES[1], recipe.rate, seed)

        def make() -> dict[str, Any]:
            if seconds is None:
                return {"visits": self.settings.visits}
            rate = training_speed(settings, examples)
            once = len(examples.score)
            visits = round(rate * (seconds - (time.monotonic() - began)))
            return {"visits": min(max(visits, once), recipe.looks * once)}

        visits = self.plan(generation, "training", make)["visits"]
        batch = min(max(visits // STEPS_WANTED, BATCHES[0]), BATCHES[1])
        outcome = train(settings._replace(visits=visits, batch=batch), examples, start, self.network(generation))
        losses = {name: [round(value, 4) for value in row] for name, row in outcome.losses.items() if "*" not in name}
        return {"visits": visits, "mixed": len(examples.score), "losses": losses}

    def play_match(self, generation: int, seconds: float | None) -> dict[str, Any]:
        """The new network against the best: promoted if it makes at least half of the points."""
        new, best = (self.evaluation(network) for network in (str(self.network(generation)), self.best(generation)))
        pairs = self.match(generation, "match", seconds, new, best)
        promoted = score_of(pairs)[0] >= 0.5
        if promoted:
            with whole_file(self.folder / BEST) as file:
                file.write(self.network(generation).read_bytes())
            (self.folder / POLICY).unlink(missing_ok=True)  # of a shorter run: it was fitted to another network
        return {"pairs": pairs, "promoted": promoted}

    def policy(self, generation: int) -> Path:
        return self.folder / f"{generation:02}.policy"

    def fit_policy(self, generation: int, seconds: float | None) -> dict[str, Any]:
        """A policy of the order of moves for the best network."""
        (self.folder / POLICY).unlink(missing_ok=True)
        best = self.evaluation(self.best(generation))
        records = list(selfplay.read_records(self.games(generation - 1)))
        path = self.folder / f"nodes-{generation:02}.txt"

        def collect(searches: int) -> tuple[list[bytes], list[bytes]]:
            return collect_nodes(path, records, searches, POLICY_SEARCH_NODES, POLICY_EVERY, self.workers, best)

        def there() -> int:
            return max(path.read_text(encoding="utf-8").count("\n") - 1, 0) if path.exists() else 0

        def make() -> dict[str, Any]:
            if seconds is None:
                return {"searches": self.settings.searches}
            searches = enough(collect, there(), 20 * self.workers.count(), (1 - FIT_SHARE) * seconds)
            # The fit has one process: with many processors it would take longer than the searches.
            found = collect(there())
            if not too_few(found):
                most = FIT_SHARE * seconds * fit_speed(found[0], POLICY_FIT) / POLICY_FIT.epochs
                searches = min(searches, round(most * there() / len(found[0])))
            least, most_searches = POLICY_SEARCHES
            return {"searches": min(max(searches, least), most_searches)}

        searches = self.plan(generation, "policy", make)["searches"]
        found = collect(searches)
        if fault := too_few(found):
            return {"searches": searches, "losses": fault, "policy": None}
        command = (
            f"tengen train --cycle, {len(records)} games, {searches} searches of {POLICY_SEARCH_NODES} nodes, one cut "
            f"in {POLICY_EVERY}"
        )
        line = fit_policy(self.settings.rule, found, POLICY_FIT, command, self.policy(generation))
        return {"searches": searches, "losses": line, "policy": checksum(self.policy(generation))}

    def play_policy(self, generation: int, seconds: float | None) -> dict[str, Any]:
        """The best network with its policy against the same network as before: kept if it makes half of the points."""
        if self.log.outcomes[generation, "policy"]["policy"] is None:
            return {"pairs": [0] * 5, "kept": False}
        policy, best = self.policy(generation), self.evaluation(self.best(generation))
        pairs = self.match(
            generation, "policy-match", seconds, with_policy(best, str(policy)), best, POLICY_MATCH_NODES
        )
        kept = score_of(pairs)[0] >= 0.5
        if kept:
            with whole_file(self.folder / POLICY) as file:
                file.write(policy.read_bytes())
        return {"pairs": pairs, "kept": kept}

    def play_final(self, generation: int, seconds: float | None) -> dict[str, Any]:
        """The best network, with its policy if that was kept, against the classical evaluation."""
        best = self.evaluation(self.best(generation))
        if self.log.outcomes[generation, "policy-match"]["kept"]:
            best = with_policy(best, str(self.policy(generation)))
        return {"pairs": self.match(generation, "final", seconds, best, find_evaluation(CLASSICAL, best.rule))}

    def match(
        self,
        generation: int,
        step: str,
        seconds: float | None,
        first: Evaluation,
        second: Evaluation,
        nodes: int = MATCH_NODES,
    ) -> Pentanomial:
        """The pentanomial of a match, for the first player."""
        path = self.folder / f"{step}-{generation:02}.txt"
        seed = f"{self.settings.seed}/{step}/{generation}"
        match = Match(first, second, self.settings.rule, self.settings.size, nodes, seed)

        def play(pairs: int) -> Pentanomial:
            return play_match(path, match, pairs, self.workers)

        def make() -> dict[str, Any]:
            if seconds is None:
                return {"pairs": self.settings.pairs}
            played = path.read_text(encoding="utf-8").count("\n") - 1 if path.exists() else 0
            least, most = MATCH_PAIRS
            return {"pairs": min(max(enough(play, played, 2 * self.workers.count(), seconds), least), most)}

        return play(self.plan(generation, step, make)["pairs"])

    def write_table(self) -> None:
        """The table's file, whole or not at all."""
        with whole_file(self.folder / TABLE) as file:
            file.write(self.table().encode())

    def table(self) -> str:
        """The generations that are done: their data, losses on games held out, and matches with 95 % intervals."""
        lines = [
            f"{'':>3} {'games':>6} {'positions':>9} {'proved':>6} {'visits':>8} {'KL':>6} {'NLL':>6}  "
            "against the best before; pairs of 0, 1/2, 1, 3/2 and 2 points"
        ]
        outcomes = self.log.outcomes
        done = [generation for generation in range(self.settings.generations) if (generation, "match") in outcomes]
        for generation in done:
            games, labels, training, match = (outcomes[generation, step] for step in STEPS)
            divergence, _, result = training["losses"]["network"]
            lines.append(
                f"{generation:3} {games['games']:6} {labels['positions']:9} "
                f"{labels['proved'] / max(labels['positions'], 1):6.1%} {training['visits']:8} {divergence:6.3f} "
                f"{result:6.3f}  {row_of(match['pairs'])}, {'promoted' if match['promoted'] else 'not promoted'}"
            )
        policy = outcomes.get((self.settings.generations, "policy"))
        if policy is not None:
            lines.append(f"a policy of the order of moves: {policy['losses']}")
        trial = outcomes.get((self.settings.generations, "policy-match"))
        if trial is not None and sum(trial["pairs"]):
            verdict = "kept" if trial["kept"] else "not kept"
            lines.append(f"the best with this policy against the best as before: {row_of(trial['pairs'])}, {verdict}")
        final = outcomes.get((self.settings.generations, "final"))
        if final is not None:
            lines.append(f"the best against the classical evaluation: {row_of(final['pairs'])}")
        return "\n".join(lines) + "\n"


def row_of(pairs: list[int]) -> str:
    return f"{describe(pairs)}, pairs {'-'.join(map(str, pairs))}"


def enough(play: Callable[[int], object], there: int, first: int, seconds: float) -> int:
    """The number of games, or pairs, for a time. Plays some, then more, until an eighth of the time is used.

    play: plays until there is this number in all; there: the number that there is; first: the number to begin with.
    """
    start, wanted = time.monotonic(), first
    while True:
        play(there + wanted)
        taken = max(time.monotonic() - start, 1e-6)
        if taken > seconds / 8:
            return there + max(wanted, round(wanted * seconds / taken))
        wanted *= 2


def training_speed(settings: TrainSettings, examples: Any) -> float:
    """Positions a second."""
    from engine.training.train import Trainer, own_arithmetic

    with own_arithmetic():
        trainer = Trainer(settings, examples, None)
        trainer.advance()
        start = time.monotonic()
        for _ in range(20):
            trainer.advance()
        return 20 * settings.batch / max(time.monotonic() - start, 1e-6)


def run(folder: Path, settings: CycleSettings, workers: Workers) -> None:
    """Makes or goes on with the run in the folder.

    Raises ValueError for the folder of another run and for a step that cannot be done; ModuleNotFoundError without
    torch, before anything is written; WorkersLost, see `Workers.in_order`.
    """
    for package in ("torch", "scipy"):
        if find_spec(package) is None:
            raise ModuleNotFoundError(f"training needs {package}", name=package)
    start = "nothing" if settings.base == "none" else find_evaluation(None, settings.rule).name
    folder.mkdir(parents=True, exist_ok=True)
    parameters = {
        "engine": engine_signature(),
        "rule": settings.rule,
        "size": settings.size,
        "seed": settings.seed,
        "start": start,
        "recipe": RECIPE,
    }
    file, lines = open_run(folder / LOG, "train --cycle", parameters)
    with file:
        Cycle(folder, settings, workers, Log(file, lines, folder / LOG)).run()


def main(arguments: list[str] | None = None) -> int:
    """`tengen train --cycle`."""
    parser = new_parser(
        "tengen train --cycle",
        "Makes a network by itself, in generations. Each generation plays games against itself, labels their "
        "positions, trains a new network and lets it play a match against the best network so far; the new one becomes "
        "the best if it makes at least half of the points. At the end it fits a policy of the order of moves to the "
        "best network, and a table shows all results. It needs the packages torch and scipy. Give --minutes, "
        "--generations or both; the same command continues a run that was stopped.",
        "tengen train --cycle run --rule standard --base none --minutes 30",
        "tengen train --cycle run --rule renju --generations 3 --games 2000 --pairs 200",
    )
    parser.add_argument(
        "--cycle",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="folder for all files of the run; if it exists, its run is continued",
    )
    add_rule_flag(parser, "rule of the network", is_required=True)
    add_size_flag(parser)
    parser.add_argument(
        "--base",
        choices=("classical", "none"),
        default="classical",
        help="none: begin with a network that knows nothing; classical: with the network that Tengen "
        "has for the rule, else the classical evaluation (default: %(default)s)",
    )
    parser.add_argument(
        "--minutes",
        type=float,
        help="time for the whole run in minutes, 0.5 to 100000; it sets the sizes of all steps "
        "(default: the sizes below)",
    )
    parser.add_argument(
        "--generations",
        type=int,
        help=f"number of generations (default: with --minutes one for each {MINUTES_A_GENERATION} of them)",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="a whole number; each seed gives other games (default: %(default)s)"
    )
    parser.add_argument("--games", type=int, help="games of each generation, without --minutes (default: 4000)")
    parser.add_argument(
        "--visits",
        type=float,
        help="positions to train on in each generation, each time that one is used counted, without "
        "--minutes (default: 2000000)",
    )
    parser.add_argument("--pairs", type=int, help="pairs of games in each match, without --minutes (default: 100)")
    parser.add_argument(
        "--searches",
        type=int,
        help="searches whose moves the policy learns from, without --minutes (default: 20000)",
    )
    add_flags(parser)
    help_first(parser, arguments)
    options = parser.parse_args(arguments)
    sizes = (options.games, options.visits, options.pairs)
    if options.minutes is None and options.generations is None:
        parser.error("--minutes or --generations says how long it goes on")
    if options.minutes is not None and any(size is not None for size in (*sizes, options.searches)):
        parser.error("--games, --visits, --pairs and --searches make no sense with --minutes, which sets them")
    if options.minutes is not None and not 0.5 <= options.minutes <= 100_000:
        parser.error("--minutes are from 0.5 to 100000")
    if not MIN_SIZE <= options.size <= MAX_SIZE:
        parser.error(f"--size is from {MIN_SIZE} to {MAX_SIZE}")
    if (
        (options.generations is not None and options.generations < 1)
        or options.seed < 0
        or any(size is not None and not 1 <= size < 1e12 for size in sizes)
        or (options.searches is not None and not 1 <= options.searches <= MOST_SEARCHES)
    ):
        parser.error(
            "--generations, --games, --visits and --pairs are at least 1, --searches are from 1 to "
            f"{MOST_SEARCHES}, --seed is at least 0"
        )
    check_flags(parser, options)
    generations = options.generations or max(round(options.minutes / MINUTES_A_GENERATION), 1)
    settings = CycleSettings(
        options.rule,
        options.size,
        options.base,
        options.seed,
        options.minutes,
        generations,
        options.games or 4000,
        int(options.visits or 2e6),
        options.pairs or 100,
        options.searches or 20_000,
    )

    def work() -> None:
        with open_workers(options) as workers:
            run(options.cycle, settings, workers)

    return run_command("tengen train --cycle", work)
