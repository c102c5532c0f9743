"""A. Koppel, G. Warnell, E. Stump & A. Ribeiro, "Parsimonious online learning with kernels via sparse projections in
function space", ICASSP 2017: a mixture of Gaussians in the plane, five classes."""

from .._mixture import gaussian_mixture
from .rows import Drawn
from .version import Version

VERSIONS = {"mixture": Version(Drawn(gaussian_mixture, 5_000, 2_500))}
