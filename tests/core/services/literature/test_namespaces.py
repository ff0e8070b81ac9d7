"""Namespaces from files and PubMed, answers, triage and the way into curation."""

from __future__ import annotations

import json
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from core.desk import Desk, open_desk
from core.errors import InputError, NotFound, Unreachable
from core.literature.query.keyword import LiteratureQuery, parse_query
from core.literature.triage.verdict import PaperVerdict
from core.model import Category, Curator, Evidence, ReferenceGround, Span, Statement, Term
from core.services.literature import answer, curation, namespaces, searching, triage, update, upload
from core.settings import Settings
from tests.core.documents.test_files import pdf
from tests.core.literature.standin import Entrez, paper_xml

ANNA = Curator("0000-0002-1825-0097", "Anna")
ROWS = (
    {
        "id": "PMID:1",
        "title": "Tau and kinase Q",
        "text": "Kinase Q phosphorylates tau in neurons. Mice are well.",
    },
    {"id": "PMID:2", "title": "Kinases", "text": "Many kinases are known. Few were seen near tau."},
    {"id": "PMID:3", "title": "Bread", "text": "Bread is baked from flour and water."},
)
STATEMENT = Statement(
    Term("X:1", "kinase Q", Category.GENE),
    Term("biolink:regulates", "phosphorylates"),
    Term("X:2", "tau", Category.GENE),
)


@pytest.fixture
def desk(tmp_path) -> Desk:
    return open_desk(Settings(project=tmp_path / "p"))


def rows(folder: Path, records=ROWS) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), "utf-8")
    return path


@pytest.fixture
def filled(desk, tmp_path) -> Desk:
    namespaces.create_namespace(desk, "tau")
    namespaces.add_files(desk, "tau", [rows(tmp_path)])
    return desk


def found_documents(desk, text="kinase tau", **more) -> list[str]:
    return [
        r.chunk.document
        for r in searching.search_namespaces(desk, ["tau"], parse_query(text), **more).results
    ]


# ------------------------------------------------------------------ namespaces


def test_papers_are_there_once(filled, tmp_path):
    added = namespaces.add_files(filled, "tau", [rows(tmp_path)])
    assert (added.read, added.changed, namespaces.papers_of_namespace(filled, "tau")) == (3, 0, 3)


def test_a_changed_text_is_a_new_version_and_the_old_one_stays(filled, tmp_path):
    namespaces.add_files(
        filled, "tau", [rows(tmp_path, ({**ROWS[0], "text": "Kinase Q does nothing."},))]
    )
    assert (
        len(filled.store.documents.texts("PMID:1")) == 2
        and namespaces.papers_of_namespace(filled, "tau") == 3
    )
    assert (
        "does nothing"
        in searching.search_namespaces(filled, ["tau"], LiteratureQuery("kinase Q"))
        .results[0]
        .chunk.text
    )


def test_an_index_is_made_again_when_papers_came(filled, tmp_path):
    before = found_documents(filled)
    namespaces.add_files(
        filled,
        "tau",
        [rows(tmp_path, ({"id": "PMID:4", "title": "", "text": "kinase tau kinase tau"},))],
    )
    assert before[0] == "PMID:1" and "PMID:4" in found_documents(filled)


def test_a_lost_index_is_rebuilt(filled):
    import shutil

    shutil.rmtree(filled.indexes)
    namespaces._forget(filled, "tau")
    assert found_documents(filled)[0] == "PMID:1"


def test_original_case_is_kept(filled):
    assert (
        searching.search_namespaces(filled, ["tau"], LiteratureQuery("bread"))
        .results[0]
        .chunk.text.startswith("Bread\nBread is")
    )


def test_several_namespaces_are_searched_as_one(filled, tmp_path):
    namespaces.create_namespace(filled, "other")
    namespaces.add_files(
        filled,
        "other",
        [rows(tmp_path, ({"id": "PMID:9", "title": "", "text": "tau tau kinase Q"},))],
    )
    results = searching.search_namespaces(
        filled, ["tau", "other"], LiteratureQuery("kinase Q tau")
    ).results
    assert {"PMID:1", "PMID:9"} <= {r.chunk.document for r in results}


