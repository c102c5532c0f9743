"""Figures show the numbers they are given; what they look like is for eyes, but their words are legible."""

import io

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text
from sklearn.decomposition import PCA
from sklearn.metrics import confusion_matrix

from kernelstream import Model, feature_relevance, recipes
from kernelstream.evaluate import Progress
from kernelstream.evaluate.prequential_results import Point
from kernelstream.kernels import Gaussian
from kernelstream.plot import (
    ConfusionDisplay,
    DecisionSurfaceDisplay,
    FeatureRelevanceDisplay,
    FrontierDisplay,
    LearningCurveDisplay,
    SupportVectorsDisplay,
)
from kernelstream.plot.frontier import Cost
from kernelstream.plot.surface import Plane
from tests.estimators.data import classifier, curve, regressor, two_classes


@pytest.fixture(autouse=True)
def no_windows():
    matplotlib.use("Agg")
    yield
    from matplotlib import pyplot

    pyplot.close("all")


@pytest.fixture
def drawn():
    """Checks a figure: it can be written, and nothing in it is too small to read."""

    def check(display):
        file = io.BytesIO()
        display.figure_.savefig(file, format="png")
        assert file.getvalue().startswith(b"\x89PNG")
        words = [t for t in display.figure_.findobj(Text) if t.get_text() and t.get_visible()]
        assert min(t.get_fontsize() for t in words) >= 8
        assert all(ax.get_xlabel() for ax in getattr(display, "axes_", [display.ax_]))
        return display

    return check


@pytest.fixture(scope="module")
def board():
    X, y = two_classes(300)
    frame = pd.DataFrame(X, columns=["left", "up"])
    return classifier().fit(frame, y), frame, y


def result(scores=(0.5, 0.75), support=(10, 20), metric="accuracy", seconds=0.5):
    points = [
        Point(100 * (i + 1), 100 * (i + 1), s, s + 0.01, n, seconds * (i + 1), 1000)
        for i, (s, n) in enumerate(zip(scores, support, strict=True))
    ]
    return Progress.of(metric, points)


# ------------------------------------------------------------------ surfaces


def test_two_features_are_their_own_plane_and_more_are_seen_along_the_principal_components():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 4)) * [1, 5, 2, 0.1] + 3
    plane = Plane.of(X)
    places = rng.normal(size=(7, 2))
    np.testing.assert_allclose(plane.flat(plane.lift(places)), places, atol=1e-12)
    wanted = PCA(2).fit_transform(X)
    np.testing.assert_allclose(np.abs(plane.flat(X)), np.abs(wanted), atol=1e-10)
    two = Plane.of(X[:, :2], ["a", "b"])
    np.testing.assert_array_equal(two.flat(X[:, :2]), X[:, :2])
    assert two.names == ("a", "b")


def test_a_surface_is_the_decision_function(board, drawn):
    model, frame, _ = board
    display = drawn(DecisionSurfaceDisplay.from_estimator(model, frame, grid=21))
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("left", "up")
    for i, j in ((0, 0), (3, 17), (20, 20)):
        place = pd.DataFrame([[display.x[j], display.y[i]]], columns=["left", "up"])
        assert display.response[i, j] == pytest.approx(model.decision_function(place)[0])
    assert display.x[0] < frame["left"].min() and display.x[-1] > frame["left"].max()
    np.testing.assert_array_equal(display.support, model.support_vectors_)
    np.testing.assert_array_equal(display.sides, model.dual_coef_[0] > 0)
    shown = {group.get_label(): len(group.get_offsets()) for group in display.support_}
    assert shown == {"black": (display.sides == 0).sum(), "white": (display.sides == 1).sum()}


def test_a_model_has_its_targets_for_labels_and_may_go_without_support_vectors(board, drawn):
    model, frame, _ = board
    display = drawn(DecisionSurfaceDisplay.from_estimator(model.model_, frame.to_numpy(), grid=5, support=False))
    assert display.classes == [-1, 1] and not display.support_
    assert display.ax_.get_xlabel() == "feature 0"


