"""The gene of a sequence, at a loopback BLAST that serves RefSeq transcripts, GRCh38 and proteins.

The forms are those of BLAST's own specifications (JSON2 and XML2: ncbi.nlm.nih.gov/data_specs,
`NCBI_BlastOutput2.mod.xsd`); titles follow RefSeq's way of writing them, genes are made up.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from core.genes.answer import AnswerStatus, GeneAnswer
from core.ncbi.address import NcbiAddresses
from core.ncbi.blast_report import parse_report
from tests.core.genes.strategies.test_today import Served, gene, placed

BASES = "ACGTTGCATCGATCGGATCGTTAGCCATCGATTACGGATCCATGCATTTAGCGATCGGCTA"
QUESTION = f"What are the aliases of the gene that contains this sequence: {BASES}"
Hit = tuple[str, str, float]  # accession, title, bits


def json2(hits: list[Hit], organism: str = "Homo sapiens") -> dict[str, Any]:
    def one(number: int, hit: Hit) -> dict[str, Any]:
        accession, title, bits = hit
        about = {"id": f"ref|{accession}|", "accession": accession.partition(".")[0],
                 "title": title, "taxid": 9606, "sciname": organism}  # fmt: skip
        hsp = {"num": 1, "bit_score": bits, "evalue": 1e-20, "identity": 60, "query_from": 1,
               "query_to": 60, "query_strand": "Plus", "hit_from": 150, "hit_to": 209,
               "hit_strand": "Plus", "align_len": 60, "gaps": 0}  # fmt: skip
        return {"num": number, "description": [about], "len": 1000, "hsps": [hsp]}

    search = {"query_len": 60, "hits": [one(n, hit) for n, hit in enumerate(hits, 1)], "stat": {}}
    return {"BlastOutput2": [{"report": {"program": "blastn", "results": {"search": search}}}]}


class Blast:
    """Loopback BLAST: the hits of each database; what was submitted stands in `sent`."""

    def __init__(self, start: Callable[..., NcbiAddresses]):
        self.served = Served(start)
        self.hits: dict[str, list[Hit]] = {}
        self.sent: list[dict[str, Any]] = []
        whole = self.served.respond

        def respond(path: str, parameters: dict[str, Any]) -> tuple[int, Any]:
            if parameters.get("CMD") == "Put":
                self.sent.append(parameters)
                rid = f"AAAA{len(self.sent):04}016"
                return (
                    200,
                    f"<!--QBlastInfoBegin\n    RID = {rid}\n    RTOE = 0\nQBlastInfoEnd\n-->",
                )
            if parameters.get("CMD") == "Get":
                asked = self.sent[int(parameters["RID"][4:8]) - 1]["DATABASE"]
                return 200, json2(self.hits.get(asked, []))
            return whole(path, parameters)

        self.served.respond = respond  # type: ignore[method-assign]

    def __call__(self, text: str = QUESTION, **records: Any) -> GeneAnswer:
        return self.served(text, **records)


@pytest.fixture
def blast(answering: Callable[..., NcbiAddresses]) -> Blast:
    return Blast(answering)


def mrna(accession: str, symbol: str, bits: float = 110.0) -> Hit:
    return (accession, f"Homo sapiens made up ({symbol}), transcript variant 1, mRNA", bits)


AAA1 = gene("1", "AAA1", otheraliases="OLD1, OLD2")
BBB1 = gene("2", "BBB1")
GENOME = "refseq_reference_genomes"


def test_human_transcripts_of_refseq_are_asked_first_and_name_the_gene(blast: Blast):
    blast.hits["refseq_rna"] = [mrna("NM_000001.1", "AAA1")]
    blast_client = blast(gene=[AAA1])
    assert (blast_client.status, blast_client.text) == (
        AnswerStatus.ANSWERED,
        ["AAA1", "OLD1", "OLD2"],
    )
    assert [(parameters["DATABASE"], parameters["ENTREZ_QUERY"]) for parameters in blast.sent] == [
        ("refseq_rna", "txid9606[Organism]")
    ]


@pytest.mark.parametrize(
    "words",
    ["Which gene does {} belong to?", "What gene is this: {}", "Whose gene holds {}?"],
)
def test_gene_of_a_sequence_is_answered_by_its_symbol_alone(blast: Blast, words: str):
    blast.hits["refseq_rna"] = [mrna("NM_000001.1", "AAA1")]
    blast_client = blast(words.format(BASES), gene=[AAA1])
    assert (blast_client.status, blast_client.text) == (AnswerStatus.ANSWERED, "AAA1")
    assert [value.value for value in blast_client.values] == ["AAA1"]


@pytest.mark.parametrize(
    "words",
    ["Which mouse gene has {}?", "Which gene family has {}?", "Which gene has {} and where is it?"],
)
def test_more_than_the_human_gene_of_a_sequence_is_declined(blast: Blast, words: str):
    blast_client = blast(words.format(BASES), gene=[AAA1])
    assert (blast_client.status, blast.sent) == (AnswerStatus.NOT_UNDERSTOOD, [])


def test_a_regulatory_region_does_not_outvote_a_transcript(blast: Blast):
    region = "Homo sapiens enhancer region (LOC123456789) on chromosome 7"
    others = [(f"NG_00000{n}.1", region, 112.0) for n in range(1, 4)]
    blast.hits["refseq_rna"] = [*others, mrna("NM_000001.1", "AAA1")]
    assert blast(gene=[AAA1]).text[0] == "AAA1"


def test_a_clone_title_names_no_gene(blast: Blast):
    clones = [("AC000001.1", "Homo sapiens BAC clone RP11-1A1 (Human), mRNA", 120.0)]
    blast.hits["refseq_rna"] = [*clones, mrna("NM_000001.1", "AAA1", 118.0)]
    blast_client = blast(gene=[AAA1])
    assert blast_client.text[0] == "AAA1"


def test_a_sequence_in_no_transcript_is_the_gene_at_its_place_in_grch38(blast: Blast):
    blast.hits[GENOME] = [("NC_000007.14", "Homo sapiens chromosome 7, GRCh38.p14", 110.0)]
    away = gene("3", "FAR1", genomicinfo=[placed("NC_000007.14", 90_000, 99_000)])
    blast_client = blast(gene=[AAA1, away])
    assert (blast_client.status, blast_client.text[0]) == (AnswerStatus.ANSWERED, "AAA1")
    terms = [parameters["term"] for tool, parameters in blast.served.asked if tool == "esearch"]
    assert terms == ["7[CHR] AND 150:209[CHRPOS] AND human[orgn] AND alive[prop]"]


def test_two_genes_at_one_place_are_not_chosen_from(blast: Blast):
    blast.hits[GENOME] = [("NC_000007.14", "Homo sapiens chromosome 7, GRCh38.p14", 110.0)]
    assert blast(gene=[AAA1, BBB1]).status is AnswerStatus.NOT_FOUND


def test_transcripts_of_two_genes_that_tie_are_ambiguous(blast: Blast):
    blast.hits["refseq_rna"] = [mrna("NM_000001.1", "AAA1"), mrna("NM_000002.1", "BBB1")]
    blast_client = blast(gene=[AAA1, BBB1])
    assert blast_client.status is AnswerStatus.AMBIGUOUS and blast_client.text[0] == "AAA1"
    assert any("BBB1" in note for note in blast_client.notes)


def test_a_name_in_no_record_is_passed_over_and_doubted(blast: Blast):
    blast.hits["refseq_rna"] = [mrna("NM_000009.1", "GONE1"), mrna("NM_000001.1", "AAA1", 105.0)]
    blast_client = blast(gene=[AAA1])
    assert (blast_client.status, blast_client.text[0]) == (AnswerStatus.AMBIGUOUS, "AAA1")


def test_a_pseudogene_is_named_as_one(blast: Blast):
    blast.hits["refseq_rna"] = [mrna("NR_000001.1", "AAA1P1")]
    pseudo = gene("5", "AAA1P1", description="made up pseudogene 1")
    assert any("is a pseudogene" in note for note in blast(gene=[pseudo]).notes)


P53 = "MEEPQSDPSVEPPLSQETFSDLWKLLPENNVLSPLPSQAMDDLMLSPDDIEQWFTEDPGP"


def test_a_protein_sequence_is_asked_by_blastp_and_named_by_swiss_prot(blast: Blast):
    title = "RecName: Full=Made up antigen; AltName: Full=Other [Homo sapiens]"
    blast.hits["swissprot"] = [("P00001.4", title, 110.0)]
    blast_client = blast(f"Which protein has this sequence: {P53}")
    assert (
        blast_client.text == "Made up antigen [Homo sapiens] (UniProtKB:P00001; 60 of 60 identical)"
    )
    assert (blast.sent[0]["PROGRAM"], blast.sent[0]["DATABASE"]) == ("blastp", "swissprot")


def test_a_hit_of_json_keeps_the_pointer_of_each_value():
    (hit,) = parse_report(json.dumps(json2([mrna("NM_000001.1", "AAA1")]))).records
    at = "/BlastOutput2/0/report/results/search/hits/0"
    assert (hit.id, hit.get("organism")) == ("RefSeq:NM_000001.1", "Homo sapiens")
    assert hit.pointers["title"] == f"{at}/description/0/title"
    assert hit.pointers["identity"] == f"{at}/hsps/0/identity"


XML2 = """<?xml version="1.0"?>
<BlastXML2 xmlns="http://www.ncbi.nlm.nih.gov"><BlastOutput2><report><Report><results><Results>
<search><Search><hits><Hit><num>1</num><description><HitDescr><id>ref|NC_000007.14|</id>
<accession>NC_000007</accession><title>Homo sapiens chromosome 7, GRCh38</title><taxid>9606</taxid>
<sciname>Homo sapiens</sciname></HitDescr></description><len>9</len><hsps><Hsp><num>1</num>
<bit-score>110.5</bit-score><identity>60</identity><query-from>1</query-from>
<query-to>60</query-to><hit-from>209</hit-from><hit-to>150</hit-to><align-len>60</align-len></Hsp>
</hsps></Hit></hits></Search></search></Results></results></Report></report></BlastOutput2></BlastXML2>
"""


def test_xml2_is_read_as_json2_is():
    reading = parse_report(XML2)
    (hit,) = reading.records
    assert (hit.get("kind"), hit.get("location")) == (
        "GRCh38 chromosome",
        "NC_000007.14:150-209(-)",
    )
    assert hit.pointers["bits"] == "//Hit[num='1']//bit-score" and not reading.cut


def test_a_newer_report_that_was_cut_says_so():
    assert parse_report(XML2[: XML2.index("</Search>")]).cut
    assert parse_report('{"BlastOutput2": [{"report": {"resu').cut


TEXT = """<p><!--
QBlastInfoBegin
	Status=READY
QBlastInfoEnd
--><p>
BLASTN 2.14.0+
ALIGNMENTS
>NM_000001.1 Homo sapiens made up (AAA1), mRNA
Length=900

 Score = 110 bits (60),  Expect = 1e-20
 Identities = 60/60 (100%), Gaps = 0/60 (0%)
 Strand=Plus/Plus

Query  1   ACGT  60
           ||||
Sbjct  11  ACGT  70

Lambda      K        H
"""


def test_a_hit_in_text_says_on_which_line_it_stands():
    (hit,) = parse_report(TEXT).records
    line = int(hit.pointers["title"].removeprefix("line "))
    assert TEXT.splitlines()[line - 1].startswith(">NM_000001.1")
