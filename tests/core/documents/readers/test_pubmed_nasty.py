"""PubMed records as the DTD allows them and the world writes them. Every record here is made up."""

from __future__ import annotations

import gzip

import pytest

from core.documents import files
from core.documents.paper import assemble_paper
from core.documents.readers.xml_file import read_xml
from tests.core.documents.readers.test_pubmed_xml import record


def read(*records: str, encoding: str = "utf-8", head: str = "") -> list:
    return list(
        read_xml(
            f"{head}<PubmedArticleSet>{''.join(records)}</PubmedArticleSet>".encode(encoding),
            "x.xml",
        )
    )


def abstract(words: str, tag: str = "Abstract", more: str = "") -> str:
    return f"<{tag}{more}><AbstractText>{words}</AbstractText></{tag}>"


def codes(papers: list) -> list[str]:
    return [problem.code for paper in papers for problem in paper.problems]


# ------------------------------------------------------------------ words


def test_labels_categories_and_none():
    parts = (
        '<Abstract><AbstractText Label="MATERIALS AND METHODS"'
        ' NlmCategory="METHODS">M.</AbstractText><AbstractText'
        ' NlmCategory="RESULTS">R.</AbstractText><AbstractText Label="UNLABELLED"'
        ' NlmCategory="UNASSIGNED">U.</AbstractText><AbstractText'
        ' NlmCategory="UNASSIGNED">N.</AbstractText><AbstractText Label="X"/></Abstract>'
    )
    (paper,) = read(record(abstract=parts))
    assert [(s.name, s.text) for s in paper.sections] == [
        ("Materials and methods", "M."),
        ("Results", "R."),
        ("", "U."),
        ("", "N."),
    ]


def test_a_formula_is_read_once_and_its_fraction_stays_one():
    math = (
        "<mml:math"
        ' xmlns:mml="http://www.w3.org/1998/Math/MathML"><mml:semantics><mml:mrow><mml:mfrac><mml:mn>1</mml:mn><mml:mn>2</mml:mn></mml:mfrac><mml:mo>+</mml:mo><mml:msup><mml:mn>10</mml:mn><mml:mn>5</mml:mn></mml:msup></mml:mrow><mml:annotation'
        ' encoding="x-tex">\\frac12</mml:annotation></mml:semantics></mml:math>'
    )
    (paper,) = read(record(abstract=abstract(f"A dose of {math} was given.")))
    assert paper.sections[0].text == "A dose of 1/2+10^5 was given."


def test_an_abstract_from_elsewhere_is_taken_where_there_is_no_other():
    other = abstract("Auf Deutsch.", "OtherAbstract", ' Type="Publisher" Language="ger"')
    english = abstract("In English.", "OtherAbstract", ' Type="Publisher" Language="eng"')
    assert read(record(more=other + english))[0].sections[0].text == "In English."
    assert read(record(abstract=abstract("Own."), more=english))[0].sections[0].text == "Own."


def test_titles_in_brackets_of_their_own_language_and_of_several_lines():
    assert read(record(title="[On bread\n   and butter]."))[0].title == "[On bread and butter]."
    own = "<VernacularTitle>Über Brot.</VernacularTitle>"
    assert read(record(title="[Not Available].", article=own))[0].title == "Über Brot."


def test_cdata_comments_and_processing_instructions():
    words = "a<![CDATA[ <x> & p < 0.05 ]]>b<!-- not this --><?nor this?>c"
    assert read(record(abstract=abstract(words)))[0].sections[0].text == "a <x> & p < 0.05 bc"


