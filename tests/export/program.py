"""A header compiled by the strictest of compilers, and run."""

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

GCC = shutil.which("gcc")
_STRICT = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-shared", "-fPIC")
_CLASSES = "m_probabilities(x + i * M_FEATURES, p + i * M_CLASSES); l[i] = m_predict(x + i * M_FEATURES);"
_NOTHING = "(void)p; (void)l;"
_PROGRAM = """#include "m.h"
void run(const float *x, float *s, float *p, int *l, int n);
void run(const float *x, float *s, float *p, int *l, int n)
{{
    int i;
    for (i = 0; i < n; i++) {{ m_scores(x + i * M_FEATURES, s + i * M_SCORES); {more} }}
}}
"""


class Answers(NamedTuple):
    scores: np.ndarray
    probabilities: np.ndarray
    chosen: np.ndarray  # the index of the class


def run_header(text: str, X: np.ndarray, scores: int, classes: int, folder: Path) -> Answers:
    """What a header whose names begin with m says of rows; without classes, scores alone."""
    folder = Path(tempfile.mkdtemp(dir=folder))  # a library is loaded once under its name
    (folder / "m.h").write_text(text)
    (folder / "program.c").write_text(_PROGRAM.format(more=_CLASSES if classes else _NOTHING))
    library = folder / "program.so"
    subprocess.run([str(GCC), *_STRICT, "-o", library, folder / "program.c", "-lm"], check=True)
    X, n = np.ascontiguousarray(X, np.float32), len(X)
    s, p, index = np.zeros((n, scores), np.float32), np.zeros((n, classes), np.float32), np.zeros(n, np.intc)
    run = ctypes.CDLL(str(library)).run
    run(*(ctypes.c_void_p(a.ctypes.data) for a in (X, s, p, index)), n)
    return Answers(s, p, index)
