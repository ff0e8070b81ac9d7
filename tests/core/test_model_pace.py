"""The limit of requests per minute at an endpoint of models, kept by all workers together."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from pathlib import Path

import pytest

from core import desk_network
from core.settings import Settings
from core.store import Store
from tests.postgresql import MISSING, postgresql_server

PER_MINUTE, WORKERS, EACH = 1_200, 3, 4


@pytest.mark.skipif(MISSING and not os.environ.get("CI"), reason="PostgreSQL is not installed")
def test_workers_on_several_machines_share_the_limit_by_their_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments: list[float] = []
    with postgresql_server() as server:
        stores = [Store(server.url) for _ in range(WORKERS)]
        paces = []
        for number, store in enumerate(stores):  # a machine has its own file of the pace
            monkeypatch.setattr(tempfile, "gettempdir", lambda own=number: str(tmp_path / str(own)))
            settings = Settings(tmp_path, model_per_minute=PER_MINUTE, database_url=server.url)
            paces.append(
                desk_network.model_pace(settings, store.project.turn, "http://127.0.0.1:9/v1")
            )
        assert len({pace.paces[0].file for pace in paces}) == WORKERS

        def ask(pace: desk_network.JointPace) -> None:
            for _ in range(EACH):
                pace.wait()
                moments.append(time.time())

        threads = [threading.Thread(target=ask, args=(pace,)) for pace in paces]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        for store in stores:
            store.close()
    assert len(moments) == WORKERS * EACH
    assert max(moments) - min(moments) >= (WORKERS * EACH - 1) * 60 / PER_MINUTE * 0.9
