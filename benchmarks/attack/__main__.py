"""Attack the library: `python -m benchmarks.attack [--calls 100000] [--files 20000] [--seed 0]`.

Hostile calls over all recipes and input kinds, and altered model files with and without a recomputed checksum, each
case from its own seed. They run in processes of their own: a crash or a hang is a finding like any other. Exits with 1
if there are findings.
"""

import argparse
import os
import selectors
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator

from kernelstream.recipes import RECIPES

BLOCK = 500  # cases per process
HANG = 60.0  # seconds without a new case, after the first


def blocks(kind: str, first: int, count: int, recipes: list[str], compiling: float) -> Iterator[tuple[str, str]]:
    """Run the cases, a process after the other; yields (what, text) with what in "r", "a" and "!"."""
    done = 0
    while done < count:
        size = min(BLOCK, count - done)
        reached = first + done - 1
        for what, text in _process(kind, first + done, size, recipes, compiling):
            if what == ">":
                reached = int(text)
            else:
                yield what, text
        done = reached - first + 1 if reached >= first + done else done + size


def _process(kind: str, first: int, count: int, recipes: list[str], compiling: float) -> Iterator[tuple[str, str]]:
    command = [sys.executable, "-m", "benchmarks.attack.child", kind, str(first), str(count), ",".join(recipes)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None and child.stderr is not None
    os.set_blocking(child.stdout.fileno(), False)
    selector = selectors.DefaultSelector()
    selector.register(child.stdout, selectors.EVENT_READ)
    seed, rest, last = first, b"", time.monotonic()
    while True:
        ready = selector.select(timeout=1.0)
        data = child.stdout.read() if ready else None
        if data:
            last = time.monotonic()
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                text = line.decode(errors="replace")
                if text.startswith("> "):
                    seed = int(text[2:])
                    yield ">", text[2:]
                elif text:
                    yield text[0], text[2:]
        elif data == b"":
            break
        elif time.monotonic() - last > HANG + compiling:
            child.kill()
            yield "!", f"{kind} {seed}: no answer for {HANG + compiling:.0f} s"
            break
    status = child.wait()
    if status not in (0, -9):
        said = child.stderr.read().decode(errors="replace").strip().splitlines()
        yield "!", f"{kind} {seed}: the process ended with status {status}. {said[-1] if said else ''}"
    child.stderr.close()
    child.stdout.close()


def attack(kind: str, first: int, count: int, recipes: list[str], seconds: float | None) -> tuple[Counter, list[str]]:
    """Counts of refused and accepted cases, and the findings."""
    counts: Counter = Counter()
    findings: list[str] = []
    start = told = time.monotonic()
    if count == 0:
        return counts, findings
    for what, text in blocks(kind, first, count, recipes, compiling=240.0):
        counts[what] += 1
        if what == "!":
            findings.append(text)
            print(f"  finding: {text}", flush=True)
        if time.monotonic() - told > 20.0:
            told = time.monotonic()
            print(f"  {sum(counts.values()):,} of {count:,} {kind}, {len(findings)} findings", flush=True)
        if seconds is not None and time.monotonic() - start > seconds:
            break
    return counts, findings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0, help="the first case")
    parser.add_argument("--recipes", nargs="+", default=list(RECIPES), choices=RECIPES, metavar="NAME")
    parser.add_argument("--seconds", type=float, default=None, help="stop each part after this time")
    options = parser.parse_args()
    findings: list[str] = []
    for kind, count in (("calls", options.calls), ("files", options.files)):
        counts, found = attack(kind, options.seed, count, options.recipes, options.seconds)
        findings += found
        print(f"{kind}: {counts['r'] + counts['a']:,} cases, {counts['r']:,} refused, {counts['a']:,} accepted, "
              f"{len(found)} findings", flush=True)  # fmt: skip
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
