"""PubMed's XML as others write it. Every record here is made up."""

from __future__ import annotations

import pytest

from core.documents.paper import assemble_paper
from core.documents.readers.pubmed_xml import deleted, papers
from core.documents.readers.xml import parse_xml
from core.documents.readers.xml_file import read_xml
from core.errors import InputError

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD'
    ' PubMedArticle, 1st January 2019//EN"'
    ' "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_190101.dtd">\n<PubmedArticleSet>'
)


def record(pmid="11", title="A title", abstract="", more="", article="", data="") -> str:
    return (
        "<PubmedArticle><MedlineCitation><PMID"
        f" Version='1'>{pmid}</PMID><Article><Journal><JournalIssue><PubDate>"
        "<Year>2001</Year></PubDate></JournalIssue><ISOAbbreviation>J Made"
        " Up</ISOAbbreviation></Journal>"
        f"<ArticleTitle>{title}</ArticleTitle>{abstract}{article}</Article>{more}</MedlineCitation>"
        f"<PubmedData>{data}</PubmedData></PubmedArticle>"
    )


def read(*records: str) -> list:
    return list(read_xml((HEAD + "".join(records) + "</PubmedArticleSet>").encode()))


def test_a_structured_abstract_keeps_its_labels():
    abstract = (
        '<Abstract><AbstractText Label="BACKGROUND"'
        ' NlmCategory="BACKGROUND">Why.</AbstractText><AbstractText'
        ' Label="RESULTS">That.</AbstractText><CopyrightInformation>©'
        " us</CopyrightInformation></Abstract>"
    )
    paper = read(record(abstract=abstract))[0]
    assert [(s.name, s.text) for s in paper.sections] == [
        ("Background", "Why."),
        ("Results", "That."),
    ]
    assert assemble_paper(paper)[0].text == "A title\nBACKGROUND: Why.\nRESULTS: That."


def test_mixed_content_keeps_every_word():
    abstract = (
        "<Abstract><AbstractText>Ca<sup>2+</sup> and <i>TP53</i>, <b>both"
        " <i>here</i></b>.</AbstractText></Abstract>"
    )
    paper = read(record(title="On <i>TP53</i> &#x3B2;-catenin", abstract=abstract))[0]
    assert paper.title == "On TP53 β-catenin"
    assert paper.sections[0].text == "Ca2+ and TP53, both here."


def test_html_in_an_abstract_is_read_as_what_it_means():
    abstract = "<Abstract><AbstractText>&lt;p&gt;p &amp;lt; 0.05 in &lt;i&gt;rats&lt;/i&gt;."
    abstract += "&lt;/p&gt;</AbstractText></Abstract>"
    assert read(record(abstract=abstract))[0].sections[0].text == "p < 0.05 in rats."


def test_named_entities_do_not_stop_the_reader():
    assert (
        read(record(title="The &beta; and &nbsp;the &unknown;"))[0].title
        == "The β and the &unknown;"
    )


def test_collective_and_invalid_authors():
    authors = (
        "<AuthorList><Author><LastName>Roe</LastName><Initials>AB</Initials></Author><Author><CollectiveName>The"
        " Group</CollectiveName></Author><Author"
        " ValidYN='N'><LastName>Wrong</LastName></Author><Author/></AuthorList>"
    )
    assert read(record(article=authors))[0].authors == ("Roe AB", "The Group")


def test_missing_parts_do_not_stop_the_reader():
    bare = "<PubmedArticle><MedlineCitation><PMID>5</PMID></MedlineCitation></PubmedArticle>"
    paper = read(bare)[0]
    assert (paper.id, paper.title, paper.year, paper.sections) == ("PMID:5", "", "", ())
    assert paper.problems[0].code == "no-abstract"


def test_a_medline_date_gives_its_year():
    text = record().replace("<Year>2001</Year>", "<MedlineDate>1998 Dec-1999 Jan</MedlineDate>")
    assert read(text)[0].year == "1998"


def test_ids_of_references_are_not_the_paper_s():
    data = (
        '<ArticleIdList><ArticleId IdType="doi">10.1/AbC</ArticleId>'
        '<ArticleId IdType="pmc">PMC77</ArticleId></ArticleIdList>'
        "<ReferenceList><Reference><ArticleIdList>"
        '<ArticleId IdType="pmc">PMC99</ArticleId></ArticleIdList></Reference></ReferenceList>'
    )
    assert read(record(data=data))[0].ids == ("DOI:10.1/abc", "PMCID:PMC77", "PMID:11")


def test_retractions_and_corrections_are_marked():
    more = (
        "<CommentsCorrectionsList><CommentsCorrections"
        ' RefType="RetractionIn"><PMID>12</PMID></CommentsCorrections><CommentsCorrections'
        ' RefType="ErratumIn"><PMID>13</PMID></CommentsCorrections></CommentsCorrectionsList>'
    )
    assert read(record(more=more))[0].flags == ("corrected", "retracted")
    notice = '<CommentsCorrections RefType="RetractionOf"><PMID>11</PMID></CommentsCorrections>'
    notice = f"<CommentsCorrectionsList>{notice}</CommentsCorrectionsList>"
    paper = read(record("12", more=notice))[0]
    assert paper.flags == ("retraction notice",) and paper.notices == ("PMID:11",)