def test_a_regression_is_in_the_units_of_its_targets(drawn):
    X, y = curve(300)
    model = regressor().fit(X, y)
    display = drawn(DecisionSurfaceDisplay.from_estimator(model, X, grid=9))
    places = np.stack(np.meshgrid(display.x, display.y), axis=-1).reshape(-1, 2)
    np.testing.assert_allclose(display.response.ravel(), model.predict(places))
    assert display.classes is None and len(display.support_[0].get_offsets()) == model.n_support_


def test_regions_of_several_classes(drawn):
    x = np.linspace(-1, 1, 30)
    first, second = np.meshgrid(x, x)
    response = np.stack([first, second, -first - second], axis=-1)
    support, sides = np.array([[0.5, 0.0], [0.0, 0.5], [-0.5, -0.5], [0.9, 0.1]]), np.array([0, 1, 2, 0])
    display = drawn(DecisionSurfaceDisplay(x, x, response, support, sides, ["a", "b", "c"]).plot())
    image = display.surface_.get_array()
    assert len(np.unique(image.reshape(-1, 3), axis=0)) == 3
    assert np.array_equal(image[29, 0], image[29, 5]) and not np.array_equal(image[29, 0], image[0, 29])
    assert [len(group.get_offsets()) for group in display.support_] == [2, 1, 1]


def test_a_basis_of_its_own_has_no_points_to_draw():
    class Fixed:
        recipe = recipes.fogd(gamma=1.0, frequencies=2)
        function = (np.ones((4, 2)), np.ones((4, 1)))

        def scores_many(self, X):
            return X[:, :1]

    class Fitted:
        model_, classes_ = Fixed(), np.array([0, 1])

    assert not DecisionSurfaceDisplay.from_estimator(Fitted(), np.eye(2), grid=4).support_


def test_surfaces_that_cannot_be_drawn():
    with pytest.raises(ValueError, match="2 features or more, and X has 1"):
        Plane.of(np.ones((5, 1)))
    with pytest.raises(ValueError, match="2 rows or more, and X has 1"):
        Plane.of(np.ones((1, 3)))


# ------------------------------------------------------------------ curves


def test_learning_curves(drawn):
    results = {"merge": result(), "remove": result((0.4, 0.6))}
    display = drawn(LearningCurveDisplay.from_results(results))
    for name, line in display.lines_.items():
        np.testing.assert_array_equal(line.get_xydata().T, [results[name].examples, results[name].score])
    assert len(display.ax_.lines) == 4 and [t.get_text() for t in display.ax_.get_legend().texts] == ["merge", "remove"]
    assert display.ax_.yaxis.get_major_formatter()(0.5) == "50 %"
    plain = LearningCurveDisplay.from_results(result(metric="rmse"), window=False)
    assert len(plain.ax_.lines) == 1 and plain.ax_.get_ylabel() == "root mean squared error (test-then-train)"
    assert plain.ax_.get_legend() is None
    with pytest.raises(ValueError, match="one metric, and these have"):
        LearningCurveDisplay({"a": result(), "b": result(metric="rmse")})


def test_a_curve_straight_from_a_stream(board, drawn):
    model, frame, y = board
    display = drawn(LearningCurveDisplay.from_estimator(model, [(frame[:100], y[:100]), (frame[100:], y[100:])]))
    assert display.results[""].examples.tolist() == [100, 300]


def test_support_vectors_over_time(board, drawn):
    model = board[0]
    display = drawn(SupportVectorsDisplay.from_estimator({"here": model, "inside": model.model_}))
    for line in display.lines_.values():
        np.testing.assert_array_equal(line.get_xydata().T, model.record_.sizes)
    again = SupportVectorsDisplay.from_results({"run": result()}, ax=display.ax_)
    assert again.ax_ is display.ax_ and again.lines_["run"].get_ydata().tolist() == [10, 20]
    one = SupportVectorsDisplay.from_estimator(model)
    assert one.ax_.get_legend() is None


# ------------------------------------------------------------------ frontiers


