"""What is done with columns: those that mislead are found, and those that only look like it are not."""

import json
from dataclasses import replace

import numpy as np
import pytest

from kernelstream.prepare import Preparation, plan_columns
from kernelstream.prepare.date_parts import DateParts
from kernelstream.prepare.derived_columns import DerivedColumns
from kernelstream.readers import FilePosition, Pairs, RowBlock, Schema
from kernelstream.readers.blocks import categorical_column

N = 4000
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, N).astype(float)
NOISE, OTHER = RNG.normal(size=(2, N))


def planned(values, *, task="classification", target=Y, name="x", lines=None, **more):
    """The plan for a column beside one of noise."""
    text = not isinstance(values, np.ndarray)
    rows = len(values)
    schema = Schema(("noise",), (name,), "y") if text else Schema(("noise", name), (), "y")
    numeric = NOISE[:rows, None] if text else np.column_stack([NOISE[:rows], values])
    columns = (categorical_column(values),) if text else ()
    lines = np.arange(1, rows + 1) if lines is None else lines
    files = np.zeros(rows, np.int32)
    block = RowBlock(numeric, columns, target[:rows], lines, files, FilePosition(), FilePosition(), 0.0, schema=schema)
    plan = plan_columns(block, schema._replace(**more), task)
    return plan, next(column for column in plan.columns if column.facts.name == name), block


SHUFFLED = RNG.permutation(N)
IDS = {
    "row numbers": np.arange(N) + 17.0,
    "falling": -np.arange(N) * 3.0,
    "clock with gaps": np.cumsum(RNG.integers(1, 900, N)).astype(float),
    "a few out of order": np.arange(N) * 10.0 + RNG.integers(0, 25, N),
    "a permutation": RNG.permutation(50_000)[:N].astype(float),
    "texts": [f"user-{i}" for i in RNG.permutation(N)],
    "names": [f"name {i}" for i in RNG.integers(0, 4 * N, N)],
}


@pytest.mark.parametrize("which", IDS)
def test_identifiers_are_left_out(which):
    plan, column, _ = planned(IDS[which])
    assert column.use == "left out" and "x" not in plan.schema.features and "noise" in plan.schema.features
    option = "--categorical x" if isinstance(IDS[which], list) else "--numeric x"
    assert plan.notes[0].startswith("'x' is left out: ") and plan.notes[0].endswith(f"Use it with {option}.")
    given = {"x": "category" if isinstance(IDS[which], list) else "number"}
    assert planned(IDS[which], given=given)[1].use != "left out"


def test_rows_that_were_shuffled_are_in_the_order_of_their_lines():
    values = np.cumsum(RNG.integers(1, 10**6, N)).astype(float)  # too far apart to be found in another way
    assert planned(values[SHUFFLED])[1].use == "number"
    assert planned(values[SHUFFLED], lines=1 + SHUFFLED)[1].use == "left out"


QUANTITIES = {
    "a float that rises": np.sort(RNG.normal(size=N)),
    "a time with repetitions": np.repeat(np.arange(N / 4), 4) * 0.25,
    "a sorted integer with repetitions": np.sort(RNG.integers(0, N, N)).astype(float),
    "all different floats": RNG.normal(size=N),
    "wide integers": RNG.permutation(10**7)[:N].astype(float),  # of a quantity, none need repeat
    "prices": np.round(np.exp(RNG.normal(8, 1, N))),
    "zip codes": RNG.integers(10_000, 99_999, N).astype(float),
    "years": RNG.integers(1950, 2024, N).astype(float),
    "two values": RNG.integers(0, 2, N).astype(float),
    "ages": RNG.integers(18, 90, N).astype(float),
}


@pytest.mark.parametrize("which", QUANTITIES)
def test_quantities_stay_numbers(which):
    plan, column, _ = planned(QUANTITIES[which])
    assert column.use == "number" and not plan.notes and not plan.warnings


def test_a_name_decides_where_numbers_do_not():
    assert planned(QUANTITIES["wide integers"], name="customer_id")[1].use == "left out"
    assert planned(QUANTITIES["wide integers"], name="width")[1].use == "number"


def test_a_single_column_is_used_whatever_it_looks_like():
    schema = Schema(("t",), (), "y")
    block = RowBlock(
        np.arange(100.0)[:, None], (), Y[:100], np.arange(100), np.zeros(100), FilePosition(), FilePosition(), 0
    )
    plan = plan_columns(block, schema, "regression")
    assert plan.schema.numeric == ("t",) and "there is no other column, so it is used" in plan.notes[0]


def test_few_rows_say_nothing():
    assert planned(np.arange(15.0))[1].use == "number"


