"""Z. Wang, K. Crammer & S. Vucetic, "Multi-class Pegasos on a budget", ICML 2010, table 1: mean 0 and deviation 1.

usps has 7,000 rows to learn from, as printed, drawn from all 9,298: its own split has 7,291, and test rows so much
harder that nothing reaches the printed figures there. letter is cut as UCI recommends; of covtype 500,000 rows are
drawn once for all. The paper does not give the board's size: 4 × 4 here. Test rows of the streams: 50,000.
"""

from .._checkerboard import checkerboard
from .._waveform import waveform
from .rows import AtRandom, Drawn, InOrder
from .scaling import standard
from .version import Version

VERSIONS = {
    "usps": Version(AtRandom("usps", 7_000), standard),
    "letter": Version(InOrder("letter", 16_000), standard),
    "covtype": Version(AtRandom("covtype", 500_000, seed=0), standard),
    "waveform": Version(Drawn(waveform, 2_000_000, 50_000), standard),
    "checkerboard": Version(Drawn(checkerboard, 10_000_000, 50_000), standard),
}
