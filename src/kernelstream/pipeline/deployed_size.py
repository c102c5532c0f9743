"""A pipeline within the size of its exported form: how many support vectors fit, and what was learned in the end."""

from dataclasses import replace
from typing import Any

from ..estimators.deployment import Deployment, ExportFormat, Size, vectors_within
from .settings import Estimator, Settings, make_estimator
from .stream_pipeline import StreamPipeline


def sized_estimator(settings: Settings, pipeline: StreamPipeline, X: Any) -> Estimator:
    """An unfitted estimator whose exported form, with the preparation of rows, stays within the size of the settings.

    The tables are of the smallest type: a stream is read once, and cannot be learned twice to compare.
    """
    assert settings.deploy is not None
    size = Size.parse(settings.deploy)
    count = vectors_within(size, pipeline, size.load().dtypes[0], X)
    return make_estimator(
        replace(settings, deploy=None, adapt=False, parameters=settings.parameters | {"budget": count})
    )


def describe_deployed(pipeline: StreamPipeline) -> None:
    """Set `deploy_` of the estimator: the size of what it has learned, in the largest type that fits.

    Categories and features that were not among the first rows take room: if not even the smallest type fits at the end
    of the run, support vectors are removed.
    """
    if pipeline.settings.deploy is None:
        return
    size = Size.parse(pipeline.settings.deploy)
    chosen = size.load()
    found = _measured(size, chosen, pipeline)
    while found.nbytes > size.limit and pipeline.position.finished and pipeline.estimator.n_support_ > 2:
        kept = int(pipeline.estimator.n_support_ * size.limit / found.nbytes) - 1
        pipeline.estimator = pipeline.estimator.compress(budget=max(kept, 2))
        found = _measured(size, chosen, pipeline)
    pipeline.estimator.deploy_ = found


def _measured(size: Size, chosen: ExportFormat, pipeline: StreamPipeline) -> Deployment:
    sizes = {dtype: chosen.nbytes(pipeline, dtype) for dtype in chosen.dtypes}
    fits = [dtype for dtype, nbytes in sizes.items() if nbytes <= size.limit]
    dtype = fits[-1] if fits else chosen.dtypes[0]
    return Deployment(size.format, dtype, size.limit, sizes[dtype])
