"""W. He & J. T. Kwok, "Simple randomized algorithms for online learning with kernels", Neural Networks 2014.

Online, so there are no test rows. covtype is class 2 against the rest, 100,000 rows drawn once for all, in [0, 1]. The
paper merges two classes of waveform and does not say which: here they are 1 and 2, against class 0.
"""

from .._waveform import waveform
from .rows import AtRandom, Drawn, Online
from .scaling import as_they_are, unit
from .targets import against_rest
from .version import Version

VERSIONS = {
    "a9a": Version(Online("a9a")),
    "ijcnn1": Version(Online("ijcnn1")),
    "covtype": Version(AtRandom("covtype", 100_000, test=0, seed=0), unit, against_rest(2)),
    "waveform": Version(Drawn(waveform, 100_000, 0), as_they_are, against_rest(0)),
}
