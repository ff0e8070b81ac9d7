"""The planner binds every value to a record, and abstains."""

from __future__ import annotations

import json

import pytest

from core.errors import NotServed, Unreachable
from core.genes.answer import AnswerStatus
from core.genes.strategies.planner import answer
from core.ncbi.client import Ncbi, WaitPolicy
from core.ncbi.example import QUESTIONS, ExampleFetcher
from core.web import Fetch, Fetched

HUMAN = {"scientificname": "Homo sapiens", "taxid": 9606}


def gene(uid: str, symbol: str, **more: object) -> dict:
    place = [{"chraccver": "NC_000001.11", "chrstart": 9, "chrstop": 19}]
    return {
        "uid": uid,
        "name": symbol,
        "nomenclaturesymbol": symbol,
        "nomenclaturestatus": "Official",
        "chromosome": "1",
        "organism": HUMAN,
        "genomicinfo": place,
    } | more


class Records:
    """NCBI with these genes: a search finds all of them."""

    def __init__(self, *genes: dict, **others: list[dict]):
        self.known = {"gene": genes, **others}

    def fetch(self, request: Fetch) -> Fetched:
        parameters = dict(request.params)
        records = {record["uid"]: record for record in self.known.get(parameters.get("db", ""), ())}
        if request.url.endswith("esearch.fcgi"):
            body = {"esearchresult": {"count": str(len(records)), "idlist": list(records)}}
        elif request.url.endswith("esummary.fcgi"):
            body = {"result": {"uids": list(records), **records}}
        else:
            raise NotServed("Not served.")
        return Fetched(200, json.dumps(body), call="c1")


def asked(fetcher: object, text: str):
    return answer(Ncbi(fetcher, patience=WaitPolicy(scale=0)), text)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    zip(
        QUESTIONS, ["PSMB10", "LINC01270", ["KRT12", "KRT3"], ["17q21.2", "12q13.13"]], strict=True
    ),
)
def test_the_examples_are_answered_from_their_records(text: str, expected: object):
    reply = asked(ExampleFetcher(), text)
    assert (reply.text, reply.status) == (expected, AnswerStatus.ANSWERED)
    assert all(value.record and value.field and value.raw for value in reply.values)


def test_an_alias_in_the_same_letters_goes_before_one_in_others():
    reply = asked(
        Records(gene("1", "AAA", otheraliases="HCX"), gene("2", "BBB", otheraliases="hCX")),
        "What is the official symbol of hCX?",
    )
    assert reply.text == "BBB"


def test_a_name_of_several_genes_is_ambiguous():
    reply = asked(
        Records(gene("1", "AAA", otheraliases="X1"), gene("2", "BBB", otheraliases="X1")),
        "What is the official symbol of X1?",
    )
    assert (reply.status, reply.text) == (AnswerStatus.AMBIGUOUS, ["AAA", "BBB"])


def test_a_withdrawn_record_gives_way_to_the_one_that_replaced_it():
    reply = asked(
        Records(
            gene("1", "OLD", currentid="2", otheraliases="X1"), gene("2", "NEW", otheraliases="X1")
        ),
        "What is the symbol of X1?",
    )
    assert reply.text == "NEW" and "replaced by" in reply.steps[1].dropped[0].why


def test_a_gene_without_the_name_is_never_an_answer():
    reply = asked(Records(gene("1", "AAA")), "Which chromosome is ZZZ9 on?")
    assert reply.status is AnswerStatus.NOT_FOUND and reply.text == "" and not reply.values


def test_a_gene_of_another_species_is_never_an_answer():
    reply = asked(
        Records(gene("1", "AAA1", organism={"scientificname": "Mus musculus", "taxid": 10090})),
        "Which chromosome is AAA1 on?",
    )
    assert reply.status is AnswerStatus.NOT_FOUND


def test_gene_on_two_chromosomes_gives_both():
    assert asked(
        Records(gene("1", "PAR1", chromosome="X|Y")), "Which chromosome is PAR1 on?"
    ).text == ["chrX", "chrY"]


def test_an_alias_on_two_chromosomes_is_ambiguous():
    records = Records(
        gene("1", "AAA", otheraliases="X1"), gene("2", "BBB", otheraliases="X1", chromosome="2")
    )
    assert asked(records, "Which chromosome is X1 on?").status is AnswerStatus.AMBIGUOUS


def test_species_assembly_and_place_are_stated():
    note = asked(Records(gene("1", "AAA1")), "Which chromosome is AAA1 on?").notes[0]
    assert (
        "Homo sapiens" in note
        and "NC_000001.11:10-20(+)" in note
        and "GRCh38" in note
        and "1-based" in note
    )


def test_a_type_inferred_from_names_says_so():
    reply = asked(
        Records(gene("1", "AAA1P", description="made up pseudogene 1")), "Is AAA1P protein-coding?"
    )
    assert reply.text == "No" and any("inferred" in note for note in reply.notes)


