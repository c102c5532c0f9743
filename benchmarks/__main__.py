"""Speed, as ratios measured inside one run, each beside the bar that it must keep.

`python -m benchmarks` measures all figures, `--only` some of them, `--quick` on less data. Both sides of a ratio are
timed in turn, and the ratio is the median over the turns. Everything runs on one thread.
"""

from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.figure import Result, Run, cells
from benchmarks.figures import FIGURES
from benchmarks.plots import draw
from benchmarks.report import arguments, console, failed, progress, show, verdict, write

COLUMNS = ("figure", "ours", "reference", "ratio", "bar", "verdict")
RESULTS = Path(__file__).parent / "results"


def measured(names: list[str], quick: bool) -> list[Result]:
    """The lines of the figures named, those left out announced in a sentence."""
    results: list[Result] = []
    with progress() as shown, threadpool_limits(1):
        count = shown.add_task("", total=len(names))
        for name in names:

            def tell(what: str, name: str = name) -> None:
                shown.update(count, description=f"{name}: {what}")

            tell("getting ready")
            try:
                for result in FIGURES[name].measure(Run(quick, tell, console.print)):
                    results.append(result)  # one by one: an interrupted figure keeps the lines it has
            except KeyboardInterrupt:
                console.print(f"Stopped during {name}: these are the results until then.")
                break
            shown.advance(count)
    return results


def main() -> int:
    parser = arguments(__doc__)
    parser.set_defaults(json=RESULTS / "speed.json")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=FIGURES, help="these figures only")
    parser.add_argument("--quick", action="store_true", help="less data and fewer turns: quick but noisy")
    parser.add_argument("--plots", type=Path, metavar="DIR", default=RESULTS, help="folder for the plots")
    parser.add_argument("--list", action="store_true", help="list the figures and stop")
    options = parser.parse_args()
    if options.list:
        show("figures", ("name", "what it measures"), [(f.name, f.about) for f in FIGURES.values()], words=2)
        return 0
    results = measured(options.only or list(FIGURES), options.quick)
    title = "one thread; ratios are medians over turns" + (", on less data (--quick)" if options.quick else "")
    show(title, COLUMNS, [(*cells(result), verdict(result.passed)) for result in results])
    found = [result.as_dict() for result in results]
    options.json.parent.mkdir(parents=True, exist_ok=True)
    write(options.json, found)
    try:
        for path in draw(options.plots, results):
            console.print(f"plot: {path}")
    except ImportError:
        console.print("matplotlib is not installed, so nothing is plotted: pip install matplotlib")
    return failed(found)


if __name__ == "__main__":
    raise SystemExit(main())
