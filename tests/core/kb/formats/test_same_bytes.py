"""What is written stays byte for byte what earlier versions wrote, so that a file under version
control changes only where what it says did (tests/data/exports/README.md).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.kb.entry import ExportEntry, KnowledgeBase
from core.kb.formats.registry import format_named
from core.kb.release.release import ReleaseDescription, RetractedPaper, UsedVocabulary
from core.model import (
    Category,
    Curator,
    Decision,
    Document,
    Evidence,
    Literal,
    RecordGround,
    ReferenceGround,
    Statement,
    Term,
    Verdict,
)
from tests.core.kb.formats.test_turtle import ANNA, CLAIM, VARIED, entry, kb, quoted

DATA = Path(__file__).parents[3] / "data" / "exports"
BEN = "0000-0001-5109-3700"
OWN = Term("my:thing/1", 'a "quoted"\tname\\ of\r\nours é 𝛼 \u2028', Category.DISEASE)


def varied() -> KnowledgeBase:
    """Every kind of ground, a qualifier of ours, an own prefix, papers by DOI, two approvals."""
    own = Statement(OWN, Term("my:rel", "REL_ATES"), Literal("x y", "my:type"), document="DOI:1/a")
    grounds = (
        quoted(own, 'said "so"\n\\ twice'),
        Evidence(own.id, RecordGround("c1", "NCBIGene:5699", "/result/0", "9"), "r 2", "", "tools"),
        Evidence(own.id, ReferenceGround("DOI:10.1/x(y)", "Table S2", "row 3")),
        Evidence(own.id, ReferenceGround("not an id", "", "")),
    )
    approvals = (
        Decision("d1", own.id, 1, Verdict.APPROVE, ANNA, "2026-01-02T03:04:05Z", note="sure"),
        Decision("d2", own.id, 2, Verdict.APPROVE, BEN, "2026-01-03T03:04:05Z", curator_name="B"),
    )
    other = replace(CLAIM, subject=replace(CLAIM.subject, label="ASA", category=Category.THING))
    entries = (*map(entry, VARIED), entry(replace(other, negated=True, document="PMID:2")))
    return replace(
        kb(),
        entries=(*entries, ExportEntry(own, grounds, approvals)),
        prefixes={
            "my": "https://my.example.org/a#",
            "CHEBI": "http://purl.obolibrary.org/obo/CHEBI_",
        },
        documents={
            "PMID:1": Document("PMID:1", "Aspirin and pain"),
            "DOI:1/a": Document("DOI:1/a", "Ours"),
        },
        curators={ANNA: "Anna", BEN: "Ben"},
        notices={"PMID:1": "retracted"},
    )


def drafted() -> KnowledgeBase:
    entries = tuple(replace(entry, approvals=()) for entry in varied().entries)
    words = replace(CLAIM, subject=Term("", "Willow  bark", Category.CHEMICAL))
    return replace(varied(), draft=True, entries=(*entries, ExportEntry(words, (quoted(words),))))


def released() -> KnowledgeBase:
    release = ReleaseDescription(
        number="1.2.0",
        dataset="https://kb.example.org/",
        title="Willow bark",
        date="2026-02-03",
        licence="https://creativecommons.org/licenses/by/4.0/",
        creators=(Curator(ANNA, "Anna"), Curator(BEN, "")),
        summary="What is in it.",
        previous="1.1.0",
        counts={"things": 3, "relations": 1, "papers": 2, "statements": 4, "negated statements": 1},
        categories={"chemical": 2, "disease": 1},
        predicates={"https://w3id.org/biolink/vocab/treats": 4},
        vocabularies=(UsedVocabulary("chebi", "ChEBI", "230", "CC BY 4.0", 2),),
        retracted=(RetractedPaper("PMID:1", "Aspirin", "retracted", (CLAIM.id,)),),
    )
    return replace(varied(), release=release)


WHOLE = {"varied": varied, "draft": drafted, "release": released}


@pytest.mark.parametrize("kind", WHOLE)
@pytest.mark.parametrize("name", ["ttl", "nt", "jsonld"])
def test_exports_of_a_varied_knowledge_base_keep_their_bytes(kind, name):
    wanted = format_named(name)
    assert wanted.write(WHOLE[kind]()) == (DATA / f"{kind}{wanted.suffix}").read_bytes()
