"""Load a data set as a paper had it."""

from ..real.names import UNAVAILABLE, known, plain
from . import bpegasos, nbsgd, olrd, oskl, polk
from . import plain as default
from .version import Split, Version

PAPERS: dict[str | None, dict[str, Version]] = {
    None: default.VERSIONS,
    "bpegasos": bpegasos.VERSIONS,
    "nbsgd": nbsgd.VERSIONS,
    "olrd": olrd.VERSIONS,
    "oskl": oskl.VERSIONS,
    "polk": polk.VERSIONS,
}


def load(name: str, paper: str | None = None, seed: int = 0, rows: int | None = None) -> Split:
    """A data set, split and scaled: in a plain way, or as a paper had it.

    Parameters
    ----------
    name : str
        As for :func:`fetch`; ``"waveform"``, ``"checkerboard"`` and ``"mixture"`` too, where the paper has them. Names
        of the papers' tables, such as covertype, adult, magic and skin, are understood.
    paper : {"bpegasos", "nbsgd", "olrd", "oskl", "polk"}, optional
        Whose rows, labels and scales. Without one: the set's own split, or 80 % of the rows at random to learn from;
        features (and targets of regressions) with mean 0 and deviation 1, except where that would do harm.
    seed : int, default=0
        Of random splits and of synthetic streams. Sets with a split of their own do not depend on it, nor does
        covtype of bpegasos and olrd, whose rows are drawn once for all.
    rows : int, optional
        At most so many rows to learn from, drawn by the seed, in their order. The scales are those of all rows, except
        with synthetic streams, of which the first are given and no more drawn than is asked for.

    Returns
    -------
    Split
        ``X_train``, ``y_train``, ``X_test``, ``y_test``. Features are C-contiguous float32; labels are −1 and +1 if
        there are two, 0 to c − 1 if there are more; targets are float64. Online experiments have no test rows. Rows
        of random splits come in random order, others in the order of their files: permute them for repeated runs.

    Examples
    --------
    >>> from kernelstream.datasets import load
    >>> split = load("mixture", paper="polk")
    >>> split.X_train.shape, split.X_test.shape, split.y_train[:5].tolist()
    ((5000, 2), (2500, 2), [3, 4, 2, 4, 4])
    """
    if rows is not None and rows < 1:
        raise ValueError(f"rows={rows} leaves nothing to learn from: use 1 or more, or None for all.")
    return _version(name, paper).split(seed, rows)


def _version(name: str, paper: str | None) -> Version:
    key = paper if paper is None else paper.strip().lower()
    if key not in PAPERS:
        papers = ", ".join(repr(other) for other in PAPERS if other)
        raise ValueError(f"There is no experiment called {paper!r}: use one of {papers}, or None for a plain split.")
    versions, name_here = PAPERS[key], plain(name)
    if name_here in versions:
        return versions[name_here]
    if name_here in UNAVAILABLE:
        known(name)
    whose = "a plain split" if key is None else f"the experiments of {key}"
    others = " or ".join(repr(paper) for paper, versions in PAPERS.items() if paper and name_here in versions)
    hint = f", or paper={others} for {name!r}" if others else ""
    raise ValueError(f"There is no {name!r} for {whose}: use one of {', '.join(versions)}{hint}.")
