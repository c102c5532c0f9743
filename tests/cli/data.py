"""Files to learn from, and the command in this process."""

import json

import numpy as np
import pandas as pd
from typer.testing import CliRunner

from kernelstream.cli.app import app
from kernelstream.datasets import checkerboard, waveform

# values of parameters cost nothing: the composition is that of the estimators' tests
LEARN = ["--gamma", "4", "--budget", "40", "--scale", "none"]


def kernelstream(*arguments, input=None):
    """Run the command; an exception that is not caught there is a failure here."""
    return CliRunner().invoke(app, [str(a) for a in arguments], input=input, catch_exceptions=False)


def succeed(*arguments, input=None):
    result = kernelstream(*arguments, input=input)
    assert result.exit_code == 0, result.output
    return result.stdout


def told(*arguments, input=None):
    """What the command says as JSON."""
    return json.loads(succeed(*arguments, "--json", input=input))


def board(rows=2000, seed=0, words=True):
    """Two numbers that decide, a word that does not, and labels."""
    X, y = checkerboard(rows, seed=seed)
    frame = pd.DataFrame(X, columns=["a", "b"])
    if words:
        frame["colour"] = np.random.default_rng(seed).choice(["red", "blue", "green"], rows, p=[0.96, 0.02, 0.02])
    return frame.assign(y=np.where(y > 0, "white", "black"))


def waves(rows=300):
    X, y = waveform(rows, seed=0)
    return pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])]).assign(y=y)


def write(frame, path):
    """In the format of its suffix; LIBSVM and NumPy take no words."""
    numbers = frame.select_dtypes("number")
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in frame.to_dict("records")))
    elif path.suffix == ".parquet":
        frame.to_parquet(path, row_group_size=700)
    elif path.suffix == ".svm":
        # with every digit
        rows = zip(frame["y"], numbers.drop(columns="y", errors="ignore").to_numpy(), strict=True)
        texts = ((y, " ".join(f"{i + 1}:{v!r}" for i, v in enumerate(x.tolist()))) for y, x in rows)
        path.write_text("".join(f"{y} {text}\n" for y, text in texts))
    elif path.suffix == ".npz":
        np.savez(path, X=numbers.to_numpy(), y=frame["y"].to_numpy(str))
    return path
