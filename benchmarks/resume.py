"""Kill the command at random, again and again: what it ends in must be the file of a run that nothing interrupted.

`python -m benchmarks.resume` does it 20 times, each with several kills, between checkpoints as they come.
"""

import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.report import arguments, console, failed, write
from kernelstream.datasets import checkerboard

ROWS, EVERY = 400_000, 20_000
COMMAND = [sys.executable, "-m", "kernelstream", "train"]
OPTIONS = ["--gamma", "4", "--budget", "100", "--scale", "none", "--checkpoint-every", str(EVERY), "--quiet", "--json"]


def board(path: Path) -> Path:
    X, y = checkerboard(ROWS, noise=0.1, seed=0)
    with path.open("w") as file:
        file.write("a,b,y\n")
        file.writelines(f"{a},{b},{label}\n" for (a, b), label in zip(X.tolist(), y.tolist(), strict=True))
    return path


def run(arguments: list[str]) -> None:
    subprocess.run([*COMMAND, *arguments], check=True, stdout=subprocess.DEVNULL)


def killed(arguments: list[str], path: Path, rng: random.Random) -> bool:
    """Start, wait for a checkpoint and a random while more, kill; whether it still ran."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.DEVNULL)
    while process.poll() is None and (not path.exists() or path.stat().st_mtime_ns == before):
        time.sleep(0.005)
    time.sleep(rng.uniform(0.0, 0.5))
    process.kill()
    return process.wait() == -signal.SIGKILL


def trial(data: Path, folder: Path, whole: bytes, rng: random.Random) -> tuple[int, bool]:
    """How many kills it took, and whether the file is the same."""
    path = folder / "m.ks"
    path.unlink(missing_ok=True)
    kills = int(killed([str(data), *OPTIONS, "-o", str(path)], path, rng))
    again = ["--resume", str(path), "--checkpoint-every", str(EVERY), "--quiet", "--json"]
    while kills < 3 and killed(again, path, rng):
        kills += 1
    run(again)
    return kills, path.read_bytes() == whole


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--times", type=int, default=20, help="trials (default 20)")
    options = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = board(folder / "board.csv")
        run([str(data), *OPTIONS, "-o", str(folder / "whole.ks")])
        whole = (folder / "whole.ks").read_bytes()
        for i in range(options.times):
            kills, same = trial(data, folder, whole, random.Random(i))
            console.print(f"trial {i + 1}: killed {kills} times, {'identical file' if same else 'DIFFERENT FILE'}")
            found.append({"trial": i, "kills": kills, "passed": same})
    write(options.json, found)
    return failed(found)


if __name__ == "__main__":
    raise SystemExit(main())
