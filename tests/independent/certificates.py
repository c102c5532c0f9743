"""Bounds of five papers as plain functions of measured quantities, each with the list of its conditions.

Every theorem has a function for the bound and one named ..._conditions, which returns what is not fulfilled, in words
(an empty list: the bound applies). `printed` is the published form where it differs from what the proof gives; the
unmarked form is the one that the proof gives.

Notation: g_t the gradient of the loss in the RKHS, ‖g_t‖ = ‖∂ℓ/∂f(x_t)‖ √κ(x_t, x_t); Δ_t what maintenance took away at
update t; ln natural; f_1 = 0; f_1 … f_T are the functions before updates 1 … T. κ(x, x) ≤ 1 throughout.
"""

import math

REMOVAL_ERROR = math.sqrt(2.0)  # the bound (10) of Wang et al. (2010) on the gradient error of a removal

# --------------------------------------------------------------------------------------------- step 1/(λ(t + t0))


def harmonic_bound(count: int, t0: float) -> float:
    """Σ_{t=1}^{N} 1/(t + t0) ≤ ln(1 + N/t0), or ≤ 1 + ln N at t0 = 0."""
    return 1.0 + math.log(count) if t0 == 0.0 else math.log1p(count / t0)


def strongly_convex_gap(count, lam, radius, gradient, mean_error, t0=0.0, competitor=None) -> float:
    """(1/N) Σ P_t(f_t) − (1/N) Σ P_t(u) for any u in the ball of this radius, P_t = ½λ‖f‖² + ℓ_t.

    ≤ λ t0 ‖u‖²/(2N) + G²/(2λN) · Σ 1/(t + t0) + 2 R Ē, with G ≥ ‖λf_t + g_t + Δ_t/η_t‖ for all t and
    Ē = (1/N) Σ ‖Δ_t‖/η_t. Derivation (that of Wang et al. 2010, Theorem 1, with η_t = 1/(λ(t + t0))): with
    D_t = ‖f_t − u‖² − ‖f_{t+1} − u‖² and strong convexity, P_t(f_t) − P_t(u) ≤ D_t/(2η_t) − ½λ‖f_t − u‖² + ½η_t G²
    + 2R‖Δ_t‖/η_t. In the sum over t the factor of ‖f_t − u‖² is ½(1/η_t − 1/η_{t−1} − λ) = 0 for t ≥ 2 and
    ½(1/η_1 − λ) = ½λt0 for t = 1, where f_1 = 0; the last term −‖f_{N+1} − u‖²/(2η_N) is dropped.
    competitor is ‖u‖ if known, at most R else.
    """
    norm = radius if competitor is None else competitor
    start = lam * t0 * norm**2 / (2.0 * count)
    return start + gradient**2 * harmonic_bound(count, t0) / (2.0 * lam * count) + 2.0 * radius * mean_error


# ---------------------------------------------------------------------------------------------------------- BPegasos


def bpegasos_gradient(lam: float, max_error: float = REMOVAL_ERROR) -> float:
    """G of Wang et al. (ICML 2010), Theorem 1: √λ + 2 + √2, where √2 is the bound (10) on ‖E_t‖ = ‖Δ_t‖/η_t.

    max_error = max_t ‖E_t‖ as recorded may take its place: needed where it exceeds √2, sharper where it is less.
    """
    return math.sqrt(lam) + 2.0 + max_error


def bpegasos_gap(count, lam, mean_error, t0=0.0, max_error=REMOVAL_ERROR) -> float:
    """Wang et al. (ICML 2010), Theorem 1: bound on (1/N) Σ P_t(f_t) − (1/N) Σ P_t(f*).

    t0 = 0: G²(1 + ln N)/(2λN) + 2Ē/√λ (the print). t0 > 0: t0/(2N) + G² ln(1 + N/t0)/(2λN) + 2Ē/√λ, since
    ‖f*‖² ≤ 1/λ. Ē = (1/N) Σ_t ‖Δ_t‖/η_t over all N examples, 0 where nothing was maintained. Σ P_t(f*)/N is the
    optimum of the SVM on the N examples, so this bounds the regret of the whole pass, whatever the order.
    Conditions: see bpegasos_conditions.
    """
    return strongly_convex_gap(count, lam, 1.0 / math.sqrt(lam), bpegasos_gradient(lam, max_error), mean_error, t0)


def bpegasos_mistakes(objective_at_optimum, count, lam, mean_error, t0=0.0, max_error=REMOVAL_ERROR) -> float:
    """Wang et al. (ICML 2010), Corollary 1: mistakes ≤ Σ_t P_t(f*) + N × (the gap of Theorem 1).

    objective_at_optimum = (1/N) Σ P_t(f*), or that of any function in the ball 1/√λ. A mistake has loss ≥ 1. (The
    print lacks the bar on E.) Conditions: as for Theorem 1.
    """
    return count * (objective_at_optimum + bpegasos_gap(count, lam, mean_error, t0, max_error))


