"""Learners with default settings on streams that drift, each figure of ours beside those of its peers.

`python -m benchmarks.streams` measures every learner on 50,000 rows of every stream, which takes hours: most of them
for River's ensembles. Finished results are kept; run it again to continue. `--list` names the streams and learners,
`--quick` takes 1,000 rows. Streams from files are read from the folder that KERNELSTREAM_DATA names.
"""

from argparse import Namespace
from pathlib import Path

from benchmarks.data import CACHE
from benchmarks.report import arguments, console, failed, progress, show
from benchmarks.streams import learner as learners
from benchmarks.streams import registry
from benchmarks.streams import stream as streams
from benchmarks.streams.bars import bars
from benchmarks.streams.page import write_page
from benchmarks.streams.records import Key, Record, Records
from benchmarks.streams.running import Failure, keys, run
from benchmarks.streams.tables import print_bars, print_results

ROWS, QUICK = 50_000, 1_000


def options(words: list[str] | None) -> Namespace:
    parser = arguments(__doc__)
    parser.set_defaults(json=CACHE / "streams.jsonl")
    parser.add_argument("--rows", type=int, metavar="N", help=f"rows of every stream (default {ROWS:,})")
    parser.add_argument("--streams", metavar="NAMES", help="only these streams or groups, as a,b")
    parser.add_argument("--learners", metavar="NAMES", help="only these learners, as a,b; module:function is your own")
    parser.add_argument("--seed", type=int, default=1, help="of learners and generators (default 1)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="results measured at a time")
    parser.add_argument("--again", action="store_true", help="measure also what is recorded already")
    parser.add_argument("--report", type=Path, metavar="DIR", help="write a page with figures to this folder")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK:,} rows: no more than a trial")
    parser.add_argument("--list", action="store_true", help="list streams and learners, and stop")
    chosen = parser.parse_args(words)
    chosen.rows = chosen.rows or (QUICK if chosen.quick else ROWS)
    if chosen.rows < 2 or chosen.jobs < 1:
        parser.error("--rows must be 2 or more, and --jobs 1 or more")
    try:
        chosen.streams, chosen.learners = registry.streams(chosen.streams), registry.learners(chosen.learners)
    except ValueError as error:
        parser.error(str(error))
    return chosen


def present(chosen: Namespace) -> list[Key]:
    """What can be measured here; what cannot is announced in a sentence."""
    here, ready = [], []
    for stream in chosen.streams:
        reason = streams.lacking(stream)
        console.print(reason, markup=False) if reason else here.append(stream)
    for learner in chosen.learners:
        reason = learners.lacking(learner)
        console.print(reason, markup=False) if reason else ready.append(learner)
    return keys(here, ready, chosen.rows, chosen.seed)


def measured(wanted: list[Key], chosen: Namespace) -> tuple[dict[tuple[str, str], Record], list[Failure]]:
    """Results by stream and learner, and failures; if the run is stopped, those that there are."""
    found: dict[tuple[str, str], Record] = {}
    failures: list[Failure] = []
    with progress() as shown:
        count = shown.add_task("getting ready", total=len(wanted))

        def tell(key: Key, rows: int) -> None:
            shown.update(count, description=f"{key.stream}, {key.learner}: row {rows:,}")

        try:
            for result in run(wanted, Records(chosen.json), chosen.again, chosen.jobs, tell):
                if isinstance(result, Failure):
                    failures.append(result)
                    console.print(str(result), markup=False)
                else:
                    found[result["stream"], result["learner"]] = result
                shown.advance(count)
        except KeyboardInterrupt:
            console.print("Stopped: these are the results until then. The same command continues.")
    # in the order of the command, not in that of finishing
    return {(key.stream, key.learner): found[key[:2]] for key in wanted if key[:2] in found}, failures


def main(words: list[str] | None = None) -> int:
    chosen = options(words)
    if chosen.list:
        listed = [(stream.name, stream.group, stream.about) for stream in registry.STREAMS.values()]
        show("streams", ("name", "group", "what it is"), listed, words=3)
        show("learners", ("name", "what it is"), [(one.name, one.about) for one in registry.LEARNERS.values()], words=2)
        return 0
    results, failures = measured(present(chosen), chosen)
    setting = f"the first {chosen.rows:,} rows, seed {chosen.seed}"
    judged = bars(results)
    console.print(f"Every row predicted, then learned, with default settings: {setting}.", markup=False)
    print_results(results)
    print_bars(judged)
    console.print(f"results: {chosen.json}", markup=False)
    if chosen.report and results:
        try:
            for path in write_page(chosen.report, results, judged, setting):
                console.print(f"written: {path}", markup=False)
        except ImportError as missing:
            console.print(f"No page is written: {missing}", markup=False)
    return max(failed(bar.as_dict() for bar in judged), int(bool(failures)))


if __name__ == "__main__":
    raise SystemExit(main())
