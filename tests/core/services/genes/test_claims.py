"""Every kind of answer as statements: sent to review, approved, through the gate and exported."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk
from core.model import Curator, Verdict
from core.ncbi.address import NcbiAddresses
from core.services.genes import questions as genes
from core.services.genes import statement as gene_statement
from core.services.graph import knowledge_base
from core.services.review import decision
from core.services.review.decision import Judgement
from core.settings import Settings
from tests.core.genes.kinds.test_fields import clinvar
from tests.core.genes.kinds.test_more_kinds import GENE, HUMAN, MOUSE, PRODUCT, concept
from tests.core.genes.strategies.test_today import Served, snp
from tests.core.ncbi.conftest import answering

__all__ = ["answering"]
ADA = Curator("0000-0002-1825-0097", "Ada")
SNP = snp("5", global_mafs=[{"study": "1000Genomes", "freq": "A=0.2/10"}])
TRAIT = {"trait_name": "Made up disease", "trait_xrefs": [
    {"db_source": "MedGen", "db_id": "C1234567"},
    {"db_source": "OMIM", "db_id": "100101"}]}  # fmt: skip


@pytest.fixture
def desk(answering: Callable[..., NcbiAddresses], tmp_path: Path) -> Iterator[Desk]:
    served = Served(answering)
    served.reports["product_report"] = {"reports": [{"product": PRODUCT}]}
    served.reports["orthologs"] = {"reports": [HUMAN, MOUSE], "total_count": 2}
    paper = {"uid": "77", "title": "On AAA1", "source": "J", "pubdate": "2024"}
    variation = clinvar("1", "5")
    variation["germline_classification"]["trait_set"] = [TRAIT]
    served.records = {
        "gene": {"1": GENE}, "snp": {"5": SNP}, "clinvar": {"1": variation},
        "medgen": {"7": concept("7", "C1234567", "Made up disease")}, "pubmed": {"77": paper},
    }  # fmt: skip
    linked = {"dbto": "pubmed", "linkname": "gene_pubmed", "links": ["77"]}
    sets = [{"dbfrom": "gene", "ids": ["1"], "linksetdbs": [linked]}]
    served._links = lambda ids: (200, {"linksets": sets})  # type: ignore[method-assign]
    at = served.start(served.respond)
    urls = {"ncbi_eutils_url": at.eutils, "ncbi_blast_url": at.blast, "datasets_url": at.datasets}
    desk = Desk(Settings(tmp_path, ncbi_interval=0.0, **urls))
    yield desk
    desk.close()


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Which strand is AAA1 on?", ("NCBIGene:1", "biolink:strand", "plus (+)")),
        ("How many exons does AAA1 have?", ("NCBIGene:1", "gene_questions:exon_count", "3")),
        ("Which genes lie in 7q31?", ("NCBIGene:1", "RO:0001025", "7q31.2")),
        ("Which gene lies at chr7:150 in GRCh38?",
         ("NCBIGene:1", "RO:0001025", "GRCh38 NC_000007.14:101-201(+)")),
        ("Which papers are about AAA1?", ("PMID:77", "biolink:mentions", "NCBIGene:1")),
        ("What is the mouse ortholog of AAA1?",
         ("NCBIGene:1", "biolink:orthologous_to", "NCBIGene:2")),
        ("What is the MANE transcript of AAA1?",
         ("NCBIGene:1", "biolink:transcribed_to", "RefSeq:NM_000001.2")),
        ("Which RefSeq proteins does AAA1 encode?",
         ("NCBIGene:1", "biolink:has_gene_product", "RefSeq:NP_000001.1")),
        ("How is made up disease inherited?",
         ("UMLS:C1234567", "biolink:has_mode_of_inheritance", "UMLS:C0441748")),
        ("What is the clinical significance of rs5?", ("ClinVar:1", "GENO:0000840", "OMIM:100101")),
        ("What is the allele frequency of rs5?",
         ("DBSNP:rs5", "gene_questions:allele_frequency", "A=0.2/10")),
        ("What are the HGVS names of rs5?",
         ("DBSNP:rs5", "gene_questions:hgvs_name", "NC_000007.14:g.150G>A")),
        ("What are the alleles of rs5?",
         ("DBSNP:rs5", "gene_questions:spdi_allele", "NC_000007.14:149:G:A")),
    ],
)  # fmt: skip
def test_an_answer_becomes_a_statement_that_passes_the_gate(desk: Desk, text: str, claim: tuple):
    asked = genes.ask_gene_question(desk, text)
    sent = gene_statement.send_answer(desk, asked.run, asked.answer, ADA.orcid)
    assert not sent.held_back, asked.answer.notes
    (id,) = sent.proposal.new
    known = desk.store.statements.get(id)
    statement = known.statement
    decision.decide(desk, id, known.version, Judgement(Verdict.APPROVE), curator=ADA)
    end = getattr(statement.object, "id", "") or statement.object.value
    assert (statement.subject.id, statement.predicate.id, end) == claim
    passage = knowledge_base.gate_passage(desk)
    assert [entry.statement.id for entry in passage.entries] == [statement.id], passage.rejections
    assert knowledge_base.export_approved(desk, "ttl").content


def test_a_classification_that_decides_nothing_is_held_back(desk: Desk):
    answer = genes.ask_gene_question(desk, "What is the clinical significance of rs5?").answer
    (value,) = answer.values
    weak = replace(answer, values=(replace(value, relation="other classification"),))
    ((_, why),) = gene_statement.claims_of_answer(desk, "", weak).held_back
    assert "neither that it" in why
