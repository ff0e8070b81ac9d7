"""A model that lies, behind an endpoint: what it writes goes through the engine, the draft, review
and the gate, and eight wrong triples of the shipped example do not come out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.desk import Desk, open_desk
from core.kb.gate.gate import GateReport, HoldReason
from core.model import Curator, Modality, Role, Statement, Verdict
from core.services.documents.marking_row import propose_row
from core.services.extract.result import ExtractionView, result_of_run, send_to_review
from core.services.extract.run import extract_and_keep, keep_text, new_run
from core.services.extract.run_options import RunOptions
from core.services.graph.knowledge_base import gate_passage
from core.services.review.decision import Judgement, decide
from core.settings import Secret, Settings
from tests.endpoint import served

TEXT = Path(__file__).resolve().parents[4] / "schemas" / "examples" / "chemical_disease.txt"
ANNA = Curator("0000-0002-1825-0097", "Anna", role=Role.CURATOR)
LIES = (
    ("hydroxychloroquine", "TREATS", "COVID-19"),
    ("monosodium glutamate", "INDUCES", "headache"),
    ("propranolol", "TREATS", "asthma"),
    ("amifostine", "INDUCES", "nephrotoxicity"),
    ("cisplatin", "PREVENTS", "nephrotoxicity"),
    ("carbamazepine", "INDUCES", "Stevens-Johnson syndrome"),
    ("acetaminophen", "TREATS", "acute liver failure"),
    ("morphine", "PREVENTS", "nausea"),
)
TRUTHS = (
    ("lidocaine", "INDUCES", "cardiac arrest"),
    ("acetaminophen", "INDUCES", "acute liver failure"),
    ("N-acetylcysteine", "TREATS", "acute liver failure"),
    ("cisplatin", "INDUCES", "nephrotoxicity"),
    ("amifostine", "PREVENTS", "nephrotoxicity"),
    ("propranolol", "TREATS", "hypertension"),
    ("propranolol", "EXACERBATES", "asthma"),
    ("hydroxychloroquine", "NOT TREATS", "COVID-19"),
    ("monosodium glutamate", "NOT INDUCES", "headache"),
    ("methotrexate", "TREATS", "rheumatoid arthritis"),
    ("methotrexate", "MAYBE INDUCES", "pneumonia"),
    ("morphine", "TREATS", "pain"),
    ("morphine", "INDUCES", "nausea"),
    ("morphine", "INDUCES", "constipation"),
    ("cocaine", "INDUCES", "myocardial infarction"),
    ("cocaine", "INDUCES", "seizures"),
)
CLAIMS = {" ".join(claim): claim for claim in (*LIES, *TRUTHS)}


def liar(body: dict[str, Any]) -> str:
    """All triples at the first question; then each one in its fields."""
    asked = "\n".join(str(m.get("content") or "") for m in body["messages"])
    asked = asked.rpartition("Text:\n")[2].partition("\n===")[0].strip()
    claim = CLAIMS.get(asked)
    if claim is None:
        return "triples: " + "; ".join(CLAIMS)
    qualifier, _, predicate = claim[1].rpartition(" ")
    lines = [f"subject: {claim[0]}", f"predicate: {predicate}", f"object: {claim[2]}"]
    return "\n".join([*lines, f"qualifier: {qualifier}"])


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with served(liar) as endpoint:
        settings = Settings(
            tmp_path / "p",
            model="liar",
            openai_api_key=Secret("key"),
            openai_base_url=endpoint.url,
        )
        opened = open_desk(settings)
        opened.store.curators.add(ANNA)
        yield opened
        opened.close()


def extracted(desk: Desk) -> ExtractionView:
    entered = keep_text(desk, "chemical_disease", TEXT.read_text("utf-8"))
    run = new_run(desk, entered, "spires", ANNA.orcid, options=RunOptions())
    extract_and_keep(desk, run)
    return result_of_run(desk, run.id)


def claim_of(view: ExtractionView, statement: Statement) -> str:
    """The liar's words that a statement was made of."""
    words = {m.chosen.id: m.text for m in view.extraction.mentions if m.chosen and m.chosen.id}
    parts = (statement.subject, statement.predicate, statement.object)
    ids = [getattr(part, "id", "") for part in parts]
    subject, predicate, object_ = (words.get(id, id) for id in ids)
    qualifier = "NOT " if statement.negated else ""
    maybe = "MAYBE " if statement.modality is not Modality.ASSERTED else ""
    return f"{subject} {qualifier}{maybe}{predicate} {object_}"


def approved_all(desk: Desk) -> GateReport:
    """Everything in the queue is approved by a careless curator, and goes to the gate."""
    for id in desk.store.queue.ids():
        version = desk.store.statements.get(id).version
        decide(desk, id, version, Judgement(Verdict.APPROVE), curator=ANNA)
    return gate_passage(desk)


def test_no_lie_is_sent_and_what_is_right_is(desk: Desk) -> None:
    view = extracted(desk)
    sent = send_to_review(desk, view.run.id, ANNA.orcid)
    held = {claim_of(view, statement) for statement, _ in sent.held_back}
    assert held == {" ".join(claim) for claim in LIES}
    assert len(sent.new) == len(TRUTHS)


def test_no_lie_that_was_sent_and_approved_passes_the_gate(desk: Desk) -> None:
    view = extracted(desk)
    send_to_review(desk, view.run.id, ANNA.orcid, include_ungrounded=True)
    passage = approved_all(desk)
    lies = {" ".join(claim) for claim in LIES}
    assert {claim_of(view, held.statement) for held in passage.rejections} == lies
    assert {held.why for held in passage.rejections} == {HoldReason.UNSAID}
    assert len(passage.entries) == len(TRUTHS)


SAID = "Propranolol treats hypertension. The sky is blue. Propranolol and asthma were noted."
PROPRANOLOL = {"id": "CHEBI:8499", "label": "propranolol", "category": "chemical"}
HYPERTENSION = {"id": "MONDO:0005044", "label": "hypertensive disorder", "category": "disease"}
ASTHMA = {"id": "MONDO:0004979", "label": "asthma", "category": "disease"}


@pytest.mark.parametrize(
    ("subject", "predicate", "object_", "quote", "why"),
    [
        (PROPRANOLOL, "rdf:type", HYPERTENSION, 0, HoldReason.RELATION),
        (PROPRANOLOL, "owl:sameAs", HYPERTENSION, 0, HoldReason.RELATION),
        (PROPRANOLOL, "MONDO:0004979", HYPERTENSION, 0, HoldReason.RELATION),
        (HYPERTENSION, "biolink:treats", PROPRANOLOL, 0, HoldReason.KINDS),
        (PROPRANOLOL, "biolink:treats", HYPERTENSION, 1, HoldReason.UNSAID),
        (PROPRANOLOL, "biolink:causes", ASTHMA, 2, HoldReason.UNSAID),
    ],
)
def test_what_is_no_relation_or_not_said_does_not_pass(
    desk: Desk,
    subject: dict[str, str],
    predicate: str,
    object_: dict[str, str],
    quote: int,
    why: HoldReason,
) -> None:
    row = {"text": SAID, "quote": SAID.split(". ")[quote], "subject": subject}
    made = propose_row(desk, {**row, "predicate": predicate, "object": object_}, ANNA, False)
    assert "error" not in made, made
    assert why in {held.why for held in approved_all(desk).rejections}
