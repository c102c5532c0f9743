"""What `@strategy` refuses."""

import subprocess
import sys

import kernelstream.estimators
from kernelstream.core.numba.lowering import LOWERED
from kernelstream.core.strategy import RESERVED

EARLY = """
import sys
from kernelstream.core.strategy import Strategy, strategy
assert "kernelstream.steps" not in sys.modules
try:
    @strategy
    class Mine(Strategy):
        rate: float = 1.0
except TypeError as error:
    print(error)
"""


def test_reserved_names_are_the_methods_of_all_slots():
    assert kernelstream.estimators  # imports every slot
    own = {name for name, arguments in LOWERED.items() if name in RESERVED}
    assert own == RESERVED


def test_a_reserved_name_is_refused_whatever_has_been_imported():
    done = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, text=True, check=True)
    assert "the parameter 'rate' has the name of a method of strategies" in done.stdout