def test_the_frontier_has_what_nothing_cheaper_beats(drawn):
    runs = {"merge": [(20, 2.0, 0.8), (10, 3.0, 0.7), (40, 5.0, 0.79)], "remove": [(10, 1.0, 0.75), (30, 4.0, 0.9)]}
    display = drawn(FrontierDisplay.from_results(runs))
    assert display.frontier("budget") == [(10, 0.75), (20, 0.8), (30, 0.9)]
    assert display.frontier("seconds") == [(1.0, 0.75), (2.0, 0.8), (4.0, 0.9)]
    assert [ax.get_xlabel() for ax in display.axes_] == ["support vectors", "seconds"]
    joined = display.axes_[1].lines[1].get_xydata().tolist()
    assert joined == [[3.0, 0.7], [2.0, 0.8], [5.0, 0.79]]  # in the order of the budgets
    errors = FrontierDisplay(runs, metric="rmse")
    assert errors.frontier("budget") == [(10, 0.7)] and errors.frontier("seconds") == [(1.0, 0.75), (3.0, 0.7)]


def test_frontiers_of_results_and_on_given_axes(drawn):
    display = drawn(FrontierDisplay.from_results({"a": [result(), result((0.5, 0.9), (10, 40))]}, against="budget"))
    assert display.runs["a"] == [Cost(20, 1.0, 0.75), Cost(40, 1.0, 0.9)] and display.metric == "accuracy"
    again = FrontierDisplay(display.runs).plot(ax=display.ax_, against="seconds")
    assert again.ax_ is display.ax_
    with pytest.raises(ValueError, match="2 panels, but ax has 1"):
        display.plot(ax=display.ax_)
    with pytest.raises(ValueError, match="against is 'memory'"):
        display.plot(against="memory")


# ------------------------------------------------------------------ relevance


def test_relevance_is_drawn_from_the_largest_down(drawn):
    values = np.arange(26.0) / 325.0
    display = drawn(FeatureRelevanceDisplay(values, [f"${i}$" * 20 for i in range(25)] + ["last"]).plot())
    assert [bar.get_width() for bar in display.bars_] == values[:5:-1].tolist()
    labels = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert labels[0] == "last" and labels[1].replace("\\", "") == ("$24$" * 20)[:29] + "…"
    low, high = display.ax_.get_ylim()
    assert high < 0 < low  # the first is on top
    assert display.ax_.get_title(loc="left") == "not shown: 6 features with 4.6 %"
    numbers = [text.get_text() for text in display.ax_.texts]
    assert numbers[0] == "7.7 %" and len(numbers) == 20


def test_relevance_of_an_estimator(board, drawn):
    model, frame, _ = board
    display = drawn(FeatureRelevanceDisplay.from_estimator(model))
    np.testing.assert_array_equal(display.relevance, model.feature_relevance_)
    assert display.names == ["left", "up"] and not display.ax_.get_title(loc="left")
    rows = FeatureRelevanceDisplay.from_estimator(model.model_, frame.to_numpy(), ax=display.ax_, features=1)
    np.testing.assert_array_equal(rows.relevance, feature_relevance(model, frame))
    assert rows.ax_ is display.ax_ and len(rows.bars_) == 1 and rows.names == ["feature 0", "feature 1"]
    drawn(FeatureRelevanceDisplay([0.0, 0.0]).plot())
    with pytest.raises(ValueError, match="There are 1 names for 2 features"):
        FeatureRelevanceDisplay([0.5, 0.5], ["a"])


# ------------------------------------------------------------------ confusion


def test_confusion_is_scikit_learns_in_one_hue(board, drawn):
    model, frame, y = board
    display = drawn(ConfusionDisplay.from_estimator(model, frame, y))
    np.testing.assert_array_equal(display.confusion_matrix, confusion_matrix(y, model.predict(frame)))
    assert display.im_.get_cmap().name == "Blues" and len(display.figure_.axes) == 1
    shares = ConfusionDisplay.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], normalize="true", cmap="Greys")
    assert shares.confusion_matrix.tolist() == [[0.5, 0.5], [0, 1]] and shares.im_.get_cmap().name == "Greys"
    assert shares.ax_.get_ylabel() == "true"


def test_a_model_that_has_learned_nothing_can_be_drawn(drawn):
    X, y = two_classes(50)
    model = Model.from_recipe(recipes.default(Gaussian(4.0), budget=40), X, np.where(y == "white", 1, -1))
    assert (drawn(DecisionSurfaceDisplay.from_estimator(model, X, grid=5)).response == 0).all()
