"""The lineage of an organism: efetch of the taxonomy, in the form of NCBI's taxon DTD
(`TaxaSet/Taxon/LineageEx/Taxon`), which public clients read the same way: the highest taxon first,
and taxa of a lineage under the same element name as the records.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.genes.answer import AnswerStatus
from core.genes.question.understand import understand_question
from core.ncbi.address import NcbiAddresses
from tests.core.genes.strategies.test_today import Served

ABOVE = (
    ("2759", "Eukaryota", "domain"),
    ("7742", "Vertebrata", "clade"),
    ("2743709", "Danionidae", "family"),
    ("7954", "Danio", "genus"),
)


def taxon(uid: str, name: str, common: str = "") -> str:
    above = "".join(
        f"<Taxon><TaxId>{taxon_id}</TaxId><ScientificName>{called}</ScientificName>"
        f"<Rank>{rank}</Rank></Taxon>"
        for taxon_id, called, rank in ABOVE
    )
    return (
        f"<Taxon><TaxId>{uid}</TaxId><ScientificName>{name}</ScientificName><OtherNames>"
        f"<GenbankCommonName>{common}</GenbankCommonName></OtherNames><ParentTaxId>7954"
        f"</ParentTaxId><Rank>species</Rank><LineageEx>{above}</LineageEx></Taxon>"
    )


@pytest.fixture
def served(answering: Callable[..., NcbiAddresses]) -> Served:
    ncbi = Served(answering)
    respond = ncbi.respond
    form = '<?xml version="1.0" ?><!DOCTYPE TaxaSet PUBLIC "-//NLM//DTD Taxon//EN" "taxon.dtd">'
    records = taxon("7955", "Danio rerio", "zebrafish") + taxon("1", "Danio other")

    def answer(path: str, parameters: dict[str, Any]) -> tuple[int, Any]:
        if path.endswith("efetch.fcgi"):
            return 200, f"{form}<TaxaSet>{records}</TaxaSet>"
        return respond(path, parameters)

    ncbi.respond = answer  # type: ignore[method-assign]
    return ncbi


FISH = {"uid": "7955"}


def test_the_lineage_names_every_taxon_from_the_top(served: Served):
    answer = served("What is the lineage of zebrafish?", taxonomy=[FISH])
    assert answer.status is AnswerStatus.ANSWERED
    assert answer.text == [
        "Eukaryota (domain; NCBITaxon:2759)",
        "Vertebrata (clade; NCBITaxon:7742)",
        "Danionidae (family; NCBITaxon:2743709)",
        "Danio (genus; NCBITaxon:7954)",
    ]
    assert answer.values[0].field == "/TaxaSet/Taxon[1]/LineageEx/Taxon[1]/ScientificName"


@pytest.mark.parametrize(
    ("text", "answer_text"),
    [
        ("Which family does Danio rerio belong to?", "Danionidae (family; NCBITaxon:2743709)"),
        ("What is the genus of zebrafish?", "Danio (genus; NCBITaxon:7954)"),
        ("Which superkingdom is zebrafish in?", "Eukaryota (domain; NCBITaxon:2759)"),
        ("What is the parent taxon of zebrafish?", "Danio (genus; NCBITaxon:7954)"),
    ],
)
def test_only_the_taxon_of_the_requested_rank_is_given(served: Served, text: str, answer_text: str):
    assert served(text, taxonomy=[FISH]).text == answer_text


def test_a_rank_that_the_lineage_lacks_is_not_found(served: Served):
    answer = served("Which tribe does Danio rerio belong to?", taxonomy=[FISH])
    assert answer.status is AnswerStatus.NOT_FOUND and "no tribe" in answer.notes[-1]


def test_the_family_of_a_gene_is_not_a_question_on_the_taxonomy():
    assert understand_question("Which family does TP53 belong to?").kind != "lineage of an organism"
