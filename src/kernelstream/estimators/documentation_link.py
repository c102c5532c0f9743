"""The link to the documentation in the HTML representation of estimators, which notebooks show."""

from sklearn.base import BaseEstimator

SITE: str | None = None  #: the address of the published documentation; while there is none, nothing is linked


class LinkedEstimator(BaseEstimator):
    """scikit-learn's estimator, linked to its page in our documentation, where that is published."""

    def _get_doc_link(self) -> str:
        """Called by scikit-learn; without a link, it is empty."""
        ours = type(self).__module__.startswith(f"{__name__.partition('.')[0]}.")
        return f"{SITE}/{type(self).__name__}.html" if SITE and ours else ""