def test_equal_ids_of_two_namespaces_keep_their_own_titles(filled, tmp_path):
    namespaces.create_namespace(filled, "other")
    namespaces.add_files(
        filled,
        "other",
        [rows(tmp_path, ({"id": "PMID:1", "title": "", "text": "Nothing of that."},))],
    )
    chunk = (
        searching.search_namespaces(filled, ["other"], LiteratureQuery("nothing")).results[0].chunk
    )
    assert (chunk.title, chunk.text) == ("", "Nothing of that.")
    assert searching.search_namespaces(filled, ["other"], LiteratureQuery("kinase")).results == ()


def test_a_deleted_namespace_is_reported_and_its_documents_stay(filled):
    namespaces.delete_namespace(filled, "tau")
    with pytest.raises(NotFound, match="no namespace called 'tau'"):
        found_documents(filled)
    assert filled.store.documents.get("PMID:1").title == "Tau and kinase Q"


def test_a_namespace_deleted_while_papers_come_is_reported(filled):
    def papers():
        yield from ()
        namespaces.delete_namespace(filled, "tau")
        from core.documents.paper import Paper, PaperSection

        yield Paper("PMID:5", "T", (PaperSection("", "x"),))

    with pytest.raises(NotFound, match="deleted meanwhile"):
        namespaces.add_papers(filled, "tau", papers())


def test_unreadable_file_among_several_is_reported(filled, tmp_path):
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.4 nothing")
    added = namespaces.add_files(filled, "tau", [tmp_path / "bad.pdf", rows(tmp_path)])
    assert added.read == 3 and added.problems[0].code == "unreadable-file"


def test_an_uploaded_pdf_is_read_here_when_grobid_fails(tmp_path):
    desk = open_desk(Settings(project=tmp_path / "p", grobid_url="http://127.0.0.1:9"))
    namespaces.create_namespace(desk, "pdfs")
    raw = pdf("Tau is found in many neurons here and there.")
    assert upload.add_pdf(desk, "pdfs", "x.pdf", raw).read == 1
    assert (
        "many neurons"
        in searching.search_namespaces(desk, ["pdfs"], LiteratureQuery("neurons"))
        .results[0]
        .chunk.text
    )


def test_documents_of_the_project_can_be_searched(filled):
    namespaces.create_namespace(filled, "all")
    assert namespaces.add_project_documents(filled, "all").read == 3


@pytest.mark.parametrize("name", ["", "  ", "a/b", "x" * 81])
def test_names_that_cannot_be_are_refused(desk, name):
    with pytest.raises(InputError):
        namespaces.create_namespace(desk, name)


# ------------------------------------------------------------------ PubMed


@pytest.fixture
def pubmed(tmp_path, monkeypatch):
    clock = ["2020-06-01T00:00:00Z"]
    desk = open_desk(Settings(project=tmp_path / "p"), clock=lambda: clock[0])
    entrez = Entrez({n: date(2010, 1, n) for n in range(1, 4)})
    monkeypatch.setattr(Desk, "web", lambda self, kind="api", hosts=(): entrez)
    namespaces.create_namespace(desk, "tau", query={"terms": "tau"})
    return desk, entrez, clock


def test_a_first_update_reads_everything(pubmed):
    desk, _, _ = pubmed
    report = update.update_namespace(desk, "tau")
    assert report["new"] == ["PMID:1", "PMID:2", "PMID:3"] and report["chunks"] == 3
    assert desk.store.namespaces.get("tau").updated == "2020-06-01"


def test_the_next_update_says_what_changed(pubmed):
    desk, entrez, clock = pubmed
    update.update_namespace(desk, "tau")
    clock[0] = "2020-07-01T00:00:00Z"
    retracted = '<CommentsCorrections RefType="RetractionIn"><PMID>99</PMID></CommentsCorrections>'
    entrez.days[4] = date(2020, 6, 20)
    entrez.changed = {1: date(2020, 6, 21)}
    entrez.records[1] = paper_xml(1, date(2010, 1, 1), "Paper 1", retracted)
    del entrez.days[3]
    report = update.update_namespace(desk, "tau")
    assert report["new"] == ["PMID:4"] and report["revised"] == ["PMID:1"]
    assert report["retracted"] == ["PMID:1"] and report["deleted"] == ["PMID:3"]
    flags = {
        r.chunk.document: r.chunk.flags
        for r in searching.search_namespaces(desk, ["tau"], LiteratureQuery("tau sample")).results
    }
    assert flags["PMID:1"] == ("retracted",) and flags["PMID:3"] == ("deleted from PubMed",)


