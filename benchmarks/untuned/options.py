"""The words of the command, and which budgets are compared."""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.data import CACHE
from benchmarks.report import arguments
from benchmarks.untuned import learners, sets
from benchmarks.untuned.bars import SHUFFLES

BUDGET = 500


def options(words: list[str] | None, about: str | None) -> Namespace:
    parser = arguments(about)
    parser.add_argument("--sets", metavar="NAMES", help="only these sets, as a,b")
    parser.add_argument("--learners", metavar="NAMES", help="only these learners, as a,b")
    parser.add_argument("--shuffles", type=int, default=SHUFFLES, metavar="N", help=f"default {SHUFFLES}")
    parser.add_argument("--budgets", default=str(BUDGET), metavar="B", help=f"as 500,2000 (default {BUDGET})")
    parser.add_argument("--again", action="store_true", help="measure also what is recorded already")
    parser.add_argument(
        "--records", type=Path, nargs="+", default=[CACHE / "untuned.jsonl"], metavar="PATH",
        help="finished fits; of several files, the last gets the new ones and counts where two have the same fit",
    )  # fmt: skip
    parser.add_argument("--page", type=Path, metavar="PATH", help="write a page from the records; nothing is measured")
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
    missing = [str(path) for path in chosen.records if chosen.page and not path.exists()]
    if missing:
        parser.error(f"--page needs records, and there is no file {', '.join(missing)}")
    return chosen


def _names(parser: ArgumentParser, known: Mapping[str, Any], given: str | None, what: str) -> list[str]:
    """Names with commas between them, in any case; None is all."""
    cases = {name.lower(): name for name in known}
    asked = list(known) if given is None else given.split(",")
    for name in asked:
        if name.strip().lower() not in cases:
            parser.error(f"unknown {what} {name}. Available: {', '.join(known)}.")
    return list(dict.fromkeys(cases[name.strip().lower()] for name in asked))


def compared(budgets: list[int]) -> tuple[int, int | None]:
    """The budget whose results are compared with others, and a larger one, if there is one."""
    budget = BUDGET if BUDGET in budgets else budgets[0]
    return budget, budgets[-1] if budgets[-1] > budget else None
