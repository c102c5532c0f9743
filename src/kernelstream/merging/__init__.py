"""Model merging: one model from several that learned separately, and the reverse, `split`.

The mean of their functions is projected onto one budget of support vectors. (Support-vector merging, which replaces two
support vectors of one model by one, is `kernelstream.maintenance.Merge`.)
"""

from .model_merging import Merged, merge
from .model_splitting import split

__all__ = ["Merged", "merge", "split"]