@pytest.mark.parametrize(
    "words", ["𝛼-synuclein 🧬 rose.", "Ça alors: naïve Å → β₂", "中文摘要。", "مرحبا"]
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_every_script_in_every_encoding(words, encoding):
    (paper,) = read(record(title=words, abstract=abstract(words)), encoding=encoding)
    version, body = assemble_paper(paper)
    assert paper.title == words == paper.sections[0].text
    assert [version.text[start:end] for _, start, end in body["sections"]] == [words, words]


def test_an_encoding_is_declared_or_found_for_each_record():
    declared = '<?xml version="1.0" encoding="windows-1252"?>'
    assert read(record(title="“Möbius”"), encoding="cp1252", head=declared)[0].title == "“Möbius”"
    wrong = (
        b"<PubmedArticleSet>" + record("1", "β").encode() + record("2", "Möbius").encode("latin-1")
    )
    assert [paper.title for paper in read_xml(wrong + b"</PubmedArticleSet>")] == ["β", "Möbius"]


# ------------------------------------------------------------------ what is known of it


@pytest.mark.parametrize(
    ("date", "year"),
    [
        ("<Year>2011</Year><Season>Spring</Season>", "2011"),
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", "1998"),
        ("<MedlineDate>Winter 1887</MedlineDate>", "1887"),
        ("<Season>Summer 1999</Season>", "1999"),
        ("", ""),
    ],
)
def test_year_is_read_from_each_form_of_pubmed_date(date, year):
    assert read(record().replace("<Year>2001</Year>", date))[0].year == year


def test_ids_come_from_the_paper_s_own_lists_alone():
    article = (
        '<ELocationID EIdType="doi" ValidYN="Y">https://doi.org/10.1/Own</ELocationID><ELocationID'
        ' EIdType="doi" ValidYN="N">10.1/wrong</ELocationID><ELocationID'
        ' EIdType="pii">S1</ELocationID>'
    )
    pubmed_data = (
        '<ArticleIdList><ArticleId IdType="pubmed">11</ArticleId><ArticleId'
        ' IdType="pmc">PMC5.1</ArticleId>'
        "<ArticleId"
        ' IdType="mid">NIHMS9</ArticleId></ArticleIdList><ReferenceList><Title>R</Title>'
        "<ReferenceList>"
        "<Reference><Citation>C</Citation><ArticleIdList><ArticleId"
        ' IdType="doi">10.9/ref</ArticleId><ArticleId '
        'IdType="pubmed">99</ArticleId></ArticleIdList></Reference></ReferenceList></ReferenceList>'
    )
    (paper,) = read(record(article=article, data=pubmed_data))
    assert paper.ids == ("DOI:10.1/own", "PMCID:PMC5", "PMID:11") and paper.doi == "10.1/Own"


@pytest.mark.parametrize(
    ("kind", "flag"),
    [
        ("RetractionIn", "retracted"),
        ("PartialRetractionIn", "retracted"),
        ("ErratumIn", "corrected"),
        ("ExpressionOfConcernIn", "expression of concern"),
        ("UpdateIn", "a newer version is published"),
        ("RetractionOf", "retraction notice"),
        ("ExpressionOfConcernFor", "expression of concern notice"),
        ("ErratumFor", "correction"),
    ],
)
def test_pubmed_comments_flag_retractions_and_corrections(kind, flag):
    note = (
        "<CommentsCorrections"
        f' RefType="{kind}"><RefSource>J</RefSource><PMID>77</PMID></CommentsCorrections>'
    )
    (paper,) = read(record(more=f"<CommentsCorrectionsList>{note}</CommentsCorrectionsList>"))
    assert paper.flags == (flag,) and paper.notices == (
        ("PMID:77",) if kind.endswith(("Of", "For")) else ()
    )


@pytest.mark.parametrize(
    "kind",
    ["CommentIn", "CommentOn", "Cites", "UpdateOf", "SummaryForPatientsIn", "OriginalReportIn"],
)
def test_harmless_pubmed_comments_leave_no_flag(kind):
    note = f'<CommentsCorrections RefType="{kind}"><PMID>77</PMID></CommentsCorrections>'
    assert (
        read(record(more=f"<CommentsCorrectionsList>{note}</CommentsCorrectionsList>"))[0].flags
        == ()
    )


def test_publication_types_are_kept_and_mark_a_retracted_paper():
    types = ("Review", "Preprint", "Retracted Publication")
    listed = "".join(
        f"<PublicationType UI='D1'>{publication_type}</PublicationType>"
        for publication_type in types
    )
    (paper,) = read(record(article=f"<PublicationTypeList>{listed}</PublicationTypeList>"))
    assert paper.types == types and paper.flags == ("retracted",)


def test_a_chapter_has_its_ids_authors_and_date_and_not_the_book_s():
    chapter = (
        '<PubmedBookArticle><BookDocument><PMID Version="1">21</PMID><ArticleIdList><ArticleId'
        ' IdType="bookaccession">NBK1</ArticleId><ArticleId'
        ' IdType="doi">10.1/Chapter</ArticleId></ArticleIdList><Book><BookTitle>The'
        " book</BookTitle><PubDate><Year>1993</Year></PubDate><AuthorList"
        " Type='editors'><Author><LastName>Ed</LastName></Author></AuthorList><ELocationID"
        ' EIdType="doi">10.1/Book</ELocationID></Book><ArticleTitle>A'
        " chapter</ArticleTitle><Language>eng</Language><AuthorList"
        " Type='authors'><Author><LastName>Roe</LastName><Initials>A</Initials></Author>"
        "</AuthorList><PublicationType"
        " UI='D016454'>Review</PublicationType><Abstract>"
        "<AbstractText>Words.</AbstractText></Abstract><ReferenceList><Reference><ArticleIdList><ArticleId"
        ' IdType="pubmed">5</ArticleId></ArticleIdList></Reference></ReferenceList>'
        "</BookDocument><PubmedBookData><History><PubMedPubDate"
        " PubStatus='entrez'><Year>2010</Year><Month>3</Month><Day>20</Day>"
        "</PubMedPubDate></History><ArticleIdList><ArticleId"
        ' IdType="pubmed">21</ArticleId></ArticleIdList></PubmedBookData></PubmedBookArticle>'
    )
    (paper,) = read(chapter)
    assert (paper.id, paper.title, paper.journal, paper.year) == (
        "PMID:21",
        "A chapter",
        "The book",
        "1993",
    )
    assert paper.ids == ("DOI:10.1/chapter", "NBK1", "PMID:21") and paper.authors == ("Roe A",)
    assert (paper.types, paper.entered, paper.language) == (("Review",), "2010-03-20", "eng")


# ------------------------------------------------------------------ damage


def test_a_record_without_a_pmid_is_kept_and_says_so():
    nameless = record(abstract=abstract("Words.")).replace("<PMID Version='1'>11</PMID>", "")
    (paper,) = read(nameless)
    assert paper.id.startswith("doc:") and codes([paper]) == ["no-pmid"]
    listed = '<ArticleIdList><ArticleId IdType="{}">{}</ArticleId></ArticleIdList>'
    completed = nameless.replace("<PubmedData>", "<PubmedData>" + listed.format("doi", "10.1/X"))
    assert read(completed)[0].id == "DOI:10.1/x"
    completed = nameless.replace("<PubmedData>", "<PubmedData>" + listed.format("pubmed", "12"))
    assert read(completed)[0].id == "PMID:12" and not codes(read(completed))


def test_one_damaged_record_costs_no_other_and_is_named():
    papers = read(record("1"), record("2").replace("</Article>", "</Articl>"), record("3"))
    assert [paper.id for paper in papers if paper.id] == ["PMID:1", "PMID:3"]
    assert (
        papers[1].problems[0].code == "record-damaged"
        and "2 (record 2" in papers[1].problems[0].where
    )


def test_concatenated_article_sets_are_read_as_one_file():
    article_set = (
        "<?xml version='1.0'?>\n<!DOCTYPE"
        f" PubmedArticleSet><PubmedArticleSet>{record('1')}</PubmedArticleSet>\n"
    )
    papers = list(read_xml((article_set + article_set.replace(">1<", ">2<")).encode()))
    assert [paper.id for paper in papers] == ["PMID:1", "PMID:2"]


def test_a_set_cut_off_with_another_behind_it():
    whole = f"<PubmedArticleSet>{record('2')}</PubmedArticleSet>"
    papers = list(read_xml((f"<PubmedArticleSet>{record('1')[:200]}" + whole).encode()))
    assert [paper.id for paper in papers if paper.id] == ["PMID:2"] and "cut-off" in codes(papers)


def test_old_sets_namespaces_and_single_records():
    citations = "".join(
        record(n)
        .split("<MedlineCitation>")[1]
        .split("</MedlineCitation>")[0]
        .join(("<MedlineCitation>", "</MedlineCitation>"))
        for n in "12"
    )
    old = f"<MedlineCitationSet>{citations}</MedlineCitationSet>"
    assert [paper.id for paper in read_xml(old.encode())] == ["PMID:1", "PMID:2"]
    spaced = f'<p:PubmedArticleSet xmlns:p="urn:x">{record()}</p:PubmedArticleSet>'.replace(
        "</", "</p:"
    ).replace("/p:p:", "/p:")
    spaced = (
        spaced.replace("<P", "<p:P")
        .replace("<M", "<p:M")
        .replace("<A", "<p:A")
        .replace("<J", "<p:J")
    )
    spaced = spaced.replace("<Y", "<p:Y").replace("<I", "<p:I")
    assert [paper.title for paper in read_xml(spaced.encode())] == ["A title"]


def test_deleted_citations_of_an_update_file_are_reported():
    text = (
        f"<PubmedArticleSet>{record()}<DeleteCitation><PMID>8</PMID></DeleteCitation>"
        f"</PubmedArticleSet>"
    )
    papers = list(read_xml(text.encode()))
    assert papers[1].problems[0].message == "PubMed took back PMID:8."


@pytest.mark.parametrize(
    "body",
    [
        "<eFetchResult><ERROR>UID=1: cannot get document summary</ERROR></eFetchResult>",
        "<OAI-PMH><error code='idDoesNotExist'>cannot get document summary</error></OAI-PMH>",
        '<pmc-articleset><Reply Id="1" error="cannot get document summary"/></pmc-articleset>',
    ],
)
def test_an_error_in_place_of_papers_is_reported(body):
    from core.errors import InputError

    with pytest.raises(InputError, match="cannot get document summary"):
        list(read_xml(body.encode()))


def test_a_gzipped_update_file(tmp_path):
    text = (
        "<PubmedArticleSet>"
        + "".join(record(str(n)) for n in range(1, 400))
        + "</PubmedArticleSet>"
    )
    (tmp_path / "u.xml.gz").write_bytes(gzip.compress(text.encode()))
    assert len(list(files.read(tmp_path / "u.xml.gz"))) == 399
