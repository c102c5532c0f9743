"""From files and pipes to a model: what the command line does, for programs.

>>> import pathlib, tempfile
>>> from kernelstream.datasets import checkerboard
>>> from kernelstream.pipeline import Settings, StreamPipeline, Training, run
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> X, y = checkerboard(2000, seed=0)
>>> _ = (folder / "board.csv").write_text("a,b,y\\n" + "".join(f"{a},{b},{c}\\n" for (a, b), c in zip(X, y)))
>>> settings = Settings(parameters={"gamma": 4.0, "budget": 50}, scale="none")
>>> training = Training.start([str(folder / "board.csv")], settings)
>>> outcome = run(training, folder / "board.ks", checkpoint_every=0, watch=lambda news: None)
>>> trained = StreamPipeline.load(folder / "board.ks")
>>> trained.curve.now.examples, trained.estimator.n_support_
(2000, 50)
"""

from .run import Outcome, run
from .settings import Settings
from .stream_pipeline import StreamPipeline
from .training import News, Training

__all__ = ["News", "Outcome", "Settings", "StreamPipeline", "Training", "run"]
