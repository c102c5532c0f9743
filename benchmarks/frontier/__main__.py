"""The accuracy frontier of the default recipe, each figure beside its bar.

`python -m benchmarks.frontier` measures all parts, `--only` some of them, `--quick` with less data and one shuffle.
`--ablation` and `--plot` measure those instead. The data sets are read from the folder that KERNELSTREAM_DATA names.
docs/design/refit.md says what is measured here.
"""

from pathlib import Path

from benchmarks.figure import Run
from benchmarks.frontier.ablation import ABLATION
from benchmarks.frontier.accuracy import ACCURACY
from benchmarks.frontier.cost import COST
from benchmarks.frontier.curves import curves
from benchmarks.frontier.drift import DRIFT
from benchmarks.frontier.memory import memory
from benchmarks.frontier.part import Line, Part
from benchmarks.frontier.regression import REGRESSION
from benchmarks.report import arguments, console, failed, progress, write

USUAL, LONGEST = 10**6, 10**7  # examples of the stream that memory is watched along
PARTS = {"accuracy": ACCURACY, "regression": REGRESSION, "cost": COST, "drift": DRIFT, "memory": memory(USUAL)}


def measured(name: str, part: Part, quick: bool) -> list[Line]:
    """The lines of a part; if it is interrupted, those that there are."""
    lines: list[Line] = []
    with progress() as shown:
        count = shown.add_task(f"{name}: getting ready", total=None)

        def tell(what: str) -> None:
            shown.update(count, description=f"{name}: {what}")

        try:
            for line in part.measure(Run(quick, tell, console.print)):
                lines.append(line)
        except KeyboardInterrupt:
            console.print(f"Stopped during {name}: these are the results until then.")
    return lines


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument(
        "--only", nargs="+", metavar="PART", choices=PARTS, help=f"only these parts: {', '.join(PARTS)}"
    )
    parser.add_argument("--quick", action="store_true", help="less data and one shuffle: quick but noisy")
    parser.add_argument("--full", action="store_true", help="measure memory over ten times as many examples")
    parser.add_argument("--ablation", action="store_true", help="what each piece of the default is worth")
    parser.add_argument("--plot", type=Path, metavar="PATH", help="plot accuracy against budget to this file")
    options = parser.parse_args()
    parts = PARTS | {"memory": memory(LONGEST)} if options.full else PARTS
    chosen = {name: parts[name] for name in options.only or parts}
    if options.ablation or options.plot:
        chosen = {name: parts[name] for name in options.only or ()}
    if options.ablation:
        chosen["ablation"] = ABLATION
    if options.plot:
        chosen["curves"] = curves(options.plot)
    results: list[Line] = []
    for name, part in chosen.items():
        lines = measured(name, part, options.quick)
        if lines:
            part.show(lines)
        results += lines
    write(options.json, results)
    return failed(results)


if __name__ == "__main__":
    raise SystemExit(main())
