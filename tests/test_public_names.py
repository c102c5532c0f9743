"""What is public and slow to import is imported on first use: `import kernelstream` waits for none of it."""

import subprocess
import sys

import pytest

import kernelstream


def test_slow_imports_come_on_first_use():
    code = """if True:
        import sys, kernelstream
        assert not {"sklearn", "safetensors", "matplotlib", "kernelstream.evaluate"} & set(sys.modules)
        kernelstream.datasets.fetch, kernelstream.datasets.load
        assert not {"sklearn", "pooch", "rich"} & set(sys.modules)
        kernelstream.KernelRegressor.fit, kernelstream.save, kernelstream.saving.describe
        kernelstream.evaluate.progressive
        assert "matplotlib" not in sys.modules
        kernelstream.plot.FrontierDisplay
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_names():
    later = {"KernelClassifier", "KernelRegressor", "evaluate", "saving", "load", "plot", "save"}
    assert later <= set(dir(kernelstream)) & set(kernelstream.__all__)
    assert all(getattr(kernelstream, name) is not None for name in kernelstream.__all__)
    with pytest.raises(AttributeError, match="module 'kernelstream' has no attribute 'KernelGuesser'"):
        kernelstream.KernelGuesser  # noqa: B018
