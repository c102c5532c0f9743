"""From files and standard input to trained models: the command line's `train` and `predict`, for programs.

>>> import pathlib, tempfile
>>> from kernelstream.datasets import checkerboard
>>> from kernelstream.pipeline import Settings, StreamPipeline, Training, run
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> X, y = checkerboard(2000, seed=0)
>>> _ = (folder / "board.csv").write_text("a,b,y\\n" + "".join(f"{a},{b},{c}\\n" for (a, b), c in zip(X, y)))
>>> settings = Settings(parameters={"gamma": 4.0, "budget": 50}, scale="none")
>>> training = Training.start([str(folder / "board.csv")], settings)
>>> result = run(training, folder / "board.ks", checkpoint_every=0, watch=lambda progress: None)
>>> pipeline = StreamPipeline.load(folder / "board.ks")
>>> pipeline.curve.now.examples, pipeline.estimator.n_support_
(2000, 50)
"""

from .checkpointing import RunResult, run
from .raw_columns import column_relevance
from .settings import Settings
from .stream_pipeline import StreamPipeline
from .training import Training, TrainingProgress

__all__ = ["RunResult", "Settings", "StreamPipeline", "Training", "TrainingProgress", "column_relevance", "run"]
