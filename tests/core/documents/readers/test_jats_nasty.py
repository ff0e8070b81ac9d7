"""JATS articles as publishers and PMC write them. Every article here is made up."""

from __future__ import annotations

import pytest

from core.documents.paper import NOT_READ, assemble_paper
from core.documents.readers.xml_file import read_xml
from core.literature.index.chunking import ChunkSize, cut_into_chunks

NS = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML"'


def article(
    meta: str = "",
    body: str = "<p>Words.</p>",
    back: str = "",
    kind: str = "research-article",
    more="",
) -> str:
    front = (
        "<front><article-meta><article-id"
        f" pub-id-type='pmid'>31</article-id>{meta}</article-meta></front>"
    )
    body = f"<body>{body}</body>" if body else ""
    return (
        f'<article {NS} article-type="{kind}"'
        f' xml:lang="en">{front}{body}<back>{back}</back>{more}</article>'
    )


def read(text: str) -> list:
    return list(read_xml(text.encode(), "x.nxml"))


def body(text: str) -> str:
    """The words of a body."""
    return "\n\n".join(section.text for section in read(article(body=text))[0].sections)


def sections(paper) -> list[tuple[str, str]]:
    """Those that passages and statements may rest on."""
    return [(s.name, s.text) for s in paper.sections if s.kind not in NOT_READ]


# ------------------------------------------------------------------ words


@pytest.mark.parametrize(
    ("marked_up", "read_as"),
    [
        ("Tau<xref ref-type='bibr'>1</xref> fell.", "Tau fell."),
        ("<italic>Tau</italic><xref ref-type='bibr'>1</xref> fell.", "Tau fell."),
        (
            (
                "Tau fell.<sup><xref ref-type='bibr'>1</xref>–<xref ref-type='bibr'>3</xref></sup>"
                " Then"
            ),
            "Tau fell. Then",
        ),
        (
            (
                "Tau<xref ref-type='bibr'><sup>1</sup></xref>,<xref"
                " ref-type='bibr'><sup>2</sup></xref> fell."
            ),
            "Tau fell.",
        ),
        ("Tau fell <xref ref-type='bibr'>[1]</xref>.", "Tau fell [1]."),
        (
            "Tau fell [<xref ref-type='bibr'>1</xref>, <xref ref-type='bibr'>2</xref>].",
            "Tau fell [1, 2].",
        ),
        (
            "Tau fell [<xref ref-type='bibr'>1</xref>,<xref ref-type='bibr'>2</xref>].",
            "Tau fell [1,2].",
        ),
        ("As Roe (<xref ref-type='bibr'>2001</xref>) saw.", "As Roe (2001) saw."),
        ("See <xref ref-type='fig'>Fig. 1</xref>B.", "See Fig. 1B."),
        ("10<sup>5</sup> Ca<sup>2+</sup> H<sub>2</sub>O", "10^5 Ca2+ H2O"),
        ("One<break/>two", "One two"),
        ("a<index-term><term>hidden</term></index-term>b<!-- c --><?pi d?>", "ab"),
        ("A<x>, </x>B", "A, B"),
    ],
)
def test_references_and_marks_in_a_line(marked_up, read_as):
    assert body(f"<p>{marked_up}</p>") == read_as


MML = "<mml:math><mml:mfrac><mml:mi>a</mml:mi><mml:mi>b</mml:mi></mml:mfrac></mml:math>"
TEX = (
    "<tex-math>\\documentclass[12pt]{minimal} \\usepackage{amsmath}"
    " \\begin{document}$$\\frac{a}{b}$$\\end{document}</tex-math>"
)


@pytest.mark.parametrize(
    ("marked_up", "read_as"),
    [
        (
            f"Let <inline-formula><alternatives>{TEX}{MML}</alternatives></inline-formula> be.",
            "Let a/b be.",
        ),
        (f"Let <inline-formula>{TEX}</inline-formula> be.", "Let \\frac{a}{b} be."),
        (f"Let <disp-formula><label>(1)</label>{MML}</disp-formula> be.", "Let a/b be."),
        (
            f"Let <inline-formula><alternatives><inline-graphic/>{TEX}</alternatives>"
            f"</inline-formula> be.",
            "Let \\frac{a}{b} be.",
        ),
        ("Let <inline-formula><inline-graphic/></inline-formula> be.", "Let be."),
    ],
)
def test_a_formula_is_there_once(marked_up, read_as):
    assert body(f"<p>{marked_up}</p>") == read_as


