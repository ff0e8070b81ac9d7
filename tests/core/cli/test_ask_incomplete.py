"""`ask --send` and `--send-incomplete` of an answer that was not read to its end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.desk import Desk, open_desk
from core.ncbi.address import NcbiAddresses
from core.settings import Settings
from tests.core.cli.test_model_runs import run
from tests.core.genes.kinds.test_tie import ASKED, forms
from tests.core.genes.strategies.test_today import Served, gene
from tests.core.ncbi.conftest import answering
from tests.core.services.extracting import CURATOR

__all__ = ["answering"]


@pytest.fixture
def desk(answering: Callable[..., NcbiAddresses], tmp_path: Path) -> Iterator[Desk]:
    """A desk whose NCBI counts 700 entries and sends one."""
    served = Served(answering)
    served.links = {"100101": ["1", "2"]}
    served.searches = {"made up disease": {"count": "700"}}
    records = {"omim": forms(1), "gene": [gene("1", "AAA1"), gene("2", "BBB1")]}
    served.records = {db: {row["uid"]: row for row in rows} for db, rows in records.items()}
    at = served.start(served.respond)
    urls = {"ncbi_eutils_url": at.eutils, "ncbi_blast_url": at.blast, "datasets_url": at.datasets}
    desk = open_desk(Settings(tmp_path, ncbi_interval=0.0, **urls))
    yield desk
    desk.close()


def test_an_incomplete_answer_is_not_sent_by_one_word(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    run(desk, "ask", ASKED, "--send", "--curator", CURATOR)
    printed = capsys.readouterr()
    assert '"status": "incomplete"' in printed.out
    assert (
        printed.err.count("1 of 700 OMIM entries read") == 1 and "--send-incomplete" in printed.err
    )
    assert desk.store.queue.count() == 0


def test_an_incomplete_answer_is_sent_by_its_own_word_which_says_what_it_lacks(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    run(desk, "ask", ASKED, "--send-incomplete", "--curator", CURATOR)
    messages = capsys.readouterr().err
    assert re.search("Sent .*: 1 of 700 OMIM", messages)
    assert "2 new statements," in messages and desk.store.queue.count() == 2
