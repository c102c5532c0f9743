"""A messy file through `kernelstream train FILE --target y`, beside gradient boosting on a version cleaned by hand.

    python -m benchmarks.messy                    # 200,000 rows
    python -m benchmarks.messy --rows 20000 --seeds 3 --sorted
    python -m benchmarks.messy --real             # what the rules do to the columns of real files

The file has an identifier, a date with effects of the hour and the weekday, a constant, two categorical columns that
matter, numbers with interactions, 2 % missing values, five classes of which two are rare, two columns of one name, CRLF
and a byte order mark. Both models are tested on other rows of the same generator.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

CITIES = ["Athens", "Bergen", "Cádiz", "Delft", "Essen", "Faro", "Ghent", "Hull", "Izmir", "Jena", "Kiel", "Lyon"]
DEVICES = ["phone", "tablet", "desktop", "kiosk", "watch"]
CLASSES = ["browse", "buy", "ask", "return", "fraud"]


def frame(rows: int, seed: int, function: int, *, dates: str = "sorted", noise: float = 1.0) -> pd.DataFrame:
    """Clean data. `function` seeds what is to be learned, `seed` the rows."""
    rule, rng = np.random.default_rng(function), np.random.default_rng(1000 * function + seed)
    seconds = rng.integers(0, 365 * 86400, rows)
    start = pd.Timestamp("2023-03-01")
    when = start + pd.to_timedelta(np.sort(seconds) if dates == "sorted" else seconds, unit="s")
    data: dict[str, Any] = {
        "amount": np.exp(rng.normal(3.0, 1.0, rows)),
        "speed": rng.normal(0.0, 1.0, rows),
        "pressure": rng.normal(1013.0, 9.0, rows),
        "visits": rng.poisson(4.0, rows),
        "ratio": rng.uniform(0.0, 1.0, rows),
        "city": rng.choice(CITIES, rows, p=rule.dirichlet(np.full(len(CITIES), 3.0))),
        "device": rng.choice(DEVICES, rows),
        "when": when,
    }
    table = pd.DataFrame(data)
    a, s = (np.log(table.amount) - 3.0), table.speed
    p, r = (table.pressure - 1013.0) / 9.0, 4.0 * table.ratio - 2.0
    hour, day = when.hour + when.minute / 60.0, when.day_of_week
    city = rule.normal(0.0, 0.9, (5, len(CITIES)))[:, [CITIES.index(c) for c in table.city]]
    device = rule.normal(0.0, 0.8, (5, len(DEVICES)))[:, [DEVICES.index(d) for d in table.device]]
    w = rule.normal(0.0, 1.0, (5, 8))
    peak, weekend = rule.uniform(0, 24, 5), rule.normal(0.0, 0.9, 5)
    scores = np.stack(
        [
            3.0 * w[k, 0] * np.tanh(a * s) + 2.5 * w[k, 1] * np.sin(1.5 * p + w[k, 2]) + 2.0 * w[k, 3] * r * np.sign(s)
            + 0.6 * w[k, 4] * np.abs(table.visits - 4.0) + city[k] + device[k] * (1.0 + (r > 0))
            + 1.6 * np.cos(2 * np.pi * (hour - peak[k]) / 24.0) + 1.5 * weekend[k] * (day >= 5)
            for k in range(5)
        ]
    )  # fmt: skip
    scores = scores - scores.mean(axis=1, keepdims=True)  # up to the shares of classes
    scores += np.array([1.5, 1.2, 0.8, -3.0, -3.5])[:, None] + rng.gumbel(0.0, noise, scores.shape)
    table["y"] = np.array(CLASSES)[scores.argmax(axis=0)]
    return table


def messy_csv(table: pd.DataFrame, path: Path, seed: int, *, order: str = "as it comes") -> None:
    """The same as a file that nobody has cleaned."""
    rng, table = np.random.default_rng(seed), table.copy()
    for name in ("amount", "speed", "pressure", "ratio", "city", "device"):
        gaps = rng.random(len(table)) < 0.02
        table[name] = table[name].astype(object)
        table.loc[gaps, name] = rng.choice(["", "NA", "?"] if name not in ("city", "device") else [""], gaps.sum())
    table["when"] = table["when"].dt.strftime("%Y-%m-%d %H:%M:%S")
    table.insert(0, "id", np.arange(100_001, 100_001 + len(table)))
    table.insert(3, "site", "main")
    table.insert(5, "spare", np.round(rng.normal(size=len(table)), 3))
    if order == "by class":
        table = table.sort_values("y", kind="stable")
    header = [name if name != "spare" else "speed" for name in table.columns]  # twice
    text = table.to_csv(index=False, header=header, lineterminator="\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())


def kernelstream(*words: object) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "kernelstream", *map(str, words)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def by_hand(table: pd.DataFrame, seed: int) -> pd.DataFrame:
    """As an expert would clean it: no identifier, the date expanded, categories named, gaps left to the trees."""
    rng, found = np.random.default_rng(seed), table.drop(columns=["when", "y"])
    for name in ("amount", "speed", "pressure", "ratio", "city", "device"):
        found.loc[rng.random(len(found)) < 0.02, name] = np.nan if name not in ("city", "device") else None
        rng.choice(3, 1)
    found["hour"], found["weekday"] = table.when.dt.hour + table.when.dt.minute / 60.0, table.when.dt.day_of_week
    for name, known in (("city", CITIES), ("device", DEVICES)):
        found[name] = pd.Categorical(found[name], categories=known)
    return found


def boosting(train: pd.DataFrame, test: pd.DataFrame) -> float:
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=0)
    model.fit(by_hand(train, 1), train.y)
    return float(model.score(by_hand(test, 2), test.y))


def trial(
    rows: int, function: int, order: str, dates: str, noise: float, show: bool, options: list[str]
) -> tuple[float, float, float]:
    """Accuracy of ours and of boosting, and the seconds of training."""
    import json

    train, test = (frame(n, i, function, dates=dates, noise=noise) for n, i in ((rows, 1), (20_000, 2)))
    with tempfile.TemporaryDirectory() as folder:
        data, other, model = Path(folder) / "messy.csv", Path(folder) / "test.csv", Path(folder) / "model.ks"
        messy_csv(train, data, 1, order=order)
        messy_csv(test, other, 2)
        begun = time.perf_counter()
        said = kernelstream("train", data, "--target", "y", "-o", model, *options)
        seconds = time.perf_counter() - begun
        if show:
            print(said)
        accuracy = json.loads(kernelstream("evaluate", model, other, "--json"))["accuracy"]
    return accuracy, boosting(train, test), seconds


REAL = (
    "letter", "pendigits", "covtype", "magic04", "electricity", "skin_nonskin", "ijcnn1", "a9a", "dna", "usps",
    "abalone", "cadata", "space_ga",
)  # fmt: skip
NUMBERS = ("abalone", "cadata", "space_ga")  # targets


def real(rows: int = 20_000) -> None:
    """What the rules say about the columns of real files, which have no identifiers and no dates, and what it costs."""
    import json
    import os

    from sklearn.datasets import load_svmlight_file

    for name in REAL:
        X, y = load_svmlight_file(f"{os.environ['KERNELSTREAM_DATA']}/{name}.bz2")
        chosen = np.sort(np.random.default_rng(0).permutation(len(y))[:rows])
        table = pd.DataFrame(X[chosen].toarray()).add_prefix("x").assign(y=y[chosen])
        task = ["--task", "regression"] if name in NUMBERS else []
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "data.csv"
            table.to_csv(path, index=False)
            found = json.loads(kernelstream("describe", path, "--target", "y", "--json", *task))
            changed = [c for c in found["columns"] if c["use"] != "number"]
            print(f"{name}: {X.shape[1]} columns, {len(changed)} not used as numbers", flush=True)
            for sentence in [f"{c['name']}: {c['done']}" for c in changed] + found["warnings"]:
                print(f"  {sentence}")
            if changed:
                numeric = ["--numeric", ",".join(table.columns[:-1])]
                for label, more in (("with", []), ("without", numeric)):
                    said = kernelstream(
                        "train", path, "-t", "y", "-o", Path(folder) / label, "-q", "--json", *task, *more
                    )
                    print(f"  {label} the rules: {json.loads(said)['score']:.4g}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--functions", default="100,101,102", help="seeds of what is to be learned")
    parser.add_argument("--sorted", action="store_true", help="sorted by class")
    parser.add_argument("--dates", default="sorted", choices=["sorted", "random"])
    parser.add_argument(
        "--noise", type=float, default=1.0, help="of the labels: 1 is a logit model; less is harder to match"
    )
    parser.add_argument("--real", action="store_true", help="what the rules do to the columns of real files")
    parser.add_argument("--quiet", action="store_true", help="do not show what train prints")
    parser.add_argument("options", nargs="*", help="more options of train, after --")
    given = parser.parse_args()
    if given.real:
        real()
        return
    order = "by class" if given.sorted else "as it comes"
    print(f"{given.rows:,} rows, {order}; dates {given.dates}. Bar: at most 1.5 points behind.")
    for i, function in enumerate(map(int, given.functions.split(","))):
        ours, theirs, seconds = trial(
            given.rows, function, order, given.dates, given.noise, i == 0 and not given.quiet, given.options
        )
        gap = 100 * (theirs - ours)
        print(
            f"function {function}: kernelstream {100 * ours:.1f} %, boosting {100 * theirs:.1f} %, {gap:+.1f} points "
            f"behind; {seconds:.0f} s, {given.rows / seconds:,.0f} rows/s {'' if gap <= 1.5 else 'MISSED'}",
            flush=True,
        )


if __name__ == "__main__":
    main()
