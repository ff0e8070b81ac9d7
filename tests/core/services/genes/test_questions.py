"""Asking, replaying, changing a step, sending to review: on recorded examples, without a network."""  # noqa: E501

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import InputError, NotFound, SettingsError
from core.genes.answer import AnswerStatus
from core.kb.gate.proof import EvidenceProof, prove_evidence
from core.llm.connection import Connection
from core.model import JobState, Literal, RecordGround, Term
from core.services.genes import questions as genes
from core.services.genes import statement as gene_statement
from core.services.genes import strategy, trace
from core.services.review.authority import StoredSources
from core.settings import Settings
from tests.gene_desk import Offline, desk

__all__ = ["desk"]
LMP10 = "What is the official gene symbol of LMP10?"
MEESMANN = "What are genes related to Meesmann corneal dystrophy?"
ADA = "0000-0002-1825-0097"


def recorded(desk: Desk) -> list[str]:
    """The runs of the shipped examples, each opened once."""
    for run in strategy.EXAMPLES:
        strategy.record(desk, run)
    return list(strategy.EXAMPLES)


def test_an_answer_is_kept_with_its_calls(desk: Desk):
    asked_question = genes.ask_gene_question(desk, LMP10)
    assert genes.stored_answer(desk, asked_question.run).answer == asked_question.answer
    assert [call.kind for call in genes.gene_answer_calls(desk, asked_question.run)] == [
        "ncbi",
        "ncbi",
    ]
    assert len(genes.answer_steps(desk, asked_question.run)) == 2


def test_the_shipped_examples_are_no_calls_to_ncbi_and_answer_no_question(desk: Desk):
    runs = recorded(desk)
    assert not desk.store.calls.usage_by_kind()
    assert desk.store.calls.usage(runs[0]).calls
    assert not desk.store.calls.cache_size()
    asked = genes.ask_gene_question(desk, LMP10)
    assert not any(call.reused for call in genes.gene_answer_calls(desk, asked.run))
    assert desk.store.calls.usage_by_kind()["ncbi"].calls == 2


def test_the_row_has_the_stable_keys(desk: Desk):
    row = genes.ask_gene_question(desk, LMP10).row
    assert {"question", "answer", "status", "evidence", "calls", "run"} <= row.keys()
    assert (
        row["answer"],
        row["calls"],
        row["evidence"][0]["record"],
        row["evidence"][0]["value"],
    ) == (
        "PSMB10",
        2,
        "NCBIGene:5699",
        "LMP10",
    )
    json.dumps(row)


def test_a_replay_gives_the_same_answer_without_a_network(desk: Desk):
    asked_question = genes.ask_gene_question(desk, MEESMANN)
    before = desk.network.asked
    again = genes.replay_question(desk, asked_question.run)
    assert (again.answer.text, again.answer.status) == (
        asked_question.answer.text,
        asked_question.answer.status,
    )
    assert desk.network.asked == before


def test_a_replay_of_what_was_never_recorded_says_so(desk: Desk):
    with pytest.raises(NotFound):
        genes.replay_question(desk, "nothing")


def test_earlier_answers_are_reused_unless_not_wanted(desk: Desk):
    genes.ask_gene_question(desk, LMP10)
    genes.ask_gene_question(desk, LMP10)
    assert desk.network.asked == 2
    genes.ask_gene_question(desk, LMP10, genes.AskOptions(reuse=False))
    assert desk.network.asked == 4


def test_a_step_can_be_changed_and_run_from_there(desk: Desk):
    asked_question = genes.ask_gene_question(desk, LMP10)
    options = genes.edited_options(
        desk,
        asked_question.run,
        asked_question.answer.steps[1].path,
        "esummary",
        arguments={"db": "gene", "id": "3850"},
    )
    again = genes.ask_gene_question(desk, LMP10, options)
    assert (again.answer.steps[1].origin, again.answer.steps[1].arguments["id"]) == ("you", "3850")
    with pytest.raises(InputError):
        genes.edited_options(
            desk,
            asked_question.run,
            "ask[1]",
            "esummary",
            arguments={"db": "gene", "id": "http://x"},
        )


