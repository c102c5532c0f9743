"""The bounds against literal runs on small data, with the optimum from a numerical solver.

A point is its row in `root`, a square root of the Gram matrix, so a function is a vector (or a matrix, one column per
output) and ‖f‖ is its length. Expansions are lists of (row, coefficient) and are summed afresh at every step.
"""

import math

import numpy as np
import pytest

from . import certificates as cert

SEEDS = (0, 1, 2)


# ------------------------------------------------------------------------------------------------- data and solvers


def problem(seed, count=40, noise=0.5, gamma=0.6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(count, 2))
    gram = np.exp(-gamma * np.sum((X[:, None] - X[None]) ** 2, axis=2))
    root = np.linalg.cholesky(gram + 1e-10 * np.eye(count))
    signal = np.sin(2 * X[:, 0]) + X[:, 1]
    labels = np.where(signal + noise * rng.normal(size=count) > 0, 1.0, -1.0)
    return root / np.sqrt(1 + 1e-10), labels, np.clip(signal + 0.3 * rng.normal(size=count), -2, 2), rng


def hinge(y, z):
    return max(0.0, 1.0 - y * z), -y if 1.0 - y * z > 0 else 0.0


def logistic(y, z):
    return math.log1p(math.exp(-y * z)), -y / (1 + math.exp(y * z))


def half_square(y, z):
    return 0.5 * (z - y) ** 2, z - y


def svm_optimum(root, y, lam):
    """The minimum of ½λ‖w‖² + mean hinge by dual coordinate ascent: (w, a lower bound of the minimum)."""
    n = len(y)
    alpha, w = np.zeros(n), np.zeros(root.shape[1])
    for _ in range(300):
        for i in range(n):
            new = min(1.0, max(0.0, alpha[i] + (1 - y[i] * (root[i] @ w)) * lam * n / (root[i] @ root[i])))
            w = w + (new - alpha[i]) * y[i] * root[i] / (lam * n)
            alpha[i] = new
    primal = lam / 2 * w @ w + np.mean(np.maximum(0, 1 - y * (root @ w)))
    dual = np.mean(alpha) - lam / 2 * w @ w
    assert -1e-12 <= primal - dual < 1e-4
    return w, dual


def logistic_optimum(root, y, lam):
    """The minimum of ½λ‖w‖² + mean logistic loss, by Newton's method."""
    w = np.zeros(root.shape[1])
    for _ in range(30):
        share = 1 / (1 + np.exp(y * (root @ w)))
        slope = lam * w - root.T @ (y * share) / len(y)
        curve = lam * np.eye(len(w)) + root.T @ (root * (share * (1 - share))[:, None]) / len(y)
        w = w - np.linalg.solve(curve, slope)
    assert np.linalg.norm(slope) < 1e-10
    return w


def best_in_ball(root, y, loss, radius):
    """A function of norm ≤ radius with (nearly) least total loss, by projected sub-gradient descent."""
    w, best = np.zeros(root.shape[1]), (math.inf, None)
    for k in range(1, 800):
        pairs = [loss(yi, zi) for yi, zi in zip(y, root @ w, strict=True)]
        total = sum(pair[0] for pair in pairs)
        best = min(best, (total, w), key=lambda one: one[0])
        slope = root.T @ np.array([pair[1] for pair in pairs])
        w = w - radius / math.sqrt(k) * slope / max(np.linalg.norm(slope), 1e-12)
        w = w * min(1.0, radius / max(np.linalg.norm(w), 1e-12))
    return best


# ---------------------------------------------------------------------------------------------------------- BPegasos


def class_slope(y, z):
    """Hinge: binary for one output, Crammer–Singer else. Returns (loss, derivative, mistake)."""
    if len(z) == 1:
        loss, slope = hinge(y, z[0])
        return loss, np.array([slope]), y * z[0] <= 0
    others = np.where(np.arange(len(z)) == y, -np.inf, z)
    r = int(np.argmax(others))
    slope = np.zeros(len(z))
    if 1 + z[r] - z[y] > 0:
        slope[r], slope[y] = 1.0, -1.0
    return max(0.0, 1 + z[r] - z[y]), slope, z[y] <= z[r]


