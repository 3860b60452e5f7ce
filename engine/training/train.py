"""Trains a network on the positions of `tengen label`, and writes it as the integers that the engine computes with.

The targets are the search's scores, with a share of the games' results; every tenth game is held out, and says how good
the network is. The same command on the same data gives the same file. A run that was stopped goes on where it was,
from the file OUTPUT.checkpoint.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from engine.training.examples import Examples, read_examples
from engine.training.losses import (
    Point,
    Shares,
    TrainResult,
    best_scale,
    blended_targets,
    calibrate,
    losses_of,
    score_targets,
)
from engine.training.network_model import Model
from engine.training.network_scores import evaluations
from engine.training.outputs import check_output, only_run, save_network, whole_file
from engine.training.scores import SCALE, entropy
from engine.training.train_options import read_options
from engine.weights.networks import NetworkFile, checksum, read_network
from engine.whole_file import sentence_of

Ints = npt.NDArray[np.int64]

WARM_UP = 100  # steps
DECAY = 1e-4  # of the weights, a step, as a share of the learning rate
CLIP = 1.0  # of the gradient's norm
CURVE_POINTS = 25
CURVE_POSITIONS = 20_000
SECONDS_A_CHECKPOINT = 30


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C and a request to terminate wait until this block has ended."""
    if threading.current_thread() is not threading.main_thread():  # other threads are never interrupted
        yield
        return
    came: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda number, _: came.append(number)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])


class Terminated(KeyboardInterrupt):
    """A request to terminate: the run stops as with Ctrl-C."""


class TrainSettings(NamedTuple):
    """The settings of a run; it depends on them and its data."""

    rule: int
    base: str  # "classical" or "none"
    limit: int  # of what is added to the base, centipoints
    share: float  # of the game's result in a target, and that of positions with the game's own score
    own_share: float
    visits: int  # positions, counted as often as they are looked at
    batch: int
    rate: float
    seed: int

    @property
    def shares(self) -> Shares:
        return Shares(self.share, self.own_share)


class Batches:
    """The positions of each step: all are looked at once before any is again, in an order of chance."""

    def __init__(self, positions: Ints, batch: int, seed: int) -> None:
        self.positions, self.batch, self.seed = positions, batch, seed
        self.epoch, self.order = -1, positions

    def __getitem__(self, step: int) -> Ints:
        found: list[Ints] = []
        missing = self.batch
        while missing:
            epoch, offset = divmod((step + 1) * self.batch - missing, len(self.positions))
            if epoch != self.epoch:
                self.epoch = epoch
                self.order = np.random.default_rng([self.seed, epoch]).permutation(self.positions)
            found.append(self.order[offset : offset + missing])
            missing -= len(found[-1])
        return np.concatenate(found)


