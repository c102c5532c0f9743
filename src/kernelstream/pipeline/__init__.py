"""From files and raw rows to trained models and predictions: the command line's `train` and `predict`, for programs.

`StreamPipeline` is all that most programs need. `Training` and `run` are its steps, to watch or to interrupt them.

>>> import pathlib, tempfile
>>> from kernelstream.datasets import checkerboard
>>> from kernelstream.pipeline import StreamPipeline
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> X, y = checkerboard(2000, seed=0)
>>> _ = (folder / "board.csv").write_text("a,b,y\\n" + "".join(f"{a},{b},{c}\\n" for (a, b), c in zip(X, y)))
>>> pipeline = StreamPipeline.train(folder / "board.csv", target="y", gamma=4.0, budget=50, scale="none")
>>> pipeline.curve.now.examples, pipeline.estimator.n_support_
(2000, 50)
"""

from .checkpointing import RunResult, run
from .load_file import load
from .raw_columns import column_relevance
from .settings import Settings
from .stream_pipeline import StreamPipeline
from .training import Training, TrainingProgress

__all__ = [
    "RunResult",
    "Settings",
    "StreamPipeline",
    "Training",
    "TrainingProgress",
    "column_relevance",
    "load",
    "run",
]
