"""Evidence says what ties a value to the question; that both things exist is no evidence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.genes.answer import AnswerStatus
from core.genes.kinds.phenotype import gene_disease_tie, naming_sentence, title_tie
from core.ncbi.address import NcbiAddresses
from core.ncbi.record import NcbiRecord
from tests.core.genes.strategies.test_today import Served, entry, gene

ASKED = "What are genes related to made up disease?"


@pytest.fixture
def served(answering: Callable[..., NcbiAddresses]) -> Served:
    return Served(answering)


def forms(count: int) -> list[dict]:
    return [
        entry(str(100100 + n), "#", f"MADE UP DISEASE {n}; MUD{n}") for n in range(1, count + 1)
    ]


def test_a_linked_gene_rests_on_the_entry_of_the_link_set(served: Served):
    served.links = {"100101": ["7", "1"]}
    answer = served(ASKED, omim=forms(1), gene=[gene("1", "AAA1"), gene("7", "BBB1")])
    value = next(answer_value for answer_value in answer.values if answer_value.value == "AAA1")
    assert (value.field, value.raw) == ("/linksets/0/linksetdbs/0/links/1", "1")
    assert (value.subject.id, value.object.id) == ("NCBIGene:1", "OMIM:100101")
    assert {proof.record for proof in value.proofs} == {"NCBIGene:1", "OMIM:100101"}


def test_a_gene_of_two_forms_is_one_value_with_a_statement_for_each_form(served: Served):
    served.links = {"100101": ["1"], "100102": ["1"]}
    answer = served(ASKED, omim=forms(2), gene=[gene("1", "AAA1")])
    assert answer.text == ["AAA1"]
    assert [value.object.id for value in answer.values] == ["OMIM:100101", "OMIM:100102"]


def test_all_forms_of_a_disease_are_followed(served: Served):
    served.links = {str(100100 + n): [str(n)] for n in range(1, 25)}
    genes = [gene(str(n), f"AAA{n}") for n in range(1, 25)]
    answer = served(ASKED, omim=forms(24), gene=genes)
    assert len(answer.text) == 24 and answer.status is AnswerStatus.ANSWERED and not answer.missing


def test_links_that_fail_are_counted_and_the_answer_is_incomplete(served: Served):
    served.links = {str(100100 + n): [str(n)] for n in range(1, 5)}
    whole = served._links

    def failing(ids: list[str]) -> tuple[int, object]:
        status, body = whole(ids)
        for linkset in body["linksets"]:
            if linkset["ids"] == ["100102"]:
                linkset["ERROR"] = "cannot look it up"
        return status, body

    served._links = failing  # type: ignore[method-assign]
    genes = [gene(str(n), f"AAA{n}") for n in range(1, 5)]
    answer = served(ASKED, omim=forms(4), gene=genes)
    assert answer.status is AnswerStatus.INCOMPLETE and answer.text == ["AAA1", "AAA3", "AAA4"]
    assert answer.missing == ("3 of 4 forms followed; the links of OMIM:100102 failed",)


def test_failed_joint_link_search_asks_each_form_alone(served: Served):
    served.links = {"100101": ["1"], "100102": ["2"]}
    whole = served._links
    served._links = lambda ids: whole(ids) if len(ids) == 1 else (500, "trouble")  # type: ignore
    answer = served(ASKED, omim=forms(2), gene=[gene("1", "AAA1"), gene("2", "BBB1")])
    assert answer.text == ["AAA1", "BBB1"] and answer.status is AnswerStatus.ANSWERED


def test_a_search_with_more_hits_than_sent_is_paged_and_the_rest_counted(served: Served):
    served.links = {"100101": ["1"]}
    served.searches = {"made up disease": {"count": "700"}}
    answer = served(ASKED, omim=forms(1), gene=[gene("1", "AAA1")])
    starts = [parameters.get("retstart") for tool, parameters in served.asked if tool == "esearch"]
    assert starts[:2] == [None, "1"]
    assert answer.status is AnswerStatus.INCOMPLETE
    assert answer.missing == ("1 of 700 OMIM entries read",)


def record(**values: object) -> NcbiRecord:
    values_of_record = {"symbol": "AAA1", "location": "NC_1:1-2(+)", **values}
    return NcbiRecord(
        "NCBIGene:1", "gene", values_of_record, {name: f"/{name}" for name in values_of_record}
    )


PHENOTYPE = NcbiRecord(
    "OMIM:1",
    "omim",
    {"title": "MADE UP DISEASE", "symbol": "MUD1"},
    {"title": "/title"},
    {"title": "MADE UP DISEASE; MUD1"},
)


def test_the_alias_field_is_the_tie():
    case = gene_disease_tie(
        record(aliases=["x", "mud1"]), "c1", "made up disease", [PHENOTYPE], title_call="c0"
    )
    assert (case.tie.field, case.tie.raw, case.tie.call) == ("/aliases", "mud1", "c1")


def test_the_sentence_of_the_summary_is_the_tie():
    summary = "It encodes a protein. Mutations cause made up disease. It is big."
    case = gene_disease_tie(record(summary=summary), "c1", "made up disease", chosen=[])
    assert (case.tie.field, case.tie.raw) == ("/summary", "Mutations cause made up disease.")


@pytest.mark.parametrize(
    "sentence",
    [
        "It is not associated with made up disease.",
        "Mutations were excluded in made up disease.",
        "Its role in made up disease is unclear.",
    ],
)
def test_a_sentence_that_denies_or_doubts_is_not_a_tie(sentence: str):
    assert naming_sentence(sentence, "made up disease") == ""


def test_a_name_that_holds_the_symbol_is_a_tie_only_where_the_title_holds_it():
    case = gene_disease_tie(record(), "c1", "AAA1 deficiency", [PHENOTYPE], title_call="c0")
    assert case is not None and case.tie is None
    titled = NcbiRecord("OMIM:2", "omim", {"title": "AAA1 DEFICIENCY"}, {"title": "/t"})
    assert title_tie("AAA1", titled, "c0").raw == "AAA1 DEFICIENCY"
    assert title_tie("AAA1", titled, "") is None and title_tie("AAA1", None, "c0") is None


def test_an_alias_rests_on_the_field_that_lists_it(served: Served):
    genes = [gene("1", "AAA1", otheraliases="OLD1, OLD2")]
    value = served("What is the official gene symbol of old2?", gene=genes).values[0]
    assert (value.field, value.raw, value.value) == ("/result/1/otheraliases", "OLD2", "AAA1")


def test_a_symbol_is_not_its_own_alias(served: Served):
    value = served("What is the official gene symbol of AAA1?", gene=[gene("1", "AAA1")]).values[0]
    assert value.relation == "itself"


ENSEMBL = "Convert ENSG00000000001 to official gene symbol."


def test_a_conversion_rests_on_the_list_of_ensembl_ids(served: Served):
    served.types = {"1": "PROTEIN_CODING"}
    value = served(ENSEMBL, gene=[gene("1", "AAA1")]).values[0]
    assert (value.field, value.raw) == ("/reports/0/gene/ensembl_gene_ids/0", "ENSG00000000001")
    assert value.relation == ""


def test_a_conversion_by_search_alone_is_unconfirmed(served: Served):
    answer = served(ENSEMBL, datasets=False, gene=[gene("1", "AAA1")])
    assert answer.text == "AAA1" and answer.values[0].relation == "unconfirmed"
