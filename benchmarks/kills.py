"""Kill `kernelstream train` at random moments and resume it: it must end in the file of a run that nothing interrupted.

`python -m benchmarks.kills --times 100` kills 100 times (SIGKILL): one time in four while the command starts, else
after a random number of checkpoints and a random while more, so also while one is written. A run is killed up to three
times and then finished; the model file is compared byte by byte. Five more kills, with a cache folder of their own, hit
while code is compiled.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.report import arguments, console, failed, write
from kernelstream.datasets import checkerboard

ROWS, EVERY = 60_000, 1_000
BETWEEN = 0.03  # about the seconds from one checkpoint to the next
COMMAND = [sys.executable, "-m", "kernelstream", "train"]
CHECKPOINTS = ["--checkpoint-every", str(EVERY), "--quiet", "--json"]
OPTIONS = ["--gamma", "4", "--budget", "100", "--scale", "none", *CHECKPOINTS]


class Job(NamedTuple):
    """A training run: what it reads, what it writes, and where its compiled code is kept."""

    data: Path
    model: Path
    environment: dict[str, str]

    def start(self) -> subprocess.Popen:
        """Begin the run, or resume it if it has left a checkpoint."""
        begin = [str(self.data), *OPTIONS, "-o", str(self.model)]
        resume = ["--resume", str(self.model), *CHECKPOINTS]
        given = resume if self.model.exists() else begin
        with self.errors.open("w") as errors:
            return subprocess.Popen(
                [*COMMAND, *given], env=os.environ | self.environment, stdout=subprocess.DEVNULL, stderr=errors
            )

    @property
    def errors(self) -> Path:
        return self.model.with_suffix(".errors")

    def check(self, status: int) -> None:
        if status not in (0, -signal.SIGKILL):
            raise SystemExit(f"kernelstream train ended with status {status}:\n{self.errors.read_text()}")

    def finish(self) -> float:
        """Run to the end; the seconds it took."""
        start = time.perf_counter()
        self.check(self.start().wait())
        return time.perf_counter() - start

    def kill_after(self, seconds: float, checkpoints: int = 0) -> bool:
        """Kill after so many checkpoints and then so many seconds; whether it still ran."""
        process, seen = self.start(), self.stamp()
        while checkpoints and process.poll() is None:
            if self.stamp() != seen:
                checkpoints, seen = checkpoints - 1, self.stamp()
            time.sleep(0.001)
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        self.check(status)
        return status != 0

    def stamp(self) -> int:
        """When the model file was written last; 0 if never."""
        return self.model.stat().st_mtime_ns if self.model.exists() else 0


def board(path: Path, rows: int) -> Path:
    X, y = checkerboard(rows, noise=0.1, seed=0)
    with path.open("w") as file:
        file.write("a,b,y\n")
        file.writelines(f"{a},{b},{label}\n" for (a, b), label in zip(X.tolist(), y.tolist(), strict=True))
    return path


def undisturbed(job: Job) -> tuple[bytes, float]:
    """The file of a run that nothing interrupts, and its seconds once everything is compiled."""
    for _ in range(2):
        job.model.unlink(missing_ok=True)
        seconds = job.finish()
    return job.model.read_bytes(), seconds


def while_learning(folder: Path, times: int) -> list[dict]:
    """Runs with `times` kills in all."""
    job, rng = Job(board(folder / "board.csv", ROWS), folder / "m.ks", {}), random.Random(0)
    whole, seconds = undisturbed(job)
    starting = max(seconds - BETWEEN * ROWS / EVERY, 0.5)
    console.print(f"a run takes {seconds:.1f} s and writes {ROWS // EVERY} checkpoints")
    found: list[dict] = []
    while (left := times - sum(run["kills"] for run in found)) > 0:
        job.model.unlink(missing_ok=True)
        kills = resumed = 0
        planned = min(rng.randint(1, 3), left)
        while kills < planned:
            if rng.random() < 0.25:
                moment = rng.uniform(0.0, starting), 0
            else:
                moment = rng.uniform(0.0, BETWEEN), rng.randint(1, ROWS // EVERY // 2)
            if not job.kill_after(*moment):
                break
            kills, resumed = kills + 1, resumed + job.model.exists()
        if kills == planned:
            job.finish()
        same = job.model.read_bytes() == whole
        console.print(f"run {len(found) + 1}: {kills} kills, {resumed} resumed; {'identical' if same else 'DIFFERENT'}")
        found.append({"kills": kills, "resumed": resumed, "passed": same})
    return found


def while_compiling(folder: Path, times: int) -> dict:
    """Kill a run in an empty cache folder `times` times while it compiles, then let it finish from what is there."""
    data, rng = board(folder / "small.csv", 2000), random.Random(0)
    clean, dirty = (
        Job(data, folder / f"{name}.ks", {"NUMBA_CACHE_DIR": str(folder / name)}) for name in ("clean", "dirty")
    )
    seconds = clean.finish()
    kills = sum(dirty.kill_after(rng.uniform(0.3, 0.9) * seconds) for _ in range(times))
    dirty.finish()
    same = dirty.model.read_bytes() == clean.model.read_bytes()
    return {"kills_while_compiling": kills, "passed": same}


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--times", type=int, default=20, help="kills while rows are learned (default 20)")
    parser.add_argument("--compiling", type=int, default=5, help="kills while code is compiled (default 5)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = while_learning(Path(name), options.times)
        kills, resumed = sum(run["kills"] for run in found), sum(run["resumed"] for run in found)
        same = sum(run["passed"] for run in found)
        console.print(
            f"{kills} kills, {resumed} resumed from a checkpoint, the others begun again; "
            f"{same} of {len(found)} model files identical"
        )
        if options.compiling:
            found.append(while_compiling(Path(name), options.compiling))
            last = "identical" if found[-1]["passed"] else "DIFFERENT"
            console.print(f"{found[-1]['kills_while_compiling']} kills while compiling; the model file is {last}")
    write(options.json, found)
    return failed(found)


if __name__ == "__main__":
    raise SystemExit(main())