def bpegasos_conditions(loss, ball, lam, largest_kernel, t0, step_is_standard, max_error, allowed_error=REMOVAL_ERROR):
    """What Theorem 1 needs: hinge (binary or Crammer–Singer), η_t = 1/(λ(t + t0)) with the decay 1 − η_tλ, the ball
    1/√λ after every update that adds, κ(x, x) ≤ 1, f_1 = 0, and max_t ‖E_t‖ not above what is in G (√2).

    ‖E_t‖ ≤ √2 (binary: 1) is automatic for removal of any one SV, and for projection or merging when the SV that goes
    is the smallest (it is no larger than the newest, whose size is √2 η_t, and its loss is no larger than removing it);
    not for projection or merging of a random or the oldest one. With m examples per batch it is automatic for removal
    (up to m removals, each of size at most √2 η_t/m).
    """
    failed = []
    if loss not in ("hinge", "crammer-singer"):
        failed.append("the loss is not the hinge")
    if ball is None or ball > (1.0 + 1e-9) / math.sqrt(lam):
        failed.append("f is not kept in the ball of radius 1/sqrt(lambda)")
    elif ball < (1.0 - 1e-9) / math.sqrt(lam):
        failed.append("the ball is smaller than 1/sqrt(lambda) and may not hold the optimum")
    if largest_kernel > 1.0 + 1e-9:
        failed.append("kappa(x, x) exceeds 1")
    if t0 < 0.0 or not step_is_standard:
        failed.append("the step is not 1/(lambda (t + t0)) with t0 >= 0")
    if max_error > allowed_error + 1e-9:
        failed.append("a maintenance step had a gradient error above the one in G")
    return failed


# ------------------------------------------------------------------------------------------------------------- NBSGD


def nbsgd_norm(count: int, lam: float, y_max: float, half: bool = True) -> float:
    """Le et al. (AISTATS 2016), Theorem 2: ‖f_{T+1}‖ ≤ y_max/(λ − 1) · (1 − λ^{−T}), loss ½(z − y)², λ > 1.

    Holds with removal (f_{t+1} is a sum of at most t terms of size (‖f_s‖ + y_max)/(λt)) and with exact projection
    (which cannot raise the norm). half=False is the loss (z − y)² of their Theorem 1: the same with λ/2 in the place
    of λ, so λ > 2 is needed; Theorem 2 is therefore for the loss with ½. An offset t0 > 0 of the step does no harm:
    with b = y_max/(λ − 1), b − ‖f_{t+1}‖ ≥ (b − ‖f_t‖)(1 − (1 − 1/λ)/(t + t0)) ≥ (b − ‖f_t‖)/λ.
    """
    rate = lam if half else lam / 2.0
    return y_max / (rate - 1.0) * (1.0 - rate ** (-count))


def nbsgd_norm_conditions(loss, lam, largest_kernel, maintenance, half=True, t0=0.0) -> list[str]:
    """Theorem 2: L2 loss, λ > 1 (2 without the ½), κ(x, x) ≤ 1, η_t = 1/(λ(t + t0)), maintenance as named."""
    failed = []
    if loss != "l2":
        failed.append("the loss is not L2")
    if lam <= (1.0 if half else 2.0):
        failed.append("lambda is not above 1 (2 for the loss without the half)")
    if largest_kernel > 1.0 + 1e-9:
        failed.append("kappa(x, x) exceeds 1")
    if maintenance not in ("none", "removal", "projection"):
        failed.append("maintenance is neither removal nor exact projection")
    if t0 < 0.0:
        failed.append("the offset is negative")
    return failed


