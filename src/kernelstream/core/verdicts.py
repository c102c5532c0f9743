"""What an admission rule may answer."""

SKIP = 0  # nothing is added
ADD = 1  # a new support vector
FOLD = 2  # spread over the support vectors that are there
