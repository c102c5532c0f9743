"""`kernelstream describe`."""

from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from . import model_options as options
from .exit_status import exit_on_error
from .input_files import check_inputs
from .input_options import COLUMNS, COMMON, Data, reads
from .printable import printable
from .terminal import out, print_json, shortened

if TYPE_CHECKING:
    from ..pipeline.data_description import DataDescription

_SHOWN = 200  # columns; JSON has all
_WIDE = 160  # characters, where it is no terminal
_LONG = 24  # characters of a value


@reads(COLUMNS | COMMON)
def describe(
    data: Data,
    task: options.Task = None,
    hashed: options.Hash = None,
    first: options.First = None,
    json: options.Json = False,
    reading: Any = None,
) -> None:
    """Show the columns of data, and what `train` would do with each: type, missing values, range, identifiers, dates.

    Only the first rows are read, which decide the same in training. Nothing is learned or written.

    **Examples**

    `kernelstream describe big.csv --target income`

    `kernelstream describe 'part-*.parquet' --json | jq '.columns[] | select(.use == "left out").name'`
    """
    with exit_on_error(json):
        check_inputs(None, data)
        given = options.settings(classes=None, task=task, hashed=hashed, first=first, reading=reading)
        settings = options.checked(given)
        from ..pipeline.data_description import describe_data

        found = describe_data(data, settings, task=task)
        if json:
            print_json(found._asdict())
        else:
            _print(found)


def _print(found: "DataDescription") -> None:
    console = out()
    if not console.is_terminal:
        console.width = _WIDE
    console.print(f"The first {found.rows:,} rows show:\n")
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("column", "type", "missing", "distinct", "values", "what train does with it"):
        table.add_column(name, justify="right" if name in ("missing", "distinct") else "left", overflow="fold")
    for column in found.columns[:_SHOWN]:
        distinct = f"{column['distinct']:,}" if "distinct" in column else ""
        table.add_row(
            Text(printable(column["name"]), "bold"), column["type"], _share(column.get("missing")), distinct,
            printable(_values(column)), Text(column["done"], "" if column["use"] != "left out" else "yellow"),
        )  # fmt: skip
    for target in found.targets:
        what = "target, classes" if "classes" in target else "target, a number (--task regression)"
        table.add_row(
            Text(printable(target["name"]), "bold"), "target", _share(target["missing"]), f"{target['distinct']:,}",
            printable(_values(target)), what,
        )  # fmt: skip
    console.print(table)
    if len(found.columns) > _SHOWN:
        console.print(f"… and {len(found.columns) - _SHOWN:,} more columns; --json lists all.")
    if not found.targets:
        console.print("\nNo target is known: name it with --target, and columns are checked against it.")
    for sentence in found.notes:
        console.print(f"\nNote: {sentence}", end="")
    for sentence in found.warnings:
        console.print(Text(f"\nWarning: {printable(sentence)}", "bold"), end="")
    if found.notes or found.warnings:
        console.print()
    if found.bad_lines:
        console.print(f"\n{found.bad_lines:,} of the first lines are bad, e.g.")
        for line in found.first_bad:
            console.print(f"  {line}")


def _share(value: float | None) -> str:
    """In percent.

    >>> _share(0.0), _share(0.02), _share(0.0004), _share(None)
    ('', '2.0 %', '<0.1 %', '')
    """
    if not value:
        return ""
    return f"{100 * value:.1f} %" if value >= 0.001 else "<0.1 %"


def _values(column: dict[str, Any]) -> str:
    """The range of a column, or its most frequent values with their shares."""
    if "low" in column:
        low, high = (value if isinstance(value, str) else f"{value:.6g}" for value in (column["low"], column["high"]))
        return str(low) if low == high else f"{low} to {high}"
    shares = column.get("classes", column.get("top", {}))
    texts = [
        f"{text if len(text) <= _LONG else text[: _LONG - 1] + '…'} {100 * share:.1f} %"
        for text, share in shares.items()
    ]
    if column.get("distinct", 0) > 20 and shares and max(shares.values()) < 0.001:
        texts = [text.rpartition(" ")[0].rpartition(" ")[0] for text in texts]  # all are rare
    return shortened(texts)
