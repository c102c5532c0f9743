"""A Dask cluster of two processes on this machine."""

import pytest

from kernelstream.distributed import local_cluster


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    # any free port for the dashboard: tests of other modules may run at the same time
    with local_cluster(2, dashboard_address=":0", silence_logs=50) as cluster, distributed.Client(cluster) as client:
        yield client