def test_codes_are_categories_only_if_their_order_means_nothing():
    codes = RNG.integers(0, 12, N)
    effect = np.array([1.0, -1.0, 0.5, 2.0, -2.0, 1.5, -0.5, -1.5, 2.5, 0.0, -1.0, 1.0])
    nominal = (effect[codes] + 0.5 * RNG.normal(size=N) > 0).astype(float)
    smooth = (np.sin(codes / 3.0) + 0.5 * RNG.normal(size=N) > 0).astype(float)
    plan, column, _ = planned(codes.astype(float), target=nominal)
    assert column.use == "category" and plan.derived.codes == ("x",) and "x" in plan.schema.numeric
    assert planned(codes.astype(float), target=smooth)[1].use == "number"
    assert planned(codes.astype(float), target=effect[codes], task="regression")[1].use == "category"
    assert planned(codes.astype(float))[1].use == "number"  # without any effect
    assert planned(codes.astype(float), target=nominal, given={"x": "number"})[1].use == "number"


def test_codes_are_encoded_as_categories():
    values = np.array([3.0, 7.0, np.nan, 3.0])
    _, _, block = planned(values)
    schema = block.schema
    derived = DerivedColumns(codes=("x",))
    prepared = Preparation.from_first_rows(block, schema, "none", "auto", derived=derived)
    prepared = Preparation.from_dict(json.loads(json.dumps(prepared.as_dict())), schema)
    _, X = prepared.rows(block, None, "float64")
    np.testing.assert_array_equal(X[:, 1:], [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert prepared.columns == ["noise", "x", "x", "x"]


def test_a_copy_of_the_target_is_kept_with_a_warning():
    for copy, target, task in (
        (Y * 7.0, Y, "classification"),
        ([f"class {int(y)}" for y in Y], Y, "classification"),
        (Y + RNG.uniform(0, 0.9, N), Y, "classification"),
        (np.where(RNG.random(N) < 0.99, Y > 0, Y == 0).astype(float), (Y > 0).astype(float), "classification"),
        (3.0 * OTHER**3, OTHER, "regression"),
        (["moved" if y else None for y in Y > 0], (Y > 0).astype(float), "classification"),  # where it is known at all
        (np.where(Y > 0, RNG.normal(size=N), np.nan), (Y > 0).astype(float), "classification"),
    ):
        plan, column, _ = planned(copy, target=target, task=task)
        assert column.use != "left out" and "'x' alone predicts the target" in plan.warnings[0]
        assert plan.warnings[0].endswith("leave it out with --ignore x.")
    assert not planned(Y + RNG.normal(size=N))[0].warnings  # it only helps
    rare = np.zeros(N)
    rare[:3] = 1.0
    assert not planned(NOISE, target=rare)[0].warnings


DAY = 86400.0


def test_dates_are_expanded_to_what_varies():
    kinds = {"x": "date year-month-day"}
    rising = np.arange(N) * 600.0  # ten minutes
    assert planned(rising, kinds=kinds)[1].parts.parts == ("hour", "weekday")
    births = RNG.integers(-10_000, 10_000, N) * DAY
    assert planned(births, kinds=kinds)[1].parts.parts == ("weekday", "day of year", "date")
    times = RNG.integers(0, 86400, N).astype(float)
    assert planned(times, kinds={"x": "time of day"})[1].parts.parts == ("hour",)
    assert planned(np.full(N, 5 * DAY), kinds=kinds)[1].use == "left out"
    years = np.sort(RNG.uniform(0, 5 * 365, N)) * DAY
    assert "day of year" in planned(years, kinds=kinds)[1].parts.parts  # it comes round


def test_seconds_since_1970_are_dates():
    stamps = np.sort(RNG.integers(1_600_000_000, 1_600_900_000, N)).astype(float)
    for unit in (1.0, 1e3):
        plan, column, _ = planned(stamps * unit, name="ts")
        assert column.parts == DateParts(("hour", "weekday"), unit) and "'ts' is a date" in plan.notes[0]
    assert planned(stamps, name="ts", given={"ts": "number"})[1].use == "number"
    assert planned(RNG.permutation(stamps), name="event")[1].parts.parts == ("hour", "weekday", "day of year", "date")
    accounts = RNG.integers(1_000_000_000, 2_000_000_000, N).astype(float)
    assert planned(accounts, name="account")[1].use == "number"  # a year from 2001 to 2033


def test_days_written_as_numbers_are_dates():
    days = np.datetime64("2022-11-15") + RNG.integers(0, 400, N)
    written = np.array([int(str(day).replace("-", "")) for day in days], float)
    column = planned(written)[1]
    assert column.parts == DateParts(("weekday", "day of year", "date"), digits=True)
    seconds = days.astype("datetime64[s]").astype(float)
    np.testing.assert_array_equal(column.parts.expand(written), DateParts(column.parts.parts).expand(seconds))
    assert DateParts.from_dict(column.parts.as_dict()) == column.parts
    assert planned(RNG.integers(20_200_101, 20_231_231, N).astype(float))[1].use == "number"  # most are no days


def test_parts_of_dates():
    monday = 4 * DAY  # 1970-01-05
    found = DateParts(("hour", "weekday", "date")).expand(np.array([monday, monday + 6 * 3600.0, np.nan]))
    np.testing.assert_allclose(found[:2, :2], [[0, 1], [1, 0]], atol=1e-12)
    np.testing.assert_allclose(found[0, 2:4], [0, 1], atol=1e-12)
    assert np.isnan(found[2]).all() and found[0, 4] == pytest.approx(4 / 365.2425)


def test_missing_dates_are_marked_and_filled():
    values = np.array([0.0, 6 * 3600.0, np.nan, 86400.0 * 400])
    _, _, block = planned(values)
    derived = DerivedColumns({"x": DateParts(("hour",))})
    prepared = Preparation.from_first_rows(block, block.schema, "none", "auto", derived=derived)
    _, X = prepared.rows(block, None, "float64")
    assert np.isfinite(X).all() and X[:, 3].tolist() == [0, 0, 1, 0] and prepared.columns == ["noise", "x", "x", "x"]


def test_constants_and_empty_columns_are_named_and_wait():
    plan, column, block = planned(np.full(N, 7.0))
    assert column.use == "number" and plan.notes == [
        "'x' is constant in the first 4,000 rows: it has no effect unless other values follow."
    ]
    prepared = Preparation.from_first_rows(block, plan.schema, "standard")
    assert (prepared.rows(block, None, "float64")[1][:, 1] == 0.0).all()
    later = planned(np.array([7.0, 8.0]))[2]
    assert prepared.rows(later, None, "float64")[1][:, 1].tolist() == [0.0, 1.0]
    plan, _, block = planned(np.full(N, np.nan))
    assert plan.notes == ["'x' is empty in the first 4,000 rows: it has no effect unless values follow."]
    prepared = Preparation.from_first_rows(block, plan.schema, "standard", "auto")
    assert np.isfinite(prepared.rows(later, None, "float64")[1]).all()


def test_columns_that_are_nearly_empty_are_left_out_if_they_say_nothing():
    few = RNG.random(N) < 0.03
    noise, two = np.where(few, NOISE, np.nan), (Y > 0).astype(float)

    def treatment(values, drawn=True, target=two, **more):
        block = planned(values, target=target)[2]
        plan = plan_columns(block, block.schema._replace(**more), "classification", drawn=drawn)
        return next(column for column in plan.columns if column.facts.name == "x"), plan

    column, plan = treatment(noise)
    assert column.use == "left out" and plan.notes == [
        "Left out, because hardly any row has a value there, and where one has, it says nothing about the target: 'x'. "
        "Use one with --numeric x."
    ]
    assert treatment(noise, drawn=False)[0].use == "number"  # more values may come
    assert treatment(noise, given={"x": "number"})[0].use == "number"
    assert treatment(np.where(RNG.random(N) < 0.2, NOISE, np.nan))[0].use == "number"
    assert treatment(np.where(few & (two > 0), NOISE, np.nan))[0].use == "number"  # that there is a value says it
    up = two * 3.0 + NOISE
    assert treatment(np.where(few, up, np.nan))[0].use == "number"
    some = RNG.random((N, 100)) < 0.03
    many, summed = (
        np.where(some, RNG.normal(size=some.shape), np.nan),
        (some @ RNG.normal(size=100) > 0.0).astype(float),
    )
    for values, used in ((RNG.permutation(many), 10), (many, 100)):  # each says a little
        names = ("noise", *(f"x{i}" for i in range(100)))
        block = planned(noise, target=summed)[2]
        wide = replace(block, numeric=np.column_stack([NOISE, values]), schema=None)
        plan = plan_columns(wide, block.schema._replace(numeric=names), "classification", drawn=True)
        assert len(plan.schema.numeric) <= used + 1 and (used == 10 or len(plan.schema.numeric) == 101)
    both = np.where(two > 0, 3.0, 0.3) * OTHER
    assert treatment(np.where(few, both, np.nan))[0].use == "number"


def test_text_with_too_many_categories_is_left_out_unless_it_is_hashed(monkeypatch):
    monkeypatch.setattr("kernelstream.prepare.categorical.MAX_CATEGORIES", 100)
    cities = [f"city {i}" for i in RNG.integers(0, 300, N)]
    plan, column, block = planned(cities)
    assert column.use == "left out" and "Hash them into columns with --hash 256 to use it." in plan.notes[0]
    assert plan_columns(block, block.schema, hashed=True).columns[1].use == "category"


def test_pairs_are_never_touched():
    pairs = Pairs(np.arange(1, 101), np.zeros(100, np.int32), np.arange(100.0))
    block = RowBlock(pairs, (), Y[:100], np.arange(100), np.zeros(100), FilePosition(), FilePosition(), 0.0)
    assert plan_columns(block, Schema(pairs=True), "classification") == (Schema(pairs=True), DerivedColumns(), ())
