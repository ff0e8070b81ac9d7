"""A small project for tests of reviewing: a text, its statements with evidence, a vocabulary. All
words are our own.
"""

from __future__ import annotations

import itertools
from pathlib import Path

from core.desk import Desk, open_desk
from core.extraction.tree import Branch, Extraction
from core.model import (
    Candidate,
    Category,
    Curator,
    Document,
    Evidence,
    Literal,
    MatchKind,
    Mention,
    Node,
    Outcome,
    Qualifier,
    Run,
    Span,
    Statement,
    Term,
    TextGround,
    TextVersion,
    node_id,
)
from core.settings import load_settings

ANNA = Curator("0000-0002-1825-0097", "Anna")
BEN = Curator("0000-0001-5109-3700", "Ben")
DOCUMENT = "doc:willow"
SHA = "ab" * 32
TEXT = (
    "Willow bark was brewed for ages. Aspirin relieves headache in most adults. "
    "It did not relieve nausea. Take 300 mg with water."
)
ASPIRIN = Term("CHEBI:15365", "aspirin", Category.CHEMICAL)
HEADACHE = Term("HP:0002315", "Headache", Category.PHENOTYPE)
NAUSEA = Term("HP:0002018", "Nausea", Category.PHENOTYPE)
TREATS = Term("biolink:treats", "treats", Category.RELATION)
DOSE = Node(
    node_id(DOCUMENT, parent="", slot="doses", words="300 mg", occurrence=0),
    "Dose",
    "300 mg with water",
    Category.PROCEDURE,
)

RELIEVES = Statement(ASPIRIN, TREATS, HEADACHE, document=DOCUMENT)
NOT_NAUSEA = Statement(ASPIRIN, TREATS, NAUSEA, negated=True, document=DOCUMENT)
ADULTS = Statement(
    ASPIRIN,
    TREATS,
    HEADACHE,
    qualifiers=(Qualifier("population_context_qualifier", Literal("adults")),),
    document=DOCUMENT,
)
WORDS = Statement(Term("", "willow bark", Category.CHEMICAL), TREATS, HEADACHE, document=DOCUMENT)
HAS_DOSE = Statement(ASPIRIN, Term("schema:dosageForm", "has dose"), DOSE, document=DOCUMENT)
AMOUNT = Statement(
    DOSE, Term("schema:amount", "amount"), Literal("300", "xsd:decimal", "mg"), document=DOCUMENT
)
HOSTILE_LABEL = (
    '</script><img src=x onerror=alert(1)> "**bold**" ![x](http://evil.example/x.png)\n\u202edrow'
)
HOSTILE = Statement(
    Term("CHEBI:1", HOSTILE_LABEL, Category.CHEMICAL), TREATS, HEADACHE, document=DOCUMENT
)

VOCABULARY = """# vocabulary: {name}
# version: test
prefix\tid\tlabel\tsynonym\tscope
"""
NAMES = {
    "chebi": [
        ("CHEBI", "CHEBI:15365", "aspirin", "aspirin"),
        ("CHEBI", "CHEBI:15365", "aspirin", "acetylsalicylic acid"),
    ],
    "hp": [("HP", "HP:0002315", "Headache", "Headache"), ("HP", "HP:0002018", "Nausea", "Nausea")],
}


def empty(folder: Path) -> Desk:
    """A project with nothing in it; its clock and ids count up."""
    ids, seconds = itertools.count(1), itertools.count()
    return open_desk(
        load_settings(folder, {}),
        clock=lambda: f"2026-01-02T03:{next(seconds) // 60 % 60:02}:{next(seconds) % 60:02}.000Z",
        new_id=lambda: f"id{next(ids):05}",
    )


def quoted(statement: Statement, words: str, path: str = "", run: str = "r1") -> Evidence:
    """Evidence of the words in the text."""
    start = TEXT.index(words)
    ground = TextGround(DOCUMENT, SHA, Span(start, start + len(words)), words)
    return Evidence(statement.id, ground, run, path, "dictionary", 0.9)


PROPOSED = (
    (RELIEVES, [quoted(RELIEVES, "Aspirin relieves headache", "triples[0]")]),
    (NOT_NAUSEA, [quoted(NOT_NAUSEA, "did not relieve nausea", "triples[1]")]),
    (ADULTS, [quoted(ADULTS, "relieves headache in most adults", "triples[2]")]),
    (WORDS, [quoted(WORDS, "Willow bark", "triples[3]")]),
    (HAS_DOSE, [quoted(HAS_DOSE, "300 mg with water", "doses[0]")]),
    (AMOUNT, [quoted(AMOUNT, "300 mg", "doses[0].amount")]),
)


def filled(folder: Path) -> Desk:
    """The project with its six statements proposed; the run is kept with the candidates of its
    mentions.
    """
    desk = empty(folder)
    for name, rows in NAMES.items():
        text = VOCABULARY.format(name=name) + "".join(
            "\t".join((*row, "EXACT")) + "\n" for row in rows
        )
        desk.vocabularies.mkdir(parents=True, exist_ok=True)
        (desk.vocabularies / f"{name}.tsv").write_text(text, encoding="utf-8")
    store = desk.store
    store.documents.add(Document(DOCUMENT, "A note on willow bark"))
    store.documents.add_text(TextVersion(SHA, DOCUMENT, TEXT))
    store.runs.add(
        Run("r1", "extract", "dictionary", "disease_treatment", document=DOCUMENT, text_version=SHA)
    )
    store.runs.save_extraction("r1", Extraction(Branch("", "Document"), mentions()))
    store.statements.propose(PROPOSED, "r1", ANNA.orcid)
    for curator in (ANNA, BEN):
        store.curators.add(curator)
    return desk


def mentions() -> tuple[Mention, ...]:
    exact = Candidate(ASPIRIN, MatchKind.LABEL, 1.0, "aspirin", vocabulary="chebi", version="test")
    near = Candidate(NAUSEA, MatchKind.FUZZY, 0.4, "Nausea", "3 letters", "hp", "test")
    head = Candidate(HEADACHE, MatchKind.NORMALISED, 0.95, "Headache", "upper case", "hp", "test")
    return (
        Mention(
            "Aspirin",
            "triples[0].subject",
            "Drug",
            Category.CHEMICAL,
            (),
            (exact,),
            ASPIRIN,
            "engine",
            Outcome.GROUNDED,
        ),
        Mention(
            "headache",
            "triples[0].object",
            "Disease",
            Category.PHENOTYPE,
            (),
            (head, near),
            HEADACHE,
            "engine",
        ),
    )


def hostile(folder: Path) -> Desk:
    """The project with labels that would break out of any page that does not escape them."""
    desk = filled(folder)
    desk.store.statements.propose([(HOSTILE, [quoted(HOSTILE, "Willow bark")])], "r1", ANNA.orcid)
    return desk
