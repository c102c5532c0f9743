"""Clusters of Dask: the one that was given, or one on this machine."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

MISSING = "Distributed training needs Dask: pip install 'kernelstream[dask]'"
# Every process of a cluster looks at its event loop 50 times a second, at its memory twice, and at what its threads do
# 100 times. Beside tasks of some tenths of a second that compute all the time, with no core to spare, that costs more
# than it tells (the housekeeping in `python -m benchmarks.dask_phases`).
QUIET: Mapping[str, Any] = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
}


def local_cluster(workers: int, **options: Any) -> Any:
    """A cluster of processes on this machine with one thread each, which do little besides their tasks.

    Parameters
    ----------
    workers : int
        The number of processes.
    **options : object
        Further options of `distributed.LocalCluster`.
    """
    distributed = _imported()
    import dask

    with dask.config.set(QUIET):
        return distributed.LocalCluster(n_workers=workers, threads_per_worker=1, **options)


@contextmanager
def connected(client: Any) -> Iterator[Any]:
    """The given client, or this process's current one, or a temporary one of a cluster on this machine."""
    distributed = _imported()
    if client is None:
        try:
            client = distributed.get_client()
        except ValueError:  # there is none
            from dask.system import CPU_COUNT

            # any free port for the dashboard: Dask warns if the usual one is taken
            with local_cluster(CPU_COUNT, dashboard_address=":0") as cluster, distributed.Client(cluster) as own:
                yield own
            return
    yield client


def _imported() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise ImportError(MISSING) from error
    return distributed
