"""Networks by one command: the whole cycle, from nothing, stopped and continued."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from needs import import_or_skip

from engine.policy import Policy
from engine.training import cycle
from engine.training.policy_fit import Fit
from engine.weights.networks import checksum, read_network
from tournaments.cli.main import main as tengen

pytestmark = pytest.mark.long

RULE, SIZE = 9, 9
ONE = ["--processes", "1"]
NAMES = ("games", "labels", "training", "match")
END = ("policy", "policy-match", "final")
CYCLE = [
    "train",
    "--rule",
    str(RULE),
    "--size",
    str(SIZE),
    "--base",
    "none",
    "--generations",
    "2",
    "--games",
    "30",
    "--visits",
    "3000",
    "--pairs",
    "2",
    "--searches",
    "60",
    *ONE,
]


@pytest.fixture(scope="module")
def quick() -> Iterator[None]:
    """Short searches: what the recipes need to be worth something takes longer than a test may."""
    with pytest.MonkeyPatch.context() as patch:
        plain = cycle.recipe_of
        patch.setattr(cycle, "recipe_of", lambda *words: plain(*words)._replace(nodes=60, label_nodes=40, samples=1))
        patch.setattr(cycle, "MATCH_NODES", 60)
        patch.setattr(cycle, "POLICY_MATCH_NODES", 60)
        patch.setattr(cycle, "POLICY_SEARCH_NODES", 2000)
        patch.setattr(cycle, "POLICY_EVERY", 1)
        patch.setattr(cycle, "POLICY_FIT", Fit(epochs=2, batch=16, rate=0.01, seed=1))
        yield


@pytest.fixture(scope="module")
def whole(quick: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    import_or_skip("torch", "train")
    folder = tmp_path_factory.mktemp("cycle") / "run"
    assert tengen([*CYCLE, "--cycle", str(folder)]) == 0
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != cycle.LOG
    }


def players_of(path: Path) -> tuple[str, str]:
    header = json.loads(path.read_text().splitlines()[0].removeprefix("# tengen match "))
    return header["first"], header["second"]


def log_of(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / cycle.LOG).read_text().splitlines()[1:]
    return [{name: value for name, value in json.loads(line).items() if name != "seconds"} for line in lines]


def test_a_cycle_from_nothing_makes_networks_and_a_table(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start, second = read_network(whole / cycle.START), read_network(whole / "01.network")
    assert start.base == second.base == "none" and start.rule == second.rule == RULE
    assert set(start.output) == {0} and list(start.output_bias) == [0] and len(set(start.table)) > 10
    assert second.card["share"] == 0.5 and read_network(whole / "00.network").card["share"] == 1
    outcomes = {(entry["generation"], entry["step"]): entry["outcome"] for entry in log_of(whole) if "outcome" in entry}
    promoted = [number for number in (0, 1) if outcomes[number, "match"]["promoted"]]
    best = whole / (f"0{promoted[-1]}.network" if promoted else cycle.START)
    assert not promoted or (whole / cycle.BEST).read_bytes() == best.read_bytes()
    header = json.loads((whole / "games-01.txt").read_text().splitlines()[0].removeprefix("# tengen selfplay "))
    network = checksum(whole / ("00.network" if 0 in promoted else cycle.START))
    assert header["network"] == f"{network} no-policy", "from nothing, the policy of the package does not help either"
    # What the network of generation 0 was trained on says nothing to generation 1.
    assert [source["folder"] for source in second.card["data"]] == ["labels-01", "own-01"]
    assert second.card["own_share"] == cycle.OWN_SHARE and not (whole / "own-00").exists()
    lines = (whole / cycle.TABLE).read_text().splitlines()
    assert len(lines) == 6 and "against the classical evaluation" in lines[5]
    assert lines[1].split()[:3] == ["0", "30", str(outcomes[0, "labels"]["positions"])]
    policy, trial = outcomes[2, "policy"], outcomes[2, "policy-match"]
    assert Policy(whole / "02.policy", RULE).card["losses"] == policy["losses"] == lines[3].partition(": ")[2]
    assert policy["policy"] == checksum(whole / "02.policy")
    assert lines[4].endswith(", kept" if trial["kept"] else ", not kept")
    plain, ordered = f"{checksum(best)} no-policy", f"{checksum(best)} {checksum(whole / '02.policy')}"
    assert players_of(whole / "policy-match-02.txt") == (ordered, plain)
    assert players_of(whole / "final-02.txt") == (ordered if trial["kept"] else plain, "classical")
    # A run that is done does nothing but show the table.
    before, log = files_of(whole), (whole / cycle.LOG).read_text()
    assert tengen([*CYCLE, "--cycle", str(whole)]) == 0
    assert capsys.readouterr().out == (whole / cycle.TABLE).read_text()
    assert files_of(whole) == before and (whole / cycle.LOG).read_text() == log


def test_a_cycle_that_is_stopped_after_every_step_ends_with_the_same_files(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    add = cycle.Log.add

    def add_and_stop(self: cycle.Log, *words: Any, **what: Any) -> None:
        add(self, *words, **what)
        raise KeyboardInterrupt

    monkeypatch.setattr(cycle.Log, "add", add_and_stop)
    stops = 0
    while tengen([*CYCLE, "--cycle", str(folder)]) == 130:
        stops += 1
        done = sum("promoted" in entry.get("outcome", {}) for entry in log_of(folder))
        if done and "promoted" not in log_of(folder)[-1].get("outcome", {}):
            table = (folder / cycle.TABLE).read_text().splitlines()
            assert sum(line.startswith(("  0 ", "  1 ")) for line in table) == done
        with (folder / cycle.LOG).open("a") as file:
            file.write('{"generation": 0, "st')  # killed while it wrote
        assert "stopped; the same command continues from here" in capsys.readouterr().err
    # The outcome of every step, and its plan, which labels need none; after the generations come three steps more.
    assert stops == 2 * (2 * len(NAMES) + 3) - 2
    assert files_of(folder) == files_of(whole) and log_of(folder) == log_of(whole)


def test_the_folder_of_another_run_is_refused(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = files_of(whole)
    for words, fault in (
        (["--seed", "2"], "seed 1, not 2"),
        (["--rule", "8"], "rule 9, not 8"),
        (["--base", "classical"], "start nothing, not "),
        (["--size", "10"], "size 9, not 10"),
    ):
        assert tengen([*CYCLE, "--cycle", str(whole), *words]) == 2
        assert f"cycle.log belongs to a run with {fault}" in capsys.readouterr().err
    assert files_of(whole) == before


def test_a_worse_network_is_not_promoted(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Back to where the match of generation 0 is planned; the new network then makes 3 of 8 half-points.
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    lines = (folder / cycle.LOG).read_text().splitlines(keepends=True)
    kept = lines[:1] + [line for line in lines if '"generation": 0' in line and '"promoted"' not in line]
    (folder / cycle.LOG).write_text("".join(kept))
    (folder / cycle.BEST).unlink(missing_ok=True)
    first = (folder / "match-00.txt").read_text().splitlines()[0]
    (folder / "match-00.txt").write_text(f"{first}\n0 1\n1 2\n")
    command = [*CYCLE, "--cycle", str(folder), "--generations", "1"]
    assert tengen(command) == 0
    assert "pairs 0-1-1-0-0, not promoted" in capsys.readouterr().out and not (folder / cycle.BEST).exists()
    # The next generation begins with the network that this one did.
    assert players_of(folder / "final-01.txt")[0].startswith(checksum(folder / cycle.START))
    # One that makes half of the points is not worse.
    (folder / cycle.LOG).write_text("".join(kept))
    (folder / "match-00.txt").write_text(f"{first}\n0 1\n1 3\n")
    for name in ("nodes-01.txt", "policy-match-01.txt", "final-01.txt"):
        (folder / name).unlink()
    assert tengen(command) == 0
    assert "pairs 0-1-0-1-0, promoted" in capsys.readouterr().out
    assert (folder / cycle.BEST).read_bytes() == (folder / "00.network").read_bytes()


def times_of(folder: Path, taking: dict[tuple[int, str], float]) -> dict[tuple[int, str], float]:
    """The times that 30 minutes give to the steps, if some steps take longer by these factors."""
    with open(folder / "log", "w") as file:
        log = cycle.Log(file, [], folder / "log")
        settings = cycle.CycleSettings(RULE, SIZE, "none", 1, 30.0, 3, 1, 1, 1, 1)
        run = cycle.Cycle(folder, settings, None, log)  # type: ignore[arg-type]
        times = {}
        for key in [(generation, step) for generation in range(3) for step in NAMES] + [(3, step) for step in END]:
            given = run.time_for(*key)
            assert given is not None
            times[key] = given
            log.add(*key, outcome={}, seconds=given * taking.get(key, 1))
    return times


def test_a_policy_is_kept_if_it_is_not_worse(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    first = (folder / "policy-match-02.txt").read_text().splitlines()[0]
    lines = (folder / cycle.LOG).read_text().splitlines(keepends=True)
    kept = [line for line in lines if '"final"' not in line and not ('"policy-match"' in line and '"kept"' in line)]
    (folder / cycle.POLICY).unlink(missing_ok=True)
    for pairs, told in (("0 1\n1 2\n", "0-1-1-0-0, not kept"), ("0 1\n1 3\n", "0-1-0-1-0, kept")):
        (folder / cycle.LOG).write_text("".join(kept))
        (folder / "policy-match-02.txt").write_text(f"{first}\n{pairs}")
        (folder / "final-02.txt").unlink()
        assert tengen([*CYCLE, "--cycle", str(folder)]) == 0
        assert f"pairs {told}\n" in capsys.readouterr().out
        is_kept = not told.endswith("not kept")
        assert (folder / cycle.POLICY).exists() is is_kept
        assert players_of(folder / "final-02.txt")[0].endswith(" no-policy") is not is_kept
    # With one generation more the policy at the end is that of the new best network.
    (folder / "best.policy").write_bytes(b"of the end before")
    assert tengen([*CYCLE, "--cycle", str(folder), "--generations", "3", "--searches", "1"]) == 0
    assert " held out are too few\n" in capsys.readouterr().out
    assert not (folder / cycle.POLICY).exists() and (folder / "final-03.txt").exists()


def test_minutes_are_shared_among_the_steps(tmp_path: Path) -> None:
    # One step takes longer than its time, and those after it less.
    times = times_of(tmp_path, {(0, "labels"): 1.2})
    assert sum(times.values()) + 0.2 * times[0, "labels"] == pytest.approx(1800)
    assert [times[3, step] for step in END] == pytest.approx([126, 54, 90])
    assert all(seconds > 1 for seconds in times.values())
    assert all(times[2, step] > times[1, step] for step in NAMES[1:])


def test_a_step_after_long_ones_still_has_half_of_its_time(tmp_path: Path) -> None:
    plain, times = times_of(tmp_path, {}), times_of(tmp_path, {(1, "games"): 4})
    for step in NAMES[1:]:
        assert times[1, step] == pytest.approx(plain[1, step] / 2)
    assert 0 < times[2, "games"] < plain[2, "games"] / 2, "the next generation pays for it"


def test_time_sets_the_sizes_and_they_are_kept(quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import_or_skip("torch", "train")
    monkeypatch.setattr(cycle.Cycle, "time_for", lambda self, generation, step: 0.2)
    monkeypatch.setattr(cycle, "MATCH_PAIRS", (2, 3))
    folder = tmp_path / "run"
    command = ["train", "--cycle", str(folder), "--rule", "8", "--size", str(SIZE), "--minutes", "5", *ONE]
    assert tengen(command) == 0
    plans = {entry["step"]: entry["plan"] for entry in log_of(folder) if "plan" in entry}
    assert plans["games"]["games"] >= cycle.FEWEST_GAMES
    assert plans["training"]["visits"] >= 4 * plans["games"]["games"]
    assert 2 <= plans["match"]["pairs"] <= 3
    assert read_network(folder / "00.network").base == "classical" and not (folder / cycle.START).exists()
    # Stopped within the games: the next run plays the rest of the planned games.
    games = (folder / "games-00.txt").read_bytes()
    (folder / cycle.LOG).write_text("".join((folder / cycle.LOG).read_text().splitlines(keepends=True)[:2]))
    (folder / "games-00.txt").write_bytes(b"".join(games.splitlines(keepends=True)[:9]))
    for path in (*folder.glob("*match-*"), *folder.glob("nodes-*"), *folder.glob("final-*")):
        path.unlink()
    assert tengen(command) == 0
    assert (folder / "games-00.txt").read_bytes() == games


def test_what_is_missing_is_named_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cycle, "find_spec", lambda name: None)
    assert tengen([*CYCLE, "--cycle", str(tmp_path / "run")]) == 2
    assert "this needs further packages: pip install torch scipy matplotlib" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ([], "--minutes or --generations says how long it goes on"),
        (
            ["--minutes", "5", "--games", "9"],
            "--games, --visits, --pairs and --searches make no sense with --minutes, which sets them",
        ),
        (["--generations", "0"], "--generations, --games, --visits and --pairs are at least 1"),
        (["--generations", "1", "--searches", "1000001"], "--searches are from 1 to 1000000"),
        (["--minutes", "0"], "--minutes are from 0.5 to 100000"),
        (["--minutes", "5", "--size", "4"], "argument --size: a board has 5 to 22 cells a side, not '4'"),
        (["--minutes", "5", "--output", "a"], "unrecognized arguments: --output a"),
    ],
)
def test_flags_that_make_no_sense_are_named(
    words: list[str], fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as error:
        tengen(["train", "--cycle", str(tmp_path / "run"), "--rule", "9", *words])
    assert error.value.code == 2 and fault in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
