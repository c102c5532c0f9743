"""Rows from the web. A file enters the cache when its rows are known to be right, and not before."""

import tempfile
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from .._types import Floats
from .bar import bar
from .cache import cache_folder, keep
from .errors import DataUnavailable
from .known import Known, Origin, Part
from .places import in_cache
from .reading import parsed

TIMEOUT = 30  # seconds without a byte


def downloaded(whole: Known, part: Part) -> tuple[Floats, NDArray]:
    """The rows of a part from the first of its origins that has them."""
    pooch = _pooch()
    tried = []
    for origin in part.origins:
        try:
            return _from(origin, whole, part, pooch)
        except OSError as error:
            tried.append(f"{origin.url} ({error})")
    raise DataUnavailable(
        f"The data set {whole.name} could not be downloaded: {'; '.join(tried)}. Either run once with a network that "
        f"reaches one of them, or put {part.file} (LIBSVM text, bzip2) into a folder that KERNELSTREAM_DATA names."
    )


def _from(origin: Origin, whole: Known, part: Part, pooch: Any) -> tuple[Floats, NDArray]:
    target = in_cache(origin)
    target.parent.mkdir(parents=True, exist_ok=True)
    # beside the place where it goes, so that moving it there is one step
    with tempfile.TemporaryDirectory(prefix="download-", dir=cache_folder()) as aside:
        path = Path(aside) / origin.file
        _download(origin, path, pooch)
        X, y = parsed(path, origin.read, whole, part)
        path.replace(target)
    keep(target, X, y)
    return X, y


def _pooch() -> Any:
    try:
        import pooch
    except ImportError as error:
        raise ImportError('Data sets are downloaded with pooch: pip install "kernelstream[data]"') from error
    return pooch


def _download(origin: Origin, path: Path, pooch: Any) -> None:
    import requests  # pooch brings it

    try:
        with bar(origin.file) as progress:
            pooch.HTTPDownloader(progressbar=progress, chunk_size=65_536, timeout=TIMEOUT)(origin.url, str(path), None)
    except requests.HTTPError as error:
        raise DataUnavailable(f"the server answers {getattr(error.response, 'status_code', error)}") from error
    except (requests.ConnectionError, requests.Timeout) as error:
        raise DataUnavailable("it cannot be reached") from error
    except requests.RequestException as error:
        raise DataUnavailable("it broke off") from error
    if origin.sha256 and (found := pooch.file_hash(str(path))) != origin.sha256:
        raise DataUnavailable(f"its SHA-256 is {found}, not {origin.sha256}")