def nbsgd_constants(lam: float, lipschitz: float, beta: float | None = None, radius: float | None = None) -> dict:
    """Q, W, D of Le et al. (AISTATS 2016), which are only said to exist there; derived here.

    L (lipschitz) ≥ ‖g_t‖ for all t, and radius ≥ ‖f_t‖, ‖f*‖. For a loss with |ℓ'| ≤ L (hinge, logistic, L1,
    ε-insensitive: 1; Crammer–Singer: √2) radius = L/λ. For ½L2: λ > 1: radius = y_max/(λ − 1); λ ≤ 1: radius =
    y_max/√λ (the ball); L = y_max + radius.
    Q ≥ E‖λf_t + g_t + Z_t M_t‖²: (λ·radius + 2L)², as ‖M_t‖ ≤ L (9L² for a Lipschitz loss).
    W ≥ E‖f_t − f*‖²: (2·radius)².
    D with E‖f_t − f*‖² ≤ D/t for all t (their Corollary 8): with a_t = E‖f_t − f*‖² and
    ⟨f_t − f*, ∇F(f_t)⟩ ≥ λ‖f_t − f*‖², a_{t+1} ≤ (1 − 2/t) a_t + Q/(λt)² + (2/λt) min(1, β/t) L √a_t. As
    min(1, β/t) ≤ √(β/t), induction needs D ≥ Q/λ² + 2(L/λ)√(βD) for t ≥ 2, and D ≥ 2Q/λ² for a_2 (Z_1 = 0), so
    D = max{(L√β + √(L²β + Q))², 2Q}/λ².
    """
    radius = lipschitz / lam if radius is None else radius
    quadratic = (lam * radius + 2.0 * lipschitz) ** 2
    constants = {"Q": quadratic, "W": (2.0 * radius) ** 2, "L": lipschitz}
    if beta is not None:
        pull = lipschitz**2 * beta
        constants["D"] = max((math.sqrt(pull) + math.sqrt(pull + quadratic)) ** 2, 2.0 * quadratic) / lam**2
    return constants


def nbsgd_drift(count: int, W: float, errors, rates=None) -> float:
    """d_T = (√W/T) Σ_t E[‖M_t‖²]^{1/2} P(Z_t = 1)^{1/2} (Le et al. 2016, Theorem 6).

    errors[t] = E[‖M_t‖² | Z_t = 1]^{1/2}, rates[t] = P(Z_t = 1); rates=None gives the coarser (4), with 1 for P.
    Read as: the second moment of M_t = Δ_t/η_t is given Z_t = 1; only so is E[‖Z_t M_t‖²] the product.
    """
    rates = [1.0] * len(errors) if rates is None else rates
    return math.sqrt(W) * sum(e * math.sqrt(p) for e, p in zip(errors, rates, strict=True)) / count


def nbsgd_drift_of_run(count: int, W: float, sum_of_errors: float) -> float:
    """√W · (1/T) Σ_t Z_t ‖M_t‖ from one run: an unbiased estimate of a bound sharper than d_T.

    W must bound ‖f_t − f*‖² surely, not in the mean. E[Z‖M‖] ≤ (P(Z = 1) E[‖M‖² | Z = 1])^{1/2}, so its mean is ≤ d_T.
    """
    return math.sqrt(W) * sum_of_errors / count


def nbsgd_mean_gap(count: int, lam: float, Q: float, drift: float) -> float:
    """Le et al. (AISTATS 2016), Theorem 3, (3) and (4): E[F(mean of f_1 … f_T) − F(f*)] ≤ Q(ln T + 1)/(2λT) + d_T."""
    return Q * (math.log(count) + 1.0) / (2.0 * lam * count) + drift


def nbsgd_random_gap(count, lam, Q, drift, delta, printed=False) -> float:
    """Le et al. (AISTATS 2016), Theorem 6: F(f_r) − F(f*), r uniform in 1 … T, with probability ≥ 1 − δ.

    By Markov's inequality the bound is (Q(ln T + 1)/(2λT) + d_T)/δ. The print does not divide d_T by δ: it would follow
    from Markov for F(f_r) − F(f*) − d_T, which can be negative.
    """
    first = Q * (math.log(count) + 1.0) / (2.0 * lam * count * delta)
    return first + (drift if printed else drift / delta)


def suffix_length(count: int, gamma: float) -> int:
    """⌈γT⌉, the number of iterates in the suffix mean."""
    return math.ceil(gamma * count - 1e-9)


def nbsgd_suffix_gap(count, lam, gamma, beta, Q, D, errors, printed=False) -> float:
    """Le et al. (AISTATS 2016), Theorem 10: E[F(mean of the last γT iterates) − F(f*)].

    ≤ (λ²D + Q ln(1/(1−γ)))/(2λγT) + (β√D/(γT)) Σ_{t > (1−γ)T} E[‖M_t‖²]^{1/2}/t^{3/2}. The print has 2γT where it
    should have 2λγT: Σ ½λ(…) leaves ½λ · s · E‖f_{s+1} − f*‖² ≤ ½λD, s = (1−γ)T, and Σ Q/(2λt) ≤ Q ln(T/s)/(2λ); the
    print is also wrong in its units. errors[t − 1] = E[‖M_t‖²]^{1/2} for t = 1 … T. Where γT is no integer the suffix
    is ⌈γT⌉ long and s = T − ⌈γT⌉ ≥ 1.
    """
    length = suffix_length(count, gamma)
    start = count - length
    tail = sum(errors[t - 1] / t**1.5 for t in range(start + 1, count + 1))
    divisor = 2.0 * length if printed else 2.0 * lam * length
    return (lam**2 * D + Q * math.log(count / start)) / divisor + beta * math.sqrt(D) * tail / length


