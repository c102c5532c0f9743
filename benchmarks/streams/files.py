"""Streams from LIBSVM files, compressed with bzip2, in the folder that KERNELSTREAM_DATA names.

Only as many lines are parsed as are asked for. A shuffled set is a sample of all its rows without replacement.
"""

import bz2
from functools import partial
from io import BytesIO
from itertools import islice

import numpy as np

from benchmarks.streams.stream import VARIABLE, Arrays, Group, Stream, path_of


def read(rows: int, seed: int, *, file: str, features: int, start: int, shuffled: bool, integers: bool) -> Arrays:
    """Rows `start` to `start + rows` of a file, or that many random ones."""
    from sklearn.datasets import load_svmlight_file

    path = path_of(file)
    if path is None:
        raise FileNotFoundError(f"{file} is not in the folder that the environment variable {VARIABLE} names.")
    with bz2.open(path) as lines:
        if shuffled:
            every = list(lines)
            chosen = [every[i] for i in np.random.default_rng(seed).permutation(len(every))[:rows]]
        else:
            chosen = list(islice(lines, start, start + rows))
    X, y = load_svmlight_file(BytesIO(b"".join(chosen)), n_features=features)
    return X.toarray(), y.astype(np.int64) if integers else y


def from_file(
    name: str, group: Group, about: str, file: str, features: int, start: int = 0, shuffled: bool = False
) -> Stream:
    """A stream of a file's rows, from row `start` (counted from 0) or shuffled by the seed."""
    integers = group != "regression"
    take = partial(read, file=file, features=features, start=start, shuffled=shuffled, integers=integers)
    return Stream(name, group, about, take, file)


DRIFTING = (
    from_file("electricity", "drift", "price of electricity up or down, half hours", "electricity.bz2", 8),
    from_file("weather", "drift", "rain or not, days from 1949 to 1999", "streams/weather.bz2", 8),
    # the 15,120 rows before are drawn evenly from the classes
    from_file("covtype", "drift", "forest cover from row 15,121, neighbouring cells", "covtype.bz2", 54, start=15_120),
    from_file("moving-squares", "drift", "four squares that move", "streams/moving-squares.bz2", 2),
    from_file("sea", "drift", "four concepts, 10 % noise", "streams/sea.bz2", 3),
    from_file("airlines", "drift", "flights delayed or not, codes as numbers", "streams/airlines.bz2", 7),
    from_file(
        "keystroke",
        "drift",
        "typing rhythm that changes by session, 4 classes, 1,600 rows",
        "streams/keystroke.bz2",
        10,
    ),
    from_file("chess", "drift", "transient chessboard, 8 classes", "streams/chess.bz2", 2),
)

SHUFFLED = (
    from_file("ijcnn1-shuffled", "stationary", "ijcnn1 in random order", "ijcnn1.bz2", 22, shuffled=True),
    from_file("covtype-shuffled", "stationary", "forest cover in random order", "covtype.bz2", 54, shuffled=True),
    from_file("letter-shuffled", "stationary", "letters in random order, 26 classes", "letter.bz2", 16, shuffled=True),
)

REGRESSIONS = (
    from_file("bike", "regression", "bikes rented per hour, in time", "streams/bike.bz2", 12),
    from_file("fried", "regression", "Friedman's function, no drift, five useless features", "streams/fried.bz2", 10),
)
