"""What became of each letter of a source, for each reader that keeps a ledger."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from core.cli import main
from core.documents.ledger import BIBLIOGRAPHY, SourcePiece, account, ledger_problems
from core.documents.paper import Paper, PaperSection, with_ledger
from core.documents.read_document import only_paper, papers_of, read_as
from core.evaluation.data_folder import BESIDE
from tests.core.documents.readers.test_docx import docx, paragraph, run

TEXT = "Tau in mice\n\nResults\nTau rose.\n\nReferences\n1. Roe A. Tau. Brain 2001;4:5.\n"
PAGE = (
    "<html><head><title>A site</title></head><body><nav>Menu</nav><h1>Tau in mice</h1>"
    "<h2>Results</h2><p>Tau rose.</p><table><tr><th>Drug</th><th>Death</th></tr>"
    "<tr><td>Alpha</td><td>4</td></tr><tr><td>Beta</td><td></td></tr></table></body></html>"
)
ARTICLE = (
    "<article><front><article-meta><article-id pub-id-type='pmid'>31</article-id><title-group>"
    "<article-title>Tau in mice</article-title></title-group><permissions><p>Free.</p>"
    "</permissions></article-meta></front><body><sec><title>Results</title><p>Tau rose<xref"
    " ref-type='bibr'>1</xref> in 10<sup>6</sup> cells.</p></sec></body><back><ref-list><ref>"
    "<mixed-citation>Roe A. Old work.</mixed-citation></ref></ref-list></back></article>"
)
WORD = docx(
    paragraph(run("Tau in mice"), "Title"),
    paragraph(run("Results"), "Heading1"),
    paragraph(run("Tau rose in 10") + run("6", "superscript") + run(" cells.")),
    footnotes="Kept warm.",
)
MARKDOWN = "---\ndoi: 10.1/x\n---\n# Tau\n\n## Results\n\nIt rose.\n\n|a|b|\n|-|-|\n|c|4|\n"


PUBMED = (
    "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>31</PMID><Article><Journal><Title>Brain"
    "</Title></Journal><ArticleTitle>Tau in <i>mice</i></ArticleTitle><Abstract><AbstractText"
    " Label='RESULTS'>Tau rose in Brain. (ABSTRACT TRUNCATED AT 250 WORDS)</AbstractText>"
    "<CopyrightInformation>Us.</CopyrightInformation></Abstract><AuthorList><Author><LastName>Roe"
    "</LastName></Author></AuthorList></Article><KeywordList><Keyword>tau</Keyword></KeywordList>"
    "</MedlineCitation></PubmedArticle></PubmedArticleSet>"
)
BIOC = json.dumps(
    {
        "documents": [
            {
                "id": "31",
                "passages": [
                    {"infons": {"type": "title"}, "text": "Tau in mice"},
                    {"infons": {"type": "abstract"}, "text": "It rose."},
                    {"infons": {"type": "ref"}, "text": "Old work."},
                    {"infons": {"type": "keyword"}, "text": "tau"},
                ],
            }
        ]
    }
)
RIS = "TY  - JOUR\nTI  - Tau in mice\nAB  - It rose\nby half.\nAU  - Roe, A\nKW  - tau\nER  - \n"
NBIB = "PMID- 31\nTI  - Tau in mice\nAB  - It rose\n      by half.\nFAU - Roe, Ann\nAU  - Roe A\n"
BIB = "@article{a, title={Tau in \\emph{mice}}, abstract={It rose by $10^6$.}, note={Mine}}"
TABLE_OF_PAPERS = "Title,Abstract,Authors,Tag\nTau in mice,It rose by half.,Roe A,mine\n"
ENDNOTE = "%0 Journal Article\n%T Tau in mice\n%X It rose by half.\n%A Roe, A\n%K tau\n"
SCIENCE = "FN Clarivate\nPT J\nAU Roe, A\nTI Tau in mice\nAB It rose by half.\nID TAU\nER\n"
LINES = json.dumps({"id": "a", "title": "Tau in mice", "text": "It rose by half.", "tag": "mine"})


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("pubmed.xml", PUBMED.encode()),
        ("bioc.json", BIOC.encode()),
        ("a.pubtator", b"31|t|Tau in mice\n31|a|It rose by half.\n31\t0\t3\tTau\tGene\t1\n"),
        ("a.ris", RIS.encode()),
        ("a.nbib", NBIB.encode()),
        ("a.bib", BIB.encode()),
        ("a.csv", TABLE_OF_PAPERS.encode()),
        ("a.enw", ENDNOTE.encode()),
        ("a.ciw", SCIENCE.encode()),
        ("a.jsonl", LINES.encode()),
        ("a.txt", TEXT.encode()),
        ("a.html", PAGE.encode()),
        ("a.xml", ARTICLE.encode()),
        ("a.docx", WORD),
        ("a.md", MARKDOWN.encode()),
    ],
)
def test_every_letter_has_an_account(name: str, raw: bytes) -> None:
    ledger = only_paper(papers_of(raw, name), name).ledger
    assert ledger is not None and ledger.total > 20
    assert (ledger.missing, ledger.examples) == (0, ())
    assert sum(ledger.shares().values()) == ledger.total


def test_what_is_no_text_of_a_record_is_not_looked_for_in_it() -> None:
    ledger = only_paper(papers_of(PUBMED.encode(), "a.xml"), "a.xml").ledger
    assert ledger is not None
    assert ledger.kept == {"body": len("TauroseinBrain"), "heading": 7, "title": 9}
    assert ledger.left_out[BIBLIOGRAPHY] == len("31BrainRoe")
    assert sum(ledger.left_out.values()) == len("31BrainRoeUstau") + len(
        "ABSTRACTTRUNCATEDAT250WORDS"
    )


def test_a_field_that_is_not_kept_is_named() -> None:
    ledger = only_paper(papers_of(RIS.encode(), "a.ris"), "a.ris").ledger
    assert ledger is not None and ledger.left_out["not kept: KW"] == 3


def test_a_letter_is_counted_as_what_it_was_read_as() -> None:
    ledger = only_paper(papers_of(ARTICLE.encode(), "a.xml"), "a.xml").ledger
    assert ledger is not None
    assert ledger.kept["title"] == len("Tauinmice") and ledger.kept["references"] == len(
        "RoeAOldwork"
    )
    assert sum(ledger.left_out.values()) == len("31" + "Free" + "1")


def test_a_gap_is_told_with_its_words() -> None:
    pieces = [SourcePiece("Tau rose in mice."), SourcePiece("It fell in rats, which nobody reads.")]
    paper = Paper("doc:1", "Tau", (PaperSection("", "Tau rose in mice."),))
    told = with_ledger(paper, pieces)
    (problem,) = told.problems
    assert problem.code == "text-missing" and "It fell in rats" in problem.message
    assert read_as(told).warnings
    whole = account(pieces[:1], [("body", "Tau rose in mice.")])
    assert whole.gap == 0.0


@pytest.mark.parametrize(
    "path", sorted((BESIDE / "pdf").glob("*5[04]*.xml.gz")), ids=lambda p: p.name
)
def test_articles_have_an_account_of_every_letter(path: Path) -> None:
    raw = gzip.decompress(path.read_bytes())
    ledger = only_paper(papers_of(raw, "a.xml"), "a.xml").ledger
    assert ledger is not None and (ledger.missing, ledger.examples) == (0, ())


def test_read_prints_the_shares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.xml"
    file.write_text(ARTICLE, encoding="utf-8")
    assert main(["--project", str(tmp_path / "p"), "read", str(file), "--format", "json"]) == 0
    shares = json.loads(capsys.readouterr().out)["ledger"]["shares"]
    assert sum(shares.values()) == pytest.approx(1, abs=0.001) and shares["missing"] == 0


def test_what_is_missing_is_not_searched_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.documents.ledger.MOST_SEARCHED", 100)
    pieces = [SourcePiece("Beta rose."), SourcePiece("Alpha."), SourcePiece("Tau fell.")]
    told = account(pieces, [("body", "Tau fell. " * 20 + "Alpha.")])
    assert (told.kept, told.missing) == ({"body": 7}, len("BetaroseAlpha"))


def test_a_long_note_makes_a_lost_abstract_no_smaller() -> None:
    pieces = [SourcePiece("Tau in mice"), SourcePiece("Aspirin causes death.")]
    note = SourcePiece("A note. " * 100, "not kept: N1", apart=True)
    ledger = account([*pieces, note], [("title", "Tau in mice")])
    assert ledger.gap == pytest.approx(18 / 27)
    assert [problem.code for problem in ledger_problems(ledger, "x")] == ["text-missing"]


def test_a_heading_without_a_text_is_no_gap() -> None:
    passages = [
        ("title", "Tau"),
        ("title_1", "RESULTS"),
        ("paragraph", "Tau fell."),
        ("title_1", "END"),
    ]
    document = {
        "id": "1",
        "passages": [{"infons": {"type": kind}, "text": text} for kind, text in passages],
    }
    raw = json.dumps({"documents": [document]}).encode()
    ledger = only_paper(papers_of(raw, "a.json"), "a.json").ledger
    assert ledger is not None and ledger.missing == 0
    assert ledger.left_out["headings without a text"] == len("END")
