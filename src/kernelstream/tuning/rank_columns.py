"""The columns that scales are learned for: standardised features and, beside those that are skewed, their ranks.

A kernel of distances sees the long tail of a skewed feature and little else of it; trees see ranks. With both columns,
the scales decide which of the two matters.
"""

import numpy as np

from .feature_map import FeatureMap, RankColumn

KNOTS = 65  # quantiles between which ranks are interpolated
FEW = 5  # different quantiles: with fewer, a feature is a code or a flag, and ranks say no more
ALIKE = 0.97  # correlation of a feature with its ranks, above which they say no more
WIDEST = 200  # features: with more, none has ranks


def standardised(X: np.ndarray, ranks: bool = True) -> FeatureMap:
    """Columns of mean 0 and deviation 1."""
    shift, deviation = X.mean(axis=0), X.std(axis=0)
    # constant columns, but for rounding, stay constant
    factor = np.divide(1.0, deviation, out=np.ones_like(deviation), where=deviation > 1e-12 * np.abs(shift))
    found = [_ranks(X[:, j], j) for j in range(X.shape[1])] if ranks and X.shape[1] <= WIDEST else []
    return FeatureMap(shift, factor, tuple(column for column in found if column is not None))


def _ranks(x: np.ndarray, source: int) -> RankColumn | None:
    ordered = np.sort(x)
    knots = np.unique(np.quantile(ordered, np.linspace(0.0, 1.0, KNOTS)))
    if len(knots) < FEW:
        return None
    below, upto = np.searchsorted(ordered, knots, "left"), np.searchsorted(ordered, knots, "right")
    values = (below + upto) / (2.0 * len(ordered))
    ranks = np.interp(x, knots, values)
    mean, deviation = ranks.mean(), ranks.std()
    if not deviation > 0.0 or abs(np.corrcoef(ranks, x)[0, 1]) >= ALIKE:
        return None
    return RankColumn(source, knots, (values - mean) / deviation)


def scaled(columns: FeatureMap, scales: np.ndarray) -> FeatureMap:
    """Standardised columns in other units; rank columns that hardly count any more are left out."""
    own, ranks = scales[: columns.features], scales[columns.features :]
    kept = tuple(
        column._replace(values=column.values * scale)
        for column, scale in zip(columns.ranks, ranks, strict=True)
        if scale > NEGLIGIBLE
    )
    return FeatureMap(columns.shift, columns.factor * own, kept)


NEGLIGIBLE = 1e-4  # scale of a column, times whose range of a few deviations κ changes by less than 1e-6
