"""What `fit` reaches if it is told nothing, beside tune=False, boosted trees and a tuned SVC.

`python -m benchmarks.untuned` fits every learner to three shuffles of every set, which takes hours, most of them for
the SVC: `--learners default,tuned,HGB` leaves it out. Finished fits are kept; run it again to continue. Sets are read
from the folder that KERNELSTREAM_DATA names, and half of each, which was used for design, is left out.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.data import CACHE
from benchmarks.report import arguments, console, failed, progress, show, write
from benchmarks.streams.records import Record, Records
from benchmarks.untuned import learners, sets
from benchmarks.untuned.bars import SHUFFLES, bars
from benchmarks.untuned.running import Failure, Wanted, every, figures, run
from benchmarks.untuned.tables import print_bars, print_results

BUDGET = 500


def options(words: list[str] | None) -> Namespace:
    parser = arguments(__doc__)
    parser.add_argument("--sets", metavar="NAMES", help="only these sets, as a,b")
    parser.add_argument("--learners", metavar="NAMES", help="only these learners, as a,b")
    parser.add_argument("--shuffles", type=int, default=SHUFFLES, metavar="N", help=f"default {SHUFFLES}")
    parser.add_argument("--budgets", default=str(BUDGET), metavar="B", help=f"as 500,2000 (default {BUDGET})")
    parser.add_argument("--again", action="store_true", help="measure also what is recorded already")
    parser.add_argument("--records", type=Path, default=CACHE / "untuned.jsonl", metavar="PATH", help="finished fits")
    parser.add_argument("--list", action="store_true", help="list sets and learners, and stop")
    chosen = parser.parse_args(words)
    chosen.sets = _names(parser, sets.SETS, chosen.sets, "set")
    chosen.learners = _names(parser, learners.LEARNERS, chosen.learners, "learner")
    try:
        chosen.budgets = sorted({int(word) for word in chosen.budgets.split(",")})
    except ValueError:
        parser.error(f"--budgets takes numbers with commas between them, not {chosen.budgets}")
    if chosen.shuffles < 1 or chosen.budgets[0] < 1:
        parser.error("--shuffles and --budgets must be 1 or more")
    return chosen


def _names(parser: ArgumentParser, known: Mapping[str, Any], given: str | None, what: str) -> list[str]:
    """Names with commas between them, in any case; None is all."""
    cases = {name.lower(): name for name in known}
    asked = list(known) if given is None else given.split(",")
    for name in asked:
        if name.strip().lower() not in cases:
            parser.error(f"unknown {what} {name}. Available: {', '.join(known)}.")
    return list(dict.fromkeys(cases[name.strip().lower()] for name in asked))


def present(chosen: Namespace) -> list[Wanted]:
    """What can be measured here; what cannot is announced in a sentence."""
    here: list[str] = []
    ready: list[str] = []
    for name in chosen.sets:
        reason = sets.lacking(sets.SETS[name])
        console.print(reason, markup=False) if reason else here.append(name)
    for name in chosen.learners:
        reason = learners.lacking(learners.LEARNERS[name])
        console.print(reason, markup=False) if reason else ready.append(name)
    return every(here, ready, chosen.budgets, chosen.shuffles)


def measured(wanted: list[Wanted], chosen: Namespace) -> tuple[list[Record], list[Failure]]:
    """Results and failures; if the run is stopped, those that there are."""
    found: list[Record] = []
    failures: list[Failure] = []
    with progress() as shown:
        count = shown.add_task("getting ready", total=len(wanted))

        def tell(each: Wanted) -> None:
            shown.update(count, description=f"{each.data}, shuffle {each.shuffle}: {each.label}")

        try:
            for result in run(wanted, Records(chosen.records), chosen.again, tell):
                if isinstance(result, Failure):
                    failures.append(result)
                    console.print(str(result), markup=False)
                else:
                    found.append(result)
                shown.advance(count)
        except KeyboardInterrupt:
            console.print("Stopped: these are the results until then. The same command continues.")
    return found, failures


def main(words: list[str] | None = None) -> int:
    chosen = options(words)
    if chosen.list:
        show("sets", ("name", "files"), [(one.name, ", ".join(one.files)) for one in sets.SETS.values()], words=2)
        about = [(one.name, one.about) for one in learners.LEARNERS.values()]
        show("learners", ("name", "what it is"), about, words=2)
        return 0
    found, failures = measured(present(chosen), chosen)
    budget = BUDGET if BUDGET in chosen.budgets else chosen.budgets[0]
    larger = chosen.budgets[-1] if chosen.budgets[-1] > budget else None
    means = figures(found, chosen.shuffles)
    judged = bars(means, budget, larger, chosen.shuffles)
    console.print(f"Judged halves only; means over shuffles, of which there are {chosen.shuffles}.", markup=False)
    print_results(means, budget)
    print_bars(judged)
    console.print(f"finished fits: {chosen.records}", markup=False)
    write(chosen.json, [{"part": "fit", "passed": None, **record} for record in found]
          + [{"part": "bar", **bar.as_dict()} for bar in judged])  # fmt: skip
    return max(failed(bar.as_dict() for bar in judged), int(bool(failures)))


if __name__ == "__main__":
    raise SystemExit(main())
