"""Load a data set, split and scaled by default or as in a paper."""

from ..real.fetching import UNAVAILABLE, canonical_name, find_set
from .protocols import PAPERS
from .splits import PaperProtocol, Split


def load(name: str, paper: str | None = None, seed: int = 0, rows: int | None = None) -> Split:
    """A data set, split and scaled: by default, or as in a paper.

    Parameters
    ----------
    name : str
        As for :func:`fetch`; also ``"waveform"``, ``"checkerboard"`` and ``"mixture"``, if the paper uses them. The
        papers' names, such as covertype, adult, magic and skin, work too.
    paper : {"bpegasos", "nbsgd", "olrd", "oskl", "polk"}, optional
        Whose rows, labels and scaling to use. Default: the set's own split, or 80 % of the rows at random for training;
        features (and targets of regressions) with mean 0 and standard deviation 1, except where that does harm.
    seed : int, default=0
        Seed of random splits and of synthetic streams. Sets with their own split do not depend on it, nor does
        covtype of bpegasos and olrd, whose rows are drawn with a fixed seed.
    rows : int, optional
        Maximum number of training rows, drawn with the seed, in their order. Scales are computed on all training rows,
        except with synthetic streams, of which only the first `rows` are generated.

    Returns
    -------
    Split
        ``X_train``, ``y_train``, ``X_test``, ``y_test``. Features are C-contiguous float32; labels are −1 and +1 for
        two classes, 0 to c − 1 for more; targets are float64. Online experiments have no test rows. Rows of random
        splits are in random order, others in the order of the file: permute them for repeated runs.

    Examples
    --------
    >>> from kernelstream.datasets import load
    >>> split = load("mixture", paper="polk")
    >>> split.X_train.shape, split.X_test.shape, split.y_train[:5].tolist()
    ((5000, 2), (2500, 2), [3, 4, 2, 4, 4])
    """
    if rows is not None and rows < 1:
        raise ValueError(f"rows={rows} leaves no training rows: use 1 or more, or None for all.")
    return _protocol(name, paper).split(seed, rows)


def _protocol(name: str, paper: str | None) -> PaperProtocol:
    key = paper if paper is None else paper.strip().lower()
    if key not in PAPERS:
        papers = ", ".join(repr(other) for other in PAPERS if other)
        raise ValueError(f"unknown paper {paper!r}. Available: {papers}, or None for the default split.")
    protocols, canonical = PAPERS[key], canonical_name(name)
    if canonical in protocols:
        return protocols[canonical]
    if canonical in UNAVAILABLE:
        find_set(name)
    whose = "without a paper" if key is None else f"for paper={key!r}"
    others = " or ".join(repr(paper) for paper, sets in PAPERS.items() if paper and canonical in sets)
    hint = f" {name!r} is available with paper={others}." if others else ""
    raise ValueError(f"unknown data set {name!r} {whose}. Available: {', '.join(protocols)}.{hint}")
