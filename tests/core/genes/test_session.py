from __future__ import annotations

import pytest

from core.errors import BadAnswer
from core.genes.question.understand import understand_question
from core.genes.session import NcbiSession
from core.ncbi.call import NcbiDatabase, Search
from core.ncbi.client import Ncbi
from core.web import Fetch, Fetched
from core.web.request import Attempt


class Useless:
    def fetch(self, request: Fetch) -> Fetched:
        error = BadAnswer("NCBI sent a block page instead of an answer.")
        error.attempts = (Attempt(200, "blocked", 0.5, size=900), Attempt(200, "blocked", 1.5))
        raise error


def test_a_failed_step_counts_the_seconds_and_bytes_of_its_attempts():
    session = NcbiSession(Ncbi(Useless()), understand_question("Where is TP53?"), "planned")
    with pytest.raises(BadAnswer):
        session.ask(Search(NcbiDatabase.GENE, "TP53"), "Genes with the symbol.")
    (step,) = session.steps
    assert (step.status, step.seconds, step.size) == ("failed", 2.0, 900)
    assert "block page" in step.error
