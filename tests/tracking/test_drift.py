"""The drift detector: few false alarms, none if errors become rarer, and real changes are found soon and named."""

import math

import numpy as np
import pytest

from kernelstream.tracking import DriftDetector
from kernelstream.tracking.drift import BLOCK, EACH, FALSE_ALARMS, evidence, kl

GRID = np.linspace(0.0, 1.0, 2001)[1:-1]


def errors(rate, blocks, seed):
    """Numbers of errors in blocks of independent rows, at a rate or at one for each block."""
    return np.random.default_rng(seed).binomial(BLOCK, rate, size=blocks).tolist()


def relative_entropy(p, q):
    """Of coins, for one p and many q."""
    heads = p * np.log(p / q) if p > 0.0 else 0.0
    return heads + ((1.0 - p) * np.log((1.0 - p) / (1.0 - q)) if p < 1.0 else 0.0)


def least(m0, n0, m1, n1):
    """min over μ of max(n₀ kl(m₀, μ), n₁ kl(m₁, μ)), on a grid: an alarm needs this much."""
    return float(np.maximum(n0 * relative_entropy(m0, GRID), n1 * relative_entropy(m1, GRID)).min())


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.5])
def test_a_stationary_stream_raises_no_alarm(rate):
    """The share of streams with any alarm is at most the one that is promised; Chernoff's bound makes it far less."""
    alarms = 0
    for seed in range(150):
        detector = DriftDetector()
        alarms += any(detector.update(BLOCK, e) for e in errors(rate, 200, seed))
    assert alarms <= 150 * FALSE_ALARMS


def test_a_learner_that_improves_raises_no_alarm():
    for seed in range(50):
        detector = DriftDetector()
        falling = np.concatenate([np.geomspace(0.5, 0.02, 100), np.full(50, 0.02), np.full(50, 0.0)])
        assert not any(detector.update(BLOCK, e) for e in errors(falling, 200, seed))


def test_a_jump_is_found_soon_and_named():
    for seed in range(50):
        detector = DriftDetector()
        assert not any(detector.update(BLOCK, e) for e in errors(0.1, 100, seed))
        found = [(i, f) for i, e in enumerate(errors(0.3, 10, 1000 + seed), 1) if (f := detector.update(BLOCK, e))]
        blocks, (before, after, since) = found[0]
        assert len(found) == 1
        assert before == pytest.approx(0.1, abs=0.02) and after == pytest.approx(0.3, abs=0.1)
        # buckets of several blocks blur where the change was; the newest are single blocks
        assert abs(since - blocks * BLOCK) <= 8 * BLOCK


def test_a_sharp_change_is_one_alarm_at_the_right_place():
    detector = DriftDetector()
    assert not any(detector.update(BLOCK, e) for e in errors(0.02, 200, 0))
    found = [f for e in errors(0.9, 30, 1) if (f := detector.update(BLOCK, e))]
    assert len(found) == 1
    assert found[0][0] == pytest.approx(0.02, abs=0.01) and found[0][1] == pytest.approx(0.9, abs=0.1)
    assert found[0][2] == BLOCK


def test_what_was_before_a_change_is_forgotten():
    """Afterwards the new rate is normal, and a change from it is found again."""
    detector, found = DriftDetector(), []
    for part, rate in enumerate((0.05, 0.2, 0.6)):
        for e in errors(rate, 60, part):
            found.append(detector.update(BLOCK, e))
    alarms = [(i, f) for i, f in enumerate(found) if f]
    assert [i // 60 for i, _ in alarms] == [1, 2]
    np.testing.assert_allclose([f[0] for _, f in alarms], [0.05, 0.2], atol=0.03)
    assert sum(rows for _, rows, _ in detector.buckets) < 70 * BLOCK


def test_alarms_are_those_of_the_definition():
    """Every comparison of older and newer buckets, with the least over all rates: no shortcut loses or adds one."""
    alarms = 0
    for seed in range(30):
        detector, rng = DriftDetector(), np.random.default_rng(seed)
        rates = np.repeat(rng.choice([0.0, 0.02, 0.1, 0.3, 0.9, 1.0], 6), 10)
        for e in errors(rates, 60, seed):
            after = DriftDetector()
            after.blocks, after.buckets = detector.blocks + 1, [*detector.buckets, (1, BLOCK, e)]
            after._join()
            x = math.log(after.blocks**3 * (after.blocks + 1) / FALSE_ALARMS)
            most, best = 0.0, (0, 0.0, 0.0, 0)
            pairs = [(start, split) for split in range(1, len(after.buckets)) for start in range(split)]
            for start, split in pairs:
                n0, e0 = np.sum([b[1:] for b in after.buckets[start:split]], axis=0).tolist()
                n1, e1 = np.sum([b[1:] for b in after.buckets[split:]], axis=0).tolist()
                needed = least(e0 / n0, n0, e1 / n1, n1) if e1 / n1 > e0 / n0 else 0.0
                if needed > most:
                    most, best = needed, (split, e0 / n0, e1 / n1, n1)
            found = detector.update(BLOCK, e)
            if abs(most - x) < 0.02 * x:  # a grid decides only what is clear
                continue
            split, before, since, rows = best if most > x else (0, 0.0, 0.0, 0)
            assert (found is not None) == (since > before)
            assert sum(b[0] for b in detector.buckets) == sum(b[0] for b in after.buckets[split:])
            if found is not None:
                assert found == pytest.approx((before, since, rows))
            alarms += since > before
    assert alarms > 10


def test_the_evidence_is_that_of_a_grid():
    rng = np.random.default_rng(0)
    for _ in range(500):
        n0, n1 = rng.integers(10, 5000, 2).tolist()
        m0, m1 = (rng.integers(1, 100, 2) / 100.0).tolist()
        m0, m1 = min(m0, m1), max(m0, m1)
        found = evidence(*(np.array([value], float) for value in (m0, n0, m1, n1)))[0]
        assert found == pytest.approx(least(m0, n0, m1, n1), rel=0.05, abs=0.1)


def test_relative_entropy():
    for p in (0.0, 0.2, 1.0):
        assert float(kl(np.array(p), np.array(p))) == pytest.approx(0.0, abs=1e-9)
        for q in (0.1, 0.9):
            assert float(kl(np.array(p), np.array(q))) == pytest.approx(float(relative_entropy(p, np.array(q))))
    assert 20.0 < float(kl(np.array(1.0), np.array(0.0))) < math.inf


def test_memory_is_logarithmic_and_nothing_is_lost():
    detector, counts = DriftDetector(), errors(0.2, 3000, 0)
    for n, e in enumerate(counts, 1):
        assert detector.update(BLOCK, e) is None
        sizes = [b[0] for b in detector.buckets]
        assert sum(sizes) == n and sizes == sorted(sizes, reverse=True)
        assert all(size & (size - 1) == 0 and sizes.count(size) <= EACH for size in sizes)
        assert len(sizes) <= EACH * (math.log2(n) + 1)
    assert sum(b[1] for b in detector.buckets) == 3000 * BLOCK
    assert sum(b[2] for b in detector.buckets) == sum(counts)


def test_blocks_of_other_sizes():
    detector = DriftDetector()
    assert not any(detector.update(n, n // 10) for n in [1, 5, 64, 1000, 3] * 20)
    assert detector.update(2000, 1500)
