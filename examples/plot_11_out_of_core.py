"""
A file larger than the memory for its rows
==========================================

This example writes a CSV file of a million rows and trains on it. The file is read in blocks, so memory does not
depend on its length: it holds a block of rows and a model of 100 support vectors, a few kilobytes. (``kernelstream
train big.csv --in-order`` does the same on the command line. Without ``--in-order`` it shuffles the rows of files,
which helps if they are sorted, within ``--shuffle-memory``.)

Left, the text that has been read, and how much the memory of the process has changed since the first rows were
learned. Right, the accuracy of predictions that were made before their rows were learned; 5 % of the labels are
wrong.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from kernelstream import StreamPipeline
from kernelstream.datasets import checkerboard

plt.style.use("kernelstream.plot.gallery")

MB, ROWS = 1e6, 1_000_000
path = Path(tempfile.mkdtemp()) / "big.csv"
with path.open("w") as file:
    file.write("height,width,label\n")
    for start in range(0, ROWS, 100_000):
        X, y = checkerboard(100_000, noise=0.05, start=start)
        np.savetxt(file, np.column_stack([X, y]), ["%.6f", "%.6f", "%d"], ",")


def used_memory():
    """Bytes of this process, where the system tells (Linux); else not a number."""
    pages = Path("/proc/self/statm")
    return int(pages.read_text().split()[1]) * 4096 if pages.exists() else np.nan


seen = []
StreamPipeline.train(
    path, shuffle=False, scale="none", gamma=4.0, budget=100,
    watch=lambda now: seen.append((now.examples, now.fraction, used_memory(), now.window, now.support)),
)  # fmt: skip
rows, fraction, memory, window, support = np.array([point for point in seen if point[0]]).T
text = fraction * path.stat().st_size / MB
print(f"{rows[-1]:,.0f} rows, {text[-1]:.0f} MB of text, {support[-1]:.0f} support vectors")

figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3.6))
left.plot(rows / 1e6, text, label="text read")
left.plot(rows / 1e6, (memory - memory[0]) / MB, label="change of memory")
left.set(title="Megabytes", xlabel="million rows")
left.legend()
right.plot(rows / 1e6, 100 * window)
right.set(title="Accuracy of recent rows in %", xlabel="million rows", ylim=(50, 100))
plt.show()