class Trainer:
    """A run: the model, the optimiser, and what the loss needs of the data."""

    def __init__(self, settings: TrainSettings, examples: Examples, start: NetworkFile | None) -> None:
        self.settings, self.examples = settings, examples
        self.held = np.flatnonzero(examples.held)
        trained = np.flatnonzero(~examples.held)
        if not len(self.held) or not len(trained):
            raise ValueError(f"the {len(examples.held)} positions are of too few games to hold some out")
        rng = np.random.default_rng([settings.seed, 1 << 32])
        self.curve_held = np.sort(rng.permutation(self.held)[:CURVE_POSITIONS])
        self.curve_trained = np.sort(rng.permutation(trained)[:CURVE_POSITIONS])
        self.trained = trained
        self.batches = Batches(trained, settings.batch, settings.seed)
        self.steps = max(settings.visits // settings.batch, 1)
        self.step = 0
        self.curve: list[Point] = []
        self.targets = torch.from_numpy(blended_targets(examples, settings.shares).astype(np.float32))
        self.masks = torch.from_numpy(examples.mask)
        base = examples.classical if settings.base == "classical" else np.zeros_like(examples.classical)
        self.bases = torch.from_numpy(base / np.float32(SCALE))
        self.model = Model(settings.rule, settings.seed)
        if start is not None:
            self.model.load(start)
        self.optimiser = torch.optim.AdamW(self.model.groups(), lr=settings.rate, weight_decay=DECAY, fused=True)

    def logits(self, chosen: Ints) -> Tensor:
        there = torch.from_numpy(chosen)
        return self.bases[there] + self.model(self.examples.cells, chosen, self.masks[there])

    def advance(self) -> None:
        """One step."""
        rate = min(1, (self.step + 1) / WARM_UP) * 0.5 * (1 + math.cos(math.pi * self.step / self.steps))
        for group in self.optimiser.param_groups:
            group["lr"] = self.settings.rate * group["share"] * rate
        chosen = self.batches[self.step]
        loss = nn.functional.binary_cross_entropy_with_logits(
            self.logits(chosen), self.targets[torch.from_numpy(chosen)]
        )
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        with undisturbed():  # a run that is stopped within the step would do it again
            self.optimiser.step()
            self.model.clamp()
            self.step += 1

    @torch.no_grad()
    def divergence(self, chosen: Ints) -> float:
        """Of the model from the targets, in nats."""
        total = 0.0
        for at in range(0, len(chosen), 4096):
            part = chosen[at : at + 4096]
            targets = self.targets[torch.from_numpy(part)]
            total += nn.functional.binary_cross_entropy_with_logits(self.logits(part), targets, reduction="sum").item()
        return total / len(chosen) - float(entropy(self.targets.numpy()[chosen].astype(np.float64)).mean())

    def note(self) -> None:
        """A point of the learning curve."""
        self.curve.append(
            Point(
                self.step * self.settings.batch, self.divergence(self.curve_trained), self.divergence(self.curve_held)
            )
        )

    def run(self, checkpoint: Path, made_of: str) -> None:
        """Trains to the end. Progress goes to stderr, the state to the checkpoint now and then, and when stopped.

        If the state cannot be saved, a message says so once and the run continues. Raises OSError if the state of a
        run that is stopped cannot be saved.
        """
        start, first = time.monotonic(), self.step
        has_warned = False
        kept = shown = start
        try:
            while self.step < self.steps:
                if self.step * CURVE_POINTS // self.steps >= len(self.curve):
                    self.note()
                self.advance()
                now = time.monotonic()
                if now - shown > 1 or self.step == self.steps:
                    shown = now
                    rate = (self.step - first) * self.settings.batch / (now - start)
                    left = (self.steps - self.step) * self.settings.batch / rate / 60
                    print(
                        f"\r{self.step} of {self.steps} steps, {rate:.0f} positions a second, {left:.1f} minutes "
                        f"left, trained {self.curve[-1].trained:.4f}, held out {self.curve[-1].held:.4f} ",
                        end="",
                        file=sys.stderr,
                        flush=True,
                    )
                if now - kept > SECONDS_A_CHECKPOINT:
                    kept = now
                    try:
                        self.save(checkpoint, made_of)
                    except OSError as error:
                        if not has_warned:
                            why = sentence_of(error)
                            print(f"\ntengen train: the state of the run is not kept: {why}", file=sys.stderr)
                        has_warned = True
        except KeyboardInterrupt:
            self.save(checkpoint, made_of)
            raise
        self.note()
        print(file=sys.stderr)

    def save(self, path: Path, made_of: str) -> None:
        """Keeps the state, whole or not at all. Raises OSError that names the file."""
        state = io.BytesIO()  # torch's own exception for a file that it cannot write does not say why
        torch.save(
            {
                "made_of": made_of,
                "step": self.step,
                "curve": [tuple(point) for point in self.curve],
                "model": self.model.state_dict(),
                "optimiser": self.optimiser.state_dict(),
            },
            state,
        )
        with whole_file(path) as file:
            file.write(state.getbuffer())

    def load(self, path: Path, made_of: str) -> None:
        """Goes on from a state, if there is one. Raises ValueError for that of another run."""
        if not path.exists():
            return
        try:
            state = torch.load(path, weights_only=True)
            found = json.loads(state["made_of"])
        except Exception:
            raise ValueError(f"{path} is not a checkpoint of tengen train") from None
        wanted = json.loads(made_of)
        for name in sorted({*found, *wanted}):
            if found.get(name) != wanted.get(name):
                raise ValueError(f"{path} belongs to a run with {name} {found.get(name)}, not {wanted.get(name)}")
        self.step = state["step"]
        self.curve = [Point(*point) for point in state["curve"]]
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])

    def outcome(self, card: dict[str, Any]) -> TrainResult:
        """The network as its integers compute, on the positions held out, beside the classical evaluation."""
        network = self.model.to_network(card)
        classical = self.examples.classical.astype(np.float64)
        shares = self.settings.shares
        factor = best_scale(classical[self.trained], blended_targets(self.examples, shares)[self.trained])
        rows = {
            "classical": classical[self.held],
            f"classical * {factor:.2f}": classical[self.held] * factor,
            "network": evaluations(network, self.examples, self.held),
        }
        losses = {name: losses_of(row, self.examples, self.held, shares) for name, row in rows.items()}
        calibrations = {name: calibrate(row, self.examples, self.held) for name, row in rows.items()}
        network.card["losses"] = {name: [round(value, 5) for value in row] for name, row in losses.items()}
        return TrainResult(network, self.curve, losses, calibrations, rows)


@contextmanager
def own_arithmetic() -> Iterator[None]:
    """Sets up the arithmetic of a run, and afterwards leaves it as it was."""
    threads, has_flushed = torch.get_num_threads(), sys.float_info.min / 2 == 0
    torch.set_num_threads(1)  # more threads add up in another order, and give other files
    torch.set_flush_denormal(True)  # averages of a mask that never occurs become denormal, which is slow
    try:
        yield
    finally:
        torch.set_flush_denormal(has_flushed)
        torch.set_num_threads(threads)


