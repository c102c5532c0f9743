"""`header`: a model as one self-contained C header."""

from typing import NamedTuple

import numpy as np

from ...pipeline import StreamPipeline
from ..exported_function import ExportedFunction, FourierFunction, KernelExpansion
from ..portable_model import Exportable, PortableModel, portable
from ..prediction_task import ClassificationTask
from ..raw_rows import RawRows
from .c_functions import predict_functions, scores_function
from .c_syntax import ConstantTable, comment, floats, identifier
from .rank_code import rank_functions, rank_tables
from .score_code import float32_code, int8_code

DTYPES = {"float32": float32_code, "int8": int8_code}


class Header(NamedTuple):
    """A header and its sizes."""

    text: str
    table_bytes: int  #: of constants, on a 32-bit machine
    changed: float | None  #: the fraction of points half way between support vectors whose label int8 changes

    @property
    def text_bytes(self) -> int:
        return len(self.text.encode())


def header(model: Exportable, name: str = "model", dtype: str | None = None) -> str:
    """A model as a C99 header: static tables and `static inline` functions. It allocates nothing and needs only math.h
    and stdint.h.

    `<name>_scores(x, scores)` writes <NAME>_SCORES numbers, `<name>_predict(x)` returns the index of a class, whose
    label is `<name>_labels[index]`, and `<name>_probabilities(x, p)` writes one number per class. The scores of a
    regressor are its predictions; with one output it has `<name>_predict` too. x is a raw row: scaling is included.

    Parameters
    ----------
    model : Model, KernelClassifier, KernelRegressor, StreamPipeline or scikit-learn's Pipeline
        The fitted model; a pipeline of scikit-learn may have scalers and imputers before the estimator.
    name : str
        The prefix of all names in the header.
    dtype : "float32", "int8" or None
        The type of the tables. int8 takes about a third of the size and computes distances in integers. None is the
        type with which a model fitted with `deploy=` is within its size, and float32 for others.

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


def assemble(model: Exportable, name: str = "model", dtype: str | None = None) -> Header:
    """The header with its sizes.

    Parameters
    ----------
    model : Model, KernelClassifier, KernelRegressor, StreamPipeline or Pipeline
        The fitted model; a pipeline of scikit-learn may have scalers and imputers before the estimator.
    name : str, default "model"
        The prefix of all names in the header.
    dtype : "float32", "int8" or None, default None
        The type of the tables; None is that of `deploy`, or float32.
    """
    return build_header(portable(model), name, chosen_dtype(model) if dtype is None else dtype)


def chosen_dtype(model: Exportable) -> str:
    """The type of the tables with which a model was fitted to a size; float32 if it was not.

    Parameters
    ----------
    model : Model, KernelClassifier, KernelRegressor, StreamPipeline or Pipeline
        The fitted model; a pipeline of scikit-learn may have scalers and imputers before the estimator.
    """
    estimator = model.estimator if isinstance(model, StreamPipeline) else model
    found = getattr(estimator, "deploy_", None)
    return "float32" if found is None or found.format != "c" else str(found.dtype)


def build_header(source: PortableModel, name: str, dtype: str) -> Header:
    if dtype not in DTYPES:
        raise ValueError(f"dtype is {dtype!r}; use 'float32' or 'int8'.")
    identifier(name)
    if dtype == "int8" and isinstance(source.function, FourierFunction) and (source.rows.factor == 1.0).all():
        raise ValueError(
            "A model with random features in int8 needs scaled data, because 8-bit frequencies are wrong far from 0. "
            "Train with `kernelstream train`, which scales the data, or use float32, or a recipe with support vectors."
        )
    code = DTYPES[dtype](name, source.function)
    tables = [*_row_tables(name, source.rows), *rank_tables(name, source.rows, dtype)]
    tables += [*code.tables, *_label_tables(name, source)]
    nbytes = sum(table.nbytes for table in tables)
    parts = [_title(source, name, dtype, nbytes), *map(str, tables), *rank_functions(name, source.rows, dtype)]
    parts += [scores_function(name, source.rows, code), *predict_functions(name, source)]
    parts.append(f"#endif /* {name.upper()}_H */")
    return Header("\n\n".join(parts) + "\n", nbytes, _changed(source, code.function))


def _changed(source: PortableModel, written: ExportedFunction) -> float | None:
    X = source.between
    if written is source.function or not isinstance(source.task, ClassificationTask) or not len(X):
        return None
    before, after = (source.task.winners(f.at(X, np.float64)) for f in (source.function, written))
    return float(np.mean(before != after))


def _title(source: PortableModel, name: str, dtype: str, nbytes: int) -> str:
    from ... import __version__

    upper, function, rows = name.upper(), source.function, source.rows
    sizes = {"FEATURES": rows.inputs, "COLUMNS": len(rows.centre), "SCORES": source.outputs}
    if isinstance(source.task, ClassificationTask):
        sizes["CLASSES"] = source.task.size
    what = "a linear function"
    if isinstance(function, KernelExpansion):
        what = f"{len(function.vectors)} support vectors"
    elif isinstance(function, FourierFunction):
        what = f"{len(function.phases)} frequencies"
    lines = [
        f"/* Written by kernelstream {__version__}: {what} of {_counted(rows)}, in {dtype}.",
        f" * Kernel: {comment(source.kernel)}.",
        f" * The tables are {nbytes} bytes of constants. No memory is allocated.",
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


def _counted(rows: RawRows) -> str:
    return f"{rows.inputs} features" + (f" and the ranks of {len(rows.ranks)} of them" if rows.ranks else "")


def _columns(rows: RawRows) -> list[str]:
    """The meaning of every x[i], if columns have names."""
    if not rows.names and not rows.categories:
        return []
    named = [f" * x[{i}]: {comment(column)}" for i, column in enumerate(rows.names)]
    encoded = [
        (i, f"{name} = {value}" if value else _without(name))
        for name, known in rows.categories
        for value, i in known.items()
    ]
    encoded = sorted([*encoded, *((i, _without(rows.names[column])) for column, i in rows.marks)])
    return [" *", *named, *(f" * x[{rows.width + i}]: 1 if {comment(text)}, else 0" for i, text in encoded)]


def _row_tables(name: str, rows: RawRows) -> list[ConstantTable]:
    found = [floats(f"{name}_centre", rows.centre)]
    if (rows.factor != 1.0).any():
        found.append(floats(f"{name}_factor", rows.factor))
    if rows.fill is not None:
        found.append(floats(f"{name}_fill", rows.fill))
    if rows.limits is not None:
        found += [floats(f"{name}_{end}", limit) for end, limit in zip(("low", "high"), rows.limits, strict=True)]
    return found


def _label_tables(name: str, source: PortableModel) -> list[ConstantTable]:
    if not isinstance(source.task, ClassificationTask):
        return []
    labels = source.task.labels
    if labels.dtype.kind == "U":
        return [ConstantTable(f"{name}_labels", "char *const", labels)]
    if labels.dtype.kind == "f":
        return [floats(f"{name}_labels", labels)]
    if np.abs(labels).max() < 2**31:
        return [ConstantTable(f"{name}_labels", "int32_t", labels.astype(np.int32))]
    return [ConstantTable(f"{name}_labels", "int64_t", labels)]


def _without(name: str) -> str:
    return f"{name} is missing"
