"""The decisions of an admission rule."""

SKIP = 0  # nothing is added
ADD = 1  # a new support vector
FOLD = 2  # projected onto the existing support vectors
