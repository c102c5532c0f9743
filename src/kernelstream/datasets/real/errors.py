"""What goes wrong with data sets from elsewhere."""


class DataUnavailable(OSError):
    """A data set is neither on this machine nor could it be had, or is not the one that was expected."""
