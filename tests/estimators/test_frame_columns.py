"""Data frames with columns that are no numbers: the error names one, and the way out."""

import numpy as np
import pandas as pd
import pytest

from kernelstream import KernelClassifier, KernelRegressor

FRAME = pd.DataFrame({"a": np.arange(20.0), "b": np.arange(20.0) % 3})


@pytest.mark.parametrize(
    ("values", "what"),
    [
        (["u", "v"] * 10, "text, not numbers. Encode"),
        (pd.Categorical(["u", "v"] * 10), "text, not numbers. Encode"),
        (pd.date_range("2024-01-01", periods=20), "dates or times, not numbers. Encode"),
    ],
)
def test_the_column_is_named(values, what):
    frame = FRAME.assign(c=values)
    with pytest.raises(ValueError, match=f"^The column 'c' of X is {what} it first, for example with OneHotEncoder"):
        KernelClassifier(budget=5).fit(frame, np.arange(20) % 2)
    model = KernelRegressor(gamma=1.0, budget=5).fit(FRAME, np.arange(20.0))
    with pytest.raises(ValueError, match=r"^The column 'b' of X is"):
        model.predict(FRAME.assign(b=values))
    with pytest.raises(ValueError, match=r"The column 'b' of X is .*, as 1 more columns are not"):
        KernelClassifier(budget=5).fit(frame.assign(b=values)[["b", "c"]], np.arange(20) % 2)


def test_other_errors_are_those_of_scikit_learn():
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        KernelClassifier().fit(FRAME, np.arange(19) % 2)
    text = FRAME.astype(str)  # numbers as text are numbers
    assert KernelClassifier(gamma=1.0, budget=5).fit(text, np.arange(20) % 2).n_features_in_ == 2