def test_a_deleted_paper_keeps_its_verdict_and_is_reported_once(pubmed):
    desk, entrez, clock = pubmed
    update.update_namespace(desk, "tau")
    triage.judge_paper(desk, "tau", "PMID:3", PaperVerdict.INCLUDE, curator="A")
    del entrez.days[3]
    reports = []
    for clock[0] in ("2020-07-01T00:00:00Z", "2020-08-01T00:00:00Z"):
        reports.append(update.update_namespace(desk, "tau")["deleted"])
    assert reports == [["PMID:3"], []]
    assert triage.paper_verdicts(desk, ["tau"]) == {"PMID:3": "include"}
    assert "deleted from PubMed" in triage.export_judged(desk, ["tau"], "csv")


def test_a_deleted_paper_that_comes_back_is_whole_again(pubmed):
    desk, entrez, clock = pubmed
    update.update_namespace(desk, "tau")
    day = entrez.days.pop(3)
    clock[0] = "2020-07-01T00:00:00Z"
    update.update_namespace(desk, "tau")
    entrez.days[3], entrez.changed = day, {3: date(2020, 7, 20)}
    clock[0] = "2020-08-01T00:00:00Z"
    assert update.update_namespace(desk, "tau")["revised"] == ["PMID:3"]
    assert "flags" not in desk.store.namespaces.member_bodies("tau")["PMID:3"]


def test_an_update_resumed_when_its_search_has_expired_searches_again(pubmed, monkeypatch):
    from core.documents.sources import pubmed as source
    from core.errors import Unreachable

    desk, entrez, _ = pubmed
    monkeypatch.setattr(source, "BATCH", 2)
    fetch = entrez.fetch

    def broken(request):
        if dict(request.params).get("retstart") == "2":
            raise Unreachable("eutils did not answer.")
        return fetch(request)

    entrez.fetch = broken
    with pytest.raises(Unreachable):
        update.update_namespace(desk, "tau", run="r1")
    entrez.fetch = fetch
    entrez.forget()
    report = update.update_namespace(desk, "tau", run="r1")
    assert namespaces.papers_of_namespace(desk, "tau") == 3 and report["problems"] == []


def test_an_update_is_a_job_whose_calls_are_recorded(pubmed):
    desk, _, _ = pubmed
    job = update.start_update(desk, "tau")
    done = desk.runner.wait(job.id, 30)
    assert done.result["new"] and len(desk.store.calls.of_run(job.id)) == 2
    desk.close()


def test_a_namespace_is_updated_when_opened_once_a_day(pubmed):
    desk, _, _ = pubmed
    assert update.update_when_opened(desk) == []
    namespaces.create_namespace(desk, "tau", settings={"when_opened": True})
    (job,) = update.update_when_opened(desk)
    desk.runner.wait(job.id, 30)
    assert update.update_when_opened(desk) == []
    desk.close()


def test_a_namespace_without_a_query_cannot_update(filled):
    with pytest.raises(InputError, match="no PubMed query"):
        update.update_namespace(filled, "tau")


# ------------------------------------------------------------------ answers, triage, curation


def chunks(desk, text="Which kinase phosphorylates tau?"):
    return [
        r.chunk for r in searching.search_namespaces(desk, ["tau"], LiteratureQuery(text)).results
    ]


def answered(desk, question, **more):
    return answer.answer_run(desk, answer.begin_answer(desk, question, chunks(desk), **more))


def test_an_answer_is_kept_with_its_run_and_rated(filled):
    first_answer = answered(filled, "Which kinase phosphorylates tau?", mode="coverage")
    assert answer.kept_answer(filled, first_answer.run) == first_answer
    answer.rate_answer(filled, first_answer.run, 1, "A")
    answer.rate_answer(filled, first_answer.run, 4, "A")
    assert answer.answer_ratings(filled) == {"coverage": (1, 4.0)}


def test_question_can_be_answered_paper_by_paper(filled):
    by_paper = answered(filled, "kinase phosphorylates tau", per_paper=True)
    assert by_paper.answers[0].document == "PMID:1" and len(by_paper.answers) == 2