def test_a_formula_that_stands_alone_is_kept():
    assert (
        body(f"<p>So:</p><disp-formula>{MML}</disp-formula><p>And on.</p>")
        == "So:\n\na/b\n\nAnd on."
    )


def test_lists_stay_in_place_and_figures_stand_apart_from_their_paragraph():
    fig = (
        "<fig><label>Figure 1</label><caption><title>Rise.</title><p>Tau rose.</p></caption></fig>"
    )
    running = read(
        article(
            body="<p>First: <list><list-item><p>one</p></list-item><list-item><p>two</p>"
            f"</list-item></list> then{fig} on.</p>"
        )
    )[0].sections[0]
    assert running.text == "First:\n\none\n\ntwo\n\nthen on."
    paper = read(article(body=f"<sec><title>Results</title><p>Tau{fig} rose.</p></sec>"))[0]
    assert [(section.name, section.text, section.kind) for section in paper.sections] == [
        ("Results", "Tau rose.", ""),
        ("Figures", "Figure 1\n\nRise.\n\nTau rose.", "caption"),
    ]


def test_tables_boxes_notes_and_supplements_are_kept():
    table = (
        "<table-wrap><label>Table 1</label><caption><p>Doses.</p></caption><alternatives>"
        "<graphic/><table><thead><tr><th>"
        "Drug</th><th>mg<xref ref-type='table-fn'>a</xref></th></tr></thead><tbody><tr><td>X"
        "<break/>Y</td><td><p>5</p><p>6"
        "</p></td></tr></tbody></table></alternatives><table-wrap-foot><fn><label>a</label><p>Daily.</p></fn>"
        "</table-wrap-foot></table-wrap>"
    )
    box = "<boxed-text><sec><title>Key</title><p>In a box.</p></sec></boxed-text>"
    note = "<p>Tau<fn><label>1</label><p>A note.</p></fn> fell.</p>"
    more = (
        "<supplementary-material><label>S1</label><caption><p>More"
        " data.</p></caption></supplementary-material>"
    )
    text, tables = read(article(body=table + box + note + more))[0].sections
    assert tables.text.split("\n\n") == ["Columns: Drug | mg", "X Y – mg: 5 6", "Daily."]
    assert (tables.name, tables.kind) == ("Table 1. Doses.", "table")
    words = ["Key", "In a box.", "Tau fell.", "A note.", "S1", "More data."]
    assert text.text.split("\n\n") == words


def test_nested_sections_keep_their_headings_in_order():
    deep = (
        "<sec><title>M</title><sec><title>A</title><p>One.</p><sec><title>B</title>"
        "<p>Two.</p></sec></sec></sec>"
    )
    assert body(deep) == "A\n\nOne.\n\nB\n\nTwo."
    typed = article(body="<sec sec-type='materials|methods'><p>How.</p></sec>")
    assert sections(read(typed)[0]) == [("Materials and methods", "How.")]


def test_the_end_matter_and_what_floats_is_read_and_references_are_not():
    back = (
        "<ack><title>Thanks</title><p>We thank.</p></ack><app-group><app><title>Appendix"
        " A</title><p>More.</p></app></app-group><sec><title>Data</title><p>On"
        " request.</p></sec><fn-group><fn><p>None"
        " declared.</p></fn></fn-group><ref-list><ref><mixed-citation>Old"
        " work</mixed-citation></ref></ref-list>"
    )
    floats = (
        "<floats-group><fig><label>Fig"
        " 1</label><caption><p>Seen.</p></caption></fig></floats-group>"
    )
    read_sections = sections(read(article(back=back, more=floats))[0])
    assert read_sections == [
        ("Text", "Words."),
        ("Thanks", "We thank."),
        ("Appendix A", "More."),
        ("Data", "On request."),
        ("Footnotes", "None declared."),
        ("Figures", "Fig 1\n\nSeen."),
    ]


