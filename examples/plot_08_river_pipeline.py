"""
A pipeline of River
===================

The estimators of ``kernelstream.river`` take dicts, one row at a time, and work in River's pipelines, metrics and
drift detectors (``pip install "kernelstream[river]"``). Here, a sensor reports a temperature in °C and a machine; the
alarm depends on the temperature, non-linearly, and on the machine. Half way, the sensors are recalibrated to °F.

The pipeline one-hot encodes the machine and passes on the temperature. ``KernelClassifier`` scales features inside,
by their running deviation, so it needs no scaler and survives the change of units after a short time. Logistic
regression with the usual scaler cannot express "too cold or too hot".
"""

from collections import deque

import matplotlib.pyplot as plt
import numpy as np
from river import compose, linear_model, preprocessing

from kernelstream.river import KernelClassifier

plt.style.use("kernelstream.plot.gallery")

rng = np.random.default_rng(0)
rows = []
for i in range(6000):
    celsius, machine = rng.uniform(0.0, 40.0), rng.choice(["press", "oven"])
    low, high = (5.0, 25.0) if machine == "press" else (15.0, 35.0)
    rows.append(({"t": celsius if i < 3000 else 1.8 * celsius + 32.0, "machine": machine}, not low < celsius < high))


def encoded(numeric):
    return (compose.Select("t") | numeric) + (compose.Select("machine") | preprocessing.OneHotEncoder())


learners = {
    "kernelstream": encoded(compose.FuncTransformer(dict)) | KernelClassifier(budget=100, seed=1),
    "logistic regression": encoded(preprocessing.StandardScaler()) | linear_model.LogisticRegression(),
}
figure, ax = plt.subplots()
for name, model in learners.items():
    recent, curve = deque(maxlen=300), []
    for x, alarm in rows:
        recent.append(alarm == (model.predict_one(x) or False))
        model.learn_one(x, alarm)
        curve.append(100 * np.mean(recent))
    ax.plot(range(300, len(rows)), curve[300:], label=name)
ax.annotate("°C becomes °F", (3000, 30), (3050, 30), fontsize=10)
ax.axvline(3000, color="#222222", linewidth=1, linestyle="--")
ax.set(title="Accuracy of the last 300 rows", xlabel="row", ylabel="accuracy in %", ylim=(25, 102))
ax.legend(loc="center left")
plt.show()
