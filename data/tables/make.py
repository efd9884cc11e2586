"""Writes the tables of this folder from finished runs: `python data/tables/make.py RUNS COMMIT`.

RUNS has a folder for each table, of the same name; SOURCE.txt has the commands that make them. COMMIT is the
one they were made with. The first part of every run is computed again and must be the same.
"""

import sys
from pathlib import Path

import numpy as np

from kingsolve.histograms import count_run
from kingsolve.simulation import Run, open_run
from kingsolve.simulation._chunks import compute
from kingsolve.simulation._store import digest, table_of
from kingsolve.tables import compare, halves, tabulate

HERE = Path(__file__).parent
OWING = ("full-king", "short-king", "parlett-3", "parlett-4", "jeu-du-roi", "dealers-choice-20", "rifki")
"""The other variants with the duty to discard K♥; the rules without it are in ID-kept.toml."""
Z95 = 1.959963984540054


def command(run: Run, name: str) -> str:
    """The command that makes the run, as the manifest has it."""
    plan = run.plan
    shipped = set(plan.rounds)
    names = [contract.name for contract in plan.contracts]
    words = [
        "kingsolve simulate --variant",
        f"{plan.variant}.toml" if plan.variant.endswith("-kept") else plan.variant,
    ]
    words += ["--contract", "all" if set(names) >= shipped else ",".join(names)]
    words += [f"--deals {plan.deals:_} --seed {plan.seed}", *(["--rotations"] if plan.rotations else [])]
    words += [f"--play {plan.play}", *([f"--chunk {plan.chunk}"] if plan.play.kind == "exact" else [])]
    return " ".join([*words, f"-o runs/{name}"])


def check(run: Run) -> None:
    """Computes the first part anew; raises AssertionError where the run's is another."""
    made = compute(run.plan, 0, cancel=np.zeros(1, np.int32), report=lambda _: None)
    assert digest(run.plan, run.part(0)) == digest(run.plan, table_of(run.plan, 0, made)), run.folder


def write(frame: "pd.DataFrame", name: str, lines: list[str]) -> None:  # noqa: F821  # pandas is tables' own
    """A CSV with its source in lines that begin with #."""
    rounded = frame.round({column: 6 for column in frame.columns if str(frame[column].dtype) == "Float64"})
    text = "".join(f"# {line}\n" for line in lines) + rounded.to_csv(index=False, lineterminator="\n")
    (HERE / f"{name}.csv").write_text(text, encoding="utf-8")
    print(name, len(frame), flush=True)


def main() -> None:
    runs, commit = Path(sys.argv[1]), sys.argv[2]
    note = f"commit {commit}; points a round by turn (1 leads); low and high: 95 % interval of the mean"
    for folder in sorted(path for path in runs.iterdir() if (path / "manifest.json").exists()):
        run = open_run(folder)
        if run.missing or "-owed" in folder.name or "-kept" in folder.name:
            continue
        check(run)
        tally, sums = count_run(run)
        frame = tabulate(tally)
        frame.insert(frame.columns.get_loc("se") + 1, "low", frame["mean"] - Z95 * frame["se"])
        frame.insert(frame.columns.get_loc("low") + 1, "high", frame["mean"] + Z95 * frame["se"])
        write(frame, folder.name, [command(run, folder.name), note])
        if sums.names:
            write(halves(sums), f"{folder.name}-halves", [command(run, folder.name), f"commit {commit}"])
    pairs = [
        ("king-owed", "king-kept", "compulsory-king"),
        ("russian-14-shapley", "king-kept-shapley", "compulsory-king-shapley"),
    ]
    for id in OWING:
        for kind in ("", "-shapley"):
            pairs.append((f"{id}-owed{kind}", f"{id}-kept{kind}", f"compulsory-king-{id}{kind}"))
    for a, b, name in pairs:
        if not all((runs / other / "manifest.json").exists() for other in (a, b)):
            continue
        pair = open_run(runs / a), open_run(runs / b)
        if any(run.missing for run in pair):
            continue
        lines = [command(run, other) for run, other in zip(pair, (a, b), strict=True)]
        write(
            compare(*pair),
            name,
            [*lines, f"kingsolve tabulate --compare runs/{a} runs/{b}", f"commit {commit}"],
        )


if __name__ == "__main__":
    main()
