"""A table of line coverage, one row per room: the last step of `make coverage`."""

import sys
from collections import Counter

from coverage import Coverage

from .check_seams import ROOT, room_of


def by_room(data_file: str | None = None) -> dict[str, tuple[int, int]]:
    """Statements and missed statements of each room; files that no test has imported count as missed."""
    coverage = Coverage(data_file=data_file) if data_file else Coverage()
    coverage.load()
    statements, missed = Counter[str](), Counter[str]()
    for path in sorted(ROOT.rglob("*.py")):
        _, lines, _, missing, _ = coverage.analysis2(str(path))
        room = room_of(path, ROOT)
        statements[room] += len(lines)
        missed[room] += len(missing)
    return {room: (statements[room], missed[room]) for room in sorted(statements)}


def line(name: str, statements: int, missed: int) -> str:
    share = 100.0 if statements == 0 else 100.0 * (statements - missed) / statements
    return f"{name:<14}{statements:>12,}{missed:>9,}{share:>9.1f} %"


def table(rooms: dict[str, tuple[int, int]]) -> str:
    """The table, with the total as its last row."""
    total = tuple(map(sum, zip(*rooms.values(), strict=True)))
    head = f"{'room':<14}{'statements':>12}{'missed':>9}{'covered':>11}"
    return "\n".join([head, *(line(room, *counts) for room, counts in rooms.items()), line("total", *total)])


if __name__ == "__main__":
    print(table(by_room(*sys.argv[1:2])))
