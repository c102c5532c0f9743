"""Telling the format of data by its name and its first bytes."""

import re
from pathlib import PurePath

FORMATS = ("csv", "tsv", "jsonl", "libsvm", "parquet", "numpy")
SUFFIXES = {
    ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
    ".svm": "libsvm", ".libsvm": "libsvm", ".svmlight": "libsvm", ".parquet": "parquet", ".pq": "parquet",
    ".npy": "numpy", ".npz": "numpy",
}  # fmt: skip
_COMPRESSED = (".gz", ".bz2", ".xz")
_MAGIC = {b"PAR1": "parquet", b"\x93NUMPY": "numpy", b"PK\x03\x04": "numpy"}
_PAIRS = re.compile(rb"\S+(?:[ \t]+(?:qid:\S+|\d+:\S+))+\s*(?:#.*)?")
DELIMITERS = b",\t;|"
_ENOUGH = 20  # lines looked at


def bare_suffix(name: str) -> str:
    """The suffix of a file's name, but for that of its compression.

    >>> bare_suffix("a/Data.CSV.gz"), bare_suffix("covtype.bz2")
    ('.csv', '')
    """
    path = PurePath(name.lower())
    return PurePath(path.stem).suffix if path.suffix in _COMPRESSED else path.suffix


def detect(name: str, head: bytes) -> str:
    """The format of a file that begins like this.

    >>> detect("covtype.bz2", b"2 1:0.5 7:1\\n1 3:2\\n"), detect("-", b"a;b\\n1;2\\n")
    ('libsvm', 'csv')
    """
    head = head.removeprefix(b"\xef\xbb\xbf")
    for magic, kind in _MAGIC.items():
        if head.startswith(magic):
            return kind
    if not head.strip():
        raise ValueError(f"{name} is empty: there is nothing to read.")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ValueError(f"{name} is text in UTF-16. Make it UTF-8: iconv -f UTF-16 -t UTF-8 FILE | kernelstream … -")
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        raise ValueError(f"{name} is compressed with zstd: zstd -dc FILE | kernelstream … -")
    if b"\x00" in head[:1024]:
        raise ValueError(f"{name} is neither text nor Parquet nor NumPy. Formats read: {', '.join(FORMATS)}.")
    if head.lstrip().startswith(b"["):
        raise ValueError(f"{name} is a JSON array, not lines of JSON objects: jq -c '.[]' FILE | kernelstream … -")
    known = SUFFIXES.get(bare_suffix(name))
    return known if known in ("csv", "tsv", "jsonl", "libsvm") else _by_content(name, head)


def _by_content(name: str, head: bytes) -> str:
    lines = first_lines(head)
    if lines[0].lstrip().startswith(b"{"):
        return "jsonl"
    pairs = [line for line in lines if not line.startswith(b"#")]
    if pairs and all(_PAIRS.fullmatch(line) for line in pairs):
        return "libsvm"
    if delimiter_of(head) is not None:
        return "csv"
    raise ValueError(
        f"{name}: the format cannot be told from its first line, {lines[0][:60].decode(errors='replace')!r}. "
        f"Name it: {', '.join(FORMATS)} (--format), and for csv what parts its columns (--delimiter)."
    )


def first_lines(head: bytes) -> list[bytes]:
    """The first lines that are not blank. The last one of the head may be cut, and counts only if it is alone."""
    lines = [line.strip(b"\r") for line in head.split(b"\n")]
    whole = lines[:-1] or lines
    return [line for line in whole if line.strip()][:_ENOUGH]


def delimiter_of(head: bytes) -> str | None:
    """What parts the columns of a table: the character that every line has equally often, outside quotes.

    >>> delimiter_of(b'a;b;c\\n1,5;2;"x,;y"\\n')
    ';'
    """
    lines = [re.sub(rb'"[^"]*"', b"", line) for line in first_lines(head)]
    counts = {chr(mark): [line.count(mark) for line in lines] for mark in DELIMITERS}
    steady = {mark: found[0] for mark, found in counts.items() if found[0] > 0 and len(set(found)) == 1}
    if not steady:  # a line or two may be bad: go by the header
        steady = {mark: found[0] for mark, found in counts.items() if found[0] > 0}
    return max(steady, key=lambda mark: steady[mark]) if steady else None
