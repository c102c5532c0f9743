"""Values in memory for columns whose text has a notation of its own: dates, decimal commas, yes and no."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import kernelstream
from tests.cli.data import board, succeed, write


def typed(rows, seed):
    """Dates, floats and booleans as a program has them."""
    rng = np.random.default_rng(seed)
    frame = board(rows, seed, words=False)
    days = pd.to_timedelta(rng.integers(0, 900, rows), "D")
    frame["bought"] = (pd.Timestamp("2022-01-01") + days).astype("datetime64[us]").where(rng.random(rows) > 0.05)
    frame["price"] = rng.integers(1, 10_000_000, rows) / 1000
    frame["open"] = (rng.random(rows) > 0.5).astype(object)
    frame.loc[rng.random(rows) < 0.05, "open"] = None
    return frame


def written(frame):
    """The same as text in a file."""
    price = frame["price"].map(lambda value: f"{value:,.3f}".translate(str.maketrans(",.", ".,")))
    return frame.assign(
        bought=frame["bought"].dt.strftime("%d.%m.%Y"), price=price, open=frame["open"].map({True: "yes", False: "no"})
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kinds")
    path = write(written(typed(1500, 0)), folder / "train.csv")
    succeed("train", path, "--gamma", "0.1", "--budget", "40", "--missing", "mean", "-o", folder / "m.ks")
    return folder


def test_typed_values_are_those_of_the_text(folder):
    frame = typed(300, 1)
    path = write(written(frame), folder / "new.csv")
    out = succeed("predict", folder / "m.ks", path, "--scores").splitlines()[1:]
    scores = np.array([float(line.split(",")[1]) for line in out])
    model = kernelstream.load(folder / "m.ks")
    assert len(model.feature_names) > 5 and np.ptp(scores) > 0.1
    records = frame.to_dict("records")
    dates = [row | {"bought": None if row["bought"] is pd.NaT else row["bought"].to_pydatetime()} for row in records]
    mixed = written(frame).to_dict("records")
    mixed[7]["price"], mixed[8]["price"] = frame["price"][7], frame["price"][8]  # numbers among text
    forms = {
        "text": written(frame),
        "typed": frame,
        "arrow": pa.Table.from_pandas(frame),
        "timestamps": records,
        "datetimes": dates,
        "dates": [row | {"bought": row["bought"] and row["bought"].date()} for row in dates],
        "mixed": mixed,
        "decimals": frame.assign(price=pa.array(frame["price"].round(3)).cast(pa.decimal128(12, 3)).to_pylist()),
    }
    for name, rows in forms.items():
        np.testing.assert_array_equal(model.decision_function(rows), scores, err_msg=name)


def test_what_is_not_in_the_notation_is_named(folder):
    model, rows = kernelstream.load(folder / "m.ks"), written(typed(4, 1)).to_dict("records")
    rows[2]["bought"] = "2024-13-45"
    with pytest.raises(ValueError, match=r"^row 2, column 'bought': '2024-13-45' is not a date day.month.year"):
        model.predict(rows)
