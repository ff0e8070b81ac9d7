"""PMC's full texts. Every article here is made up."""

from __future__ import annotations

import pytest

from core.documents.paper import assemble_paper
from core.documents.readers.xml_file import read_xml
from core.literature.index.chunking import cut_into_chunks

ARTICLE = """<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article">
<front><journal-meta>
<journal-title-group><journal-title>Made Up</journal-title></journal-title-group></journal-meta>
<article-meta>
<article-id pub-id-type="pmid">31</article-id><article-id pub-id-type="pmc">PMC32</article-id>
<title-group><article-title>A study of <italic>Tau</italic><xref ref-type="fn">*</xref>
</article-title></title-group>
<contrib-group>
<contrib contrib-type="author"><name><surname>Roe</surname><given-names>Ann B</given-names>
</name></contrib>
<contrib contrib-type="author"><collab>The Group</collab></contrib></contrib-group>
<pub-date><year>2019</year></pub-date>
<related-article related-article-type="retraction-forward" ext-link-type="pubmed" xlink:href="99"/>
<abstract><sec><title>Aim</title><p>To look.</p></sec></abstract>
<abstract abstract-type="graphical"><p>A picture.</p></abstract></article-meta></front>
<body><p>Before any section.</p><sec><title>Results</title>
<p>Tau fell<xref ref-type="bibr">1</xref> twice.
<list><list-item><p>First point.</p></list-item></list></p><sec><title>In mice</title>
<p>Mice too.</p></sec>
<table-wrap><caption><p>Counts.</p></caption><table><tr><th>a</th><th>b</th></tr></table></table-wrap>
<fig><caption><title>Fig</title><p>Legend here.</p></caption></fig></sec>
<sec><title>Discussion</title><p>So be it.</p></sec></body>
<back><ref-list><ref><mixed-citation>Old work</mixed-citation></ref></ref-list></back></article>"""


def read(text: str) -> list:
    return list(read_xml(text.encode(), "x.nxml"))


def test_sections_by_name_with_what_stands_in_them():
    paper = read(ARTICLE)[0]
    assert [section.name for section in paper.sections] == [
        "Aim",
        "Introduction",
        "Results",
        "Discussion",
        "Figures",
        "Counts.",
        "References",
    ]
    results = paper.sections[2].text
    for words in ("First point.", "In mice", "Mice too."):
        assert words in results
    assert [section.text for section in paper.sections[4:6]] == [
        "Fig\n\nLegend here.",
        "a – b",
    ]
    assert [section.kind for section in paper.sections[4:6]] == ["caption", "table"]
    assert "Old work" not in assemble_paper(paper)[0].text


def test_jats_gives_ids_kind_year_journal_authors_and_flags():
    paper = read(ARTICLE)[0]
    assert (paper.id, paper.kind, paper.year, paper.journal) == (
        "PMID:31",
        "full text",
        "2019",
        "Made Up",
    )
    assert paper.ids == ("PMCID:PMC32", "PMID:31") and paper.authors == ("Roe AB", "The Group")
    assert paper.flags == ("retracted",) and paper.title.startswith("A study of Tau")


def test_chunks_know_their_section():
    version, body = assemble_paper(read(ARTICLE)[0])
    chunks = list(cut_into_chunks(version, body, "A study of Tau"))
    assert all(version.text[c.start :].startswith(c.text) for c in chunks)
    assert "Discussion" in {chunk.section for chunk in chunks}


def test_without_a_body_it_is_an_abstract():
    text = ARTICLE[: ARTICLE.index("<body>")] + "</article>"
    assert read(text)[0].kind == "abstract"


def test_a_set_in_another_namespace_is_read():
    spaced = ARTICLE.replace("<article ", '<article xmlns="https://example.org/jats" ', 1)
    wrapped = f"<pmc-articleset>{spaced}</pmc-articleset>"
    assert read(wrapped)[0].sections[2].name == "Results"


def test_numbers_of_references_are_not_glued_to_words():
    marks = '<xref ref-type="bibr">2</xref>,<xref ref-type="bibr">3</xref>'
    more = f'Before [<xref ref-type="bibr">4</xref>] it rose<sup>{marks}</sup>. Tau fell<xref'
    text = ARTICLE.replace("Tau fell<xref", more)
    assert "Before [4] it rose. Tau fell twice." in read(text)[0].sections[2].text


@pytest.mark.parametrize(
    "marks",
    [
        '<sup><xref ref-type="bibr">1</xref></sup>',
        '<sup>[<xref ref-type="bibr">1</xref>]</sup>',
        '<xref ref-type="bibr"><sup>1</sup></xref>, <xref ref-type="bibr"><sup>2</sup></xref>',
    ],
)
def test_no_blank_stays_where_a_mark_was_dropped_before_a_full_stop(marks):
    text = f"<p>It fell <italic>twice</italic> {marks}. As shown {marks}, it rose.</p>"
    assert small(body=text).sections[-1].text == "It fell twice. As shown, it rose."


def small(meta: str = "", body: str = "<p>x</p>"):
    front = f"<front><article-meta>{meta}</article-meta></front>"
    return next(read_xml(f"<article>{front}<body>{body}</body></article>".encode()))


def test_a_group_is_named_as_a_group_and_not_as_its_first_member():
    group = (
        "<collab>Group"
        " Y<contrib-group><contrib><name><surname>In</surname></name></contrib>"
        "</contrib-group></collab>"
    )
    paper = small(
        f"<contrib-group><contrib contrib-type='author'>{group}</contrib></contrib-group>"
    )
    assert paper.authors == ("Group Y",)


def test_signs_of_footnotes_are_no_words():
    title = (
        "<article-title>Tau<xref ref-type='fn'>*</xref><sup><xref>†</xref></sup></article-title>"
    )
    assert small(f"<title-group>{title}</title-group>").title == "Tau"


def test_a_glossary_keeps_its_terms():
    item = "<def-item><term>PSI</term><def><p>An index.</p></def></def-item>"
    assert (
        small(body=f"<sec><title>G</title><def-list>{item}</def-list></sec>").sections[0].text
        == "PSI\n\nAn index."
    )


def test_formulas_and_nested_sections_and_pictures_inside_paragraphs():
    formula = (
        "<inline-formula><alternatives><tex-math>\\documentclass</tex-math><math><mi>x</mi></math></alternatives>"
        "</inline-formula>"
    )
    fig = (
        "<fig><label>1</label><caption><p>Seen.</p></caption><graphic"
        " href='http://evil.example/x.png'/></fig>"
    )
    body = (
        f"<sec><title>M</title><p>Let {formula} be{fig}"
        " so.</p><sec><sec><title>S</title><p>Deep.</p></sec></sec></sec>"
    )
    running, figures = small(body=body).sections
    assert (running.text, figures.text) == ("Let x be so.\n\nS\n\nDeep.", "1\n\nSeen.")