def nbsgd_suffix_constant(count, lam, gamma, beta, Q, L, D, printed=False) -> float:
    """R of Le et al. (2016), Theorem 12: λD + (Q/λ) ℓ + 2βL√D ℓ, ℓ = ln(1/(1−γ)) (ln(T/s) if γT is no integer).

    Printed: λ²D + Qℓ + 2βL√D ℓ (λ lost, as in Theorem 10).
    """
    log = math.log(count / (count - suffix_length(count, gamma)))
    tail = 2.0 * beta * L * math.sqrt(D) * log
    return lam**2 * D + Q * log + tail if printed else lam * D + Q * log / lam + tail


def nbsgd_suffix_rate(count, lam, gamma, beta, Q, L, D, printed=False) -> float:
    """Le et al. (AISTATS 2016), Theorem 11: E[F(suffix mean) − F(f*)] ≤ R/(2γT), R as in nbsgd_suffix_constant.

    From Theorem 10 with E[‖M_t‖²]^{1/2} ≤ L and t^{−3/2} ≤ 1/t. For β = 0.6 T (their experiments) D grows like 4L²β/λ²
    and the bound does not go to 0: it says something only for β independent of T.
    """
    return nbsgd_suffix_constant(count, lam, gamma, beta, Q, L, D, printed) / (2.0 * suffix_length(count, gamma))


def nbsgd_suffix_random_gap(count, lam, gamma, beta, Q, L, D, delta, printed=False) -> float:
    """Le et al. (AISTATS 2016), Theorem 12: F(f_r) − F(f*) ≤ R/(2γδT), r uniform in the last γT, prob. ≥ 1 − δ."""
    return nbsgd_suffix_rate(count, lam, gamma, beta, Q, L, D, printed) / delta


def nbsgd_conditions(
    loss, lam, largest_kernel, maintenance, choice, t0, ball, y_max=None, independent=True, gamma=None, coin=True
) -> list[str]:
    """Theorems 3 and 6 (gamma=None), and 10, 11, 12 (γ given).

    Examples drawn independently (from the distribution, or with replacement from the N rows; a permutation is not
    that), convex loss, η_t = 1/(λt), f_1 = 0, F(f) = ½λ‖f‖² + E ℓ. ‖M_t‖ ≤ L and ‖f_t‖ ≤ radius: removal, or exact
    projection of the smallest. L2: λ > 1, or the ball y_max/√λ. For 10–12 also a coin of its own, P(Z_t = 1) ≤ β/t,
    0 < γ < 1 with at least one iterate before the suffix, B ≥ 1.
    """
    failed = []
    if not independent:
        failed.append("the examples are not drawn independently")
    if loss not in ("hinge", "crammer-singer", "logistic", "multinomial", "l2", "l1", "epsilon"):
        failed.append("the loss is none for which the constants are known")
    if t0 != 0.0:
        failed.append("the step is not 1/(lambda t)")
    if largest_kernel > 1.0 + 1e-9:
        failed.append("kappa(x, x) exceeds 1")
    if maintenance not in ("none", "removal") and not (maintenance == "projection" and choice == "smallest"):
        failed.append("maintenance is neither removal nor exact projection of the smallest")
    if loss == "l2" and lam <= 1.0 and (ball is None or y_max is None or ball > (1 + 1e-9) * y_max / math.sqrt(lam)):
        failed.append("L2 with lambda <= 1 needs the ball y_max/sqrt(lambda)")
    if gamma is not None and not coin:
        failed.append("maintenance is not decided by a coin with P <= beta/t")
    if gamma is not None and not 0.0 < gamma < 1.0:
        failed.append("gamma is not between 0 and 1")
    return failed


# --------------------------------------------------------------------------------------------------- OLK, OLRU, OLRD


def olk_regret(eta, T, squares, weighted=None, first_distance=None, largest_distance=None) -> float:
    """He & Kwok (Neural Networks 2014), Theorem 1: Σ ℓ_t(f_t) − Σ ℓ_t(u) for any ‖u‖ ≤ U.

    (5), constant η (weighted=None): ‖f_1 − u‖²/(2η) + (η/2) Σ‖g_t‖²; first_distance = ‖u‖² (U² at most, as f_1 = 0).
    (7), η_t = η/√t: √T max_t‖f_t − u‖²/(2η) + (η/2) Σ‖g_t‖²/√t; largest_distance ≤ 4U².
    squares = Σ‖g_t‖², weighted = Σ‖g_t‖²/√t. Sure, for every sequence.
    """
    if weighted is None:
        return first_distance / (2.0 * eta) + eta * squares / 2.0
    return math.sqrt(T) * largest_distance / (2.0 * eta) + eta * weighted / 2.0