OMIM = [
    {
        "uid": "100",
        "oid": "#100",
        "title": "MADE UP DISEASE 1; MUD1",
        "alttitles": "",
        "locus": "1p1",
    },
    {"uid": "200", "oid": "*200", "title": "PROTEIN Q; AAA", "alttitles": "", "locus": "9q9"},
]


def test_a_gene_entry_of_omim_is_never_the_disease():
    reply = asked(
        Records(gene("1", "AAA", otheraliases="MUD1"), omim=OMIM),
        "Which genes are related to made up disease?",
    )
    assert reply.text == ["AAA"] and reply.values[0].object.id == "OMIM:100"
    assert any(drop.record == "OMIM:200" and "gene" in drop.why for drop in reply.steps[1].dropped)


def test_omims_locus_is_never_a_place_that_a_gene_record_contradicts():
    records = Records(
        gene("1", "AAA", otheraliases="MUD1", maplocation="1p1", mim=["200"]), omim=OMIM
    )
    reply = asked(records, "List chromosome locations of genes related to made up disease.")
    assert reply.text == ["1p1"]


def test_a_neighbour_of_a_variant_is_distinguished_from_its_gene():
    snp = {
        "uid": "5",
        "snp_id": 5,
        "genes": [{"name": "G1", "gene_id": "1"}],
        "fxn_class": "2KB_upstream_variant",
        "chr": "1",
    }
    assert asked(Records(snp=[snp]), "Which gene is rs5 in?").values[0].relation == "nearby"


def test_planner_gives_a_failed_answer_where_ncbi_does_not_answer():
    class Down:
        def fetch(self, request: Fetch) -> Fetched:
            raise Unreachable("NCBI is down.", "Try later.")

    reply = asked(Down(), "What is the official gene symbol of LMP10?")
    assert (
        reply.status is AnswerStatus.FAILED
        and reply.steps[0].status == "failed"
        and "NCBI is down." in reply.notes[0]
    )


def test_a_question_that_is_not_understood_offers_the_model():
    reply = asked(Records(), "Who won the world cup?")
    assert (
        reply.status is AnswerStatus.NOT_UNDERSTOOD
        and "tools" in reply.notes[0]
        and reply.calls == 0
    )


PUT = "<!--QBlastInfoBegin\n RID = ABCDEFGH016\n RTOE = 1\nQBlastInfoEnd-->"
REPORT = (
    "<!--\nQBlastInfoBegin\n\tStatus=READY\nQBlastInfoEnd\n--><PRE>\nBLASTN"
    " 2.16.0+\n\nALIGNMENTS\n{}\nLambda"
)
ALIGNED = (
    ">{title}\nLength=999\n\n Score = {bits} bits (11),  Expect = 1e-9\n Identities = 32/32 (100%),"
    " Gaps = 0/32 (0%)\n Strand=Plus/Plus\n\nQuery  1   {dna}  32\n           ||\nSbjct  50  {dna} "
    " 81\n\n"
)
DNA = "ACGT" * 8


def report(*hits: tuple[str, float]) -> object:
    page = REPORT.format(
        "\n".join(ALIGNED.format(title=title, bits=bits, dna=DNA) for title, bits in hits)
    )

    class Blast:
        def fetch(self, request: Fetch) -> Fetched:
            return Fetched(200, PUT if request.method == "POST" else page, call="c1")

    return Blast()


NC = "NC_000015.10 Homo sapiens chromosome 15, GRCh38.p14 Primary Assembly"
CHM13 = "CP068263.2 Homo sapiens isolate CHM13 chromosome 15"


def test_only_a_chromosome_of_grch38_gives_coordinates():
    assert (
        asked(report((CHM13, 60.0), (NC, 60.0)), f"Align to the human genome: {DNA}").text
        == "chr15:50-81"
    )
    reply = asked(report((CHM13, 60.0)), f"Align to the human genome: {DNA}")
    assert reply.text == "chr15" and any("No hit is" in note for note in reply.notes)


def test_a_much_worse_hit_on_grch38_gives_no_coordinates():
    assert (
        asked(report((CHM13, 60.0), (NC, 30.0)), f"Align to the human genome: {DNA}").text
        == "chr15"
    )


def test_species_that_score_the_same_are_ambiguous():
    hits = (("AC1234.1 Homo sapiens clone A", 60.0), ("AC1235.1 Pan troglodytes clone B", 60.0))
    assert (
        asked(report(*hits), f"Which species is this DNA from: {DNA}").status
        is AnswerStatus.AMBIGUOUS
    )


def test_constructs_have_no_species():
    hits = (
        ("CP1234.1 Eukaryotic synthetic construct chromosome 1", 60.0),
        ("AC1235.1 Danio rerio clone B", 60.0),
    )
    assert asked(report(*hits), f"Which species is this DNA from: {DNA}").text == "Danio rerio"