def test_truncated_answer_gives_its_complete_records():
    text = HEAD + record("1") + record("2") + record("3")[:150]
    read_papers = list(read_xml(text.encode()))
    assert [paper.id for paper in read_papers] == ["PMID:1", "PMID:2", ""]
    (problem,) = read_papers[2].problems
    assert problem.code == "cut-off" and problem.where == "3 (record 3 of This file)"


def test_deleted_records_are_named():
    root, _ = parse_xml(
        "<PubmedArticleSet><DeleteCitation><PMID>8</PMID><PMID>9</PMID></DeleteCitation></PubmedArticleSet>"
    )
    assert deleted(root) == ["PMID:8", "PMID:9"] and list(papers(root)) == []


def test_book_record_is_read():
    book = (
        "<PubmedBookArticle><BookDocument><PMID>21</PMID><ArticleTitle>A"
        " chapter</ArticleTitle><Abstract><AbstractText>"
        "Words.</AbstractText></Abstract></BookDocument></PubmedBookArticle>"
    )
    assert read(book)[0].title == "A chapter"


def test_entities_of_their_own_are_refused():
    bomb = (
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b'
        ' "&a;&a;&a;">]><PubmedArticleSet>&b;</PubmedArticleSet>'
    )
    with pytest.raises(InputError, match="entities"):
        list(read_xml(bomb.encode()))


@pytest.mark.parametrize(
    "raw", [b"", b"no xml at all", b"<html><body>busy</body></html>", b"<a><b></a>"]
)
def test_xml_without_a_pubmed_record_is_refused(raw):
    with pytest.raises(InputError):
        list(read_xml(raw, "file.xml"))


def test_latin_1_is_read_by_its_declaration():
    raw = (
        "<?xml version='1.0' encoding='ISO-8859-1'?><PubmedArticleSet>"
        + record(title="Möbius")
        + "</PubmedArticleSet>"
    ).encode("latin-1")
    assert next(iter(read_xml(raw))).title == "Möbius"


@pytest.mark.parametrize(
    ("words", "read_as"),
    [
        ("p < 0.05 and R&D.", "p < 0.05 and R&D."),
        ("One.<br>Two.", "One. Two."),
        ("A <mml:math><mml:mi>x</mml:mi></mml:math> b.", "A x b."),
        ("<b>Never closed.", "Never closed."),
    ],
)
def test_xml_that_is_not_well_formed_is_mended(words, read_as):
    paper = read(
        record(abstract=f"<Abstract><AbstractText>{words}</AbstractText></Abstract>"), record("12")
    )[0]
    assert paper.sections[0].text == read_as and not paper.problems


ENTITIES = (
    '<!DOCTYPE a [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]>',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE a SYSTEM "x>y" [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x"> %p;]>',
    '<!DOCTYPE a [<!ENTITY x "]>"> <!ENTITY y "aaa">]>',
    '<!doctype a [<!ENTITY y "aaa">]>',
    f'<!-- {"x" * 250_000} --><!DOCTYPE a [<!ENTITY x "boom">]>',
)


@pytest.mark.parametrize("declared", ENTITIES, ids=range(len(ENTITIES)))
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_that_a_file_declares_are_refused_however_they_are_written(declared, encoding):
    with pytest.raises(InputError, match="its own entities"):
        list(
            read_xml(
                f"{declared}<PubmedArticleSet>{record(title='&x;&b;')}</PubmedArticleSet>".encode(
                    encoding
                )
            )
        )


def test_a_doctype_with_a_bracket_in_its_address_is_dropped():
    text = f'<!DOCTYPE a SYSTEM "x>y.dtd"><PubmedArticleSet>{record()}</PubmedArticleSet>'
    (paper,) = read_xml(text.encode())
    assert paper.title == "A title" and "cut-off" not in [
        problem.code for problem in paper.problems
    ]


@pytest.mark.parametrize("deep", [5_000, 200_000])
def test_elements_nested_without_end_are_refused(deep):
    title = "<i>" * deep + "x" + "</i>" * deep
    (paper,) = read_xml(f"<PubmedArticleSet>{record(title=title)}</PubmedArticleSet>".encode())
    assert not paper.id and "nested" in paper.problems[0].hint


def test_pubmed_xml_includes_nothing_from_other_files():
    include = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd"/>'
    title = f"a<?pi x?>b<!-- c --><![CDATA[ <d> ]]>{include}"
    (paper,) = read_xml(f"<PubmedArticleSet>{record(title=title)}</PubmedArticleSet>".encode())
    assert paper.title == "ab <d>"
