"""One table in every format, and what is read of it."""

import bz2
import gzip
import json
import lzma
import sqlite3
import zipfile
from contextlib import closing

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.ipc
from sklearn.datasets import dump_svmlight_file

from kernelstream.readers import CategoricalColumn, FileStream, Options, Pairs, RowReader

COMPRESSIONS = {
    "": lambda data: data, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress,
    ".zst": lambda data: pa.compress(data, "zstd", asbytes=True),
}  # fmt: skip
TYPED = [".jsonl", ".json", ".parquet", ".arrow", ".arrows", ".feather", ".avro", ".db", ".duckdb"]  # no header line
TABLES = [".csv", ".tsv", ".zip", *TYPED]


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
        lines = (json.dumps(row, ensure_ascii=False, default=str) for row in records(frame))
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    elif suffix == ".json":
        path.write_text(json.dumps(records(frame), ensure_ascii=False, indent=1, default=str), encoding="utf-8")
    elif suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("README", "about the data")
            archive.writestr("in/data.csv", frame.to_csv(index=False))
    elif suffix in (".arrow", ".arrows"):
        found = pa.Table.from_pandas(frame, preserve_index=False)
        new = pyarrow.ipc.new_file if suffix == ".arrow" else pyarrow.ipc.new_stream
        with new(str(path), found.schema) as file:
            file.write_table(found, max_chunksize=25)
    elif suffix == ".feather":
        frame.to_feather(path)
    elif suffix == ".avro":
        write_avro(frame, path)
    elif suffix == ".db":
        with closing(sqlite3.connect(path)) as connection:
            frame.to_sql("rows", connection, index=False)
    elif suffix == ".duckdb":
        import duckdb

        with closing(duckdb.connect(str(path))) as connection:
            connection.register("frame", pa.Table.from_pandas(frame, preserve_index=False))
            connection.execute("CREATE TABLE rows AS SELECT * FROM frame")
    elif suffix == ".parquet":
        frame.to_parquet(path, row_group_size=25)
    elif suffix == ".svm":
        X, y = frame[["size", "count", "ratio"]].to_numpy(), (frame["y"] == "yes") * 2 - 1
        dump_svmlight_file(X, y, str(path), zero_based=False)
    return path


def records(frame):
    """A dict for each row, None for a missing value."""
    plain = frame.astype(object)
    return plain.where(frame.notna(), None).to_dict("records")


def write_avro(frame, path):
    import fastavro

    kinds = {"i": "long", "f": "double", "b": "boolean", "M": {"type": "long", "logicalType": "timestamp-micros"}}
    fields = [{"name": name, "type": ["null", kinds.get(frame[name].dtype.kind, "string")]} for name in frame]
    schema = fastavro.parse_schema({"type": "record", "name": "row", "fields": fields})
    with open(path, "wb") as file:
        fastavro.writer(file, schema, records(frame), codec="deflate", sync_interval=500)


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


def notes(path, options=Options()):
    """What is said about the columns of a file."""
    stream = FileStream([str(path)], options)
    stream.close()
    return stream.schema.notes