# ------------------------------------------------------------------ abstracts


def test_graphical_and_translated_abstracts_are_left_out():
    meta = (
        "<abstract"
        " abstract-type='graphical'><p>Picture.</p></abstract><abstract>"
        "<title>Abstract</title><p>Main.</p></abstract><abstract"
        " abstract-type='teaser'><p>Tease.</p></abstract><abstract"
        " abstract-type='author-summary'><title>Author"
        " summary</title><p>Plainly.</p></abstract><abstract"
        " abstract-type='plain-language-summary'><p>For all.</p></abstract><trans-abstract"
        " xml:lang='fr'><p>Principal.</p></trans-abstract>"
    )
    read_sections = sections(read(article(meta, ""))[0])
    assert read_sections == [
        ("Abstract", "Main."),
        ("Author summary", "Plainly."),
        ("Plain language summary", "For all."),
    ]


@pytest.mark.parametrize(
    ("meta", "read_as"),
    [
        (
            (
                "<abstract xml:lang='fr'><p>Fr.</p></abstract><abstract"
                " xml:lang='en'><p>En.</p></abstract>"
            ),
            "En.",
        ),
        ("<trans-abstract xml:lang='en'><p>Translated.</p></trans-abstract>", "Translated."),
        ("<abstract abstract-type='graphical'><p>Picture.</p></abstract>", "Picture."),
        ("<abstract>Bare words.</abstract>", "Bare words."),
        (
            (
                "<abstract"
                " abstract-type='structured'><sec><title>Aim:</title><p>So.</p></sec></abstract>"
            ),
            "So.",
        ),
    ],
)
def test_available_abstract_is_read(meta, read_as):
    assert [section.text for section in read(article(meta, ""))[0].sections] == [read_as]


# ------------------------------------------------------------------ what is known of it


@pytest.mark.parametrize(
    ("ids", "other_id"),
    [
        ("<article-id pub-id-type='pmc'>5</article-id>", "PMCID:PMC5"),
        ("<article-id pub-id-type='pmc'>PMC5</article-id>", "PMCID:PMC5"),
        (
            "<article-id pub-id-type='pmcid'>PMC5</article-id><article-id "
            "pub-id-type='pmcid-ver'>PMC5.2</article-id>"
            "<article-id pub-id-type='pmcaid'>6</article-id><article-id pub-id-type='pmcaiid'>7"
            "</article-id>",
            "PMCID:PMC5",
        ),
        ("<article-id pub-id-type='pmcaid'>6</article-id>", "PMCID:PMC6"),
        ("<article-id pub-id-type='doi'>https://doi.org/10.1/AB</article-id>", "DOI:10.1/ab"),
        ("<article-id pub-id-type='publisher-id'>x</article-id>", ""),
    ],
)
def test_ids_however_they_are_written(ids, other_id):
    paper = read(
        article(
            ids + "<related-article related-article-type='companion'/>",
            more=(
                "<sub-article><front-stub><article-id "
                "pub-id-type='doi'>10.9/sub</article-id></front-stub>"
                "</sub-article>"
            ),
        )
    )[0]
    assert paper.ids == tuple(sorted(filter(None, ("PMID:31", other_id))))


@pytest.mark.parametrize(
    ("kind", "related", "flags", "notices"),
    [
        ("research-article", "retraction-forward", ("retracted",), ()),
        ("research-article", "correction-forward", ("corrected",), ()),
        ("research-article", "expression-of-concern", ("expression of concern",), ()),
        ("retraction", "retracted-article", ("retraction notice",), ("PMID:99",)),
        ("correction", "corrected-article", ("correction",), ("PMID:99",)),
        ("research-article", "commentary-article", (), ()),
    ],
)
def test_retractions_and_corrections(kind, related, flags, notices):
    link = (
        f'<related-article related-article-type="{related}" ext-link-type="pubmed"'
        ' xlink:href="99"/>'
    )
    paper = read(article(link, kind=kind))[0]
    assert (paper.flags, paper.notices) == (flags, notices)