def test_a_way_that_needs_a_model_says_so(desk: Desk):
    with pytest.raises(SettingsError, match="model"):
        genes.ask_gene_question(desk, LMP10, genes.AskOptions(way="tools"))


def test_the_shipped_examples_need_no_network(desk: Desk):
    runs = recorded(desk)
    assert [genes.stored_answer(desk, run).answer.status for run in runs] == [
        AnswerStatus.ANSWERED
    ] * 4
    assert genes.replay_question(desk, runs[0]).answer.text == "PSMB10"
    assert desk.network.asked == 0


def test_a_job_answers_in_the_background(desk: Desk):
    job, run = genes.start_gene_question(desk, LMP10)
    assert desk.runner.wait(job.id, 20).state is JobState.DONE
    assert genes.stored_answer(desk, run).answer.text == "PSMB10"


def test_gene_answer_gives_a_statement_with_evidence_per_value(desk: Desk):
    asked_question = genes.ask_gene_question(desk, MEESMANN)
    proposed = gene_statement.claims_of_answer(
        desk, asked_question.run, asked_question.answer
    ).proposed
    assert [(s.subject.id, s.predicate.id, s.object.id) for s, _ in proposed] == [
        ("NCBIGene:3859", "biolink:gene_associated_with_condition", "OMIM:122100"),
        ("NCBIGene:3850", "biolink:gene_associated_with_condition", "OMIM:618767"),
    ]
    sources = StoredSources(desk.store)
    assert all(
        prove_evidence(piece, sources) is EvidenceProof.RECORD
        for _, evidence in proposed
        for piece in evidence
    )
    assert {evidence.ground.record for evidence in proposed[0][1]} == {
        "NCBIGene:3859",
        "OMIM:122100",
    }


def test_a_variant_in_a_gene_and_beside_one_differ(desk: Desk):
    asked_question = genes.ask_gene_question(
        desk, "Which gene is SNP rs1217074595 associated with?"
    )
    ((statement, evidence),) = gene_statement.claims_of_answer(
        desk, asked_question.run, asked_question.answer
    ).proposed
    assert statement.predicate == Term(
        "biolink:is_sequence_variant_of", "is sequence variant of", statement.predicate.category
    )
    assert isinstance(evidence[0].ground, RecordGround) and evidence[0].ground.value == "LINC01270"


def test_an_alias_is_a_literal(desk: Desk):
    asked_question = genes.ask_gene_question(desk, LMP10)
    ((statement, _),) = gene_statement.claims_of_answer(
        desk, asked_question.run, asked_question.answer
    ).proposed
    assert statement.object == Literal("LMP10")


def test_sending_twice_adds_nothing(desk: Desk):
    asked_question = genes.ask_gene_question(desk, MEESMANN)
    assert (
        len(
            gene_statement.send_answer(
                desk, asked_question.run, asked_question.answer, ADA
            ).proposal.new
        )
        == 2
    )
    assert (
        len(
            gene_statement.send_answer(
                desk, asked_question.run, asked_question.answer, ADA
            ).proposal.already_known
        )
        == 2
    )


def test_gene_statements_in_review_know_their_answers(desk: Desk):
    first, second = genes.ask_gene_question(desk, LMP10), genes.ask_gene_question(desk, LMP10)
    claims = gene_statement.claims_of_answer(desk, second.run, second.answer)
    assert gene_statement.statements_in_review(desk, claims) == {}
    gene_statement.send_answer(desk, first.run, first.answer, ADA)
    assert [
        reviewed.runs for reviewed in gene_statement.statements_in_review(desk, claims).values()
    ] == [(first.run,)]


def test_an_abstention_makes_no_statement(desk: Desk):
    asked_question = genes.ask_gene_question(desk, "Who won the world cup?")
    with pytest.raises(InputError, match="nothing to send"):
        gene_statement.send_answer(desk, asked_question.run, asked_question.answer, ADA)


def test_a_value_that_is_not_in_its_answer_is_held_back(desk: Desk):
    asked_question = genes.ask_gene_question(desk, LMP10)
    wrong = replace(
        asked_question.answer,
        values=(replace(asked_question.answer.values[0], raw="OTHER1", value="OTHER1"),),
    )
    claims = gene_statement.claims_of_answer(desk, asked_question.run, wrong)
    assert not claims.proposed and "not where it" in claims.held_back[0][1]


