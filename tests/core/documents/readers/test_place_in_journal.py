"""Volume, issue and pages: kept from every kind of record, and nothing where none is known."""

from __future__ import annotations

import json
import re

import pytest

from core.documents.files import read_bytes
from core.documents.paper import Paper, assemble_paper
from core.documents.readers.page_range import page_range
from core.literature.triage.citation import bibtex, csv_text, known_citation, ris

RIS = """TY  - JOUR
TI  - Tau in mice
AU  - Roe, A.B.
PY  - 2021
JO  - J Made Up
VL  - 12
IS  - 3
SP  - 1123
EP  - 1130
ER  -
"""
BIBTEX = """@article{roe, title = {Tau in mice}, author = {Roe, Ann}, year = {2021},
  journal = {J Made Up}, volume = {12}, number = {3}, pages = {1123--1130}}"""
NBIB = """PMID- 12
TI  - Tau in mice.
TA  - J Made Up
DP  - 2021 May
VI  - 12
IP  - 3
PG  - 1123-30
AU  - Roe A
"""
PUBMED = """<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>12</PMID><Article>
<Journal><JournalIssue><Volume>12</Volume><Issue>3</Issue><PubDate><Year>2021</Year></PubDate>
</JournalIssue></Journal><ArticleTitle>Tau in mice.</ArticleTitle>
<Pagination><MedlinePgn>1123-30</MedlinePgn></Pagination>
</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"""
CSL = [
    {"title": "Tau in mice", "DOI": "10.1234/t", "issued": {"date-parts": [[2021]]},
     "container-title": "J Made Up", "volume": 12, "issue": "3", "page": "1123–1130"}
]  # fmt: skip
WOS = """FN Clarivate Analytics Web of Science
PT J
TI Tau in mice
SO J MADE UP
VL 12
IS 3
BP 1123
EP 1130
ER
EF
"""
ENDNOTE = """%0 Journal Article
%T Tau in mice
%J J Made Up
%V 12
%N 3
%P 1123-1130
"""
JATS = """<article><front><article-meta><article-id pub-id-type="pmid">12</article-id>
<title-group><article-title>Tau in mice</article-title></title-group>
<volume>12</volume><issue>3</issue><fpage>1123</fpage><lpage>1130</lpage>
</article-meta></front><body><p>Words of the body.</p></body></article>"""
HTML = """<html><head><meta name="citation_title" content="Tau in mice">
<meta name="citation_volume" content="12"><meta name="citation_issue" content="3">
<meta name="citation_firstpage" content="1123"><meta name="citation_lastpage" content="1130">
</head><body><article><h1>Tau in mice</h1><p>Words of the body.</p></article></body></html>"""
SCOPUS = """Authors,Title,Year,Source title,Volume,Issue,Art. No.,Page start,Page end,DOI
"Roe A.B.",Tau in mice,2021,J Made Up,12,3,,1123,1130,10.1234/t
"""
FILES = {
    "a.ris": RIS,
    "a.bib": BIBTEX,
    "a.nbib": NBIB,
    "a.xml": PUBMED,
    "a.json": json.dumps(CSL),
    "a.ciw": WOS,
    "a.enw": ENDNOTE,
    "j.xml": JATS,
    "a.html": HTML,
    "a.csv": SCOPUS,
}


def only(text: str, name: str) -> Paper:
    (paper,) = read_bytes(text.encode(), name)
    return paper


@pytest.mark.parametrize("name", FILES)
def test_volume_issue_and_pages_are_kept(name: str) -> None:
    paper = only(FILES[name], name)
    assert (paper.volume, paper.issue, paper.pages) == ("12", "3", "1123-1130")
    _, body = assemble_paper(paper)
    assert (body["volume"], body["issue"], body["pages"]) == ("12", "3", "1123-1130")


@pytest.mark.parametrize("name", FILES)
def test_a_record_that_names_none_keeps_none(name: str) -> None:
    text = re.sub("1123(--?|–|\\\\u2013)(11)?30|1123|1130", "n/a", FILES[name])
    paper = only(text, name)
    assert (paper.volume, paper.pages) == ("12", "")
    assert "pages" not in assemble_paper(paper)[1]


@pytest.mark.parametrize("write, name", [(ris, "a.ris"), (bibtex, "a.bib"), (csv_text, "a.csv")])
def test_exported_citation_is_read_back_with_volume_and_pages(write, name: str) -> None:
    version, body = assemble_paper(only(RIS, "a.ris"))
    paper = only(write([known_citation(version.document, "Tau in mice", body)]), name)
    assert (paper.volume, paper.issue, paper.pages) == ("12", "3", "1123-1130")


def test_article_number_is_cited_where_there_are_no_pages() -> None:
    scopus = SCOPUS.replace(",,1123,1130,", ",e0123456,,,")
    assert only(scopus, "a.csv").pages == "e0123456"
    numbered = RIS.replace("SP  - 1123\nEP  - 1130", "C7  - 104567")
    assert only(numbered, "a.ris").pages == "104567"


@pytest.mark.parametrize(
    ("written", "pages"),
    [
        (("1123", "30"), "1123-1130"),
        (("1123-1130", "1130"), "1123-1130"),
        (("S12", "S15"), "S12-S15"),
        (("7", "7"), "7"),
        (("e7", ""), "e7"),
        (("", "9"), "9"),
        (("n/a", "n/a"), ""),
        (("n/a-n/a", ""), ""),
        (("no", "no"), ""),
        (("12-5, 20-2", ""), "12-5, 20-2"),
        (("", ""), ""),
    ],
)
def test_pages_as_records_write_them(written: tuple[str, str], pages: str) -> None:
    assert page_range(*written) == pages
