"""Abstracts without a title line or any other form, as curators paste them, say what they say: read
with the shipped templates and the base set.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.desk import Desk
from core.model import Statement, Term
from core.services.extract import result
from core.services.extract.run import start_run
from core.settings import load_settings

Claims = set[str]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    settings = load_settings(tmp_path_factory.mktemp("plain"))
    return Desk(replace(settings, base_set=True))


def claims(desk: Desk, template: str, text: str) -> Claims:
    """Each statement as `subject | predicate | object` by labels in lower case, NOT before those
    that are denied.
    """
    job = start_run(desk, template, text.encode(), engine="builtin")
    return {as_words(statement) for statement, _ in result.wait_for_job(desk, job).statements}


def as_words(statement: Statement) -> str:
    ends = (statement.subject, statement.predicate, statement.object)
    labels = [end.label.lower() if isinstance(end, Term) else "" for end in ends]
    return ("NOT " if statement.negated else "") + " | ".join(labels)


def test_an_abstract_on_a_mendelian_disease_gives_its_genes_and_inheritance(desk) -> None:
    text = (
        "We report two siblings with Wilson disease, an autosomal recessive disorder, due to"
        " compound heterozygous ATP7B variants. Both had Kayser-Fleischer rings and dysarthria;"
        " neither had seizures."
    )
    assert claims(desk, "mendelian_disease", text) >= {
        "wilson disease | genes | atp7b",
        "wilson disease | inheritance | autosomal recessive inheritance",
    }


def test_an_abstract_on_a_disease_gives_its_symptoms_and_no_harm_of_its_treatment(desk) -> None:
    text = (
        "Graves disease is an autoimmune disease. Graves disease presents with weight loss,"
        " palpitations and exophthalmos. Agranulocytosis is a serious adverse effect of"
        " methimazole."
    )
    stated = claims(desk, "disease_treatment", text)
    assert stated >= {
        "graves disease | symptoms | weight loss",
        "graves disease | symptoms | palpitations",
        "graves disease | symptoms | proptosis",
        "methimazole | causes | agranulocytosis",
    }
    assert "graves disease | symptoms | agranulocytosis" not in stated


def test_harm_benefit_and_their_opposites_are_distinguished(desk) -> None:
    text = (
        "Malignant hyperthermia triggered by sevoflurane was treated with dantrolene. Magnesium"
        " sulfate halved the risk of eclampsia. Inhaled budesonide reduced exacerbations of asthma."
        " Methimazole controlled the thyrotoxicosis. Bupivacaine caused cardiac arrest after an"
        " injection; lipid emulsion restored circulation. Thrombocytopenia in 4 patients was"
        " attributed to heparin. Metformin attenuates clozapine-induced weight gain."
    )
    stated = claims(desk, "chemical_disease", text)
    assert stated >= {
        "sevoflurane | induces | malignant hyperthermia of anesthesia",
        "dantrolene | treats | malignant hyperthermia of anesthesia",
        "magnesium sulfate | prevents | eclampsia",
        "methimazole | treats | thyrotoxicosis",
        "bupivacaine | induces | cardiac arrest",
        "metformin | treats | increased body weight",
        "clozapine | induces | increased body weight",
    }
    assert not any("thrombocytopenia 4" in claim or "exacerbates" in claim for claim in stated)
    assert {claim.partition(" | ")[0] for claim in stated if "| induces |" in claim} <= {
        "sevoflurane", "bupivacaine", "clozapine", "heparin",
    }  # fmt: skip
