"""Exons and introns, from product reports in the form of NCBI Datasets v2.

The form: its OpenAPI document (v2reportsTranscript, v2reportsGenomicLocation, v2reportsRange:
`begin` and `end` as text, `orientation` plus or minus, `order` as a number), as the generated R
client of that document spells it, and answers quoted in tests of public clients (PIK3CA,
NC_000003.12). Genes and numbers are made up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.genes.answer import AnswerStatus
from core.genes.kinds.exon_places import ExonsAsked, requested_part
from core.genes.question.understand import understand_question
from core.ncbi.address import NcbiAddresses
from tests.core.genes.strategies.test_today import Served, gene

GENE = gene("1", "AAA1")


def location(accession: str, way: str, *exons: tuple[int, int]) -> dict[str, Any]:
    low, high = min(start for start, _ in exons), max(end for _, end in exons)
    return {
        "genomic_accession_version": accession,
        "sequence_name": "Chromosome 7 Reference GRCh38.p14 Primary Assembly",
        "genomic_range": {"begin": str(low), "end": str(high), "orientation": way},
        "exons": [
            {"begin": str(begin), "end": str(end), "orientation": way, "order": order}
            for order, (begin, end) in enumerate(exons, 1)
        ],
    }


def transcript(accession: str, *places: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"accession_version": accession, "name": accession, "genomic_locations": places} | more


MINUS = location("NC_000007.14", "minus", (900, 1000), (500, 600), (100, 200))
PLUS = location("NC_000007.14", "plus", (100, 200), (301, 400))
OTHER = location("NT_187562.1", "plus", (5, 9))


@pytest.fixture
def served(answering: Callable[..., NcbiAddresses]) -> Served:
    return Served(answering)


def report(served: Served, *transcripts: dict[str, Any]) -> None:
    product = {
        "gene_id": "1", "symbol": "AAA1", "tax_id": "9606", "transcript_count": len(transcripts),
        "transcripts": transcripts,
    }  # fmt: skip
    served.reports["product_report"] = {"reports": [{"product": product}], "total_count": 1}


CHOSEN = transcript("NM_000001.2", OTHER, MINUS, select_category="MANE_SELECT")
LONGER = transcript("NM_000009.1", PLUS)


def test_exons_of_the_chosen_transcript_are_placed_on_the_reference_chromosome(served: Served):
    report(served, LONGER, CHOSEN)
    answer = served("What are the coordinates of the exons of AAA1?", gene=[GENE])
    assert answer.status is AnswerStatus.ANSWERED
    assert answer.text == [
        "exon 1 of NM_000001.2: NC_000007.14:900-1000(-)",
        "exon 2 of NM_000001.2: NC_000007.14:500-600(-)",
        "exon 3 of NM_000001.2: NC_000007.14:100-200(-)",
    ]
    assert "Of NM_000001.2, MANE Select, one of 2 transcripts." in answer.notes


def test_an_intron_lies_between_two_exons_in_the_direction_of_the_gene(served: Served):
    report(served, CHOSEN)
    answer = served("Where does intron 1 of AAA1 start and end?", gene=[GENE])
    assert answer.text == "intron 1 of NM_000001.2: NC_000007.14:601-899(-)"
    value = answer.values[0]
    assert value.raw == "900" and [tie.raw for tie in value.ties] == [
        "NM_000001.2", "1000", "500", "600",
    ]  # fmt: skip


def test_introns_are_one_less_than_exons(served: Served):
    report(served, CHOSEN)
    answer = served("How many introns are there in AAA1?", gene=[GENE])
    assert answer.text == "2 introns (NM_000001.2)"
    exon_answer = served("How many exons does the canonical transcript of AAA1 have?", gene=[GENE])
    assert exon_answer.text == "3 exons (NM_000001.2)"


def test_exons_that_touch_leave_no_intron(served: Served):
    gap = location("NC_000007.14", "plus", (100, 200), (201, 300), (401, 500))
    report(served, transcript("NM_000001.2", gap, select_category="MANE_SELECT"))
    answer = served("How many introns does AAA1 have?", gene=[GENE])
    assert answer.text == "1 intron (NM_000001.2)"


def test_question_without_a_transcript_gives_each_curated_one(served: Served):
    report(served, LONGER, transcript("XM_000003.1", MINUS), transcript("NR_000004.1", PLUS))
    answer = served("What is the last exon of AAA1?", gene=[GENE])
    assert answer.text == [
        "exon 2 of NM_000009.1: NC_000007.14:301-400(+)",
        "exon 2 of NR_000004.1: NC_000007.14:301-400(+)",
    ]


def test_an_exon_beyond_the_last_and_a_report_without_places_are_not_found(served: Served):
    report(served, CHOSEN)
    assert served("Where is exon 9 of AAA1?", gene=[GENE]).status is AnswerStatus.NOT_FOUND
    report(served, {"accession_version": "NM_000001.2"})
    assert served("Where is exon 1 of AAA1?", gene=[GENE]).status is AnswerStatus.NOT_FOUND


def test_another_assembly_is_reported_as_missing(served: Served):
    report(served, CHOSEN)
    answer = served("What are the exon coordinates of AAA1 on GRCh37?", gene=[GENE])
    assert answer.status is AnswerStatus.NOT_FOUND
    assert "GRCh38 only" in answer.notes[-1]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("the third intron of AAA1", ExonsAsked(introns=True, number=3, count=False)),
        ("exon 12 of AAA1", ExonsAsked(introns=False, number=12, count=False)),
        ("exons 4 to 6 of AAA1", ExonsAsked(introns=False, number=4, count=False, more=(5, 6))),
        ("exons 2, 3 and 9 of AAA1", ExonsAsked(introns=False, number=2, count=False, more=(3, 9))),
        ("intron 1 of AAA1 and AAA2", ExonsAsked(introns=True, number=1, count=False)),
        ("the 2nd exon of AAA1", ExonsAsked(introns=False, number=2, count=False)),
        ("number of introns in AAA1", ExonsAsked(introns=True, number=0, count=True)),
        ("exon boundaries of AAA1", ExonsAsked(introns=False, number=0, count=False)),
    ],
)
def test_the_part_is_read_from_the_words(words: str, part: ExonsAsked):
    assert requested_part(words) == part


def test_exon_count_without_a_transcript_is_that_of_the_gene_summary():
    assert understand_question("How many exons does TP53 have?").kind == "exons of a gene"


@pytest.mark.parametrize(
    ("text", "answer_text"),
    [
        ("exon count of the longest transcript of AAA1", "2 exons (NM_000009.1)"),
        ("how many exons in the shortest transcript of AAA1?", "3 exons (NM_000001.2)"),
    ],
)
def test_the_longest_transcript_is_chosen_by_its_length(
    served: Served, text: str, answer_text: str
):
    short, long = CHOSEN | {"length": 303}, LONGER | {"length": 5000}
    report(served, short, long, transcript("XM_000003.1", MINUS, length=9000))
    answer = served(text, gene=[GENE])
    assert (answer.status, answer.text) == (AnswerStatus.ANSWERED, answer_text), answer.notes
