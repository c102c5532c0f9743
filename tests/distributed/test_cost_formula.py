"""The formula for the time of distributed training."""

import pytest

from kernelstream.distributed.cost_formula import MEASURED, Costs

SIMPLE = Costs(
    client=1.0, steps=2, row=8e-6, join=0.5, result=100.0, arguments=10.0, latency=0.1, task=0.01, transfer=1e-3,
    alone=0.5, alone_row=4e-6,
)  # fmt: skip


def test_the_terms_by_hand():
    # 16 partitions, two on each of 8 workers; two levels of up to eight results
    by_hand = 1.0 + 2 * (0.1 + 0.01 * 16) + 8e-6 * 1e6 * 2 / 16 + 2 * (0.5 + 7 * 100 * 1e-3) + 10 * 1e-3 * 4
    assert SIMPLE.seconds(1e6, 8, 16) == pytest.approx(by_hand)
    assert SIMPLE.nbytes(8, 16) == pytest.approx(10 * 8 + 100 * 16 * 8 / 7)
    assert SIMPLE.seconds(1e6, 1, 1) == pytest.approx(1.0 + 2 * 0.11 + 8.0 + 0.01)  # no tree


@pytest.mark.parametrize("workers", [4, 64, 1024])
def test_workers_pay_off_from_where_both_times_are_equal(workers):
    for costs in (SIMPLE, MEASURED):
        rows = costs.worth(workers)
        assert costs.seconds(rows, workers) == pytest.approx(costs.seconds_alone(rows))
        assert costs.seconds(2 * rows, workers) < costs.seconds_alone(2 * rows)
    assert SIMPLE.worth(1) == SIMPLE.worth(2) == float("inf")  # a row costs as much as alone, or more