def olk_step(U, G, T=None) -> float:
    """η of Theorem 1: 2U/√(GT) for a constant step (T given), √2 U/√G for η_t = η/√t. G ≥ ‖g_t‖², a square."""
    return math.sqrt(2.0) * U / math.sqrt(G) if T is None else 2.0 * U / math.sqrt(G * T)


def olk_regret_optimised(U, G, T, dynamic=False) -> float:
    """Theorem 1 at those steps: 2U√(GT), or 2√2 U√(GT). (With f_1 = 0 the constant step U/√(GT) gives U√(GT).)"""
    return (math.sqrt(2.0) if dynamic else 1.0) * 2.0 * U * math.sqrt(G * T)


def olru_regret(eta, T, squares_over_p, gamma=None, first_distance=None, largest_distance=None) -> float:
    """He & Kwok (2014), Theorem 2, general form: E[regret] of OLRU.

    (i) constant η (gamma=None): ‖f_1 − u‖²/(2η) + (η/2) E Σ‖g_t‖²/p_t, squares_over_p = Σ‖g_t‖²/p_t.
    (ii) η_t = η t^{−b}, b = (1 + γ)/2: T^b max‖f_t − u‖²/(2η) + (η/2) E Σ‖g_t‖²/(t^b p_t), the sum being
    squares_over_p. p_t is the probability used, min(1, ·) included; ‖g_t‖ counts whether or not x_t was admitted.
    """
    if gamma is None:
        return first_distance / (2.0 * eta) + eta * squares_over_p / 2.0
    return T ** ((1.0 + gamma) / 2.0) * largest_distance / (2.0 * eta) + eta * squares_over_p / 2.0


def olru_step(U, G, c, gamma, T=None) -> float:
    """η of Theorem 2, b = (1 + γ)/2: 2U√(c/G) T^{−b} (constant), 2U√(cb/G) for η_t = η t^{−b} (T=None)."""
    b = (1.0 + gamma) / 2.0
    return 2.0 * U * math.sqrt(c * b / G) if T is None else 2.0 * U * math.sqrt(c / G) * T ** (-b)


def olru_regret_optimised(U, G, c, gamma, T, dynamic=False) -> float:
    """Theorem 2 at those steps: 2U√(G/c) T^b, or 2U√(G/(cb)) T^b. Needs c T^{−γ} ≤ 1, or c ≤ 1 (olru_conditions)."""
    b = (1.0 + gamma) / 2.0
    return 2.0 * U * math.sqrt(G / (c * b if dynamic else c)) * T**b


def olrd_regret(eta, T, squares, variance, weighted=None, first_distance=None, largest_distance=None) -> float:
    """He & Kwok (2014), (12): E[regret] of OLRD ≤ the bound of Theorem 1 + E Σ_t E_t‖e_t‖²/(2η_t).

    variance = Σ_t E_t‖e_t‖²/(2η_t), which the run can record: see olrd_variance. This form needs the ball U and
    nothing else; it is what remains true of Theorem 3 when n·max|a_i| exceeds U.
    """
    return olk_regret(eta, T, squares, weighted, first_distance, largest_distance) + variance


def olrd_variance(sizes, squared_norm: float) -> float:
    """E_t‖e_t‖² of one uniform discard among n SVs: (n Σ_i ‖a_i‖²κ_ii − ‖f_t‖²)/(n − 1)² (He & Kwok, (18) as equality).

    sizes = [‖a_i‖² κ(x_i, x_i)], before the discard. n ≥ 2.
    """
    n = len(sizes)
    return (n * sum(sizes) - squared_norm) / (n - 1) ** 2


def olrd_regret_theorem(eta, T, U, c, squares, weighted=None, first_distance=None, largest_distance=None) -> float:
    """He & Kwok (2014), Theorem 3, general forms; c = (B − 1)/√T, the B that was used.

    (i) (‖f_1 − u‖² + TU²/(B − 1)²)/(2η) + (η/2) Σ‖g_t‖².
    (ii) (√T/(2η)) (max‖f_t − u‖² + 2U²/c²) + (η/2) Σ‖g_t‖²/√t: (25), where the B_t in the print is B_T.
    """
    extra = U**2 / c**2 / (2.0 * eta)
    extra = extra if weighted is None else 2.0 * math.sqrt(T) * extra
    return olk_regret(eta, T, squares, weighted, first_distance, largest_distance) + extra


