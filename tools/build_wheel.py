"""Build the wheels: one for all platforms, and one with compiled code for this Python, numba and platform.

`make wheel` runs it. Code is compiled for a level of CPU features that is common (x86-64-v3 on x86-64), in processes of
its own, and described by a manifest: what compiled it, what it needs, and each file with its size and SHA-256. The
installed package uses it only where all of that fits (`core/numba/shipped.py`). Needs numba and hatchling.
"""

import argparse
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
V2 = ["cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"]
V3 = ["avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"]
V4 = ["avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"]
# what LLVM means by these names, in the words of `llvmlite.binding.get_host_cpu_features`
LEVELS = {"x86-64-v2": V2, "x86-64-v3": V2 + V3, "x86-64-v4": V2 + V3 + V4, "generic": []}
USUAL = {"x86_64": "x86-64-v3", "AMD64": "x86-64-v3"}  # others: what every CPU of the platform has
# For these the default is compiled a second time, which is 6 % faster where AVX-512 is there.
MORE = {"x86-64-v3": "x86-64-v4"}
DESCRIBE = """
import json
from numba.core.registry import cpu_target
from kernelstream import __version__
from kernelstream.core.numba import cache, host
triple, name, features = cpu_target.target_context.codegen().magic_tuple()
assert triple == host.host()["triple"], "numba compiles for another platform"
print(json.dumps(host.host() | {
    "kernelstream": __version__, "fingerprint": cache.fingerprint(())[0], "settings": host.settings(),
    "cpu": {"name": name, "features": features},
}))
"""
WARM = "import sys, kernelstream; print(sum(done.compiled for done in kernelstream.warmup(sys.argv[1:])))"


def run(code: str, cpu: str, cache: Path, *arguments: str) -> str:
    """Run a program that compiles for `cpu` and keeps the result in `cache`; what it prints."""
    ours = {name for name in os.environ if name.startswith(("NUMBA_", "KERNELSTREAM_"))}
    environment = {name: value for name, value in os.environ.items() if name not in ours} | {
        "NUMBA_CPU_NAME": cpu,
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": str(ROOT / "src"),
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, env=environment, cwd=cache, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments) or 'compiling'} failed:\n{done.stderr}")
    return done.stdout


def compile_all(jobs: list[tuple[str, str]], cache: Path, workers: int) -> None:
    """Compile recipes for levels of CPUs, `workers` at a time; then see that nothing is left to compile."""

    def warm(job: tuple[str, str]) -> None:
        cpu, name = job
        start = time.perf_counter()
        count = run(WARM, cpu, cache / cpu, name).strip()
        print(f"  {cpu:12}{name:18} {count:>3} functions, {time.perf_counter() - start:5.1f} s", flush=True)

    for cpu, _ in jobs:
        (cache / cpu).mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(warm, jobs))
    for cpu in {cpu for cpu, _ in jobs}:
        names = {name for other, name in jobs if other == cpu}
        rest = () if names >= recipe_names() else names  # without names, also what belongs to no recipe
        if not rest:
            run(WARM, cpu, cache / cpu)
        if run(WARM, cpu, cache / cpu, *rest).strip() != "0":
            raise SystemExit("a second run compiles again: some code is not kept under the name it is looked for")


def recipe_names() -> set[str]:
    sys.path.insert(0, str(ROOT / "src"))
    from kernelstream.cli.recipe_table import RECIPE_TABLE

    return set(RECIPE_TABLE)


def fingerprint() -> bytes:
    """Of everything that a wheel contains."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "src").rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.digest()


def runs(cpu: str) -> bool:
    """Whether this machine can run, and so compile by running, code for this level."""
    from llvmlite.binding import get_host_cpu_features

    return all(get_host_cpu_features().get(feature) for feature in LEVELS[cpu])


def describe(cpu: str, cache: Path, into: Path) -> dict:
    """Copy the compiled files and write the manifest beside them."""
    manifest = json.loads(run(DESCRIBE, cpu, cache))
    manifest["cpu"]["needs"] = LEVELS[cpu]
    manifest["files"] = {}
    into.mkdir(parents=True)
    for path in sorted(cache.rglob("*.nbc")):
        content = path.read_bytes()
        (into / path.name).write_bytes(content)
        manifest["files"][path.name] = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    (into / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return manifest


def build(out: Path, compiled: Path | None) -> Path:
    """Build a wheel into the folder `out`."""
    environment = {name: value for name, value in os.environ.items() if name != "KERNELSTREAM_COMPILED"}
    if compiled is not None:
        environment["KERNELSTREAM_COMPILED"] = str(compiled)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out) as new:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", new]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"building the wheel failed:\n{done.stderr}")
        (wheel,) = Path(new).glob("*.whl")
        return Path(shutil.move(wheel, out / wheel.name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("recipes", nargs="*", help="recipes to compile (default: all)")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder of the wheels")
    parser.add_argument("--cpu", choices=LEVELS, default=USUAL.get(platform.machine(), "generic"), help="the least CPU")
    parser.add_argument("--workers", type=int, default=min(os.cpu_count() or 1, 4))
    parser.add_argument("--cache", type=Path, default=ROOT / ".cache" / "wheel", help="compiled code is kept here")
    given = parser.parse_args()
    # the slowest first
    names = given.recipes or ["default", *sorted(recipe_names() - {"default"})]
    cache, compiled = given.cache.resolve() / "cache", given.cache.resolve() / "compiled"
    for folder in (cache, compiled):  # files of an earlier source would be packed too
        shutil.rmtree(folder, ignore_errors=True)
    before = fingerprint()
    more = MORE.get(given.cpu)
    jobs = [(more, "default")] if more and "default" in names and runs(more) else []
    compile_all([*jobs, *((given.cpu, name) for name in names)], cache, given.workers)
    for folder in sorted(cache.iterdir()):
        files = describe(folder.name, folder, compiled / folder.name)["files"]
        size = sum(file["size"] for file in files.values()) / 1e6
        print(f"{folder.name}: {len(files)} functions, {size:.1f} MB when installed")
    if fingerprint() != before:
        raise SystemExit("the source was edited while it was compiled: build again")
    for path in (build(given.out.resolve(), None), build(given.out.resolve(), compiled)):
        print(f"{path}  {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