def test_letters_of_reviewers_are_no_words_of_the_paper():
    letter = (
        "<{0} article-type='reviewer-report'><front-stub/><body><p>I doubt it.</p></body></{0}>"
    )
    paper = read(article(more=letter.format("sub-article") + letter.format("response")))[0]
    assert sections(paper) == [("Text", "Words.")]
    assert [problem.code for problem in paper.problems] == ["parts-left-out"]


def test_a_subtitle_belongs_to_the_title():
    group = (
        "<title-group><article-title>Tau<break/>in mice</article-title><subtitle>A"
        " study</subtitle></title-group>"
    )
    assert read(article(group))[0].title == "Tau in mice: A study"


def test_a_paper_whose_publisher_gives_no_full_text_is_an_abstract_and_says_so():
    closed = (
        "<!--The publisher of this article does not allow downloading of the full text in XML"
        " form.-->"
    )
    (paper,) = read(
        f"<pmc-articleset>{article('<abstract><p>A.</p></abstract>', '')}{closed}</pmc-articleset>"
    )
    assert paper.kind == "abstract" and [problem.code for problem in paper.problems] == [
        "no-full-text"
    ]


# ------------------------------------------------------------------ wrappers and damage


@pytest.mark.parametrize(
    "wrapper",
    [
        "{}",
        (
            "<?xml version='1.0'?><!DOCTYPE article PUBLIC '-//NLM//DTD JATS 1.3//EN'"
            " 'JATS-archivearticle1-3.dtd'>{}"
        ),
        "<pmc-articleset>{}</pmc-articleset>",
        (
            "<OAI-PMH xmlns='http://www.openarchives.org/OAI/2.0/'><request"
            " verb='GetRecord'>u</request><GetRecord><record>"
            "<header><identifier>oai:pubmedcentral.nih.gov:5</identifier></header><metadata>{}"
            "</metadata></record></GetRecord>"
            "</OAI-PMH>"
        ),
    ],
)
@pytest.mark.parametrize("namespace", ["", ' xmlns="https://jats.nlm.nih.gov/ns/archiving/1.3/"'])
def test_wrappers_and_namespaces(wrapper, namespace):
    text = wrapper.format(article().replace("<article ", f"<article{namespace} ", 1))
    assert [(paper.id, sections(paper)) for paper in read(text)] == [
        ("PMID:31", [("Text", "Words.")])
    ]


def test_a_cut_off_article_keeps_all_but_its_unfinished_sentence():
    results = "<p>Tau <italic>fell</italic>. It rose by 15 %. So</p>"
    whole = article(
        body=(
            "<sec><title>Methods</title><p>Done"
            f" so.</p></sec><sec><title>Results</title>{results}</sec>"
        )
    )
    (paper,) = read(whole[: whole.index("5 %")])
    assert sections(paper) == [("Methods", "Done so."), ("Results", "Tau fell.")]
    assert [problem.code for problem in paper.problems] == ["cut-off"]


@pytest.mark.parametrize("at", range(0, 100, 7))
def test_no_cut_gives_words_that_the_article_does_not_have(at):
    section = (
        "<sec><title>R</title><p>Tau fell. So did <bold>Q</bold>.</p><p>Then 125 more."
        " End.</p></sec>"
    )
    text = article("<abstract><p>An aim.</p></abstract>", section)
    whole = {block for _, words in sections(read(text)[0]) for block in words.split("\n\n")}
    papers = read(text[: len(text) * at // 100]) if at > 3 else []
    for block in (
        block for paper in papers for _, words in sections(paper) for block in words.split("\n\n")
    ):
        assert any(original.startswith(block) for original in whole)


def test_an_article_of_five_megabytes_is_read_and_its_chunks_are_its_text():
    words = (
        "The 𝛼-kinase{0} was seen <xref ref-type='bibr'>[1]</xref> in p &lt; 0.05 of mice. " * 40
    )
    text = article(
        body="".join(
            f"<sec><title>Part {n}</title><p>{words.format(n)}</p></sec>" for n in range(1700)
        )
    )
    assert len(text) > 5_000_000
    (paper,) = read(text)
    version, known = assemble_paper(paper)
    chunks = list(cut_into_chunks(version, known, paper.title, ChunkSize()))
    assert all(version.text[c.start : c.start + len(c.text)] == c.text for c in chunks)
