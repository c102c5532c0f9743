"""Rules that find columns that mislead, from the first rows: identifiers, clocks, codes, and copies of the target."""

import re

import numpy as np

from .column_facts import ColumnFacts
from .date_parts import DAY, rank_correlation, unit_of, written_as_digits

FEWEST = 20  # rows that say anything about a column
_NAMED_ID = re.compile(  # or without a name, as pandas writes its index
    r"(?i:(.*[\s_.-])?(id|ids|uuid|guid|index|idx|rowid|row|row_?num(ber)?|key)|unnamed: ?\d+)|.*[a-z](Id|ID)|"
)
_NAMED_TIME = re.compile(r"(?i:.*(time|date|stamp|epoch|created|updated|_at|_ts)|ts|when)")
_FEW, _MANY = 5, 64  # different integers that may be codes
_EACH = 20  # rows of each code, on average
_EFFECT = 4.0  # variance between codes over that within them
_ROUGH = 0.6  # how much neighbouring codes differ: about 1 for codes in no order, near 0 for a quantity
# of the variance of classes, or of numbers: what a copy of the target leaves. 2 % of wrong labels leave 0.08 of two
# equal classes, and no column of seventeen real sets leaves less than 0.15
_ALIKE = {True: 0.08, False: 0.001}
_BIN = 16  # rows of a bin
_YEAR_2000, _YEAR_2030, _YEAR_2040 = 9.467e8, 1.8935e9, 2.2090e9
_SURPRISE = 10.0  # expected repetitions among random integers, from which none at all is no chance


def identifier(column: ColumnFacts) -> str | None:
    """Why a column is taken for an identifier or a row number; None if it is not."""
    if column.present < FEWEST or column.kind not in ("number", "category"):
        return None
    named = _NAMED_ID.fullmatch(column.name) is not None
    if column.values is None:
        if column.distinct == column.present:
            return "all its texts are different"
        if column.distinct > 0.5 * column.present and column.present >= 50:
            return f"{column.distinct:,} of {column.present:,} texts are different"
        return None
    if not column.whole or column.distinct < 0.95 * column.present:
        return None
    present = column.values[np.isfinite(column.values)]
    steps = np.diff(present)
    rank = rank_correlation(present)
    if (steps > 0).all() or (steps < 0).all():
        return f"its integers {'rise' if rank > 0 else 'fall'} from row to row, like a row number or a clock"
    if abs(rank) > 0.99:
        way = "rise" if rank > 0 else "fall"
        return f"its integers, nearly all different, {way} with the rows, like a row number or a clock"
    if column.distinct < column.present:
        return None
    span = float(present.max() - present.min()) + 1.0
    if len(present) ** 2 / (2.0 * span) > _SURPRISE:  # a quantity would repeat itself: the birthday paradox
        return "all its integers are different, where those of a quantity would repeat"
    return "all its integers are different, and it is named like an identifier" if named else None


def dated_integers(column: ColumnFacts) -> bool:
    """Whether integers are dates: days written as 20240131, or seconds, or parts of them, since 1970.

    Seconds are between 2000 and 2040. Whole ones, which have ten digits as other numbers have, are named like a time,
    or rise with the rows, or end before 2030 and begin after 2000: numbers drawn from all that begin with 1 do not.
    """
    if column.values is None or column.kind != "number" or column.distinct < FEWEST or not column.whole:
        return False
    present = column.values[np.isfinite(column.values)]
    if written_as_digits(present):
        return True
    unit = unit_of(present)
    first, last = present.min() / unit, present.max() / unit
    if not (first >= _YEAR_2000 and last <= _YEAR_2040):
        return False
    if unit > 1.0 or (last <= _YEAR_2030 and last - first > DAY):
        return True
    return _NAMED_TIME.fullmatch(column.name) is not None or abs(rank_correlation(present)) > 0.99


