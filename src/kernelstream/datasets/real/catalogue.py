"""The data sets that are known."""

from .from_elsewhere import CADATA, COVTYPE, ELECTRICITY, LETTER, MAGIC04, SPACE_GA, USPS
from .from_libsvm import A9A, ABALONE, DNA, IJCNN1, LETTER_SCALED, PENDIGITS, SKIN
from .known import Known

_BINARY = (A9A, IJCNN1, SKIN, MAGIC04, ELECTRICITY)
_MULTICLASS = (COVTYPE, LETTER, LETTER_SCALED, USPS, DNA, PENDIGITS)
_REGRESSION = (CADATA, SPACE_GA, ABALONE)

SETS: dict[str, Known] = {known.name: known for known in (*_BINARY, *_MULTICLASS, *_REGRESSION)}
