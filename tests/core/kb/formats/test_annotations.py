"""phenotype.hpoa and GPAD: the columns that their specifications ask for, and what is left out."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pytest

from core.kb.entry import ExportEntry
from core.kb.formats.gpad import GPAD
from core.kb.formats.gpad import RELATIONS as GPAD_RELATIONS
from core.kb.formats.hpoa import HPOA
from core.model import (
    Category,
    Evidence,
    Literal,
    Modality,
    Qualifier,
    ReferenceGround,
    Statement,
    Term,
)
from tests.core.kb.formats.test_turtle import ANNA, CLAIM, VARIED, entry, kb

MARFAN = Term("OMIM:154700", "Marfan syndrome", Category.DISEASE)
SCOLIOSIS = Term("HP:0002650", "Scoliosis", Category.PHENOTYPE)
HAS_PHENOTYPE = Term("RO:0002200", "has phenotype", Category.RELATION)
SIGN = Statement(MARFAN, HAS_PHENOTYPE, SCOLIOSIS, document="PMID:1")
P53 = Term("UniProtKB:P04637", "p53", Category.PROTEIN)
APOPTOSIS = Term("GO:0006915", "apoptotic process", Category.PROCESS)
INVOLVED = Term("RO:0002331", "involved in", Category.RELATION)
ROLE = Statement(P53, INVOLVED, APOPTOSIS, document="PMID:1")


def table(form, *claims: Statement) -> tuple[list[str], list[list[str]]]:
    lines = form.write(kb(*claims)).decode().splitlines()
    head = [line for line in lines if line[:1] in "#!"]
    body = "\n".join(line for line in lines if line[:1] not in "#!")
    return head, list(csv.reader(io.StringIO(body), delimiter="\t"))


def only_remark(form, claim: Statement) -> str:
    (remark,) = form.remarks(kb(claim))
    return remark.message


def qualified(claim: Statement, **values: str) -> Statement:
    return replace(
        claim, qualifiers=tuple(Qualifier(name, Literal(words)) for name, words in values.items())
    )


def test_a_phenotype_of_a_disease_is_a_row_of_twelve_columns():
    head, (columns, row) = table(HPOA, SIGN)
    assert columns == [
        *("database_id", "disease_name", "qualifier", "hpo_id", "reference", "evidence"),
        *("onset", "frequency", "sex", "modifier", "aspect", "biocuration"),
    ]
    assert row == [
        *("OMIM:154700", "Marfan syndrome", "", "HP:0002650", "PMID:1", "PCS"),
        *("", "", "", "", "P", f"ORCID:{ANNA}[2026-01-02]"),
    ]
    assert head == ['#description: "HPO annotations [1: OMIM]"', "#version: 2026-01-02"]


def test_a_phenotype_that_is_absent_says_not():
    _, (_, row) = table(HPOA, replace(SIGN, negated=True))
    assert row[2] == "NOT"


def test_a_mode_of_inheritance_has_its_own_aspect():
    inherited = replace(
        SIGN,
        predicate=Term("biolink:has_mode_of_inheritance", "has mode of inheritance"),
        object=Term("HP:0000006", "Autosomal dominant inheritance"),
    )
    _, (_, row) = table(HPOA, inherited)
    assert (row[3], row[10]) == ("HP:0000006", "I")


def test_qualifiers_fill_their_columns():
    claim = qualified(
        SIGN, frequency_qualifier="12/45", sex_qualifier="female", onset_qualifier="HP:0003577"
    )
    _, (_, row) = table(HPOA, claim)
    assert row[6:9] == ["HP:0003577", "12/45", "FEMALE"]


def test_an_entry_of_a_database_is_a_traceable_statement():
    cited = Evidence(SIGN.id, ReferenceGround("OMIM:154700"))
    written = HPOA.write(replace(kb(), entries=(entry(SIGN, cited),))).decode()
    assert "\tOMIM:154700\tTAS\t" in written


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (CLAIM, "its predicate is neither"),
        (replace(SIGN, modality=Modality.HYPOTHESIS), "it is a hypothesis"),
        (
            replace(SIGN, subject=replace(MARFAN, id="MESH:D008382")),
            "its subject is not a disease",
        ),
        (
            replace(SIGN, object=replace(SCOLIOSIS, id="MP:0000001")),
            "its object is not a term of HP",
        ),
        (replace(SIGN, object=Literal("tall")), "one end is not a term"),
        (qualified(SIGN, frequency_qualifier="often"), "no column can hold .* frequency_qualifier"),
        (qualified(SIGN, dose="300 mg"), "no column can hold .* dose"),
    ],
)
def test_hpoa_lists_statements_that_it_cannot_express(claim, why):
    assert table(HPOA, claim)[1][1:] == []
    assert re.search(f"1 statement is left out: {why}", only_remark(HPOA, claim))


def test_a_role_of_a_gene_product_is_a_row_of_twelve_columns():
    head, (row,) = table(GPAD, ROLE)
    assert row == [
        *("UniProtKB:P04637", "", "RO:0002331", "GO:0006915", "PMID:1", "ECO:0000302"),
        *("", "", "2026-01-02", "kb-example-org", "", f"contributor-id=orcid:{ANNA}"),
    ]
    assert head[:3] == [
        "!gpad-version: 2.0",
        "!generated-by: kb-example-org",
        "!date-generated: 2026-01-02",
    ]


def test_gpad_negates_and_takes_the_evidence_that_a_qualifier_names():
    claim = replace(qualified(ROLE, evidence_type="ECO:0000314"), negated=True)
    _, (row,) = table(GPAD, claim)
    assert (row[1], row[5]) == ("NOT", "ECO:0000314")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("NCBIGene:7157", "NCBI_Gene:7157"),
        ("MGI:98834", "MGI:MGI:98834"),
        ("FlyBase:FBgn0039044", "FB:FBgn0039044"),
    ],
)
def test_gpad_writes_ids_as_the_registry_of_go_does(ours, theirs):
    _, (row,) = table(GPAD, replace(ROLE, subject=replace(P53, id=ours)))
    assert row[0] == theirs


@pytest.mark.parametrize(("relation", "name"), [r for r in GPAD_RELATIONS.items() if r[1]])
def test_gpad_takes_the_biolink_name_of_a_relation(relation, name):
    _, (row,) = table(GPAD, replace(ROLE, predicate=Term(name, "")))
    assert row[2] == relation


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (CLAIM, "its subject is not a gene or gene product"),
        (replace(ROLE, object=SCOLIOSIS), "its object is not a GO term"),
        (replace(ROLE, predicate=HAS_PHENOTYPE), "GPAD has no such relation"),
        (qualified(ROLE, where="liver"), "no column can hold what its qualifier where says"),
        (replace(ROLE, modality=Modality.BACKGROUND), "it is a hypothesis or background"),
    ],
)
def test_gpad_lists_statements_that_it_cannot_express(claim, why):
    assert table(GPAD, claim)[1] == []
    assert f"1 statement is left out: {why}" in only_remark(GPAD, claim)


@pytest.mark.parametrize("form", [HPOA, GPAD], ids=["hpoa", "gpad"])
def test_every_statement_has_a_row_or_a_remark(form):
    claims = [SIGN, ROLE, *VARIED]
    (_, rows), remarks = table(form, *claims), form.remarks(kb(*claims))
    rows = [row for row in rows if row[0] != "database_id"]
    left = sum(int(remark.message.split()[0]) for remark in remarks)
    assert len(rows) == 1 and left == len(claims) - 1


@pytest.mark.parametrize(("form", "claim"), [(HPOA, SIGN), (GPAD, ROLE)], ids=["hpoa", "gpad"])
def test_a_statement_without_a_paper_or_an_approval_is_left_out(form, claim):
    unproven = entry(claim, Evidence(claim.id, ReferenceGround("my notes")))
    undecided = ExportEntry(claim, entry(claim).evidence)
    base = replace(kb(), entries=(unproven, undecided))
    messages = " ".join(remark.message for remark in form.remarks(base))
    assert "is cited by" in messages and "nobody approved it" in messages
