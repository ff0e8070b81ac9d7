"""Releases: frozen, described, compared, and honest about what was withdrawn and why."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace

import pytest
from rdflib import Graph, URIRef
from rdflib.namespace import DCAT, DCTERMS, VOID
from sqlalchemy import update

from core.errors import InputError, Refused, StoreError
from core.kb.entry import KnowledgeBase
from core.kb.formats.bundle import bundle
from core.kb.release.release import ReleaseForm
from core.model import (
    Curator,
    Document,
    Evidence,
    Reason,
    ReferenceGround,
    Span,
    TextGround,
    TextVersion,
    Verdict,
)
from core.services.documents.overview import mark_withdrawn
from core.services.graph import statement_import
from core.services.releases import catalogue, making
from core.services.review import decision
from core.services.review.decision import Judgement
from core.services.shared.document_label import document_title
from core.store import Member
from core.store.table import documents, release_contents
from tests import reviewing
from tests.reviewing import ADULTS, ANNA, BEN, DOCUMENT, NOT_NAUSEA, RELIEVES, SHA, WORDS

OWN_BASE = "https://w3id.org/willow-bark/"


@pytest.fixture
def desk(tmp_path):
    extraction = reviewing.filled(tmp_path / "p")
    yield extraction
    extraction.close()


def judge(desk, statement, verdict=Verdict.APPROVE, reason=None, note="", person=ANNA):
    version = desk.store.statements.get(statement.id).version
    decision.decide(desk, statement.id, version, Judgement(verdict, reason, note), curator=person)


def released(desk, number="", **form):
    wanted = making.preview_release(desk).form
    values = {"title": "Willow bark", "licence": "cc-by-4.0", "creators": (ANNA,)}
    values |= {"with_rejections": True, "base_iri": OWN_BASE} | form
    return making.make_release(desk, ReleaseForm(number or wanted.number, **values))


def test_a_release_holds_what_passed_the_gate_and_stays_as_it_was(desk):
    judge(desk, RELIEVES)
    release = released(desk)
    before = b"".join(catalogue.release_chunks(desk, "1.0.0", "ttl"))
    judge(desk, NOT_NAUSEA)
    desk.store.curators.add(Curator(ANNA.orcid, "Another name"))
    assert b"".join(catalogue.release_chunks(desk, "1.0.0", "ttl")) == before
    assert release.counts["statements"] == 1
    assert NOT_NAUSEA.id.encode() not in before


def test_a_release_describes_itself_as_a_dataset(desk):
    judge(desk, RELIEVES)
    release = released(desk)
    graph = Graph().parse(
        data=b"".join(catalogue.release_chunks(desk, "1.0.0", "ttl")), format="turtle"
    )
    node = URIRef(release.iri)
    assert str(graph.value(node, DCAT.version)) == "1.0.0"
    assert graph.value(node, DCTERMS.license) == URIRef(
        "https://creativecommons.org/licenses/by/4.0/"
    )
    assert graph.value(node, DCTERMS.creator) == URIRef(f"https://orcid.org/{ANNA.orcid}")
    assert int(graph.value(node, VOID.entities)) == 2
    assert (URIRef(release.dataset), DCAT.hasVersion, node) in graph


def test_the_next_number_follows_from_what_changed(desk):
    judge(desk, RELIEVES)
    released(desk)
    judge(desk, NOT_NAUSEA)
    assert making.preview_release(desk).form.number == "1.1.0"
    released(desk)
    judge(desk, RELIEVES, Verdict.REJECT, Reason.NO_RELATION)
    assert making.preview_release(desk).form.number == "2.0.0"


def test_release_notes_say_who_withdrew_a_statement_and_why(desk):
    judge(desk, RELIEVES)
    judge(desk, NOT_NAUSEA)
    released(desk)
    judge(desk, RELIEVES, Verdict.REJECT, Reason.NO_RELATION, "only said in passing", BEN)
    released(desk)
    (gone,) = catalogue.compare_releases(desk, "1.0.0", "2.0.0").withdrawn
    assert gone.id == RELIEVES.id
    assert gone.why == f"rejected by {BEN.name}: no relation stated (only said in passing)"
    assert "only said in passing" in catalogue.notes_of(desk, "2.0.0")


def test_a_correction_is_named_in_place_of_what_it_corrects(desk):
    judge(desk, RELIEVES)
    released(desk)
    corrected = replace(RELIEVES, object=reviewing.NAUSEA)
    version = desk.store.statements.get(RELIEVES.id).version
    decision.correct(desk, RELIEVES.id, version, corrected, curator=ANNA, approve=True)
    released(desk)
    (gone,) = catalogue.compare_releases(desk, "1.0.0", "2.0.0").withdrawn
    assert "aspirin · treats · Nausea" in gone.why


def test_an_id_that_is_no_longer_proven_is_withdrawn_with_the_gates_reason(desk):
    judge(desk, RELIEVES)
    judge(desk, NOT_NAUSEA)
    released(desk)
    (desk.vocabularies / "hp.tsv").write_text(
        reviewing.VOCABULARY.format(name="hp") + "HP\tHP:0002018\tNausea\tNausea\tEXACT\n"
    )
    (gone,) = making.preview_release(desk).changes.withdrawn
    assert gone.id == RELIEVES.id
    assert "HP:0002315" in gone.why


def test_new_evidence_is_a_change_and_not_an_addition(desk):
    judge(desk, RELIEVES)
    released(desk)
    desk.store.statements.propose([(RELIEVES, [Evidence(RELIEVES.id, ReferenceGround("PMID:77"))])])
    judge(desk, RELIEVES)
    changes = making.preview_release(desk).changes
    assert (changes.added, changes.withdrawn) == ((), ())
    assert "1 piece of evidence added (PMID:77)" in changes.changed[0].why


def test_a_comparison_over_several_releases_keeps_the_reasons(desk):
    judge(desk, RELIEVES)
    judge(desk, NOT_NAUSEA)
    released(desk)
    judge(desk, RELIEVES, Verdict.REJECT, Reason.DUPLICATE)
    released(desk)
    judge(desk, ADULTS)
    released(desk)
    difference = catalogue.compare_releases(desk, "1.0.0", "2.1.0")
    assert [claim.id for claim in difference.added] == [ADULTS.id]
    assert "duplicate" in difference.withdrawn[0].why


def test_a_retracted_paper_flags_its_statements_in_the_next_release(desk):
    judge(desk, RELIEVES)
    paper = Document(reviewing.DOCUMENT, "A note on willow bark")
    text = TextVersion(reviewing.SHA, reviewing.DOCUMENT, reviewing.TEXT)
    desk.store.namespaces.add("willow")
    desk.store.namespaces.add_members("willow", [Member(paper, text, {"flags": ["retracted"]})])
    (flagged,) = released(desk).retracted
    assert flagged.statements == (RELIEVES.id,)
    assert "Retracted papers" in catalogue.notes_of(desk, "1.0.0")
    assert b"doc:willow: retracted" in b"".join(catalogue.release_chunks(desk, "1.0.0", "ttl"))
    assert b"doc:willow: retracted" in b"".join(catalogue.release_chunks(desk, "1.0.0", "tsv"))


def test_the_vocabularies_are_listed_with_their_licences(desk):
    judge(desk, RELIEVES)
    entries = making.preview_release(desk)
    listed = {vocabulary.name: vocabulary.licence for vocabulary in entries.vocabularies}
    assert listed["CHEBI"] == "CC BY 4.0"
    assert listed["biolink"] == "CC0 1.0"
    assert making.used_vocabularies(desk, ()) == ()


@pytest.mark.parametrize(
    "form",
    [
        {"number": "1.0"},
        {"number": "v2.0.0"},
        {"licence": "do as you like"},
        {"licence": ""},
        {"title": " "},
        {"creators": ()},
        {"creators": (Curator("0000-0000-0000-0000", "Nobody"),)},
    ],
)
def test_a_form_that_is_not_whole_is_refused(desk, form):
    judge(desk, RELIEVES)
    with pytest.raises(InputError):
        released(desk, **form)
    assert catalogue.list_releases(desk) == []


def test_version_numbers_only_rise(desk):
    judge(desk, RELIEVES)
    released(desk, "1.2.0")
    judge(desk, NOT_NAUSEA)
    for number in ("1.2.0", "1.1.9"):
        with pytest.raises(InputError, match="not come after"):
            released(desk, number)


def test_unchanged_knowledge_base_makes_no_release(desk):
    with pytest.raises(Refused, match="nothing to release"):
        released(desk)
    judge(desk, RELIEVES)
    released(desk)
    with pytest.raises(Refused, match="Nothing has changed"):
        released(desk)
    assert released(desk, licence="CC0-1.0").number == "1.0.1"


def test_a_retraction_alone_is_reason_for_a_release_that_says_so(desk):
    judge(desk, RELIEVES)
    released(desk)
    mark_withdrawn(desk, "doc:willow", "figures were reused", ANNA)
    second = released(desk)
    (paper,) = catalogue.compare_releases(desk, "1.0.0", second.number).retracted
    assert (paper.id, "figures were reused" in paper.why) == ("doc:willow", True)
    notes = catalogue.notes_of(desk, second.number)
    assert "1 paper newly marked" in notes
    assert "## Retracted papers" in notes
    with pytest.raises(Refused, match="Nothing has changed"):
        released(desk)


def test_a_release_calls_a_paper_without_a_title_by_its_first_line_as_the_desk_does(desk):
    """A reader of the web site saw a pasted text as `doc:3f08fb5d018d4405` only."""
    with desk.store.database.writing() as connection:
        connection.execute(update(documents).values(title=""))
    judge(desk, RELIEVES)
    mark_withdrawn(desk, "doc:willow", "figures were reused", ANNA)
    release = released(desk)
    title = document_title(desk, "doc:willow")
    assert title.startswith("Willow bark")
    assert catalogue.knowledge_base(desk, "1.0.0").documents["doc:willow"].title == title
    assert [paper.title for paper in release.retracted] == [title]
    assert title in catalogue.notes_of(desk, "1.0.0")


def test_a_release_whose_rows_were_changed_is_refused(desk):
    judge(desk, RELIEVES)
    released(desk)
    with desk.store.database.writing() as connection:
        body = {"statement": {"changed": "by hand"}}
        connection.execute(update(release_contents).values(body=body))
    with pytest.raises(StoreError, match="changed since"):
        catalogue.knowledge_base(desk, "1.0.0")


def test_notes_show_what_others_wrote_as_words(desk):
    judge(desk, RELIEVES)
    released(desk, title="<script>alert(1)</script> **x**", remarks="[a](http://e.example)")
    notes = catalogue.notes_of(desk, "1.0.0")
    assert "<script" not in notes
    assert "](http" not in notes


def test_a_release_of_nothing_new_is_refused_before_its_job(desk):
    judge(desk, RELIEVES)
    release = released(desk)
    form = ReleaseForm(
        "1.0.1", release.title, release.licence_name, release.creators, release.summary
    )
    assert making.preview_release(desk).base_iri == OWN_BASE
    with pytest.raises(Refused, match=r"since release 1\.0\.0"):
        making.start_release(desk, form, ANNA.orcid)
    assert not desk.store.jobs.find(name=making.JOB)


def test_a_release_counts_its_triples_as_void_does(desk):
    judge(desk, RELIEVES)
    release = released(desk)
    graph = Graph().parse(
        data=b"".join(catalogue.release_chunks(desk, "1.0.0", "ttl")), format="turtle"
    )
    counted = int(graph.value(URIRef(release.iri), VOID.triples))
    described = [
        subject
        for subject in set(graph.subjects())
        if str(subject).startswith(release.iri) or str(subject) == release.dataset
    ]
    own = sum(len(list(graph.predicate_objects(subject))) for subject in described)
    assert counted == len(graph) - own


def bundle_of(desk, number):
    content = b"".join(catalogue.release_chunks(desk, number, "bundle"))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return content, {name: archive.read(name).decode() for name in archive.namelist()}


def test_the_bundle_of_a_release_says_what_was_decided_and_rejected(desk):
    for statement in (RELIEVES, NOT_NAUSEA):
        judge(desk, statement, Verdict.UNSURE)
        judge(desk, statement)
    judge(desk, ADULTS, Verdict.REJECT, Reason.BOUNDARY, "only some adults", BEN)
    judge(desk, WORDS, Verdict.UNSURE, note="still to be looked up")
    released(desk)
    content, parts = bundle_of(desk, "1.0.0")
    (rejected,) = parts["rejected.tsv"].splitlines()[1:]
    assert rejected.startswith(ADULTS.id)
    assert f"{BEN.orcid}" in rejected
    assert "only some adults" in rejected
    assert len(parts["decisions.tsv"].splitlines()) == 1 + 2 * 2 + 1
    assert "Ben" in parts["groundwork/curators.json"]
    assert WORDS.id not in "".join(parts.values())
    assert "rejected or replaced" in parts["README.md"]
    judge(desk, ADULTS)
    assert bundle_of(desk, "1.0.0")[0] == content


def test_the_bundle_of_a_release_restores_its_decisions(desk, tmp_path):
    judge(desk, RELIEVES, Verdict.UNSURE)
    judge(desk, RELIEVES)
    judge(desk, NOT_NAUSEA)
    judge(desk, ADULTS, Verdict.REJECT, Reason.BOUNDARY)
    released(desk)
    other = reviewing.empty(tmp_path / "other")
    statement_import.restore_bundle(other, "kb.zip", bundle_of(desk, "1.0.0")[0])
    for statement in (RELIEVES, NOT_NAUSEA, ADULTS):
        mine, theirs = (d.store.statements.get(statement.id) for d in (desk, other))
        assert (mine.state, mine.decisions) == (theirs.state, theirs.decisions)
    assert len(other.store.queue.records()) == 3
    other.close()


def test_a_curator_can_leave_rejections_out_of_a_release(desk):
    judge(desk, RELIEVES, Verdict.UNSURE)
    for statement in (RELIEVES, NOT_NAUSEA):
        judge(desk, statement)
    judge(desk, ADULTS, Verdict.REJECT, Reason.BOUNDARY, "private words", BEN)
    released(desk, with_rejections=False)
    judge(desk, NOT_NAUSEA, Verdict.REJECT, Reason.NEGATED, "more private words", BEN)
    assert making.preview_release(desk).form.with_rejections is False  # as the last time
    released(desk, with_rejections=False)
    for number in ("1.0.0", "2.0.0"):
        _, parts = bundle_of(desk, number)
        written = "".join(parts.values()) + catalogue.notes_of(desk, number)
        assert not any(words in written for words in (BEN.orcid, "Ben", "private", ADULTS.id))
        assert parts["rejected.tsv"].count("\n") == 1
        assert "approvals that stand" in parts["README.md"]
    assert "rejected: negated" in catalogue.notes_of(desk, "2.0.0")


def test_rejections_are_published_only_on_request(desk):
    judge(desk, RELIEVES)
    judge(desk, ADULTS, Verdict.REJECT, Reason.BOUNDARY, "private words", BEN)
    preview = making.preview_release(desk)
    assert preview.turned_down == 1
    assert not preview.form.with_rejections
    assert not ReleaseForm("1.0.0", "A", "CC0-1.0", (ANNA,)).with_rejections
    released(desk, with_rejections=True)
    assert making.preview_release(desk).form.with_rejections  # as the last time


def test_two_releases_are_compared_from_the_earlier_to_the_later(desk):
    judge(desk, RELIEVES)
    judge(desk, NOT_NAUSEA)
    released(desk)
    judge(desk, NOT_NAUSEA, Verdict.REJECT, Reason.NEGATED)
    released(desk)
    expected = catalogue.compare_releases(desk, "1.0.0", "2.0.0")
    assert catalogue.compare_releases(desk, "2.0.0", "1.0.0") == expected
    assert [gone.id for gone in expected.withdrawn] == [NOT_NAUSEA.id]


def test_nothing_to_release_is_reported_before_missing_fields(desk):
    with pytest.raises(Refused, match="nothing to release"):
        released(desk, creators=())


def test_a_creator_stands_once(desk):
    judge(desk, RELIEVES)
    with pytest.raises(InputError, match="is listed twice"):
        released(desk, creators=(ANNA, Curator(f"https://orcid.org/{ANNA.orcid}", "Anna B")))


def test_evidence_that_waits_is_not_in_the_bundle_of_a_release(desk):
    judge(desk, RELIEVES, Verdict.UNSURE)
    judge(desk, RELIEVES)
    waiting = Evidence(RELIEVES.id, ReferenceGround("PMID:77"))
    desk.store.statements.propose([(RELIEVES, [waiting])])
    released(desk)
    _, parts = bundle_of(desk, "1.0.0")
    assert "PMID:77" not in "".join(parts.values())
    assert len(parts["decisions.tsv"].splitlines()) == 3


def test_a_rejected_article_is_not_a_quote_of_a_release(desk):
    judge(desk, RELIEVES)
    article = TextGround(DOCUMENT, SHA, Span(0, 2_001), "x" * 2_001)
    desk.store.statements.propose([(ADULTS, [Evidence(ADULTS.id, article)])])
    judge(desk, ADULTS, Verdict.REJECT, Reason.BOUNDARY)
    released(desk)
    _, parts = bundle_of(desk, "1.0.0")
    assert "x" * 2_001 not in "".join(parts.values())
    assert ADULTS.id in parts["rejected.tsv"]


def test_a_release_of_before_its_log_was_kept_reads_as_it_did(desk):
    judge(desk, RELIEVES)
    released(desk)
    kept = replace(catalogue.knowledge_base(desk, "1.0.0"), log=KnowledgeBase("").log)
    with zipfile.ZipFile(io.BytesIO(b"".join(bundle(kept)))) as archive:
        readme = archive.read("README.md").decode()
    assert "approvals that stand" in readme
    assert "every decision" not in readme


def test_a_creator_whom_the_project_does_not_name_keeps_the_name_of_the_last_release(desk):
    unnamed = Curator("0000-0002-1694-233X")
    judge(desk, RELIEVES, person=unnamed)
    released(desk, creators=(Curator(unnamed.orcid, "Dana Noted"),))
    judge(desk, NOT_NAUSEA, person=unnamed)
    (creator,) = making.preview_release(desk).form.creators
    assert (creator.orcid, creator.name) == (unnamed.orcid, "Dana Noted")
