"""Papers brought in together: identifiers and files of any kind, each with a status of its own."""

from __future__ import annotations

import pytest

from core.errors import InputError, Refused, Unreachable
from core.model import DocumentShow, JobState, Verdict
from core.services.documents import intake, overview, rereading
from core.services.documents.intake import InputFile, identifiers_in
from core.services.documents.overview import DocumentFilter
from core.services.extract import batch
from core.services.review import decision
from core.services.review.decision import Judgement
from tests import reviewing
from tests.reviewing import ANNA

RIS = b"""TY  - JOUR
TI  - Willow bark in adults
AB  - Aspirin relieves headache in most adults.
PY  - 2011
JO  - Journal of Bark
DO  - 10.1000/bark
ER  -
TY  - JOUR
TI  - Bark and nausea
AB  - Aspirin did not relieve nausea.
PY  - 2012
ER  -
"""
PUBMED = """<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article>
<Journal><Title>Bark Letters</Title><JournalIssue><PubDate><Year>2001</Year></PubDate>
</JournalIssue></Journal><ArticleTitle>{title}</ArticleTitle>
<Abstract><AbstractText>Aspirin relieves headache.</AbstractText></Abstract>
<PublicationTypeList><PublicationType>{kind}</PublicationType></PublicationTypeList></Article>
{more}</MedlineCitation></PubmedArticle></PubmedArticleSet>"""
NOTICE = """<CommentsCorrectionsList><CommentsCorrections RefType="RetractionOf">
<PMID>11</PMID></CommentsCorrections></CommentsCorrectionsList>"""


@pytest.fixture
def desk(tmp_path):
    return reviewing.empty(tmp_path / "p")


def brought(desk, words="", files=(), **more):
    job = intake.start_intake(desk, words, files, **more)
    assert desk.runner.wait(job.id).state is JobState.DONE
    return job.id


def test_a_box_holds_identifiers_of_every_kind_in_any_order():
    named, strange = identifiers_in(
        "PMID: 12345678, 23\nhttps://pubmed.ncbi.nlm.nih.gov/23/ PMC123; doi:10.1000/x.y. willow"
    )
    assert named == ["PMID:12345678", "PMID:23", "PMCID:PMC123", "DOI:10.1000/x.y"]
    assert strange == ["willow"]


def test_files_of_several_kinds_come_in_together_with_titles_and_years(desk):
    job = brought(
        desk,
        "willow",
        [InputFile("bark.ris", RIS), InputFile("note.txt", b"Aspirin relieves headache.")],
    )
    ris, note, strange = intake.intake_items(desk, job)
    assert ris.words.startswith("2 papers, the first: Willow bark in adults")
    assert (str(note.state), len(note.documents)) == ("done", 1)
    assert (str(strange.state), strange.name) == ("refused", "willow")
    rows = {row.title: row for row in overview.list_documents(desk)}
    row = rows["Willow bark in adults"]
    assert (row.year, row.journal, row.ids) == ("2011", "Journal of Bark", ("DOI:10.1000/bark",))
    assert rows["note"].kinds == ("text",)


def test_a_file_that_cannot_be_read_is_refused_alone_and_not_offered_again(desk):
    files = [InputFile("bad.pdf", b"%PDF-1.4 \x00"), InputFile("good.md", b"Willow.")]
    job = brought(desk, "", files)
    assert [str(item.state) for item in intake.intake_items(desk, job)] == ["refused", "done"]
    with pytest.raises(Refused):
        intake.retry_intake(desk, job)


def test_a_paper_that_could_not_be_fetched_is_tried_again(desk, monkeypatch):
    monkeypatch.setattr(intake, "_fetch", _away)
    job = brought(desk, "11")
    assert [str(item.state) for item in intake.intake_items(desk, job)] == ["failed"]
    answer = PUBMED.format(pmid=11, title="A claim", kind="Journal Article", more="")
    monkeypatch.setattr(intake, "_fetch", lambda desk, pmids: answer)
    intake.retry_intake(desk, job)
    desk.runner.wait(job)
    assert [str(item.state) for item in intake.intake_items(desk, job)] == ["done"]
    with pytest.raises(Refused):
        intake.retry_intake(desk, job)


def _away(desk, pmids):
    raise Unreachable("PubMed does not answer.")


