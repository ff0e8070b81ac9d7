"""Where records do not settle a question, the planner says so; it gives no value that might be
another's.
"""

from __future__ import annotations

import pytest

from core.errors import Refused
from core.genes.answer import AnswerStatus, GeneAnswer
from core.genes.kinds.coding import verdict
from core.genes.strategies.planner import answer
from core.ncbi.client import Ncbi, WaitPolicy
from core.web import Fetch, Fetched
from tests.core.genes.strategies.test_planner import Records, asked, gene

SEQUENCE = "ACGTACGTACTTGGCACGTACGTACTTGGCAACCGGTTAC"
PUT = "<!--QBlastInfoBegin\n RID = ABCDEFGH016\n RTOE = 1\nQBlastInfoEnd-->"


def blasted(
    *hits: str, question: str = "Align this DNA sequence to the human genome: "
) -> GeneAnswer:
    body = (
        "<!--QBlastInfoBegin\n\tStatus=READY\nQBlastInfoEnd-->\nALIGNMENTS"
        + "".join(hits)
        + "\nLambda"
    )

    class Blast:
        def fetch(self, request: Fetch) -> Fetched:
            return Fetched(200, PUT if request.method == "POST" else body, call="c1")

    return answer(Ncbi(Blast(), patience=WaitPolicy(scale=0)), question + SEQUENCE)


def hit(accession: str, title: str, same: int, bits: int = 70, start: int = 1001) -> str:
    head = f"\n>{accession} {title}\nLength=9\n\n Score = {bits}.0 bits (40),  Expect = 1e-10\n"
    lines = f" Identities = {same}/{same} (100%), Gaps = 0/{same} (0%)\n Strand=Plus/Plus\n\n"
    return head + lines + f"Query  1  ACGT  {same}\n\nSbjct  {start}  ACGT  {start + same - 1}\n"


GRCH38 = ("NC_000007.14", "Homo sapiens chromosome 7, GRCh38.p14 Primary Assembly")


def test_coordinates_of_a_part_are_not_those_of_the_sequence():
    reply = blasted(hit(*GRCH38, same=30))
    assert reply.status is AnswerStatus.AMBIGUOUS and any("75%" in note for note in reply.notes)


def test_a_hit_on_chm13_first_does_not_hide_grch38():
    chm13 = hit(
        "NC_060931.1",
        "Homo sapiens isolate CHM13 chromosome 7, alternate assembly T2T-CHM13v2.0",
        40,
    )
    reply = blasted(chm13, hit(*GRCH38, same=40))
    assert (reply.status, reply.text) == (AnswerStatus.ANSWERED, "chr7:1001-1040")


def test_a_hit_on_chm13_alone_gives_no_coordinates():
    reply = blasted(
        hit(
            "NC_060931.1",
            "Homo sapiens isolate CHM13 chromosome 7, alternate assembly T2T-CHM13v2.0",
            40,
        )
    )
    assert reply.text == "chr7" and any("coordinates are not" in note for note in reply.notes)


def test_a_poor_human_hit_places_nothing():
    assert blasted(hit(*GRCH38, same=15)).status is AnswerStatus.NOT_FOUND


@pytest.mark.parametrize(
    ("words", "kind", "expected"),
    [
        ("Is X1 protein-coding?", "protein-coding", "Yes"),
        ("Is X1 a non-coding gene?", "protein-coding", "No"),
        ("Is X1 a non-coding gene?", "ncRNA", "Yes"),
        ("Is X1 a noncoding RNA?", "pseudo", "No"),
        ("Is X1 a pseudogene?", "pseudo", "Yes"),
        ("Is X1 a pseudogene?", "ncRNA", "No"),
        ("Is X1 coding or non-coding?", "ncRNA", "ncRNA"),
        ("What type of gene is X1?", "snoRNA", "snoRNA"),
    ],
)
def test_yes_and_no_answer_what_was_asked(words: str, kind: str, expected: str):
    assert verdict(words, kind) == expected


def test_the_type_of_a_name_of_several_genes_is_not_that_of_the_first():
    records = Records(gene("1", "AAA", otheraliases="X1"), gene("2", "BBB", otheraliases="X1"))
    assert asked(records, "Is X1 protein-coding?").status is AnswerStatus.AMBIGUOUS


def test_all_names_are_not_the_official_one():
    reply = asked(
        Records(gene("1", "AAA1", otheraliases="X1, Y2")), "What are the aliases of AAA1?"
    )
    assert reply.text == ["X1", "Y2"]


def test_a_withdrawn_gene_is_never_an_answer():
    records = Records(gene("1", "AAA1", status="discontinued"))
    assert asked(records, "Which chromosome is AAA1 on?").status is AnswerStatus.NOT_FOUND


def test_a_species_in_words_alone_counts():
    records = Records(gene("1", "AAA1", organism={"scientificname": "Mus musculus"}))
    assert asked(records, "Which chromosome is AAA1 on?").status is AnswerStatus.NOT_FOUND


def test_a_variant_on_two_chromosomes_is_ambiguous():
    snp = {"uid": "5", "snp_id": "5", "chr": "X,Y", "chrpos": ""}
    assert asked(Records(snp=[snp]), "On which chromosome is rs5?").status is AnswerStatus.AMBIGUOUS


def test_submission_is_shown_before_waiting_for_its_report():
    seen: list[str] = []

    class Blast:
        def fetch(self, request: Fetch) -> Fetched:
            if request.method == "POST":
                return Fetched(200, PUT, call="c1")
            seen.append("look")
            return Fetched(
                200, "<!--QBlastInfoBegin\n\tStatus=UNKNOWN\nQBlastInfoEnd-->", call="c2"
            )

    ncbi = Ncbi(Blast(), patience=WaitPolicy(scale=0))
    gene_answer = answer(
        ncbi, "Which species is this from? " + SEQUENCE, lambda step: seen.append(step.tool)
    )
    assert seen == ["blast_put", "look", "blast_get"]
    assert gene_answer.status is AnswerStatus.FAILED and gene_answer.steps[0].rid == "ABCDEFGH016"
    assert gene_answer.steps[1].status == "failed" and gene_answer.steps[1].arguments == {
        "rid": "ABCDEFGH016"
    }


def test_a_report_that_breaks_off_before_its_hits_is_a_failed_answer():
    page = (
        "<!--QBlastInfoBegin\n\tStatus=READY\nQBlastInfoEnd-->\n<PRE>BLASTN 2.16.0+\nSequences"
        " produc"
    )

    class Blast:
        def fetch(self, request: Fetch) -> Fetched:
            return Fetched(
                200,
                PUT if request.method == "POST" else page,
                cut=request.method != "POST",
                call="c1",
            )

    gene_answer = answer(
        Ncbi(Blast(), patience=WaitPolicy(scale=0)), "Which species is this from? " + SEQUENCE
    )
    assert gene_answer.status is AnswerStatus.FAILED and any(
        "Try again" in note for note in gene_answer.notes
    )


def test_an_address_that_is_refused_on_the_way_is_a_failed_answer():
    class Elsewhere:
        def fetch(self, request: Fetch) -> Fetched:
            raise Refused("http://evil.org/ is not asked: only plain https addresses are.")

    gene_answer = answer(Ncbi(Elsewhere()), "Which chromosome is AAA1 on?")
    assert (
        gene_answer.status is AnswerStatus.FAILED
        and gene_answer.steps[0].status == "failed"
        and "evil.org" in gene_answer.notes[0]
    )
