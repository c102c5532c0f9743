"""A Dask cluster of two processes on this machine."""

import pytest


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    # any free port for the dashboard: tests of other modules may run at the same time
    given = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
    with distributed.LocalCluster(**given) as cluster, distributed.Client(cluster) as client:
        yield client
