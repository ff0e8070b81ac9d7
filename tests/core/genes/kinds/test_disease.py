"""A gene chosen by OMIM's rank alone is unconfirmed, and so is its place."""

from __future__ import annotations

from core.genes.answer import AnswerStatus
from tests.core.genes.strategies.test_planner import Records, asked, gene

OMIM = [
    {"uid": "100", "oid": "#100", "title": "MADE UP DISEASE 1; MUD1", "alttitles": ""},
    {"uid": "200", "oid": "*200", "title": "PROTEIN Q; AAA", "alttitles": ""},
]


def test_the_place_of_a_gene_that_only_omim_ranks_is_unconfirmed():
    records = Records(gene("1", "AAA", maplocation="1p1", mim=["200"]), omim=OMIM)
    answer = asked(records, "List chromosome locations of genes related to made up disease.")
    assert (answer.status, answer.text, answer.values[0].relation) == (
        AnswerStatus.ANSWERED,
        ["1p1"],
        "unconfirmed",
    )


def test_the_place_of_a_gene_whose_record_names_the_disease_is_not():
    records = Records(gene("1", "AAA", maplocation="1p1", otheraliases="MUD1"), omim=OMIM)
    answer = asked(records, "List chromosome locations of genes related to made up disease.")
    assert answer.values[0].relation == ""


def test_a_gene_in_the_place_of_a_disease_is_not_its_own_gene():
    answer = asked(
        Records(gene("1", "AAA", mim=["200"]), omim=OMIM), "Which genes are related to AAA?"
    )
    assert answer.status is AnswerStatus.NOT_FOUND and any(
        "itself a gene" in note for note in answer.notes
    )


def test_two_diseases_with_one_missing_in_omim_are_an_incomplete_answer():
    omim = [{"uid": "100", "oid": "#100", "title": "MADE UP ANEMIA; MUD1", "alttitles": ""}]
    records = Records(gene("1", "AAA", otheraliases="MUD1"), omim=omim)
    answer = asked(records, "genes for made up anemia and sickle cell")
    assert (answer.status, answer.text) == (AnswerStatus.INCOMPLETE, ["AAA"]), answer.notes
    assert answer.missing[0].startswith("sickle cell not looked at")
