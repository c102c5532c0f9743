"""What `fit` reaches if it is told nothing, beside tune=False, boosted trees, a tuned SVC and xRFM.

`python -m benchmarks.untuned` fits every learner to three shuffles of every set, which takes hours, most of them for
the SVC and xRFM: `--learners default,tuned,HGB` leaves them out. Finished fits are kept; run it again to continue. Sets
are read from the folder that KERNELSTREAM_DATA names, and half of each, which was used for design, is left out.
`--page docs/results/untuned.md --records a.jsonl b.jsonl` writes a page of what was measured, in one run or in several.
"""

from argparse import Namespace

from benchmarks.report import console, failed, progress, show, write
from benchmarks.streams.records import Record, Records
from benchmarks.untuned import learners, sets
from benchmarks.untuned.bars import bars
from benchmarks.untuned.naming import budgets_of, parts_of
from benchmarks.untuned.options import compared, options
from benchmarks.untuned.page import write_page
from benchmarks.untuned.running import Failure, Wanted, every, figures, run
from benchmarks.untuned.tables import print_bars, print_results


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


def records_of(chosen: Namespace) -> Records:
    return Records(chosen.records[-1], chosen.records[:-1])


def measured(wanted: list[Wanted], chosen: Namespace) -> tuple[list[Record], list[Failure]]:
    """Results and failures; if the run is stopped, those that there are."""
    found: list[Record] = []
    failures: list[Failure] = []
    with progress() as shown:
        count = shown.add_task("getting ready", total=len(wanted))

        def tell(each: Wanted) -> None:
            shown.update(count, description=f"{each.data}, shuffle {each.shuffle}: {each.label}")

        try:
            for result in run(wanted, records_of(chosen), chosen.again, tell):
                if isinstance(result, Failure):
                    failures.append(result)
                    console.print(str(result), markup=False)
                else:
                    found.append(result)
                shown.advance(count)
        except KeyboardInterrupt:
            console.print("Stopped: these are the results until then. The same command continues.")
    return found, failures


def page(chosen: Namespace) -> int:
    """Write the page of what the records have of the sets and learners asked for, at all budgets."""
    found = [
        each
        for each in records_of(chosen)
        if each["stream"] in chosen.sets and parts_of(each["learner"])[0] in chosen.learners
    ]
    budget, larger = compared(budgets_of(found) or chosen.budgets)
    judged = bars(figures(found, chosen.shuffles), budget, larger, chosen.shuffles)
    try:
        for path in write_page(chosen.page, found, judged, budget, chosen.shuffles):
            console.print(f"written: {path}", markup=False)
    except ImportError as missing:
        console.print(f"No page is written: {missing}", markup=False)
        return 1
    return failed(bar.as_dict() for bar in judged)


def main(words: list[str] | None = None) -> int:
    chosen = options(words, __doc__)
    if chosen.list:
        show("sets", ("name", "files"), [(one.name, ", ".join(one.files)) for one in sets.SETS.values()], words=2)
        about = [(one.name, one.about) for one in learners.LEARNERS.values()]
        show("learners", ("name", "what it is"), about, words=2)
        return 0
    if chosen.page:
        return page(chosen)
    found, failures = measured(present(chosen), chosen)
    budget, larger = compared(chosen.budgets)
    means = figures(found, chosen.shuffles)
    judged = bars(means, budget, larger, chosen.shuffles)
    console.print(f"Judged halves only; means over shuffles, of which there are {chosen.shuffles}.", markup=False)
    print_results(means, budget)
    print_bars(judged)
    console.print(f"finished fits: {chosen.records[-1]}", markup=False)
    write(chosen.json, [{"part": "fit", "passed": None, **record} for record in found]
          + [{"part": "bar", **bar.as_dict()} for bar in judged])  # fmt: skip
    return max(failed(bar.as_dict() for bar in judged), int(bool(failures)))


if __name__ == "__main__":
    raise SystemExit(main())