@own_arithmetic()
def train(settings: TrainSettings, examples: Examples, start: Path | None, output: Path) -> TrainResult:
    """Trains a network into a file, from another's weights if `start` is one.

    Raises ValueError for a checkpoint of another run, a network that cannot be started from, and too few games.
    """
    network = read_start(start, settings.base) if start else None
    parameters = {**settings._asdict(), "data": examples.sources, "from": checksum(start) if start else None}
    made_of = json.dumps(parameters, sort_keys=True)
    checkpoint = checkpoint_path(output)
    trainer = Trainer(settings, examples, network)
    trainer.load(checkpoint, made_of)
    trainer.run(checkpoint, made_of)
    command = " ".join(
        [
            "tengen train",
            *(str(source["folder"]) for source in examples.sources),
            f"--rule {settings.rule}",
            f"--base {settings.base}",
            f"--limit {settings.limit}",
            f"--share {settings.share:g}",
            f"--own-share {settings.own_share:g}",
            f"--visits {settings.visits}",
            f"--batch {settings.batch}",
            f"--rate {settings.rate:g}",
            f"--seed {settings.seed}",
            *([f"--from {start.name}"] if start else []),
        ]
    )
    outcome = trainer.outcome(
        {
            "command": command,
            "base": settings.base,
            "limit": settings.limit,
            "seed": settings.seed,
            "share": settings.share,
            "own_share": settings.own_share,
            "visits": settings.visits,
            "from": parameters["from"],
            "data": examples.sources,
        }
    )
    save_network(output, outcome.network)
    checkpoint.unlink(missing_ok=True)
    return outcome


def checkpoint_path(output: Path) -> Path:
    """The file with the state of a run."""
    return output.with_name(output.name + ".checkpoint")


def read_start(path: Path, base: str) -> NetworkFile:
    """A network to start from, of any rule. Raises ValueError if the file is not a network or has another base."""
    network = read_network(path)
    if network.base != base:
        raise ValueError(f"{path} is a network with the base {network.base}, not {base}")
    return network


def describe(outcome: TrainResult, examples: Examples) -> str:
    """The losses and the calibration on the positions held out, as a table of text."""
    held = np.flatnonzero(examples.held)
    targets = score_targets(examples)[held]
    lines = [
        f"{len(examples.held) - len(held)} positions, {len(held)} held out "
        f"(entropy of the scores' targets {entropy(targets).mean():.4f})",
        f"{'':18}{'KL':>8}{'KL-s':>8}{'NLL':>8}   best scale, slope of the score in each phase",
    ]
    for name, row in outcome.losses.items():
        phases = "  ".join(
            f"{part.stones[0]}+: {part.scale:.2f} {part.slope:.2f}"
            for part in outcome.calibrations[name]
            if part.positions
        )
        lines.append(f"{name:18}{row.divergence:8.4f}{row.score_divergence:8.4f}{row.result:8.4f}   {phases}")
    return "\n".join(lines)


def main(options: argparse.Namespace) -> int:
    """`tengen train`, with what `train_options.read_options` has read."""
    settings = TrainSettings(
        options.rule,
        options.base,
        options.limit,
        options.share,
        options.own_share,
        int(options.visits),
        options.batch,
        options.rate,
        options.seed,
    )
    before = signal.signal(signal.SIGTERM, terminate)
    try:
        check_files(options.output, options.report, options.start, options.folders)
        with only_run(options.output):
            run(settings, options.folders, options.start, options.output, options.report)
    except (ValueError, OSError) as error:
        print(f"tengen train: {sentence_of(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as stop:
        print("\nstopped; the same command continues from here", file=sys.stderr)
        return 143 if isinstance(stop, Terminated) else 130
    finally:
        signal.signal(signal.SIGTERM, before)
    return 0


def terminate(_number: int, _frame: FrameType | None) -> None:
    raise Terminated


def check_files(output: Path, report: Path | None, start: Path | None, folders: list[Path]) -> None:
    """Raises ValueError or OSError, in one sentence, for files that cannot be made at the end of the run."""
    check_output("--output", output, folders, [])
    if report:
        check_output(
            "--report",
            report,
            folders,
            [
                ("--output", output),
                ("the run's checkpoint", checkpoint_path(output)),
                *([("--from", start)] if start else []),
            ],
        )


def run(settings: TrainSettings, folders: list[Path], start: Path | None, output: Path, report: Path | None) -> None:
    """All of a run: reads, trains, and writes the network and the report."""
    if report:
        from engine.training.train_report import write_report  # if matplotlib is missing, this fails before the work
    if start:
        read_start(start, settings.base)  # refused before the positions are read, which takes long
    examples = read_examples(folders, settings.rule)
    outcome = train(settings, examples, start, output)
    print(describe(outcome, examples))
    print(f"wrote {output}")
    if report:
        write_report(report, outcome, examples)
        print(f"wrote {report}")


if __name__ == "__main__":
    sys.exit(main(read_options(sys.argv[1:])))