def bpegasos(root, Y, order, lam, budget, rule, outputs, t0, rng):
    """Wang et al. (2010), algorithm 1. Returns mean P_t(f_t), mistakes, [‖E_t‖], [‖λf + g + E‖]."""
    rows, coef = [], np.zeros((0, outputs))
    objective, mistakes, errors, gradients = 0.0, 0, [], []
    for t, i in enumerate(order, start=1):
        eta = 1 / (lam * (t + t0))
        w = root[rows].T @ coef
        loss, slope, wrong = class_slope(Y[i], w.T @ root[i])
        objective += lam / 2 * np.sum(w**2) + loss
        mistakes += int(wrong)
        coef = (1 - eta * lam) * coef
        if np.any(slope != 0):
            rows, coef = [*rows, i], np.concatenate([coef, -eta * slope[None]])
        before = root[rows].T @ coef
        if len(rows) > budget:
            sizes = np.sum(coef**2, axis=1)
            p = int(rng.integers(len(rows))) if rule == "random" else int(np.argmin(sizes))
            rest = [j for j in range(len(rows)) if j != p]
            kept = [rows[j] for j in rest]
            if rule == "project":
                coef = np.linalg.lstsq(root[kept].T, before, rcond=None)[0]
            else:
                coef = coef[rest]
            rows = kept
        after = root[rows].T @ coef
        error = (before - after) / eta
        errors.append(np.linalg.norm(error))
        gradients.append(np.linalg.norm(lam * w + np.outer(root[i], slope) + error))
        coef = coef * min(1.0, 1 / math.sqrt(lam) / max(np.linalg.norm(after), 1e-12))
    return objective / len(order), mistakes, errors, gradients


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rule", ["smallest", "random", "project"])
@pytest.mark.parametrize("lam, offset", [(0.1, 0.0), (0.1, 20.0), (0.02, 0.0), (0.02, 100.0), (0.02, 0.5)])
def test_bpegasos_theorem_1_and_corollary_1(seed, rule, lam, offset):
    root, y, _, rng = problem(seed)
    w, optimum = svm_optimum(root, y, lam)
    assert np.linalg.norm(w) <= 1 / math.sqrt(lam)
    order = np.concatenate([rng.permutation(len(y)) for _ in range(4)])  # P over these 160 is P over the 40
    mean, mistakes, errors, gradients = bpegasos(root, y, order, lam, 8, rule, 1, offset, rng)
    n, mean_error = len(order), float(np.mean(errors))
    assert max(errors) <= 1 + 1e-6 and max(gradients) <= cert.bpegasos_gradient(lam)
    assert cert.bpegasos_conditions("hinge", 1 / math.sqrt(lam), lam, 1.0, offset, True, max(errors)) == []
    assert mean - optimum <= cert.bpegasos_gap(n, lam, mean_error, offset)
    assert mean - optimum <= cert.bpegasos_gap(n, lam, mean_error, offset, max(errors))
    assert mistakes <= cert.bpegasos_mistakes(optimum, n, lam, mean_error, offset)
    sharp = cert.strongly_convex_gap(n, lam, lam**-0.5, max(gradients), mean_error, offset, np.linalg.norm(w))
    assert mean - optimum <= sharp <= cert.bpegasos_gap(n, lam, mean_error, offset)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rule", ["smallest", "random", "project"])
def test_bpegasos_three_classes(seed, rule):
    root, _, target, rng = problem(seed)
    Y, lam = np.digitize(target, [-0.7, 0.7]), 0.05
    order = np.concatenate([rng.permutation(len(Y)) for _ in range(4)])
    w, best = np.zeros((root.shape[1], 3)), math.inf
    for k in range(1, 700):  # full sub-gradient descent; any function in the ball is a fair competitor
        parts = [class_slope(Y[i], w.T @ root[i]) for i in range(len(Y))]
        best = min(best, lam / 2 * np.sum(w**2) + np.mean([part[0] for part in parts]))
        w = w - (lam * w + root.T @ np.array([part[1] for part in parts]) / len(Y)) / (lam * (k + 20))
        w = w * min(1.0, lam**-0.5 / np.linalg.norm(w))
    mean, mistakes, errors, gradients = bpegasos(root, Y, order, lam, 8, rule, 3, 0.0, rng)
    assert max(errors) <= math.sqrt(2) + 1e-6 and max(gradients) <= cert.bpegasos_gradient(lam)
    assert mean - best <= cert.bpegasos_gap(len(order), lam, float(np.mean(errors)))
    assert mistakes <= cert.bpegasos_mistakes(best, len(order), lam, float(np.mean(errors)))


def test_the_offset_terms():
    for n in (1, 7, 500):
        for t0 in (0.0, 0.3, 20.0):
            assert sum(1 / (t + t0) for t in range(1, n + 1)) <= cert.harmonic_bound(n, t0) + 1e-12
    lam, n, t0, mean_error = 1e-2, 1000, 200.0, 0.1
    big = math.sqrt(lam) + 2 + math.sqrt(2)
    expected = t0 / (2 * n) + big**2 / (2 * lam * n) * math.log(1 + n / t0) + 2 * mean_error / math.sqrt(lam)
    assert cert.bpegasos_gap(n, lam, mean_error, t0) == pytest.approx(expected, rel=1e-12)
    printed = big**2 * (1 + math.log(n)) / (2 * lam * n) + 2 * mean_error / math.sqrt(lam)
    assert cert.bpegasos_gap(n, lam, mean_error) == pytest.approx(printed, rel=1e-12)


def test_bpegasos_conditions_name_what_fails():
    failed = cert.bpegasos_conditions("logistic", None, 0.1, 2.0, 0.0, False, 3.0)
    assert len(failed) == 5


# ------------------------------------------------------------------------------------------------------------- NBSGD


