"""BioC (XML and JSON) and PubTator as NCBI and others write them. Every document here is made
up.
"""

from __future__ import annotations

import json

import pytest

from core.documents import files
from core.documents.paper import assemble_paper
from core.literature.index.chunking import ChunkSize, cut_into_chunks


def read(raw: str | bytes, name: str) -> list:
    return list(files.read_bytes(raw.encode() if isinstance(raw, str) else raw, name))


def passage(text: str, **infons: str) -> dict:
    return {"offset": 0, "infons": infons, "text": text, "annotations": []}


PMC = {
    "source": "PMC",
    "documents": [
        {
            "id": "PMC5",
            "passages": [
                passage(
                    "A title",
                    **{
                        "section_type": "TITLE",
                        "type": "front",
                        "article-id_pmid": "31",
                        "year": "2019",
                        "article-id_pmc": "5",
                        "article-id_doi": "10.1/AB",
                        "journal": "J Made Up; 2019",
                        "name_0": "surname:Roe;given-names:Ann B",
                        "name_1": "surname:Doe",
                    },
                ),
                passage("In short 🧬.", section_type="ABSTRACT", type="abstract"),
                passage("Introduction", section_type="INTRO", type="title_1"),
                passage("It is old.", section_type="INTRO", type="paragraph"),
                passage("Findings in mice", section_type="RESULTS", type="title_1"),
                passage("Tau fell.", section_type="RESULTS", type="paragraph"),
                passage("A legend.", section_type="FIG", type="fig_caption"),
                passage("It rose.", section_type="RESULTS", type="paragraph"),
                passage("Old work", section_type="REF", type="ref"),
            ],
        }
    ],
}


def test_pmc_s_bioc_has_sections_by_their_usual_names_and_all_ids():
    (paper,) = read(json.dumps(PMC), "x.json")
    assert [(section.name, section.text) for section in paper.sections] == [
        ("", "In short 🧬."),
        ("Introduction", "It is old."),
        ("Results", "Findings in mice\n\nTau fell.\n\nIt rose."),
        ("Figures", "A legend."),
        ("References", "Old work"),
    ]
    assert [section.kind for section in paper.sections[-2:]] == ["caption", "references"]
    assert paper.ids == ("PMCID:PMC5", "PMID:31", "DOI:10.1/ab") and paper.kind == "full text"
    assert (paper.year, paper.journal, paper.authors) == ("2019", "J Made Up", ("Roe AB", "Doe"))


@pytest.mark.parametrize(
    ("source", "id"), [("PubMed", "PMID:7"), ("PMC", "PMCID:PMC7"), ("", "PMID:7")]
)
def test_a_bare_number_is_of_the_source_that_the_collection_names(source, id):
    collection = {
        "source": source,
        "documents": [{"id": "7", "passages": [passage("T", type="title")]}],
    }
    assert read(json.dumps(collection), "x.json")[0].id == id
    xml = (
        f"<collection><source>{source}</source><document><id>7</id><passage><text>T</text>"
        f"</passage></document>"
    )
    assert read(xml + "</collection>", "x.xml")[0].id == id


def test_sentences_stand_for_a_passage_without_a_text():
    sentences = (
        "<sentence><offset>0</offset><text>One.</text></sentence><sentence><text>Two.</text>"
        "</sentence>"
    )
    xml = (
        f"<collection><document><id>7</id><passage><offset>0</offset>{sentences}</passage>"
        f"</document></collection>"
    )
    assert read(xml, "x.xml")[0].sections[0].text == "One. Two."


def test_a_document_without_an_id_is_kept_and_says_so():
    (paper,) = read(
        json.dumps({"documents": [{"passages": [passage("Words.", type="abstract")]}]}), "x.json"
    )
    assert paper.id.startswith("doc:") and paper.problems[0].code == "no-id"


def test_a_document_whose_passages_name_its_paper_has_an_id():
    collection = {
        "documents": [{"passages": [passage("T", **{"type": "title", "article-id_pmid": "31"})]}]
    }
    (paper,) = read(json.dumps(collection), "x.json")
    assert paper.id == "PMID:31" and not paper.problems