def test_interrupted_intake_counts_the_documents_that_came_in(desk, monkeypatch):
    files = [InputFile("a.ris", RIS), InputFile("broken.pdf", b"%PDF-1.4 \x00")]
    monkeypatch.setattr(intake, "_read_new", lambda *_: 1 / 0)  # it ends before its result
    job = intake.start_intake(desk, "", files, schema="chemical_disease", engine="builtin")
    assert desk.runner.wait(job.id).result is None
    assert intake.intake_counts(desk, job.id) == (1, 0, 1)


def test_intake_of_nothing_is_refused(desk):
    with pytest.raises(InputError):
        intake.start_intake(desk, " , ")


def test_pmids_are_asked_for_together_and_a_retraction_marks_its_paper(desk, monkeypatch):
    asked = []

    def fetch(desk, pmids):
        asked.append(list(pmids))
        first = PUBMED.format(pmid=11, title="A claim", kind="Journal Article", more="")
        second = PUBMED.format(
            pmid=12, title="Retraction: a claim", kind="Retraction of Publication", more=NOTICE
        )
        return first.replace("</PubmedArticleSet>", "") + second.replace("<PubmedArticleSet>", "")

    monkeypatch.setattr(intake, "_fetch", fetch)
    job = brought(desk, "11 12 13")
    assert asked == [["PMID:11", "PMID:12", "PMID:13"]]
    assert [str(item.state) for item in intake.intake_items(desk, job)] == [
        "done",
        "done",
        "failed",
    ]
    withdrawn = overview.list_documents(desk, DocumentFilter(show=DocumentShow.WITHDRAWN))
    assert [row.id for row in withdrawn] == ["PMID:11"]


def test_a_paper_that_comes_in_after_its_retraction_is_marked_too(desk, monkeypatch):
    papers = {
        "PMID:11": PUBMED.format(pmid=11, title="A claim", kind="Journal Article", more=""),
        "PMID:12": PUBMED.format(
            pmid=12, title="Retraction", kind="Retraction of Publication", more=NOTICE
        ),
    }
    monkeypatch.setattr(intake, "_fetch", lambda desk, pmids: papers[pmids[0]])
    brought(desk, "12")
    assert not overview.list_documents(desk, DocumentFilter(show=DocumentShow.WITHDRAWN))
    brought(desk, "11")
    withdrawn = overview.list_documents(desk, DocumentFilter(show=DocumentShow.WITHDRAWN))
    assert [row.id for row in withdrawn] == ["PMID:11"]


def test_intake_is_extracted_in_a_batch_and_sent_at_once(tmp_path):
    desk = reviewing.filled(tmp_path / "p")
    text = b"Aspirin can induce headache. Aspirin-induced nausea is known."
    job = brought(
        desk,
        "",
        [InputFile("new.txt", text)],
        schema="chemical_disease",
        engine="builtin",
        curator=ANNA.orcid,
    )
    begun = desk.runner.wait(desk.runner.job(job).result["batch"])
    assert [str(item.state) for item in batch.batch_items(desk, begun)] == ["done"]
    sent = desk.runner.wait(batch.start_sending(desk, begun.id, ANNA.orcid).id)
    assert sent.state is JobState.DONE and batch.sending_result(sent).documents == 1


def test_rejected_statement_found_again_shows_its_old_reason(tmp_path):
    desk = reviewing.filled(tmp_path / "p")
    text = b"Aspirin can induce headache in adults."
    job = brought(
        desk, "", [InputFile("new.txt", text)], schema="chemical_disease", engine="builtin"
    )
    begun = desk.runner.wait(desk.runner.job(job).result["batch"])
    (item,) = batch.batch_items(desk, begun)
    apart = rereading.compare_with_review(desk, item.run)
    assert apart.new and not apart.settled
    sent = desk.runner.wait(batch.start_sending(desk, begun.id, ANNA.orcid).id)
    assert batch.sending_result(sent).new
    first = apart.new[0].id
    judgement = Judgement(Verdict.REJECT, decision.Reason.WRONG_TERM, "the drug, not the bark")
    version = desk.store.statements.get(first).version
    decision.decide(desk, first, version, judgement, curator=ANNA)
    document = intake.intake_items(desk, job)[0].documents[0]
    again = rereading.read_again(desk, document, "chemical_disease", "builtin", ANNA.orcid)
    desk.runner.wait(again.id)
    apart = rereading.compare_with_review(desk, again.arguments["run"])
    assert [paper.statement.id for paper in apart.returning] == [first]
    assert "wrong term: the drug, not the bark (Anna" in apart.returning[0].words
    assert first not in [statement.id for statement in apart.same]
