"""A file of true and of forged statements goes through import and the gate, approved throughout:
the true ones come out, of the forged none. Texts of our own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.desk import Desk
from core.kb.gate.gate import HoldReason
from core.model import Document, Verdict
from core.services.graph.knowledge_base import gate_passage
from core.services.graph.statement_import import import_file
from core.services.review.decision import Judgement, decide
from core.text.clean import text_version
from tests import reviewing

TEXTS = {
    "PMID:1": (
        "Lithium and tremor. Lithium caused tremor in nine of forty patients. "
        "Propranolol relieved the tremor within a week. "
        "Propranolol did not cause nausea. The visits took place in spring."
    ),
    "PMID:2": (
        "Two reports from one ward. Lithium-induced leucocytoclastic vasculitis healed slowly. "
        "Amiodarone produced hepatitis in three men."
    ),
    "PMID:3": "MDM2 inhibits TP53 in resting cells. Stressed cells were not looked at.",
}
TERMS = {
    "lithium": ("CHEBI:30145", "lithium", "chemical"),
    "propranolol": ("CHEBI:8499", "propranolol", "chemical"),
    "amiodarone": ("CHEBI:2663", "amiodarone", "chemical"),
    "tremor": ("HP:0001337", "Tremor", "phenotype"),
    "nausea": ("HP:0002018", "Nausea", "phenotype"),
    "vasculitis": ("HP:0011944", "Leukocytoclastic vasculitis", "phenotype"),
    "hepatitis": ("HP:0012115", "Hepatitis", "phenotype"),
    "liver": ("HP:0001392", "Abnormality of the liver", "phenotype"),
    "MDM2": ("HGNC:6973", "MDM2", "gene"),
    "TP53": ("HGNC:11998", "TP53", "gene"),
}
CAUSES, TREATS, INHIBITS = "RO:0003302", "RO:0002606", "RO:0002449"
LABELS = {
    CAUSES: "causes or contributes to condition",
    TREATS: "is substance that treats",
    INHIBITS: "directly negatively regulates activity of",
}
TRUE = (
    ("PMID:1", "Lithium caused tremor in nine", "lithium", CAUSES, "tremor"),
    ("PMID:1", "Propranolol relieved the tremor", "propranolol", TREATS, "tremor"),
    ("PMID:1", "Propranolol did not cause nausea", "propranolol", f"not {CAUSES}", "nausea"),
    ("PMID:2", "Lithium-induced leucocytoclastic vas", "lithium", CAUSES, "vasculitis"),
    ("PMID:2", "Amiodarone produced hepatitis", "amiodarone", CAUSES, "hepatitis"),
    ("PMID:2", "Amiodarone produced hepatitis", "amiodarone", CAUSES, "liver"),
    ("PMID:3", "MDM2 inhibits TP53", "MDM2", INHIBITS, "TP53"),
)
FORGED = {
    "names neither end": ("PMID:1", "The visits took place", "lithium", CAUSES, "nausea"),
    "names one end": ("PMID:2", "Amiodarone produced hepatitis", "amiodarone", CAUSES, "tremor"),
    "denied": ("PMID:1", "Propranolol did not cause nausea", "propranolol", CAUSES, "nausea"),
    "denied claim": ("PMID:1", "Lithium caused tremor", "lithium", f"not {CAUSES}", "tremor"),
    "swapped kinds": ("PMID:1", "Lithium caused tremor", "tremor", CAUSES, "lithium"),
    "swapped genes": ("PMID:3", "MDM2 inhibits TP53", "TP53", INHIBITS, "MDM2"),
    "another relation": ("PMID:1", "Lithium caused tremor", "lithium", TREATS, "tremor"),
    "foreign sentence": ("PMID:3", "MDM2 inhibits TP53", "propranolol", TREATS, "tremor"),
    "said of another drug": ("PMID:1", "Propranolol relieved", "amiodarone", TREATS, "tremor"),
    "class for predicate": ("PMID:1", "Lithium caused tremor", "lithium", "HP:0001337", "tremor"),
    "built in": ("PMID:1", "Lithium caused tremor", "lithium", "owl:sameAs", "tremor"),
    "wrong id": ("PMID:1", "Lithium caused tremor", "lithium@CHEBI:8499", CAUSES, "tremor"),
    "altered quote": ("PMID:1", "Lithium caused nausea", "lithium", CAUSES, "nausea"),
}
NAMES = {
    "chebi": ["lithium", "propranolol", "amiodarone"],
    "hp": ["tremor", "nausea", "vasculitis", "hepatitis", "liver"],
    "hgnc": ["MDM2", "TP53"],
}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = reviewing.empty(tmp_path / "p")
    desk.vocabularies.mkdir(parents=True, exist_ok=True)
    for name, words in NAMES.items():
        rows = ["prefix\tid\tlabel\tsynonym\tscope\tparents"]
        for word in words:
            id, label, _ = TERMS[word]
            parents = TERMS["liver"][0] if word == "hepatitis" else ""
            rows.append("\t".join((id.partition(":")[0], id, label, label, "label", parents)))
        (desk.vocabularies / f"{name}.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    for document, text in TEXTS.items():
        desk.store.documents.add(Document(document))
        desk.store.documents.add_text(text_version(document, text))
    desk.store.curators.add(reviewing.ANNA)
    yield desk
    desk.close()


def row(claim: tuple[str, str, str, str, str]) -> str:
    """A line of a draft, as somebody else's program would write it."""
    document, quote, subject, predicate, object_ = claim
    text = TEXTS[document]
    start = max(text.find(quote), 0)
    relation = predicate.removeprefix("not ")
    return json.dumps(
        {
            "subject": thing(subject),
            "predicate": {"id": relation, "label": LABELS.get(relation, relation)},
            "object": thing(object_),
            "negated": relation != predicate,
            "evidence": [
                {
                    "document": document,
                    "version": text_version(document, text).sha,
                    "start": start,
                    "end": start + len(quote),
                    "quote": quote,
                }
            ],
        }
    )


def thing(words: str) -> dict[str, str]:
    name, _, other_id = words.partition("@")
    id, label, category = TERMS[name]
    return {"id": other_id or id, "label": label, "category": category}


def passed(desk: Desk, claim: tuple[str, str, str, str, str]) -> bool:
    """Whether a statement gets out once it is imported and approved."""
    (id,) = import_file(desk, "f.jsonl", row(claim).encode(), reviewing.ANNA.orcid).proposal.new
    version = desk.store.statements.get(id).version
    decide(desk, id, version, Judgement(Verdict.APPROVE), curator=reviewing.ANNA)
    passage = gate_passage(desk)
    assert HoldReason.UNDECIDED not in {rejection.why for rejection in passage.rejections}
    return bool(passage.entries)


@pytest.mark.parametrize("claim", TRUE, ids=" ".join)
def test_a_true_statement_gets_out(desk: Desk, claim: tuple[str, str, str, str, str]) -> None:
    assert passed(desk, claim)


@pytest.mark.parametrize("kind", FORGED)
def test_a_forged_statement_is_held(desk: Desk, kind: str) -> None:
    assert not passed(desk, FORGED[kind])
