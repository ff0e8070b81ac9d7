"""From a passage to a statement in review: what is extracted from a chunk is known by its place in
the paper.
"""

from __future__ import annotations

import pytest

from core.desk import open_desk
from core.documents.paper import FULL_TEXT, Paper, PaperSection
from core.errors import InputError
from core.literature.query.keyword import LiteratureQuery
from core.model import TextGround
from core.services.extract import result
from core.services.literature import curation, namespaces, searching
from core.settings import Settings

VOCABULARY = "prefix\tid\tlabel\tsynonym\tscope\nMESH\tD1\tlithium\t\t\nMESH\tD2\ttremor\t\t\n"
PAPER = Paper(
    "PMID:5",
    "A paper of salts",
    (
        PaperSection("Introduction", "Salts are old remedies. " * 30),
        PaperSection("Results", "In all patients lithium induced tremor. The others were well."),
    ),
    FULL_TEXT,
)


@pytest.fixture
def desk(tmp_path):
    desk = open_desk(Settings(project=tmp_path / "p"))
    desk.vocabularies.mkdir(parents=True, exist_ok=True)
    (desk.vocabularies / "mesh.tsv").write_text(VOCABULARY, "utf-8")
    namespaces.create_namespace(desk, "salts")
    namespaces.add_papers(desk, "salts", [PAPER])
    yield desk
    desk.close()


def best(desk):
    return (
        searching.search_namespaces(desk, ["salts"], LiteratureQuery("lithium tremor patients"))
        .results[0]
        .chunk
    )


def test_evidence_of_a_chunk_has_the_offsets_and_section_of_the_paper(desk):
    chunk = best(desk)
    assert chunk.section == "Results" and chunk.start > 500
    (job,) = curation.extract_from(desk, [chunk], "chemical_disease", engine="builtin")
    finished = result.wait_for_job(desk, job)
    sent = result.send_to_review(desk, finished.run.id, "A", include_ungrounded=True)
    grounds = [piece.ground for id in sent.new for piece in desk.store.statements.get(id).evidence]
    assert grounds and all(isinstance(ground, TextGround) for ground in grounds)
    text = desk.store.documents.text(chunk.version, "PMID:5").text
    for ground in grounds:
        assert (ground.document, ground.version, ground.section) == (
            "PMID:5",
            chunk.version,
            "Results",
        )
        assert ground.span.start >= chunk.start and ground.quote == ground.span.quote(text)
        assert "lithium induced tremor" in ground.quote


def test_a_chunk_makes_no_text_version_of_its_own(desk):
    for job in curation.extract_from(desk, [best(desk)], "chemical_disease", engine="builtin"):
        result.wait_for_job(desk, job)
    assert len(desk.store.documents.texts("PMID:5")) == 1


def test_extraction_from_a_passage_reads_only_that_passage(desk):
    namespaces.add_papers(
        desk,
        "salts",
        [
            Paper(
                "PMID:6",
                "",
                (
                    PaperSection("A", "Lithium induced tremor. " * 40),
                    PaperSection("B", "All well."),
                ),
                FULL_TEXT,
            )
        ],
    )
    chunk = next(
        c
        for c in namespaces.open_index_of(desk, "salts").chunks()
        if c.document == "PMID:6" and c.section == "B"
    )
    (job,) = curation.extract_from(desk, [chunk], "chemical_disease", engine="builtin")
    assert result.wait_for_job(desk, job).extraction.mentions == ()


def test_a_chunk_that_the_paper_does_not_hold_is_refused_before_anything_starts(desk):
    from dataclasses import replace

    with pytest.raises(InputError, match="Search again"):
        curation.extract_from(
            desk, [best(desk), replace(best(desk), text="Other.")], "chemical_disease"
        )
    assert desk.store.jobs.find() == []
