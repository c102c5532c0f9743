"""Names of data sets: those of the papers' tables too."""

from .catalogue import SETS
from .errors import DataUnavailable
from .known import Known

ALIASES = {
    "adult": "a9a",
    "covertype": "covtype",
    "covertype_2": "covtype",
    "covtype_2": "covtype",
    "gaussian_mixture": "mixture",
    "magic": "magic04",
    "skin": "skin_nonskin",
}

UNAVAILABLE = {
    "gisette": "6,000 rows of 5,000 features, and no copy of them whose values were checked",
    "vehicle": "SensIT Vehicle, 78,823 rows; no copy was checked, and which of its classes were merged is not printed",
    "emgpa": "it seems to be UCI's EMG Physical Action, but which rows and which classes were taken is not printed",
    "exam": "4,059 rows of 8 features, but which data set that is, is not printed",
}


def plain(name: str) -> str:
    """The name by which a data set is known here.

    >>> plain("Covertype-2"), plain("ijcnn1")
    ('covtype', 'ijcnn1')
    """
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    key = "vehicle" if "sensit" in key else key
    return ALIASES.get(key, key)


def known(name: str) -> Known:
    key = plain(name)
    if key in UNAVAILABLE:
        raise DataUnavailable(f"kernelstream does not provide {name!r} ({UNAVAILABLE[key]}). It has {', '.join(SETS)}.")
    if key not in SETS:
        raise ValueError(f"There is no data set called {name!r}: use one of {', '.join(SETS)}.")
    return SETS[key]