def test_pubtator_keeps_bars_odd_spaces_and_every_line():
    text = (
        "7|t|A|B\u2028title 𝛼\r\n7|a|One |"
        " two.\r\n7\t0\t1\tA\tGene\t1\r\n\r\nPMC8|t|Other\n8|a|Only words.\n"
    )
    first, second, third = read(text, "x.txt")
    assert (first.id, first.title, first.sections[0].text) == (
        "PMID:7",
        "A|B\u2028title 𝛼",
        "One | two.",
    )
    assert (second.id, third.id) == ("PMCID:PMC8", "PMID:8")


@pytest.mark.parametrize(
    "words", ["𝛼-synuclein 🧬 fell. " * 60, "e\u0301tude ﬁne. " * 60, "אבג. דהו? " * 60]
)
@pytest.mark.parametrize("size", [200, 300])
def test_every_chunk_is_the_text_at_its_offsets_counted_in_code_points(words, size):
    collection = {
        "documents": [
            {
                "id": "7",
                "passages": [passage("𝒯itle 🧠", type="title"), passage(words, type="abstract")],
            }
        ]
    }
    (paper,) = read(json.dumps(collection), "x.json")
    version, body = assemble_paper(paper)
    chunks = list(cut_into_chunks(version, body, paper.title, ChunkSize(size, 20)))
    assert len(chunks) > 1 and all(
        version.text[c.start : c.start + len(c.text)] == c.text for c in chunks
    )
    assert all(version.text[start:end].strip() for _, start, end in body["sections"])


def test_ids_outside_the_passages_are_kept():
    own = {"_id": "31|PMC5", "id": "31", "pmid": 31, "pmcid": "PMC5"}
    document = own | {"passages": [passage("A title", type="title")]}
    (paper,) = read(json.dumps({"PubTator3": [document]}), "a.json")
    assert paper.ids == ("PMID:31", "PMCID:PMC5")


def test_ids_of_a_document_s_infons_are_kept():
    xml = (
        "<collection><source>PubMed</source><document><id>31</id>"
        '<infon key="article-id_pmc">PMC5</infon>'
        '<passage><infon key="type">title</infon><text>A title</text></passage>'
        "</document></collection>"
    )
    (paper,) = read(xml, "a.xml")
    assert paper.ids == ("PMID:31", "PMCID:PMC5")


def test_pmid_is_not_read_as_a_pmc_id_in_a_collection_from_pmc():
    infons = {"section_type": "TITLE", "article-id_pmid": "31"}
    document = {"id": "31", "passages": [passage("A title", **infons)]}
    papers = read(json.dumps({"source": "PMC", "documents": [document]}), "a.json")
    assert papers[0].ids == ("PMID:31",)


GRID = (
    "<?xml version='1.0'?><table><thead><tr><th>Drug</th><th>Nausea</th><th>Death</th></tr>"
    "</thead><tbody><tr><td>Alpha</td><td></td><td>4</td></tr></tbody></table>"
)


@pytest.mark.parametrize("infons", [{"xml": GRID}, {}])
def test_a_table_is_rows_and_columns_under_its_caption(infons):
    table = {"section_type": "TABLE", "id": "T1"}
    cells = "Drug\tNausea\tDeath\nAlpha\t\t4"
    passages = [
        passage("A title", type="title"),
        passage("Deaths", **table, type="table_caption"),
        passage(cells, **table, **infons, type="table"),
        passage("Of 7.", **table, type="table_footnote"),
    ]
    (paper,) = read(json.dumps({"documents": [{"id": "7", "passages": passages}]}), "x.json")
    (section,) = paper.sections
    assert (section.name, section.kind) == ("Deaths", "table")
    assert section.text.split("\n\n") == [
        "Columns: Drug | Nausea | Death",
        "Alpha – Death: 4",
        "Of 7.",
    ]
    assert paper.ledger is not None and paper.ledger.missing == 0