def olrd_step(U, G, c, T=None) -> float:
    """η of Theorem 3: U√(4 + 1/c²)/√(GT) (constant), U√(2 + 1/c²)/√G for η_t = η/√t (T=None)."""
    if T is None:
        return U * math.sqrt(2.0 + 1.0 / c**2) / math.sqrt(G)
    return U * math.sqrt(4.0 + 1.0 / c**2) / math.sqrt(G * T)


def olrd_regret_optimised(U, G, c, T, dynamic=False) -> float:
    """Theorem 3 at those steps: √(4 + 1/c²) U√(GT), or 2√(2 + 1/c²) U√(GT)."""
    if dynamic:
        return 2.0 * math.sqrt(2.0 + 1.0 / c**2) * U * math.sqrt(G * T)
    return math.sqrt(4.0 + 1.0 / c**2) * U * math.sqrt(G * T)


def olk_conditions(ball, U, largest_square, G, decay=0.0) -> list[str]:
    """Theorem 1: convex loss, no decay, ball U after every update (never smaller), max‖g_t‖² ≤ G (optimised forms)."""
    failed = []
    if decay != 0.0:
        failed.append("there is a decay")
    if ball is None or abs(ball - U) > 1e-9 * U:
        failed.append("f is not projected on the ball U")
    if largest_square > G * (1.0 + 1e-9):
        failed.append("a squared gradient norm exceeds G")
    return failed


def olru_conditions(ball, U, largest_square, G, c, gamma, T, dynamic=False) -> list[str]:
    """Theorem 2: as Theorem 1, 0 < γ < 1, and c T^{−γ} ≤ 1 (constant) or c ≤ 1 (dynamic).

    Otherwise p_t is cut at 1, 1/p_t exceeds t^γ/c, and only the general form (olru_regret) holds. The competitor and
    the examples must not depend on the draws.
    """
    failed = olk_conditions(ball, U, largest_square, G)
    if not 0.0 < gamma < 1.0:
        failed.append("gamma is not between 0 and 1")
    if (c if dynamic else c * T ** (-gamma)) > 1.0 + 1e-12:
        failed.append("the admission probability was cut at 1")
    return failed


def olrd_conditions(bound, largest_spread, U, largest_square, G, smallest_budget) -> list[str]:
    """Theorem 3: uniform discards, budget at least 2, max‖g_t‖² ≤ G, the ball U, and n·max_i|a_i| ≤ U at each discard.

    The last is (22) there; largest_spread = max over the discards of n‖α‖_∞. The proof uses both the non-expansive
    projection on the ball (line 15) and (22), but the ball does not imply (22), and the scaling or clipping that does
    imply it can move f away from u. So it applies to a run with the ball in which (22) happened to hold; otherwise use
    olrd_regret with the recorded variance.
    """
    failed = []
    if bound != "ball":
        failed.append("the bound is not the ball: scaling and clipping are not projections in the RKHS")
    if largest_spread > U * (1.0 + 1e-9):
        failed.append("at a discard n max|a_i| exceeded U")
    if largest_square > G * (1.0 + 1e-9):
        failed.append("a squared gradient norm exceeds G")
    if smallest_budget < 2:
        failed.append("the budget is below 2")
    return failed


# -------------------------------------------------------------------------------------------------------------- OSKL


def oskl_constants(loss: str, R: float, d: float = 1.0, delta: float | None = None) -> tuple[float, float]:
    """(L, G₁) with |ℓ'| ≤ Lℓ and |ℓ'| ≤ G₁ for |z| ≤ R (Zhang et al., ICML 2013, A1, A2 and Table 1).

    logistic, y = ±1: L = 1 (approached as yz → ∞), G₁ = 1/(1 + e^{−R}) < 1.
    exponential, |y| ≤ d (labels: d = 1): |ℓ'| = |y|ℓ, so L = d, G₁ = d e^{dR}.
    square (y − z)², |y| ≤ d, |y − z| ≥ δ: |ℓ'|/ℓ = 2/|y − z|, so L = 2/δ, G₁ = 2(R + d).
    half-square ½(y − z)²: L = 2/δ again, G₁ = R + d.
    multinomial (not in the paper), Euclidean norm of softmax − e_y: ‖g‖ ≤ √2(1 − p_y) ≤ √2 ℓ, so L = √2, G₁ = √2.
    """
    if loss == "logistic":
        return 1.0, 1.0 / (1.0 + math.exp(-R))
    if loss == "exponential":
        return d, d * math.exp(d * R)
    if loss == "square":
        return 2.0 / delta, 2.0 * (R + d)
    if loss == "half-square":
        return 2.0 / delta, R + d
    if loss == "multinomial":
        return math.sqrt(2.0), math.sqrt(2.0)
    raise ValueError(f"no constants for {loss}")


