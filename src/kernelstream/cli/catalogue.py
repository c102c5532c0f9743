"""What there is to choose from, in words. The recipes themselves are not imported, because that takes a second."""

from typing import NamedTuple

FORMATS = ("csv", "tsv", "jsonl", "libsvm", "parquet", "numpy")
KERNELS = (
    "gaussian", "laplacian", "cauchy", "polynomial", "linear", "matern32", "matern52", "rational_quadratic",
)  # fmt: skip
LOSSES = (
    "hinge", "squared_hinge", "logistic", "exponential", "crammer_singer", "multinomial", "squared", "absolute",
    "epsilon_insensitive", "huber", "quantile", "perceptron",
)  # fmt: skip


class Entry(NamedTuple):
    """A recipe."""

    what: str
    paper: str


CATALOGUE = {
    "default": Entry("merging, then a second-order refit of the coefficients", "ours, after BSGD"),
    "kernel_sgd": Entry("gradient descent in the RKHS, no budget", "Kivinen, Smola & Williamson 2004"),
    "pegasos": Entry("the same, and a projection on a ball", "Shalev-Shwartz, Singer & Srebro 2007"),
    "bsgd": Entry("a budget, kept by removal, projection or merging", "Wang, Crammer & Vucetic 2010, 2012"),
    "nbsgd": Entry("a budget kept on the toss of a coin", "Le, Nguyen, Nguyen & Phung 2016"),
    "polk": Entry("as few support vectors as a tolerance allows", "Koppel, Warnell, Stump & Ribeiro 2017"),
    "olk": Entry("online gradient descent in a ball", "He & Kwok 2014"),
    "olru": Entry("random updating", "He & Kwok 2014"),
    "olrd": Entry("random discarding", "He & Kwok 2014"),
    "oskl": Entry("seldom admits what is classified well", "Zhang, Yi, Jin, Lin & He 2013"),
    "perceptron": Entry("on a mistake, add the example", "Freund & Schapire 1999"),
    "rbp": Entry("the same, a random one goes first", "Cavallanti, Cesa-Bianchi & Gentile 2007"),
    "forgetron": Entry("shrink, then forget the oldest", "Dekel, Shalev-Shwartz & Singer 2008"),
    "projectron": Entry("project what is nearly dependent", "Orabona, Keshet & Caputo 2009"),
    "pa": Entry("passive-aggressive, I and II", "Crammer, Dekel, Keshet, Shalev-Shwartz & Singer 2006"),
    "bpa": Entry("passive-aggressive on a budget", "Wang & Vucetic 2010"),
    "norma": Entry("decay, and drop the oldest", "Kivinen, Smola & Williamson 2004"),
    "bogd": Entry("gradient descent with random discarding", "Zhao, Wang, Wu, Jin & Hoi 2012"),
    "sparse_klr": Entry("logistic regression that skips at random", "Zhang, Jin, Chen, Bu & He 2012"),
    "krls": Entry("recursive least squares, for regression", "Engel, Mannor & Meir 2004"),
    "fogd": Entry("gradient descent on random Fourier features", "Lu, Hoi, Wang, Zhao & Liu 2016"),
    "nogd": Entry("gradient descent on Nyström features", "Lu, Hoi, Wang, Zhao & Liu 2016"),
}
