"""The evidence rules on NCBI's own answers of 2023 (tests/data/ncbi): what the records say is
supported by them, and what they say of something else is not.
"""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from core.errors import NotServed
from core.genes.answer import AnswerStatus, GeneAnswer
from core.genes.kinds.kind import Topic
from core.genes.kinds.registry import KINDS
from core.genes.question.understand import understand_question
from core.genes.session import NcbiSession
from core.genes.strategies import planner
from core.genes.verification.answer_verification import verify_conclusion
from core.kb.gate.proof import answer_holds
from core.ncbi.address import NcbiAddresses
from core.ncbi.client import Ncbi, WaitPolicy
from core.web import Fetch, Fetched

ROOT = Path(__file__).resolve().parents[3]
ROWS = json.loads((ROOT / "data" / "ncbi" / "recorded_2023.json").read_text(encoding="utf-8"))
ADDRESSES = NcbiAddresses(
    "http://here/entrez/eutils", "http://here/blast/Blast.cgi", "", links=False
)


class Recorded:
    """A fetcher that knows the calls of one question, by path and parameters."""

    def __init__(self, calls: list[dict]):
        self.calls = calls

    def fetch(self, request: Fetch) -> Fetched:
        parameters = [list(pair) for pair in (request.params or request.data or ())]
        for number, call in enumerate(self.calls):
            if call["path"] == urlsplit(request.url).path and call["given"] == parameters:
                return Fetched(200, call["text"], call=f"c{number}")
        raise NotServed("Not recorded.", "")


def answered(row: dict) -> tuple[NcbiSession, GeneAnswer]:
    ncbi = Ncbi(Recorded(row["calls"]), ADDRESSES, WaitPolicy(scale=0))
    answer = planner.answer(ncbi, row["question"])
    session = NcbiSession(ncbi, understand_question(row["question"]), "model")
    session.steps.extend(answer.steps)
    return session, answer


def named(row: dict) -> str:
    return str(row["question"][:48])


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_the_planner_gives_the_recorded_answer_and_every_field_is_there(row: dict):
    _, gene_answer = answered(row)
    assert gene_answer.text == row["answer"]
    for value in gene_answer.values:
        for field in (value, *value.ties, *value.proofs):
            text = row["calls"][int(field.call[1:])]["text"]
            assert answer_holds({"text": text}, field.field, field.raw), field


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_a_model_that_says_the_same_is_supported_by_the_same_fields(row: dict):
    session, gene_answer = answered(row)
    again = verify_conclusion(session, json.dumps({"answer": row["answer"]}))
    if any(value.field.endswith("/locus") for value in gene_answer.values):
        assert again.status is AnswerStatus.UNSUPPORTED  # OMIM's locus supports no model's word
        return
    disease = KINDS[session.question.kind].topic is Topic.DISEASE
    if disease and all(
        value.relation == "unconfirmed" for value in again.values
    ):  # OMIM's rank alone
        assert again.status is AnswerStatus.UNSUPPORTED
        return
    assert again.status is AnswerStatus.ANSWERED

    def fields(answer: GeneAnswer) -> set:
        return {
            (
                value.value,
                value.record,
                value.field,
                value.relation,
                value.subject,
                value.object,
                value.ties,
            )
            for value in answer.values
        }

    assert fields(again) <= fields(gene_answer) or len(again.values) < len(gene_answer.values)


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_no_other_field_of_these_records_is_an_answer(row: dict):
    session, gene_answer = answered(row)
    right = {
        str(stated_value).casefold()
        for stated_value in (*_values(gene_answer.text), *(v.raw for v in gene_answer.values))
    }
    others = {
        record.text(name)
        for step in gene_answer.steps
        for record in step.records
        for name in ("species", "taxid", "status", "kind", "assembly", "title", "name", "bits")
        if record.text(name) and record.text(name).casefold() not in right
    }
    for value in sorted(others)[:20]:
        again = NcbiSession(session.ncbi, session.question, "model")
        again.steps.extend(gene_answer.steps)
        verified = verify_conclusion(again, json.dumps({"answer": value}))
        proven = any(verified_value.relation != "inferred" for verified_value in verified.values)
        assert verified.status is not AnswerStatus.ANSWERED or not proven, (value, verified.values)


def _values(text: object) -> list[object]:
    return list(text) if isinstance(text, list) else [text]