def nbsgd(root, y, rows_drawn, lam, budget, loss, rng, beta=None, rule="removal", ball=None, scale=1.0):
    """Le et al. (2016), algorithms 2 (beta=None) and 3, on examples drawn with replacement; loss multiplied by scale.

    Returns [f_1 … f_{T+1}], [Z_t], [‖M_t‖ (0 if there was none)].
    """
    rows, coef, w = [], np.zeros(0), np.zeros(root.shape[1])
    path, flags, errors = [w], [], []
    for t, i in enumerate(rows_drawn, start=1):
        slope = scale * loss(y[i], root[i] @ w)[1]
        coef = (t - 1) / t * coef
        flag, error = 0, 0.0
        if slope != 0:
            rows, coef = [*rows, i], np.append(coef, -slope / (lam * t))
            if len(rows) > budget and (beta is None or rng.random() < min(beta / t, 1.0)):
                before = root[rows].T @ coef
                p = int(np.argmin(np.abs(coef)))
                rest = [j for j in range(len(rows)) if j != p]
                rows, coef = [rows[j] for j in rest], coef[rest]
                if rule == "projection":
                    coef = np.linalg.lstsq(root[rows].T, before, rcond=None)[0]
                flag, error = 1, np.linalg.norm(before - root[rows].T @ coef) * lam * t
        w = root[rows].T @ coef
        if ball is not None and np.linalg.norm(w) > ball:
            coef = coef * ball / np.linalg.norm(w)
            w = root[rows].T @ coef
        path.append(w)
        flags.append(flag)
        errors.append(error)
    return path, flags, errors


def risk(w, root, y, lam, loss, scale=1.0):
    return lam / 2 * w @ w + scale * np.mean([loss(yi, zi)[0] for yi, zi in zip(y, root @ w, strict=True)])


@pytest.mark.parametrize("rule", ["removal", "projection"])
@pytest.mark.parametrize("lam", [1.05, 1.5, 4.0])
def test_nbsgd_theorem_2(rule, lam):
    for seed in SEEDS:
        root, _, target, rng = problem(seed)
        drawn = rng.integers(0, len(target), 80)
        path, _, _ = nbsgd(root, target, drawn, lam, 5, half_square, rng, rule=rule)
        for t, w in enumerate(path[1:], start=1):
            assert np.linalg.norm(w) <= cert.nbsgd_norm(t, lam, np.abs(target).max()) + 1e-9
    assert cert.nbsgd_norm_conditions("l2", lam, 1.0, rule) == []
    # after one example with f_1 = 0 it is attained: ‖f_2‖ = y/λ
    assert cert.nbsgd_norm(1, lam, 2.0) == pytest.approx(2.0 / lam)


def test_nbsgd_theorem_2_with_an_offset():
    """The worst case of the recursion, ‖f_{t+1}‖ = (1 − 1/(t + t0))‖f_t‖ + (‖f_t‖ + y)/(λ(t + t0)), stays below."""
    for lam in (1.01, 1.5, 6.0):
        for t0 in (0.0, 0.5, 30.0):
            norm = 0.0
            for t in range(1, 200):
                norm = (1 - 1 / (t + t0)) * norm + (norm + 2.0) / (lam * (t + t0))
                assert norm <= cert.nbsgd_norm(t, lam, 2.0) * (1 + 1e-12)


def test_nbsgd_theorem_2_needs_the_half():
    """Loss (z − y)², λ = 1.5, the same x with y changing sign so as to drive f away: the print for λ > 1 fails."""
    lam, w, largest = 1.5, 0.0, 0.0
    for t in range(1, 4):
        y = -1.0 if w > 0 else 1.0
        w = (t - 1) / t * w - 2 * (w - y) / (lam * t)
        largest = max(largest, abs(w) / cert.nbsgd_norm(t, lam, 1.0))
    assert largest > 1.0
    assert cert.nbsgd_norm_conditions("l2", lam, 1.0, "none", half=False) != []


@pytest.mark.parametrize("loss, rule", [(hinge, "removal"), (logistic, "removal"), (logistic, "projection")])
def test_nbsgd_theorems_3_and_6(loss, rule):
    lam, T, budget, runs = 0.3, 80, 10, 40
    root, y, _, rng = problem(5, count=30)
    w = svm_optimum(root, y, lam)[0] if loss is hinge else logistic_optimum(root, y, lam)
    best = risk(w, root, y, lam, loss)
    const = cert.nbsgd_constants(lam, 1.0)
    gaps, all_flags, all_errors, picks = [], [], [], []
    for _ in range(runs):
        path, flags, errors = nbsgd(root, y, rng.integers(0, 30, T), lam, budget, loss, rng, rule=rule)
        assert max(np.linalg.norm(f) for f in path) <= 1 / lam + 1e-9 and max(errors) <= 1 + 1e-9
        assert max(np.sum((f - w) ** 2) for f in path) <= const["W"]
        gaps.append(risk(np.mean(path[:T], axis=0), root, y, lam, loss) - best)
        picks.append(risk(path[rng.integers(T)], root, y, lam, loss) - best)
        all_flags.append(flags)
        all_errors.append(errors)
    rates = np.mean(all_flags, axis=0)
    squares = np.sum(np.square(all_errors), axis=0) / np.maximum(np.sum(all_flags, axis=0), 1)
    drift = cert.nbsgd_drift(T, const["W"], np.sqrt(squares), rates)
    coarse = cert.nbsgd_drift(T, const["W"], np.sqrt(squares))
    one_run = cert.nbsgd_drift_of_run(T, const["W"], float(np.mean(np.sum(all_errors, axis=1))))
    assert one_run <= drift + 1e-12 <= coarse + 1e-9
    for value in (drift, coarse, one_run):
        assert np.mean(gaps) <= cert.nbsgd_mean_gap(T, lam, const["Q"], value)
    bound = cert.nbsgd_random_gap(T, lam, const["Q"], one_run, 0.2)
    assert np.mean(np.array(picks) > bound) <= 0.2
    assert cert.nbsgd_random_gap(T, lam, const["Q"], drift, 0.2, printed=True) < cert.nbsgd_random_gap(
        T, lam, const["Q"], drift, 0.2
    )
    choice = "smallest"
    assert cert.nbsgd_conditions("hinge", lam, 1.0, rule, choice, 0.0, None) == []


