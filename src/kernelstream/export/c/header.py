"""One self-contained header."""

from typing import NamedTuple

import numpy as np

from ..answers import Classes
from ..portable import Exportable, Portable, portable
from ..rows import RawRows
from ..shapes import Expansion, Shape, Waves
from .body import exact
from .functions import answers, scores
from .int8 import small
from .text import Table, comment, floats, identifier

DTYPES = {"float32": exact, "int8": small}


class Header(NamedTuple):
    """A header, and what it weighs."""

    text: str
    table_bytes: int  #: of constants, on a machine of 32 bits
    changed: float | None  #: the share of points half way between support vectors whose label int8 changes

    @property
    def text_bytes(self) -> int:
        return len(self.text.encode())


def header(model: Exportable, name: str = "model", dtype: str = "float32") -> str:
    """A model as a C99 header: static tables and `static inline` functions, without allocation, with math.h alone.

    `<name>_scores(x, scores)` writes <NAME>_SCORES numbers, `<name>_predict(x)` gives the index of a class, whose label
    is `<name>_labels[index]`, and `<name>_probabilities(x, p)` one number per class. For a regressor the scores are the
    predictions, and `<name>_predict` is there if it has one output. x is a raw row: scaling is included.

    Parameters
    ----------
    model : Model, KernelClassifier, KernelRegressor or StreamPipeline
    name : str
        What all names in the header begin with.
    dtype : "float32" or "int8"
        Of the tables. int8 is a quarter of the size, and computes distances in integers.

    Examples
    --------
    >>> from kernelstream import KernelClassifier
    >>> from kernelstream.datasets import checkerboard
    >>> from kernelstream.export.c import header
    >>> model = KernelClassifier(gamma=4.0, budget=50, random_state=0).fit(*checkerboard(5000, seed=1))
    >>> "static inline int board_predict(const float *x)" in header(model, name="board")
    True
    """
    return assemble(model, name, dtype).text


def assemble(model: Exportable, name: str = "model", dtype: str = "float32") -> Header:
    """The header, and its sizes."""
    return assembled(portable(model), name, dtype)


def assembled(source: Portable, name: str, dtype: str) -> Header:
    if dtype not in DTYPES:
        raise ValueError(f"dtype is {dtype!r}; use 'float32' or 'int8'.")
    identifier(name)
    if dtype == "int8" and isinstance(source.function, Waves) and (source.rows.factor == 1.0).all():
        raise ValueError(
            "Random features keep no trace of where the data lies, and far from 0 frequencies of 8 bits are wrong. "
            "Train from the command line, which scales the data, or use float32, or a recipe with support vectors."
        )
    body = DTYPES[dtype](name, source.function)
    tables = [*_row_tables(name, source.rows), *body.tables, *_label_tables(name, source)]
    nbytes = sum(table.nbytes for table in tables)
    parts = [_title(source, name, dtype, nbytes), *map(str, tables), scores(name, source.rows, body)]
    parts += [*answers(name, source), f"#endif /* {name.upper()}_H */"]
    return Header("\n\n".join(parts) + "\n", nbytes, _changed(source, body.function))


def _changed(source: Portable, written: Shape) -> float | None:
    X = source.between
    if written is source.function or not isinstance(source.answer, Classes) or not len(X):
        return None
    before, after = (source.answer.winners(f.at(X, np.float64)) for f in (source.function, written))
    return float(np.mean(before != after))


def _title(source: Portable, name: str, dtype: str, nbytes: int) -> str:
    from ... import __version__

    upper, function, rows = name.upper(), source.function, source.rows
    sizes = {"FEATURES": len(rows.centre), "SCORES": source.outputs}
    if isinstance(source.answer, Classes):
        sizes["CLASSES"] = source.answer.size
    what = "a linear function"
    if isinstance(function, Expansion):
        what = f"{len(function.vectors)} support vectors"
    elif isinstance(function, Waves):
        what = f"{len(function.phases)} frequencies"
    lines = [
        f"/* Written by kernelstream {__version__}: {what} of {len(rows.centre)} features, in {dtype}.",
        f" * Kernel: {comment(source.kernel)}.",
        f" * The tables are {nbytes} bytes of constants. Nothing is allocated.",
        *_columns(rows),
        " */",
        f"#ifndef {upper}_H",
        f"#define {upper}_H",
        "",
        "#include <math.h>",
        "#include <stdint.h>",
        "",
        *(f"#define {upper}_{key} {value}" for key, value in sizes.items()),
    ]
    return "\n".join(lines)


def _columns(rows: RawRows) -> list[str]:
    """Which place of x is what, where columns have names."""
    if not rows.names and not rows.words:
        return []
    named = [f" * x[{i}]: {comment(column)}" for i, column in enumerate(rows.names)]
    places = sorted((place, f"{name} = {word}") for name, known in rows.words for word, place in known.items())
    return [" *", *named, *(f" * x[{rows.width + i}]: 1 if {comment(text)}, else 0" for i, text in places)]


def _row_tables(name: str, rows: RawRows) -> list[Table]:
    found = [floats(f"{name}_centre", rows.centre)]
    if (rows.factor != 1.0).any():
        found.append(floats(f"{name}_factor", rows.factor))
    if rows.fill is not None:
        found.append(floats(f"{name}_fill", rows.fill))
    return found


def _label_tables(name: str, source: Portable) -> list[Table]:
    if not isinstance(source.answer, Classes):
        return []
    labels = source.answer.labels
    if labels.dtype.kind == "U":
        return [Table(f"{name}_labels", "char *const", labels)]
    if labels.dtype.kind == "f":
        return [floats(f"{name}_labels", labels)]
    narrow = np.abs(labels).max() < 2**31
    return [Table(f"{name}_labels", "int32_t" if narrow else "int64_t", labels.astype(np.int32) if narrow else labels)]