def test_verdicts_are_kept_undone_and_exported(filled):
    triage.judge_paper(
        filled, "tau", "PMID:1", PaperVerdict.INCLUDE, curator="A", reason="on topic"
    )
    triage.judge_paper(filled, "tau", "PMID:1", PaperVerdict.EXCLUDE, curator="A")
    triage.judge_paper(filled, "tau", "PMID:2", PaperVerdict.MAYBE, curator="A")
    assert [triage.undo_verdict(filled, ["tau"], "A") for _ in range(2)] == ["PMID:2", "PMID:1"]
    assert triage.paper_verdicts(filled, ["tau"]) == {"PMID:1": "include"}
    assert "Tau and kinase Q" in triage.export_judged(filled, ["tau"], "csv")
    with pytest.raises(InputError):
        triage.judge_paper(filled, "tau", "PMID:1", "perhaps")


def test_a_sentence_becomes_evidence_at_its_place_in_the_paper(filled):
    reference = Evidence(STATEMENT.id, ReferenceGround("PMID:7"))
    filled.store.statements.propose([(STATEMENT, [reference])], "", ANNA.orcid)
    best = curation.find_evidence(filled, STATEMENT, ["tau"])[0]
    addition = curation.add_evidence(
        filled, STATEMENT.id, best.result.chunk, best.sentence, curator=ANNA.orcid
    )
    ground = filled.store.statements.evidence(addition.evidence[0]).ground
    text = filled.store.documents.text(ground.version, "PMID:1").text
    assert ground.quote == ground.span.quote(text) == "Kinase Q phosphorylates tau in neurons."


def test_words_that_are_not_in_the_paper_are_no_evidence(filled):
    filled.store.statements.propose(
        [(STATEMENT, [Evidence(STATEMENT.id, ReferenceGround("PMID:7"))])], "", ANNA.orcid
    )
    with pytest.raises(InputError):
        curation.add_evidence(filled, STATEMENT.id, chunks(filled)[0], Span(9000, 9010))


def test_an_embedding_mode_without_an_endpoint_is_left_out_of_a_comparison(filled):
    assert set(
        searching.search_in_modes(filled, ["tau"], LiteratureQuery("tau"), ["bm25", "pes1"])
    ) == {"bm25"}


def test_search_names_a_scheduler_that_does_not_answer(desk, tmp_path, monkeypatch):
    monkeypatch.setattr(searching, "connect", partial(searching.connect, timeout=0.5))
    namespaces.create_namespace(desk, "notes")
    namespaces.add_files(desk, "notes", [rows(tmp_path)])
    far = open_desk(Settings(project=tmp_path / "p", scheduler="tcp://127.0.0.1:9"))
    with pytest.raises(Unreachable, match=r"127\.0\.0\.1:9"):
        searching.search_namespaces(far, ["notes"], parse_query("kinase"))


def test_a_statement_is_chosen_by_its_words_or_its_id(filled):
    reference = Evidence(STATEMENT.id, ReferenceGround("PMID:7"))
    filled.store.statements.propose([(STATEMENT, [reference])], "", ANNA.orcid)
    for words, count in (
        ("", 1),
        ("tau kinase", 1),
        (STATEMENT.id, 1),
        ("bread", 0),
        ("s1-none", 0),
    ):
        assert len(curation.extendable_statements(filled, words)) == count


def test_a_title_without_end_is_cut_and_reported(filled, tmp_path):
    long = {"id": "PMID:7", "title": "tau " * 50_000, "text": "Short.", "journal": "J" * 5_000}
    added = namespaces.add_files(filled, "tau", [rows(tmp_path, (long,))])
    assert [problem.code for problem in added.problems] == ["field-too-long"] * 2
    assert len(filled.store.documents.get("PMID:7").title) < 3_001
    assert len(namespaces.open_index_of(filled, "tau")) < 10


def test_a_file_that_ends_its_child_costs_no_other(filled, tmp_path, monkeypatch):
    from core.services.literature import namespaces

    stream = namespaces.isolation.stream_from_child
    monkeypatch.setattr(
        namespaces.isolation,
        "stream_from_child",
        lambda *a, **named: stream(*a, **named, megabytes=400),
    )
    (tmp_path / "a.xml").write_bytes(b"<PubmedArticleSet>" + b"a" * 300_000_000)
    paper = {"id": "PMID:8", "title": "", "text": "x"}
    added = namespaces.add_files(filled, "tau", [tmp_path / "a.xml", rows(tmp_path, (paper,))])
    assert (added.new, [p.code for p in added.problems]) == (1, ["unreadable-file"])