def test_markov_does_not_spare_the_drift():
    """X = 10 with probability ¼, else 0: E X = 2.5. Were d = 2.5 and Q = 0, the printed Theorem 6 would say X ≤ 2.5
    with probability 1 − δ for every δ; what Markov gives, X ≤ 2.5/δ, is true."""
    values = np.array([10.0, 0.0, 0.0, 0.0])
    printed = cert.nbsgd_random_gap(10, 1.0, 0.0, 2.5, 0.1, printed=True)
    right = cert.nbsgd_random_gap(10, 1.0, 0.0, 2.5, 0.1)
    assert np.mean(values > printed) > 0.1 and np.mean(values > right) <= 0.1


@pytest.mark.parametrize("loss, beta", [(hinge, 3.0), (logistic, 8.0), (half_square, 3.0)])
def test_nbsgd_theorems_10_11_12_and_corollary_8(loss, beta):
    T, budget, runs, gamma = 80, 6, 40, 0.5
    root, labels, target, rng = problem(6, count=30)
    if loss is half_square:
        lam, y, y_max = 0.5, target, np.abs(target).max()
        radius = y_max / math.sqrt(lam)
        w = np.linalg.solve(lam * np.eye(30) + root.T @ root / 30, root.T @ y / 30)
        const, ball = cert.nbsgd_constants(lam, y_max + radius, beta, radius), radius
        assert np.linalg.norm(w) <= radius
    else:
        lam, y, ball = 0.3, labels, None
        w = svm_optimum(root, y, lam)[0] if loss is hinge else logistic_optimum(root, y, lam)
        const = cert.nbsgd_constants(lam, 1.0, beta)
    best = risk(w, root, y, lam, loss)
    gaps, distances, all_errors, picks = [], [], [], []
    for _ in range(runs):
        path, _, errors = nbsgd(root, y, rng.integers(0, 30, T), lam, budget, loss, rng, beta=beta, ball=ball)
        gaps.append(risk(np.mean(path[T // 2 : T], axis=0), root, y, lam, loss) - best)
        picks.append(risk(path[rng.integers(T // 2, T)], root, y, lam, loss) - best)
        distances.append([np.sum((f - w) ** 2) for f in path[:T]])
        all_errors.append(errors)
    assert np.all(np.mean(distances, axis=0) <= const["D"] / np.arange(1, T + 1))
    assert np.max(all_errors) <= const["L"] + 1e-9
    measured = float(np.mean(gaps))
    tenth = cert.nbsgd_suffix_gap(T, lam, gamma, beta, const["Q"], const["D"], [const["L"]] * T)
    eleventh = cert.nbsgd_suffix_rate(T, lam, gamma, beta, const["Q"], const["L"], const["D"])
    twelfth = cert.nbsgd_suffix_random_gap(T, lam, gamma, beta, const["Q"], const["L"], const["D"], 0.2)
    assert measured <= tenth <= eleventh
    assert np.mean(np.array(picks) > twelfth) <= 0.2
    assert twelfth == pytest.approx(eleventh / 0.2)


def test_theorems_10_to_12_lost_a_lambda_in_print():
    """With loss and λ both times s the iterates are the same and F is times s; D stays, Q is times s², L times s.

    The print then falls as s² (without maintenance) and is soon violated; with 2λγT it scales as it must.
    """
    root, y, _, rng = problem(7, count=30)
    T, lam, s = 60, 0.3, 1e-3
    w = logistic_optimum(root, y, lam)
    const = cert.nbsgd_constants(lam, 1.0, 0.0)
    small = cert.nbsgd_constants(s * lam, s, 0.0)
    assert small["D"] == pytest.approx(const["D"]) and small["Q"] == pytest.approx(s**2 * const["Q"])
    gaps = []
    for _ in range(30):
        path, _, _ = nbsgd(root, y, rng.integers(0, 30, T), s * lam, T, logistic, rng, scale=s)
        mean = np.mean(path[T // 2 : T], axis=0)
        gaps.append(risk(mean, root, y, s * lam, logistic, s) - risk(w, root, y, s * lam, logistic, s))
    right = cert.nbsgd_suffix_rate(T, s * lam, 0.5, 0.0, small["Q"], s, small["D"])
    printed = cert.nbsgd_suffix_rate(T, s * lam, 0.5, 0.0, small["Q"], s, small["D"], printed=True)
    assert right == pytest.approx(s * cert.nbsgd_suffix_rate(T, lam, 0.5, 0.0, const["Q"], 1.0, const["D"]))
    assert printed < np.mean(gaps) <= right


# --------------------------------------------------------------------------------------------------- OLK, OLRU, OLRD


def olk(root, y, loss, U, step, admit=None, budget=None, rng=None):
    """He & Kwok (2014), algorithms 1, 2 (admit: t → p_t) and 3 (budget: t → B_t), with the ball U at every step.

    Returns a dict of lists: f (f_1 … f_T), loss, square (‖g_t‖²), spread (n max|a| at discards), variance (E_t‖e_t‖²).
    """
    rows, coef = [], np.zeros(0)
    out = {"f": [], "loss": [], "square": [], "spread": [], "variance": []}
    for t in range(1, len(y) + 1):
        i, w = t - 1, root[rows].T @ coef
        value, slope = loss(y[i], root[i] @ w)
        out["f"].append(w)
        out["loss"].append(value)
        out["square"].append(slope**2 * (root[i] @ root[i]))
        p = 1.0 if admit is None else admit(t)
        admitted = True if admit is None else rng.random() < p
        variance = 0.0
        if slope != 0 and admitted:
            if budget is not None and len(rows) >= budget(t):
                n = len(rows)
                sizes = coef**2 * np.sum(root[rows] ** 2, axis=1)
                variance = cert.olrd_variance(sizes, w @ w)
                out["spread"].append(n * np.abs(coef).max())
                gone = int(rng.integers(n))
                rows = [r for j, r in enumerate(rows) if j != gone]
                coef = np.delete(coef, gone) / (1 - 1 / n)
            rows, coef = [*rows, i], np.append(coef, -step(t) * slope / p)
        out["variance"].append(variance / (2 * step(t)))
        norm = np.linalg.norm(root[rows].T @ coef)
        coef = coef * min(1.0, U / max(norm, 1e-12))
    return out


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("loss, U", [(hinge, 1.5), (hinge, 6.0), (logistic, 3.0), (half_square, 2.0)])
def test_olk_theorem_1(seed, loss, U):
    root, labels, target, _ = problem(seed, count=70)
    y = target if loss is half_square else labels
    G = (U + 2.0) ** 2 if loss is half_square else 1.0
    total, u = best_in_ball(root, y, loss, U)
    T, times = len(y), np.arange(1, len(y) + 1)
    eta = cert.olk_step(U, G, T)
    out = olk(root, y, loss, U, lambda t: eta)
    regret = sum(out["loss"]) - total
    general = cert.olk_regret(eta, T, sum(out["square"]), first_distance=u @ u)
    assert regret <= general <= cert.olk_regret_optimised(U, G, T) + 1e-9
    assert cert.olk_conditions(U, U, max(out["square"]), G) == []
    eta = cert.olk_step(U, G)
    out = olk(root, y, loss, U, lambda t: eta / math.sqrt(t))
    largest = max(np.sum((f - u) ** 2) for f in out["f"])
    general = cert.olk_regret(eta, T, None, float(np.sum(out["square"] / np.sqrt(times))), largest_distance=largest)
    assert sum(out["loss"]) - total <= general <= cert.olk_regret_optimised(U, G, T, dynamic=True) + 1e-9


@pytest.mark.parametrize("c, gamma", [(0.5, 0.25), (1.0, 0.5), (4.0, 0.25)])
def test_olru_theorem_2(c, gamma):
    root, y, _, rng = problem(3, count=60)
    U, T, b, times = 2.0, 60, (1 + gamma) / 2, np.arange(1, 61)
    total, u = best_in_ball(root, y, hinge, U)
    p, eta = min(1.0, c * T**-gamma), cert.olru_step(U, 1.0, c, gamma, T)
    runs = [olk(root, y, hinge, U, lambda t: eta, admit=lambda t: p, rng=rng) for _ in range(60)]
    regret = np.mean([sum(out["loss"]) for out in runs]) - total
    general = cert.olru_regret(eta, T, np.mean([sum(out["square"]) / p for out in runs]), first_distance=u @ u)
    assert regret <= general
    if not cert.olru_conditions(U, U, 1.0, 1.0, c, gamma, T):
        assert general <= cert.olru_regret_optimised(U, 1.0, c, gamma, T) + 1e-9
    else:
        assert c > T**gamma
    chance = np.minimum(1.0, c * times**-gamma)
    eta = cert.olru_step(U, 1.0, c, gamma)
    runs = [olk(root, y, hinge, U, lambda t: eta * t**-b, admit=lambda t: chance[t - 1], rng=rng) for _ in range(60)]
    regret = np.mean([sum(out["loss"]) for out in runs]) - total
    sums = np.mean([np.sum(np.array(out["square"]) / (times**b * chance)) for out in runs])
    general = cert.olru_regret(eta, T, sums, gamma, largest_distance=4 * U**2)
    assert regret <= general
    if not cert.olru_conditions(U, U, 1.0, 1.0, c, gamma, T, dynamic=True):
        assert c <= 1 and general <= cert.olru_regret_optimised(U, 1.0, c, gamma, T, dynamic=True) + 1e-9


def test_olru_optimised_form_can_fall_below_the_general_one_when_p_is_cut():
    """c = 8, T = 60, γ = ¼, all ‖g‖² = G: the general form with p = 1 is above the optimised one, so that is void."""
    U, G, c, gamma, T = 1.0, 1.0, 8.0, 0.25, 60
    eta = cert.olru_step(U, G, c, gamma, T)
    general = cert.olru_regret(eta, T, G * T / 1.0, first_distance=4 * U**2)
    assert general > cert.olru_regret_optimised(U, G, c, gamma, T)
    assert cert.olru_conditions(U, U, 1.0, G, c, gamma, T) == ["the admission probability was cut at 1"]


@pytest.mark.parametrize("c", [0.5, 1.0])
@pytest.mark.parametrize("U", [2.0, 8.0])
def test_olrd_theorem_3(c, U):
    root, y, _, rng = problem(4, count=60)
    T, times = 60, np.arange(1, 61)
    total, u = best_in_ball(root, y, hinge, U)
    B = round(1 + c * math.sqrt(T))
    used = (B - 1) / math.sqrt(T)
    eta = cert.olrd_step(U, 1.0, used, T)
    runs = [olk(root, y, hinge, U, lambda t: eta, budget=lambda t: B, rng=rng) for _ in range(60)]
    regret = np.mean([sum(out["loss"]) for out in runs]) - total
    squares = np.mean([sum(out["square"]) for out in runs])
    variance = np.mean([sum(out["variance"]) for out in runs])
    assert regret <= cert.olrd_regret(eta, T, squares, variance, first_distance=u @ u)
    theorem = cert.olrd_regret_theorem(eta, T, U, used, squares, first_distance=u @ u)
    assert regret <= theorem <= cert.olrd_regret_optimised(U, 1.0, used, T) + 1e-9
    at_worst = cert.olrd_regret_theorem(eta, T, U, used, T, first_distance=4 * U**2)
    assert at_worst == pytest.approx(cert.olrd_regret_optimised(U, 1.0, used, T))
    for out in runs:
        if not cert.olrd_conditions("ball", max(out["spread"], default=0.0), U, max(out["square"]), 1.0, B):
            assert sum(out["variance"]) <= T * U**2 / (B - 1) ** 2 / (2 * eta) + 1e-9
    eta = cert.olrd_step(U, 1.0, c)
    budgets = [max(2, round(1 + c * math.sqrt(t))) for t in times]
    runs = [
        olk(root, y, hinge, U, lambda t: eta / math.sqrt(t), budget=lambda t: budgets[t - 1], rng=rng)
        for _ in range(60)
    ]
    regret = np.mean([sum(out["loss"]) for out in runs]) - total
    weighted = np.mean([np.sum(np.array(out["square"]) / np.sqrt(times)) for out in runs])
    variance = np.mean([sum(out["variance"]) for out in runs])
    assert regret <= cert.olrd_regret(eta, T, None, variance, weighted, largest_distance=4 * U**2)
    theorem = cert.olrd_regret_theorem(eta, T, U, c, None, weighted, largest_distance=4 * U**2)
    assert regret <= theorem <= cert.olrd_regret_optimised(U, 1.0, c, T, dynamic=True) + 1e-9


def test_olrd_variance_by_enumeration_and_against_the_theorem():
    """E_t‖e_t‖² over the n discards; near-equal points with opposite signs: ‖f‖ ≤ U and yet above U²/(n − 1)²."""
    rng = np.random.default_rng(1)
    points, coef = rng.normal(size=(5, 3)), rng.normal(size=5)
    f = points.T @ coef
    squares = []
    for gone in range(5):
        kept = [j for j in range(5) if j != gone]
        squares.append(np.sum((points[kept].T @ coef[kept] * 5 / 4 - f) ** 2))
    sizes = coef**2 * np.sum(points**2, axis=1)
    assert np.mean(squares) == pytest.approx(cert.olrd_variance(sizes, f @ f), rel=1e-12)
    n, U = 4, 1.0
    alternating = np.array([5.0, -5.0, 5.0, -5.0])  # on one point: ‖f‖ = 0
    assert cert.olrd_variance(alternating**2, 0.0) > U**2 / (n - 1) ** 2
    assert "exceeded U" in cert.olrd_conditions("ball", 20.0, U, 1.0, 1.0, n)[0]


def test_scaling_to_the_spread_is_not_a_projection():
    """f = u inside the ball, but n max|a| > U: the printed shrinking moves f away from u."""
    U, n, coef = 1.0, 4, np.array([0.5, 0.5, 0.5, 0.5])  # orthogonal points: ‖f‖ = 1 = U
    scaled = coef * min(1.0, U / (n * np.abs(coef).max()))
    assert np.linalg.norm(coef) <= U and np.linalg.norm(scaled - coef) > 0.4
    clipped = np.clip(coef, -U / n, U / n)
    assert np.linalg.norm(clipped - coef) > 0.4
    assert cert.olrd_conditions("scale", 1.0, U, 1.0, 1.0, n) != []


# -------------------------------------------------------------------------------------------------------------- OSKL


@pytest.mark.parametrize("R", [0.5, 2.0, 5.0])
def test_oskl_constants_on_a_grid(R):
    z = np.linspace(-R, R, 4001)
    for name, d, delta in [
        ("logistic", 1, None),
        ("exponential", 1, None),
        ("exponential", 2.5, None),
        ("square", 2.0, 0.3),
        ("half-square", 2.0, 0.3),
    ]:
        L, G1 = cert.oskl_constants(name, R, d, delta)
        ratio, slope = 0.0, 0.0
        for y in [-1.0, 1.0] if name == "logistic" or d == 1 else np.linspace(-d, d, 101):
            part = z if delta is None else z[np.abs(y - z) >= delta]
            if name == "logistic":
                value, first = np.log1p(np.exp(-y * part)), 1 / (1 + np.exp(y * part))
            elif name == "exponential":
                value, first = np.exp(-y * part), np.abs(y) * np.exp(-y * part)
            else:
                factor = 1.0 if name == "square" else 0.5
                value, first = factor * (y - part) ** 2, 2 * factor * np.abs(y - part)
            ratio, slope = max(ratio, np.max(first / value)), max(slope, np.max(first))
        assert ratio <= L * (1 + 1e-12) and slope <= G1 * (1 + 1e-12)
        assert slope == pytest.approx(G1, rel=1e-9)  # attained on the ball
        if name != "logistic":
            assert ratio == pytest.approx(L, rel=2e-2)  # attained, but for the grid
    far = 30.0
    assert 1 / (1 + math.exp(far)) / math.log1p(math.exp(-far)) == pytest.approx(1.0, abs=1e-9)  # logistic: L = 1


def test_multinomial_constants():
    rng = np.random.default_rng(2)
    worst, largest = 0.0, 0.0
    for _ in range(4000):
        z = rng.normal(size=4) * rng.choice([0.1, 1, 5, 20])
        p = np.exp(z - z.max()) / np.sum(np.exp(z - z.max()))
        g = p - np.eye(4)[0]
        loss = math.log(np.sum(np.exp(z - z.max()))) - (z[0] - z.max())
        largest = max(largest, np.linalg.norm(g))
        if loss > 1e-6:  # below that the difference of two logarithms is rounding
            worst = max(worst, np.linalg.norm(g) / loss)
    L, G1 = cert.oskl_constants("multinomial", 1.0)
    assert worst <= L + 1e-6 and largest <= G1 + 1e-12 and worst > 0.95 * L and largest > 0.95 * G1


def oskl(root, y, loss, R, G, eta, rng):
    rows, coef = [], np.zeros(0)
    losses, slopes, flags, residuals = [], [], [], []
    for i in range(len(y)):
        w = root[rows].T @ coef
        value, slope = loss(y[i], root[i] @ w)
        flag = rng.random() < abs(slope) / G
        if flag:
            rows, coef = [*rows, i], np.append(coef, -eta * math.copysign(G, slope))
            coef = coef * min(1.0, R / np.linalg.norm(root[rows].T @ coef))
        losses.append(value)
        slopes.append(abs(slope))
        flags.append(int(flag))
        residuals.append(abs(y[i] - root[i] @ w))
    return losses, slopes, flags, residuals


def exponential(y, z):
    return math.exp(-y * z), -y * math.exp(-y * z)


@pytest.mark.parametrize("loss, name, R", [(logistic, "logistic", 3.0), (exponential, "exponential", 1.0)])
@pytest.mark.parametrize("factor", [1.0, 3.0])
def test_oskl_theorem_1(loss, name, R, factor):
    T, gamma, delta = 150, 0.5, 0.2
    root, y, _, rng = problem(8, count=T)
    L, G1 = cert.oskl_constants(name, R)
    G = factor * G1
    eta = gamma / (L * G)
    total, u = best_in_ball(root, y, loss, R)
    inside = 0
    for _ in range(40):
        losses, slopes, flags, _ = oskl(root, y, loss, R, G, eta, rng)
        assert cert.oskl_conditions(name, T, eta, R, G, G1, L, gamma, delta, 1.0, max(slopes), ball=R) == []
        assert sum(slopes) <= L * sum(losses) + 1e-9
        sharp = cert.oskl_loss_bound_sharp(total, T, eta, R, G, G1, gamma, delta, np.linalg.norm(u))
        assert sharp <= cert.oskl_loss_bound(total, T, eta, R, G, G1, gamma, delta)
        assert sum(losses) <= sharp
        support = cert.oskl_support_bound_sharp(sum(slopes), T, G, G1, delta)
        assert support <= cert.oskl_support_bound(sum(losses), T, G, G1, L, delta)
        inside += sum(flags) <= support
    assert inside >= (1 - 2 * delta) * 40


def test_oskl_c_has_an_idle_entry():
    for T in (2, 50, 10**6):
        for G1 in (0.3, 1.0, 50.0):
            for delta in (0.5, 0.05, 1e-6):
                log = math.log(cert.oskl_levels(T, G1) / delta)
                assert 8 / 3 * log + 19 / 18 * math.log(1 / delta) < 0.5 + 16 * log
                assert cert.oskl_c(T, G1, delta) == max(2 * math.sqrt(G1), 0.5 + 16 * log)


def test_oskl_remark_2_follows_from_theorem_1():
    T, R, G, G1, L, gamma, delta, total = 1000, 2.0, 3.0, 1.0, 1.0, 0.9, 0.05, 70.0
    eta, c = gamma / (L * G), cert.oskl_c(T, G1, delta)
    losses = cert.oskl_loss_bound(total, T, eta, R, G, G1, gamma, delta)
    remark = (
        total / (1 - gamma)
        + R * c
        + G * c * (gamma / (L * (1 - gamma)) + L * R**2 / ((1 - gamma) * gamma) + R / (1 - gamma))
    )
    assert losses == pytest.approx(remark)
    support = (
        c * (1 + 1.5 * gamma / (1 - gamma) + 1.5 * (L * R) ** 2 / ((1 - gamma) * gamma) + 1.5 * L * R / (1 - gamma))
        + (1.5 * L / (1 - gamma) * total + 1.5 * L * R * c) / G
    )
    assert cert.oskl_support_bound(losses, T, G, G1, L, delta) == pytest.approx(support)


def test_oskl_conditions_name_what_fails():
    assert "below the largest" in cert.oskl_conditions("logistic", 999, 0.1, 1.0, 0.5, 0.73, 1.0, 0.9, 0.1, ball=1.0)[0]
    assert "does not hold" in cert.oskl_conditions("hinge", 999, 0.1, 1.0, 1.0, 1.0, 1.0, 0.9, 0.1, ball=1.0)[0]
    failed = cert.oskl_conditions("square", 999, 1e-4, 1.0, 9.0, 6.0, 20.0, 0.9, 0.1, least_residual=0.01, ball=1.0)
    assert len(failed) == 1 and "residual" in failed[0]


# -------------------------------------------------------------------------------------------------------------- POLK


def polk(root, y, drawn, lam, eta, epsilon):
    """Koppel et al. (2017), algorithm 2, logistic loss: [f_0, f_1, …], largest pruning error, [‖gradient‖]."""
    rows, coef, path, worst, gradients = [], np.zeros(0), [np.zeros(root.shape[1])], 0.0, []
    for i in drawn:
        w = path[-1]
        rows = [*rows, i]
        coef = np.append((1 - eta * lam) * coef, -eta * logistic(y[i], root[i] @ w)[1])
        full, error = root[rows].T @ coef, 0.0
        while rows:
            options = []
            for j in range(len(rows)):
                rest = rows[:j] + rows[j + 1 :]
                fit = np.linalg.lstsq(root[rest].T, full, rcond=None)[0] if rest else np.zeros(0)
                options.append((np.linalg.norm(full - root[rest].T @ fit), rest, fit))
            least, rest, fit = min(options, key=lambda option: option[0])
            if least > epsilon:
                break
            error, rows, coef = least, rest, fit
        path.append(root[rows].T @ coef)
        worst = max(worst, np.linalg.norm(path[-1] - full), error)
        gradients.append(np.linalg.norm(w - path[-1]) / eta)
    return path, worst, gradients


@pytest.mark.parametrize("eta, parsimony", [(0.3, 0.1), (0.8, 0.3)])
def test_polk_theorem_2(eta, parsimony):
    lam, T, runs = 0.4, 120, 8
    root, y, _, rng = problem(9, count=30)
    w = logistic_optimum(root, y, lam)
    epsilon = parsimony * eta**1.5
    sigma = cert.polk_sigma(1.0, 1.0, eta, epsilon)
    radius = cert.polk_radius(eta, lam, epsilon, sigma)
    assert radius == pytest.approx(math.sqrt(eta) / lam * (parsimony + math.sqrt(parsimony**2 + lam * sigma**2)))
    squares = []
    for _ in range(runs):
        path, worst, gradients = polk(root, y, rng.integers(0, 30, T), lam, eta, epsilon)
        assert cert.polk_conditions(eta, lam, epsilon, worst, 1.0) == []
        assert max(gradients) <= sigma + 1e-9 and max(np.linalg.norm(f) for f in path) <= 1 / lam
        distances = [np.linalg.norm(f - w) for f in path]
        assert min(distances) <= cert.polk_radius(eta, lam, epsilon, sigma, sharp=True) <= radius
        squares.append(np.square(distances))
    measured_sigma = math.sqrt(np.mean(np.square(gradients)))
    assert min(distances[T // 2 :]) <= cert.polk_radius(eta, lam, worst, measured_sigma)
    for t in (1, 5, 20, T):
        for sharp in (False, True):
            bound = cert.polk_mean_square(t, w @ w, eta, lam, epsilon, sigma, sharp)
            assert np.mean([one[t] for one in squares]) <= bound


def test_polk_radius_is_the_fixed_point_of_the_recursion():
    for sharp in (False, True):
        radius = cert.polk_radius(0.1, 0.3, 0.02, 2.0, sharp)
        assert cert.polk_mean_square(1, radius**2, 0.1, 0.3, 0.02, 2.0, sharp) == pytest.approx(radius**2)
        assert cert.polk_mean_square(5000, 100.0, 0.1, 0.3, 0.02, 2.0, sharp) == pytest.approx(radius**2)


def test_polk_decay_belongs_to_the_objective_with_the_half():
    """∇(½λ‖f‖²) = λf is what the decay 1 − ηλ takes; the objective (23) as printed has the gradient 2λf."""
    lam, f = 0.3, 1.7
    for printed, factor in ((False, 1.0), (True, 2.0)):
        high = cert.polk_objective(0.0, lam, (f + 1e-6) ** 2, printed)
        low = cert.polk_objective(0.0, lam, (f - 1e-6) ** 2, printed)
        assert (high - low) / 2e-6 == pytest.approx(factor * lam * f, rel=1e-6)
    assert cert.polk_objective(0.5, lam, 2.0, printed=True) == cert.polk_objective(0.5, 2 * lam, 2.0)
