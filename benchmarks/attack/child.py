"""A process that attacks, and reports each case before it begins, so that a crash can be traced to its seed."""

import sys
import traceback

import numpy as np

from . import calls, files


def run(kind: str, first: int, count: int, recipes: list[str]) -> None:
    """Cases `first` … of "calls" or "files". Prints "> seed" before a case, "r" or "a" after it, "! …" if it finds."""
    for seed in range(first, first + count):
        print(f"> {seed}", flush=True)
        try:
            print("r" if case(kind, seed, recipes) else "a")
        except calls.Finding as finding:
            where = traceback.extract_tb(finding.__cause__.__traceback__)[-1] if finding.__cause__ else ""
            print(f"! {kind} {seed}: {finding} {where}".replace("\n", " "), flush=True)


_TARGETS: dict[str, calls.Target] = {}


def case(kind: str, seed: int, recipes: list[str]) -> bool:
    """One case; whether the library refused."""
    rng = np.random.default_rng([seed, 17])
    if kind == "files":
        return files.attack(rng)
    name = recipes[seed // 25 % len(recipes)]
    if rng.random() < 0.1:
        return calls.fresh(rng, name)
    if seed % 25 == 0 or name not in _TARGETS:
        _TARGETS[name] = calls.Target(name, seed // 25)
    try:
        return _TARGETS[name].attack(rng)
    except calls.Finding:
        del _TARGETS[name]  # the next case has a good one again
        raise


if __name__ == "__main__":
    run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4].split(","))