def oskl_levels(T: int, G1: float) -> int:
    """m = ⌈log₂(G₁T²)⌉ (Zhang et al. 2013, Theorem 1), at least 1."""
    return max(1, math.ceil(math.log2(G1 * T**2)))


def oskl_c(T: int, G1: float, delta: float) -> float:
    """c of (4) there: max{2√G₁, ½ + 16 ln(m/δ), (8/3) ln(m/δ) + (19/18) ln(1/δ)}; the third never is the largest."""
    log = math.log(oskl_levels(T, G1) / delta)
    return max(2.0 * math.sqrt(G1), 0.5 + 16.0 * log, 8.0 / 3.0 * log + 19.0 / 18.0 * math.log(1.0 / delta))


def oskl_support_bound(sum_of_losses, T, G, G1, L, delta) -> float:
    """(3) of Zhang et al. (ICML 2013), Theorem 1: Σ Z_t ≤ (3L/(2G)) Σ ℓ(y_t, f_t(x_t)) + c."""
    return 1.5 * L / G * sum_of_losses + oskl_c(T, G1, delta)


def oskl_support_bound_sharp(sum_of_slopes, T, G, G1, delta) -> float:
    """What the proof gives, from A = Σ|ℓ'(y_t, f_t(x_t))| (their Lemmas 1 and 2, before (7)); no A2 is needed.

    A > 1/T: Σ Z_t ≤ A/G + 2√((A/G) ln(m/δ)) + ⅔ ln(m/δ). A ≤ 1/T: ≤ A/G + ln(1/δ).
    Probability ≥ 1 − 2δ over both cases (δ each).
    """
    share = sum_of_slopes / G
    if sum_of_slopes <= 1.0 / T:
        return share + math.log(1.0 / delta)
    log = math.log(oskl_levels(T, G1) / delta)
    return share + 2.0 * math.sqrt(share * log) + 2.0 / 3.0 * log


def oskl_loss_bound(competitor_losses, T, eta, R, G, G1, gamma, delta) -> float:
    """(2) of Zhang et al. (ICML 2013), Theorem 1: Σ ℓ(y_t, f_t(x_t)) against Σ ℓ(y_t, u(x_t)), ‖u‖ ≤ R.

    ≤ [Σ ℓ(u) + ηG²c + R²c/η + RGc]/(1 − γ) + Rc. u is fixed before the draws. γ = 0.9 multiplies Σ ℓ(u) by 10, so
    this is no regret bound in the usual sense.
    """
    c = oskl_c(T, G1, delta)
    return (competitor_losses + eta * G**2 * c + R**2 * c / eta + R * G * c) / (1.0 - gamma) + R * c


def oskl_loss_bound_sharp(competitor_losses, T, eta, R, G, G1, gamma, delta, competitor_norm=None) -> float:
    """(12) there, or Σ ℓ(u) + 2R/T in the case A ≤ 1/T: the larger of the two.

    (12): [Σ ℓ(u) + (4/3)ηG² ln(m/δ) + (‖u‖² + 32R² ln(m/δ))/(2η) + (4/3)RG ln(m/δ)]/(1 − γ).
    """
    log = math.log(oskl_levels(T, G1) / delta)
    norm = R if competitor_norm is None else competitor_norm
    middle = (norm**2 + 32.0 * R**2 * log) / (2.0 * eta)
    main = (competitor_losses + 4.0 / 3.0 * eta * G**2 * log + middle + 4.0 / 3.0 * R * G * log) / (1.0 - gamma)
    return max(main, competitor_losses + 2.0 * R / T)


def oskl_conditions(
    loss, T, eta, R, G, G1, L, gamma, delta, largest_kernel=1.0, largest_slope=None, least_residual=None, ball=None
) -> list[str]:
    """Theorem 1: A1 and A2, κ(x, x) ≤ 1, ball R, G ≥ G₁, 0 < γ < 1, η ≤ γ/(LG), T ≥ 18/(G ln(1/δ)).

    largest_slope = max|ℓ'| seen and least_residual = min|y_t − f_t(x_t)| seen (δ of the square loss: pass it so that
    L = 2/least_residual can be checked). Strictly the probability is ≥ 1 − 3δ: one δ for each of the three lemmas
    (print: 1 − 2δ, taking the case A ≤ 1/T as given).
    """
    failed = []
    if loss in ("hinge", "crammer-singer", "squared-hinge", "l1", "epsilon", "huber"):
        failed.append("|l'| <= L l does not hold for this loss")
    if loss in ("square", "half-square") and (least_residual is None or 2.0 / least_residual > L * (1 + 1e-9)):
        failed.append("a residual was below delta, so |l'| <= L l does not hold")
    if largest_kernel > 1.0 + 1e-9:
        failed.append("kappa(x, x) exceeds 1")
    if ball is None or ball > R * (1 + 1e-9):
        failed.append("f is not kept in the ball R")
    if G < G1 * (1.0 - 1e-12) or (largest_slope is not None and largest_slope > G * (1 + 1e-9)):
        failed.append("G is below the largest derivative")
    if not 0.0 < gamma < 1.0 or eta * L * G > gamma * (1 + 1e-9):
        failed.append("the step exceeds gamma/(L G), or gamma is not between 0 and 1")
    if T * G * math.log(1.0 / delta) < 18.0:
        failed.append("T is below 18/(G ln(1/delta))")
    return failed


