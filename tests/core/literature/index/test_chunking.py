"""Cutting papers into chunks."""

from __future__ import annotations

from core.documents.paper import ABSTRACT, FULL_TEXT, Paper, PaperSection, assemble_paper
from core.literature.index.chunking import ChunkSize, cut_into_chunks
from core.literature.index.stem import stem_word

SENTENCE = "The enzyme was measured in twelve samples by two people. "


def made(paper: Paper, **sizes) -> tuple[str, list]:
    version, body = assemble_paper(paper)
    return version.text, list(
        cut_into_chunks(version, body, paper.title, ChunkSize(**sizes) if sizes else ChunkSize())
    )


def test_an_abstract_is_one_chunk_with_its_title():
    text, chunks = made(
        Paper("PMID:1", "A title", (PaperSection("Methods", "We looked."),), ABSTRACT)
    )
    assert [chunk.text for chunk in chunks] == [text] == ["A title\nMETHODS: We looked."]
    assert chunks[0].id == "PMID:1@0"


def test_chunks_are_the_text_at_their_offsets_and_lose_nothing():
    sections = (PaperSection("Introduction", SENTENCE * 30), PaperSection("Results", SENTENCE * 90))
    text, chunks = made(Paper("PMID:2", "A title", sections, FULL_TEXT), size=500, overlap=60)
    assert all(text[c.start : c.start + len(c.text)] == c.text for c in chunks)
    covered = set().union(*(range(c.start, c.start + len(c.text)) for c in chunks))
    assert all(text[at].isspace() for at in set(range(len(text))) - covered)


def test_chunks_end_with_sentences_and_stay_in_their_section():
    sections = (PaperSection("Introduction", SENTENCE * 30), PaperSection("Results", SENTENCE * 30))
    _, chunks = made(Paper("PMID:3", "A title", sections, FULL_TEXT), size=500, overlap=60)
    assert all(chunk.text.endswith(".") for chunk in chunks)
    assert {chunk.section for chunk in chunks} == {"Introduction", "Results"}
    assert chunks[-1].id.startswith("PMID:3#results@")


def test_porter_stems_as_published():
    pairs = (
        "caresses ponies cats agreed plastered motoring hopping falling happy relational"
        " conditional vietnamization"
    )
    stems = "caress poni cat agre plaster motor hop fall happi relat condit vietnam"
    assert [stem_word(word) for word in pairs.split()] == stems.split()
    assert [stem_word(word) for word in ("il10", "ras", "p53", "be")] == ["il10", "ra", "p53", "be"]
