"""
Digits in 2 to 64 KB on a device
================================

A microcontroller has little memory and no Python. ``deploy="64 KB"`` fits a model whose exported tables have at most
this size, with as many support vectors as that holds, in float32 or in bytes (int8), whichever is more accurate.
``export.c.header`` then writes a C99 header: constant tables and functions that allocate nothing and need only
``math.h``.

The program below, compiled with gcc, classifies handwritten digits that the model has not seen. C and Python agree,
and 16 KB are enough for these digits.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from kernelstream import KernelClassifier
from kernelstream.export.c import header

plt.style.use("kernelstream.plot.gallery")

PROGRAM = r"""#include <stdio.h>
#include "digits.h"
int main(void) {
    float x[DIGITS_FEATURES];
    while (fread(x, sizeof x, 1, stdin) == 1) printf("%d\n", (int)digits_labels[digits_predict(x)]);
}"""


def predict_in_c(text, rows):
    folder = Path(tempfile.mkdtemp())
    for name, content in [("digits.h", text), ("main.c", PROGRAM)]:
        (folder / name).write_text(content)
    subprocess.run(["gcc", "-O2", "-o", folder / "digits", folder / "main.c", "-lm"], check=True)
    found = subprocess.run([folder / "digits"], input=rows.astype("float32").tobytes(), capture_output=True, check=True)
    return np.array(found.stdout.split(), int)


X, X_test, y, y_test = train_test_split(*load_digits(return_X_y=True), random_state=0)
sizes, scores = [2, 4, 16, 64], {"Python": [], "C program": []}
for size in sizes:
    model = KernelClassifier(deploy=f"{size} KB", random_state=0).fit(X, y)
    found = predict_in_c(header(model, name="digits"), X_test) if shutil.which("gcc") else model.predict(X_test)
    scores["Python"].append(100 * model.score(X_test, y_test))
    scores["C program"].append(100 * np.mean(found == y_test))
    print(f"{size} KB: {model.n_support_} support vectors in {model.deploy_.dtype}")

figure, ax = plt.subplots(figsize=(7, 3.6))
for i, (name, values) in enumerate(scores.items()):
    bars = ax.bar(np.arange(len(sizes)) + 0.4 * i - 0.2, values, 0.36, label=name, hatch="//" * i, edgecolor="white")
    ax.bar_label(bars, fmt="%.1f", padding=2)
ax.set_xticks(range(len(sizes)), [f"{size} KB" for size in sizes])
ax.set(title="Handwritten digits: test accuracy in % within a size", ylim=(50, 112), yticks=range(50, 101, 10))
ax.legend(loc="upper left", ncols=2)
plt.show()