# -------------------------------------------------------------------------------------------------------------- POLK


def polk_sigma(lipschitz: float, kernel_root: float, eta: float, epsilon: float) -> float:
    """A σ with E‖projected gradient‖² ≤ σ² (Koppel et al., ICASSP 2017, A4), from what is known: 2CX + ε/η.

    Pruning is an orthogonal projection and cannot raise the norm, so ‖f_t‖ ≤ CX/λ, ‖λf_t + g_t‖ ≤ 2CX, and
    ‖f̃ − f‖/η ≤ ε/η. C is the Lipschitz constant (A2), X = sup √κ(x, x) (A1).
    """
    return 2.0 * lipschitz * kernel_root + epsilon / eta


def polk_radius(eta: float, lam: float, epsilon: float, sigma: float, sharp: bool = False) -> float:
    """(22) of Koppel et al. (ICASSP 2017), Theorem 2: lim inf ‖f_t − f*‖ ≤ (√η/λ)(K + √(K² + λσ²)), K = ε/η^{3/2}.

    In ε: (ε + √(ε² + λη³σ²))/(λη), the positive root of λη u² − 2εu − η²σ² = 0, from
    E[u_{t+1}² | past] ≤ (1 − λη) u_t² + 2εu_t + η²σ², u_t = ‖f_t − f*‖.
    sharp uses ⟨f − f*, ∇R(f)⟩ ≥ λu², twice as strong as R(f) − R(f*) ≥ ½λu²: (ε + √(ε² + 2λη³σ²))/(2λη).
    f* minimises E ℓ + ½λ‖f‖². For the objective (23) as it is printed there, λ Σ_c ‖f_c‖² without the ½, replace λ
    by 2λ (and the decay by 1 − 2ηλ); the decay 1 − ηλ of the algorithm belongs to ½λ.
    """
    rate = 2.0 * lam if sharp else lam
    return (epsilon + math.sqrt(epsilon**2 + rate * eta**3 * sigma**2)) / (rate * eta)


def polk_mean_square(steps: int, start: float, eta, lam, epsilon, sigma, sharp=False) -> float:
    """E‖f_t − f*‖² after so many steps from ‖f_0 − f*‖² = start, by the recursion behind (22).

    a ← (1 − λη) a + 2ε√a + η²σ²; its fixed point is polk_radius². Stronger than (22): it holds at every t, in the
    mean square, and its limit is the same radius.
    """
    rate = 2.0 * lam if sharp else lam
    for _ in range(steps):
        start = (1.0 - rate * eta) * start + 2.0 * epsilon * math.sqrt(start) + (eta * sigma) ** 2
    return start


def polk_objective(mean_loss: float, lam: float, squared_norm: float, printed: bool = False) -> float:
    """Mean loss + ½λ‖f‖² (eq. 1 and 4 there), or + λ‖f‖² as (23) is printed; ‖f‖² = Σ_c ‖f_c‖²."""
    return mean_loss + lam * squared_norm * (1.0 if printed else 0.5)


def polk_conditions(eta, lam, epsilon, largest_error, lipschitz, independent=True, decay=True, sharp=False):
    """Theorem 2: λ > 0, constant η < 1/λ, ‖f_{t+1} − f̃_{t+1}‖ ≤ ε at every step (largest_error, recorded), a convex
    loss with a finite Lipschitz constant (L2 has one only on a bounded set), examples drawn independently.

    Differentiability (A3) is not used by the proof of (22): a sub-gradient will do. sharp needs η < 1/(2λ).
    """
    failed = []
    if lam <= 0.0 or not decay:
        failed.append("there is no regularisation")
    elif eta >= (0.5 if sharp else 1.0) / lam:
        failed.append("the step is not below 1/lambda" if not sharp else "the step is not below 1/(2 lambda)")
    if largest_error > epsilon * (1.0 + 1e-6) + 1e-9:
        failed.append("a pruning error exceeded epsilon")
    if not math.isfinite(lipschitz):
        failed.append("the loss has no Lipschitz constant")
    if not independent:
        failed.append("the examples are not drawn independently")
    return failed
