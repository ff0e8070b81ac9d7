"""Marking by hand: exact quotes, manual provenance, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.cli.file_input import json_lines
from core.errors import Forbidden, InputError, NotFound
from core.kb.entry import ExportEntry
from core.model import (
    MANUAL,
    Category,
    Document,
    Literal,
    Modality,
    Qualifier,
    ReviewPolicy,
    Role,
    Span,
    State,
    Term,
)
from core.services.documents import marking, marking_row, rereading
from core.services.documents.marking import MarkedStatement, propose_marking, quote_span
from core.services.people import roles
from core.services.review.card import statement_card
from core.services.review.typed_thing import thing_of
from core.text.clean import text_version
from tests import reviewing
from tests.reviewing import ANNA, ASPIRIN, BEN, HEADACHE, TREATS

TEXT = (
    "🧪 TGF-β raised cafe\u0301 intake in naïve mice. Aspirin did not relieve naus\u0113a.\n"
    "It was μg-scale."
)


@pytest.fixture
def desk(tmp_path):
    desk = reviewing.filled(tmp_path / "p")
    desk.store.documents.add(Document("PMID:5", "Signs"))
    desk.store.documents.add_text(text_version("PMID:5", TEXT))
    return desk


def row(**changes):
    fields = {"document": "PMID:5", "quote": "Aspirin did not relieve naus\u0113a."}
    return (
        fields
        | {"subject": "CHEBI:15365", "predicate": "biolink:prevents", "object": "HP:0002018"}
        | changes
    )


def marked(desk, **changes):
    return propose_marking(desk, marking_row.from_json(desk, row(**changes)), ANNA)


def spanned(quote):
    start = TEXT.index(quote)
    return Span(start, start + len(quote))


@pytest.mark.parametrize(
    "quote", ["TGF-β raised cafe\u0301 intake", "🧪", "naïve mice", "μg-scale"]
)
def test_offsets_count_code_points_and_hold_the_quote(desk, quote):
    (piece,) = marked(desk, quote=quote).evidence
    assert piece.ground.span == spanned(quote)
    assert TEXT[piece.ground.span.start : piece.ground.span.end] == piece.ground.quote == quote


def test_a_marking_waits_in_review_as_manual_work_of_its_author(desk):
    result = marked(desk, negated=True)
    assert result.new and result.record.state is State.PROPOSED and result.record.statement.negated
    run = desk.store.runs.get(result.evidence[0].run)
    assert (run.engine, run.curator, result.evidence[0].engine) == (MANUAL, ANNA.orcid, MANUAL)


def test_a_marking_is_not_exported_as_a_machine_s(desk):
    result = marked(desk)
    assert not ExportEntry(result.record.statement, result.evidence, ()).by_machine


def test_an_author_may_approve_at_once_and_undo_it(desk):
    result = propose_marking(desk, marking_row.from_json(desk, row()), ANNA, approve=True)
    assert result.record.state is State.APPROVED and result.decision


def test_several_sentences_are_several_pieces_of_evidence(desk):
    result = marked(desk, quote=["Aspirin did not relieve naus\u0113a.", "It was μg-scale."])
    assert [piece.ground.quote[:2] for piece in result.evidence] == ["As", "It"]


def test_a_label_comes_from_the_vocabulary(desk):
    assert marked(desk).record.statement.subject.label == "aspirin"


def test_an_id_of_no_installed_vocabulary_is_taken_with_a_warning(desk):
    result = marked(desk, subject={"id": "MESH:D9999999", "label": "acetaminophen"})
    assert [problem.code for problem in result.problems] == ["id-not-proven"]


def test_words_without_a_term_stay_ungrounded(desk):
    subject = {"label": "naïve mice", "category": "organism"}
    assert marked(desk, subject=subject).record.statement.subject == Term(
        "", "naïve mice", Category.ORGANISM
    )


def test_qualifiers_modality_and_values_are_kept(desk):
    statement = marked(
        desk,
        modality="hypothesis",
        qualifiers=[{"name": "population", "value": "adults"}],
        object={"value": "3", "datatype": "xsd:decimal", "unit": "mg"},
    ).record.statement
    assert statement.modality is Modality.HYPOTHESIS and statement.object == Literal(
        "3", "xsd:decimal", "mg"
    )
    assert statement.qualifiers == (Qualifier("population", Literal("adults")),)


def test_the_same_marking_twice_is_one_statement_with_one_piece_of_evidence(desk):
    marked(desk)
    again = marked(desk)
    assert not again.new and len(again.record.evidence) == 1


def test_review_shows_the_words_that_were_marked(desk):
    denial = replace(
        marking_row.from_json(desk, row()), subject_words=spanned("Aspirin"), object_words=None
    )
    record = propose_marking(desk, denial, ANNA).record
    (origin, *_) = statement_card(desk, record.id).readings
    assert (origin.words, origin.spans) == ("Aspirin", (spanned("Aspirin"),))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"quote": "Aspirin relieved"}, "Not found in the text"),
        ({"quote": "  "}, "quote is missing"),
        ({"quote": "i"}, "places in the text"),
        ({"subject": ""}, "subject is missing"),
        ({"subject": "no curie"}, "not a CURIE"),
        ({"predicate": "flies over"}, "not a predicate"),
        ({"object": "CHEBI:15365"}, "the same"),
        ({"negated": "yes"}, "true or false"),
        ({"modality": "sure"}, "not a modality"),
        ({"start": 0}, "is not at 0"),
    ],
)
def test_a_marking_that_says_nothing_exact_is_refused(desk, changes, words):
    with pytest.raises(InputError, match=words):
        marked(desk, **changes)


def test_missing_document_is_refused(desk):
    with pytest.raises(NotFound):
        marked(desk, document="PMID:404")


def test_a_span_outside_the_text_is_refused(desk):
    sha = desk.store.documents.texts("PMID:5")[0].sha
    with pytest.raises(InputError, match="no words"):
        propose_marking(
            desk, MarkedStatement("PMID:5", sha, (Span(5, 9_999),), ASPIRIN, TREATS, HEADACHE), ANNA
        )


def test_start_chooses_among_equal_quotes():
    assert quote_span("to be or not to be", "to be", 13) == Span(13, 18)


def test_white_space_of_a_quote_may_differ_and_nothing_else():
    assert quote_span("a  b\nc", "a b c") == Span(0, 6)
    with pytest.raises(InputError):
        quote_span("a B c", "a b c")


def test_lone_surrogates_in_labels_are_replaced(desk):
    label = json.loads('"x\\ud800y"')
    assert marked(desk, subject={"label": label}).record.statement.subject.label == "x\ufffdy"


def test_a_text_that_comes_along_becomes_a_document(desk):
    result = marked(desk, document=None, text="Aspirin treats pain.", quote="Aspirin treats pain.")
    assert result.evidence[0].ground.document.startswith("doc:")


@pytest.mark.parametrize("wrong", [{"quote": "absent"}, {"subject": None}, {"modality": "x"}])
def test_a_line_that_cannot_be_used_leaves_no_document(desk, wrong):
    before = desk.store.document_list.count()
    line = row(document=None, text="Aspirin treats pain.", quote="Aspirin treats pain.") | wrong
    assert "error" in marking_row.propose_row(desk, line, ANNA, False)
    assert desk.store.document_list.count() == before


def test_marking_lines_give_results_in_order_and_bad_lines_an_error(desk):
    lines = [json.dumps(row()), "", "{not json", json.dumps(row(quote="absent"))]
    rows = json_lines("\n".join(lines).encode())
    replies = [marking_row.propose_row(desk, row, ANNA, False) for row in rows]
    assert ["error" in reply for reply in replies] == [False, True, True]
    assert replies[0]["evidence"][0]["quote"] == "Aspirin did not relieve naus\u0113a."
    assert replies[0]["agent"] == marking.MANUAL


def test_a_key_of_a_line_that_is_not_read_is_reported(desk):
    reply = marking_row.propose_row(desk, row(negation=True), ANNA, False)
    assert reply["not_read"] == ["negation"]


def test_a_key_inside_a_line_that_is_not_read_is_reported_with_its_place(desk):
    line = row(
        subject={"id": "CHEBI:15365", "lable": "aspirin"},
        subject_label="ASA",
        object={"value": "5", "id": "HP:1"},
        qualifiers=[
            {"name": "dose", "value": {"value": "5", "units": "mg"}},
            {"name": "of", "value": {"id": "HP:0002315", "categry": "phenotype"}, "note": "x"},
        ],
    )
    assert marking_row.propose_row(desk, line, ANNA, False)["not_read"] == [
        "subject.lable",
        "object.id",
        "subject_label",
        "qualifiers[0].value.units",
        "qualifiers[1].value.categry",
        "qualifiers[1].note",
    ]


def test_the_same_marking_again_leaves_no_trace(desk):
    marked(desk)
    before = desk.store.runs.count("mark")
    again = marked(desk)
    assert (again.new, desk.store.runs.count("mark")) == (False, before)
    marked(desk, quote="It was μg-scale.")
    assert desk.store.runs.count("mark") == before + 1


@pytest.mark.parametrize("id", ["javascript:alert(1)", "JavaScript:x", "file:x", "mailto:a@b.c"])
def test_a_script_or_an_address_is_not_an_id(desk, id):
    with pytest.raises(InputError, match="not a CURIE"):
        marked(desk, subject=id)


def test_labels_beside_the_ids_are_taken(desk):
    result = marked(desk, subject="CHEBI:999999", subject_label="ASA", object_label="feeling sick")
    statement = result.record.statement
    assert (statement.subject.label, statement.object.label) == ("ASA", "feeling sick")
    assert statement.subject.id == "CHEBI:999999"


def test_ids_that_a_vocabulary_proves_need_no_schema(desk, monkeypatch):
    """Reading every schema takes seconds, and whoever marks the first fact of a day waits."""

    def not_read(*_, **__):
        raise AssertionError("all schemas were read")

    monkeypatch.setattr("core.services.review.authority.all_schemas", not_read)
    result = marked(
        desk,
        predicate="biolink:treats",
        subject={"id": "CHEBI:15365", "label": "aspirin", "category": "chemical"},
        object={"id": "HP:0002315", "label": "headache", "category": "phenotype"},
    )
    assert result.problems == ()


def test_marked_statement_waits_where_another_must_approve(desk):
    desk.store.project.set_policy(ReviewPolicy(own_approval=False))
    marking_of_row = marking_row.from_json(desk, row())
    result = propose_marking(desk, marking_of_row, ANNA, approve=True)
    assert (result.record.state, result.decision) == (State.PROPOSED, "")
    assert "someone else" in result.waits_because
    assert marking_row.result_json(result)["waits_because"] == result.waits_because


@pytest.mark.parametrize(
    ("id", "kind"),
    [
        ("MESH:D001241", Category.CHEMICAL),
        ("MESH:D003920", Category.DISEASE),
        ("MESH:D003866", Category.DISEASE),
    ],
)
def test_a_mesh_term_has_the_kind_of_its_branch(tmp_path, monkeypatch, id, kind):
    monkeypatch.setenv("GROUNDWORK_BASE_SET", "on")
    assert thing_of(reviewing.empty(tmp_path), id, "subject").category is kind


def test_a_reader_who_reads_a_text_again_leaves_no_run(desk):
    roles.appoint_person(desk, ANNA.orcid, "Anna", Role.READER)
    roles.appoint_person(desk, BEN.orcid, "Ben", Role.OWNER)
    runs = desk.store.runs.count()
    with pytest.raises(Forbidden):
        rereading.read_again(desk, "PMID:5", "chemical_disease", curator=ANNA.orcid)
    assert desk.store.runs.count() == runs
