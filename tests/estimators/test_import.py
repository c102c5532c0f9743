"""The estimators are public, but `import kernelstream` does not wait for scikit-learn."""

import subprocess
import sys

import pytest

import kernelstream


def test_scikit_learn_is_imported_on_first_use():
    code = "import sys, kernelstream; assert 'sklearn' not in sys.modules; kernelstream.KernelRegressor.fit"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_names():
    assert {"KernelClassifier", "KernelRegressor"} <= set(dir(kernelstream)) & set(kernelstream.__all__)
    with pytest.raises(AttributeError, match="module 'kernelstream' has no attribute 'KernelGuesser'"):
        kernelstream.KernelGuesser  # noqa: B018
