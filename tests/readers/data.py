"""One table in every format, and what is read of it."""

import bz2
import gzip
import lzma

import numpy as np
import pandas as pd
from sklearn.datasets import dump_svmlight_file

from kernelstream.readers import CategoricalColumn, FileStream, Options, Pairs, RowReader

COMPRESSIONS = {"": lambda data: data, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def table(rows=60, seed=0):
    """Numbers short and long, whole and missing-free; a categorical column; a target."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "size": rng.normal(size=rows) * 10.0 ** rng.integers(-30, 30, rows),
            "count": rng.integers(-5, 5, rows),
            "ratio": rng.integers(0, 1000, rows) / 8,
            "colour": rng.choice(["red", "light blue", "grün", 'a "quoted", one'], rows),
            "y": rng.choice(["yes", "no"], rows),
        }
    )


def write(frame, path):
    """A frame in the format of the path's suffix."""
    suffix = path.suffix
    if suffix in (".csv", ".tsv"):
        frame.to_csv(path, index=False, sep="\t" if suffix == ".tsv" else ",")
    elif suffix == ".jsonl":
        # pandas rounds to 15 digits; Python does not
        import json

        lines = (json.dumps(row, ensure_ascii=False) for row in frame.to_dict("records"))
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    elif suffix == ".parquet":
        frame.to_parquet(path, row_group_size=25)
    elif suffix == ".svm":
        X, y = frame[["size", "count", "ratio"]].to_numpy(), (frame["y"] == "yes") * 2 - 1
        dump_svmlight_file(X, y, str(path), zero_based=False)
    return path


def everything(names, options=Options(), portion=7, **more):
    """All rows of a stream as one block, taken in small portions."""
    from kernelstream.readers.blocks import concatenate

    rows = RowReader(FileStream([str(name) for name in names], options), **more)
    found = []
    while (block := rows.take(portion)) is not None:
        found.append(block)
    rows.close()
    return concatenate(found)


def texts(column: CategoricalColumn):
    return [None if code < 0 else column.categories[code] for code in column.codes]


def dense(pairs: Pairs, width):
    out = np.zeros((len(pairs.ends), width))
    rows = np.repeat(np.arange(len(pairs.ends)), np.diff(pairs.ends, prepend=0))
    out[rows, pairs.indices] = pairs.values
    return out