def test_gene_question_says_what_will_be_sent_first(desk: Desk):
    assert "LMP10" in trace.what_leaves_machine(
        desk, LMP10
    ) and "NCBI" in trace.what_leaves_machine(desk, LMP10)
    assert "nothing will be" in trace.what_leaves_machine(desk, LMP10, way="tools")
    desk.settings = replace(
        desk.settings, endpoints={"mine": Connection("mine", "http://127.0.0.1:11434/v1", "k")}
    )
    notice = trace.what_leaves_machine(desk, LMP10, way="tools", model="llama@mine")
    assert "the model llama@mine at 127.0.0.1" in notice
    assert "128 bases" not in trace.what_leaves_machine(
        desk, "Align " + "ACGT" * 8
    ) and "32 bases" in trace.what_leaves_machine(desk, "Align " + "ACGT" * 8)


def test_keys_and_addresses_of_people_are_in_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from core.settings import Secret

    desk = Desk(
        Settings(
            tmp_path, ncbi_api_key=Secret("key-0123456789"), ncbi_email=Secret("ada@strategy.org")
        )
    )
    monkeypatch.setattr(desk, "web", lambda kind="api", hosts=(): Offline())
    asked_question = genes.ask_gene_question(desk, LMP10)
    kept = (
        asked_question.markdown
        + json.dumps(asked_question.as_json)
        + repr(genes.gene_answer_calls(desk, asked_question.run))
    )
    assert "key-0123456789" not in kept and "ada@strategy.org" not in kept
    desk.close()


def test_the_detail_of_a_step_shows_request_and_body(desk: Desk):
    asked_question = genes.ask_gene_question(desk, LMP10)
    detail = trace.stored_call_of_step(desk, asked_question.answer.steps[0])
    assert detail.request.startswith(
        "GET https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esearch.fcgi?db=gene&term=LMP10[sym]"
    )
    assert '"5699"' in detail.body and not detail.reused
    again = genes.ask_gene_question(desk, LMP10)
    assert (
        trace.stored_call_of_step(desk, again.answer.steps[0]).reused
        and again.answer.steps[0].reused
    )


def test_the_field_of_the_answer_is_found_in_the_body(desk: Desk):
    asked_question = genes.ask_gene_question(desk, LMP10)
    detail = trace.stored_call_of_step(desk, asked_question.answer.steps[1])
    quotes = {field: place.quote(detail.body) for field, place in detail.used}
    assert quotes == {
        "NCBIGene:5699 /result/5699/nomenclaturesymbol": '"PSMB10"',
        "NCBIGene:5699 /result/5699/otheraliases": '"LMP10, MECL1, PRAAS5, beta2i"',
    }


def test_the_request_is_shown_as_it_went_out_with_stars_for_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from core.settings import Secret

    desk = Desk(
        Settings(
            tmp_path, ncbi_api_key=Secret("key-0123456789"), ncbi_email=Secret("ada@strategy.org")
        )
    )
    monkeypatch.setattr(desk, "web", lambda kind="api", hosts=(): Offline())
    request = trace.stored_call_of_step(
        desk, genes.ask_gene_question(desk, LMP10).answer.steps[0]
    ).request
    assert request.endswith("&tool=groundwork&email=***&api_key=***")
    desk.close()


@pytest.mark.parametrize(
    ("then", "age"),
    [("2026-01-02T00:00:00+00:00", "1 day"), ("2026-01-02T23:00:00+00:00", "1 hour"), ("", ""),
     ("2026-01-02T23:57:30+00:00", "2 minutes"), ("2026-01-02T23:59:59+00:00", "less than a minute")],  # noqa: E501
)  # fmt: skip
def test_age_of_an_answer_is_shown(then: str, age: str):
    assert trace.spoken_age(then, "2026-01-03T00:00:10+00:00") == age


def test_a_step_that_failed_shows_what_was_asked(desk: Desk):
    asked_question = genes.ask_gene_question(desk, "What is the official gene symbol of QQQ9?")
    assert asked_question.answer.status is AnswerStatus.FAILED
    assert (
        "QQQ9"
        in trace.stored_call_of_step(
            desk, asked_question.answer.steps[0], asked_question.run
        ).request
    )
