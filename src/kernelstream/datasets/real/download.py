"""Download data sets. A file enters the cache only after its content was checked."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ..array_types import Floats
from .data_set import DataFile, DataSetInfo, DataUnavailable, Origin
from .file_formats import parse_and_check
from .local_files import cache_arrays, cache_folder, in_cache

TIMEOUT = 30  # seconds without data


def download(info: DataSetInfo, file: DataFile) -> tuple[Floats, NDArray]:
    """The arrays of a file from the first of its origins that works."""
    pooch = _pooch()
    tried = []
    for origin in file.origins:
        try:
            return _from(origin, info, file, pooch)
        except OSError as error:
            tried.append(f"{origin.url} ({error})")
    raise DataUnavailable(
        f"The data set {info.name} could not be downloaded: {'; '.join(tried)}. Try again with a network connection, "
        f"or put {file.file} (LIBSVM text, bzip2) into a folder and set KERNELSTREAM_DATA to it."
    )


def _from(origin: Origin, info: DataSetInfo, file: DataFile, pooch: Any) -> tuple[Floats, NDArray]:
    target = in_cache(origin)
    target.parent.mkdir(parents=True, exist_ok=True)
    # in the same file system, so that moving it is atomic
    with tempfile.TemporaryDirectory(prefix="download-", dir=cache_folder()) as folder:
        path = Path(folder) / origin.file
        _download_file(origin, path, pooch)
        X, y = parse_and_check(path, origin.parse, info, file)
        path.replace(target)
    cache_arrays(target, X, y)
    return X, y


def _pooch() -> Any:
    try:
        import pooch
    except ImportError as error:
        raise ImportError('Data sets are downloaded with pooch: pip install "kernelstream[data]"') from error
    return pooch


def _download_file(origin: Origin, path: Path, pooch: Any) -> None:
    import requests  # a dependency of pooch

    try:
        with _progress_bar(origin.file) as progress:
            pooch.HTTPDownloader(progressbar=progress, chunk_size=65_536, timeout=TIMEOUT)(origin.url, str(path), None)
    except requests.HTTPError as error:
        raise DataUnavailable(f"the server returned status {getattr(error.response, 'status_code', error)}") from error
    except (requests.ConnectionError, requests.Timeout) as error:
        raise DataUnavailable("no connection") from error
    except requests.RequestException as error:
        raise DataUnavailable("the connection was interrupted") from error
    if origin.sha256 and (found := pooch.file_hash(str(path))) != origin.sha256:
        raise DataUnavailable(f"its SHA-256 is {found}, not {origin.sha256}")


class DownloadBar:
    """A progress bar for pooch, which sets `total` and calls the methods."""

    total = 0

    def __init__(self, progress: Any, text: str):
        self.progress, self.task = progress, progress.add_task(text, total=None)

    def update(self, count: int) -> None:
        self.progress.update(self.task, total=self.total or None, advance=count)

    def reset(self) -> None:
        self.progress.reset(self.task)

    def close(self) -> None:
        self.progress.refresh()


@contextmanager
def _progress_bar(text: str) -> Iterator[DownloadBar | bool]:
    """A progress bar, or False without a terminal or without rich."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn
    except ImportError:
        yield False
        return
    console = Console(stderr=True)
    if not console.is_terminal:
        yield False
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=console) as progress:
        yield DownloadBar(progress, text)