def unordered_codes(column: ColumnFacts, target: np.ndarray) -> bool:
    """Whether a few integers are categories: the target differs between neighbouring codes as much as between any.

    `target` is (rows, outputs): 0 and 1 for every class, or a number; NaN where it is missing.
    """
    if column.kind != "number" or not column.whole or not _FEW <= column.distinct <= _MANY:
        return False
    if column.present < _EACH * column.distinct:
        return False
    used = (column.codes >= 0) & np.isfinite(target).all(axis=1)
    return roughness(column.codes[used], target[used], column.distinct) >= _ROUGH


def roughness(codes: np.ndarray, target: np.ndarray, levels: int) -> float:
    """Mean squared difference of the target between neighbouring levels, over twice its variance between all levels;
    0 if the target hardly depends on them. What is expected by chance is subtracted from both.

    >>> codes = np.repeat(np.arange(10), 100)
    >>> roughness(codes, codes[:, None] / 9.0, 10) < 0.1, roughness(codes, (codes % 2)[:, None] * 1.0, 10) > 1.0
    (True, True)
    """
    counts = np.bincount(codes, minlength=levels).astype(float)
    if np.count_nonzero(counts) < _FEW or len(codes) <= levels:
        return 0.0
    sums = np.stack([np.bincount(codes, y, levels) for y in target.T], axis=1)
    means = sums / np.maximum(counts, 1.0)[:, None]
    within = float(((target - means[codes]) ** 2).sum() / (len(codes) - levels))
    known = counts > 0
    means, counts = means[known], counts[known]
    between = counts @ ((means - (counts @ means) / counts.sum()) ** 2).sum(axis=1) / (len(counts) - 1)
    if between <= _EFFECT * within:
        return 0.0
    # variance of the levels' true means: pairs are weighted by how well both are known
    weights = 1.0 / (1.0 / counts[1:] + 1.0 / counts[:-1])
    squares = ((means[1:] - means[:-1]) ** 2).sum(axis=1) - within * (1.0 / counts[1:] + 1.0 / counts[:-1])
    neighbours = float(weights @ squares / weights.sum())
    low, high = np.triu_indices(len(counts), 1)
    weights = 1.0 / (1.0 / counts[low] + 1.0 / counts[high])
    squares = ((means[low] - means[high]) ** 2).sum(axis=1) - within * (1.0 / counts[low] + 1.0 / counts[high])
    return neighbours / max(float(weights @ squares / weights.sum()), 1e-30)


def gives_target_away(column: ColumnFacts, target: np.ndarray) -> bool:
    """Whether the target nearly follows from this column alone: by its bins, half of the rows predict the others."""
    used = np.flatnonzero(np.isfinite(target).all(axis=1))
    codes = np.where(column.codes[used] < 0, column.distinct, column.codes[used])  # that it is missing may say it all
    if len(used) < 100 or codes.min() == codes.max():
        return False
    if column.values is not None and column.distinct > len(used) // _BIN:
        ranks = np.empty(len(used), np.int64)
        ranks[np.argsort(codes, kind="stable")] = np.arange(len(used))
        codes = np.where(codes == column.distinct, len(used) // _BIN + 1, ranks // _BIN)
    elif column.distinct > len(used) // 4:
        return False
    rows = target[used]
    half = np.random.default_rng(0).random(len(used)) < 0.5
    levels = int(codes.max()) + 1
    counts = np.bincount(codes[half], minlength=levels)
    sums = np.stack([np.bincount(codes[half], y[half], levels) for y in rows.T], axis=1)
    means = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], rows[half].mean(axis=0))
    left = ((rows[~half] - means[codes[~half]]) ** 2).sum()
    whole = ((rows[~half] - rows[half].mean(axis=0)) ** 2).sum()
    few = (rows[~half] != rows[0]).any(axis=1).sum() < 10  # of another class: too few to tell
    return bool(whole > 0.0 and left <= _ALIKE[target.shape[1] > 1] * whole and not few)
