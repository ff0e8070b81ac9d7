"""Statements, how they are identified, and the evidence that they rest on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.model.term import Literal, Node, Term, Thing, fold_words
from core.model.text import Span
from core.model.value import Json, json_digest

MANUAL = "manual"  # the engine of what a curator marked by hand; agent type in exports


class Modality(StrEnum):
    ASSERTED = "asserted"
    HYPOTHESIS = "hypothesis"
    BACKGROUND = "background"


@dataclass(frozen=True, slots=True)
class Qualifier:
    """A modifier of a statement: its name (`subject_qualifier`) and its value."""

    name: str
    value: Term | Literal


@dataclass(frozen=True, slots=True)
class Statement:
    """One claim. `document` tells apart ungrounded words of different documents and is part of the
    id only then.
    """

    subject: Term | Node
    predicate: Term
    object: Thing
    negated: bool = False
    modality: Modality = Modality.ASSERTED
    qualifiers: tuple[Qualifier, ...] = ()
    document: str = ""
    derived_from: str = ""

    @property
    def id(self) -> str:
        """`s1-` + SHA-256 of what is claimed; labels, run, time and `derived_from` are not part of
        it.

        >>> aspirin, treats = Term("CHEBI:15365", "aspirin"), Term("RO:0002606", "treats")
        >>> Statement(aspirin, treats, Term("HP:0012531", "Pain")).id[:9]
        's1-90cbec'
        >>> Statement(aspirin, treats, Term("HP:0012531", "pain sensation")).id[:9]
        's1-90cbec'
        """
        qualifiers = sorted(
            [q.name, identity_json(q.value, self.document)] for q in self.qualifiers
        )
        return "s1-" + json_digest(
            [
                identity_json(self.subject, self.document),
                identity_json(self.predicate, self.document),
                identity_json(self.object, self.document),
                bool(self.negated),
                str(self.modality),
                qualifiers,
            ]
        )


def identity_json(thing: Thing, document: str) -> list[str]:
    """What makes a thing the same thing, as canonical JSON.

    >>> identity_json(Term("CHEBI:15365", "aspirin"), "PMID:1")
    ['term', 'CHEBI:15365']
    >>> identity_json(Term("", "Low-dose  Aspirin"), "PMID:1")
    ['words', 'low-dose aspirin', 'thing', 'PMID:1']
    """
    match thing:
        case Term(id="", label=label, category=category):
            return ["words", fold_words(label), str(category), document]
        case Term(id=curie):
            return ["term", curie]
        case Node(id=node):
            return ["node", node]
        case Literal(value, datatype, unit):
            return ["literal", value, datatype, unit]
    raise TypeError(f"not a thing: {thing!r}")


@dataclass(frozen=True, slots=True)
class TextGround:
    """Words in a text version. `quote` is what the text holds at `span`; `section` is where, if
    known.
    """

    document: str
    version: str
    span: Span
    quote: str
    section: str = ""


@dataclass(frozen=True, slots=True)
class RecordGround:
    """A value in a stored answer: the call, the record's id (`NCBIGene:5699`), a JSON pointer or
    XPath, the value.
    """

    call: str
    record: str
    pointer: str
    value: str


@dataclass(frozen=True, slots=True)
class ReferenceGround:
    """Typed by a curator: a reference (a document id), a locator (Fig 3B) and a note."""

    reference: str
    locator: str = ""
    note: str = ""


Ground = TextGround | RecordGround | ReferenceGround


ENDS = "ends"  # path of evidence that proves only that the things of a statement exist


@dataclass(frozen=True, slots=True)
class Evidence:
    """A ground of a statement, and where it was found."""

    statement: str
    ground: Ground
    run: str = ""
    path: str = ""
    engine: str = ""
    score: float = 1.0  # 0 to 1: the probability, where the engine knows one
    rule: str = ""  # the row of the rule table that proposed it
    cue: str = ""  # the words in the quote that the rule went by

    @property
    def id(self) -> str:
        """`e1-` + digest of statement and ground: the same words proposed by another run are the
        same evidence.

        >>> table = ReferenceGround("PMID:31978945", "Table 2")
        >>> Evidence("s1-90cb", table, run="r1").id == Evidence("s1-90cb", table, run="r2").id
        True
        """
        match self.ground:
            case TextGround(document, version, span, _):
                ground: Json = ["text", document, version, span.start, span.end]
            case RecordGround(_, record, pointer, value):
                ground = ["record", record, pointer, value]
            case ReferenceGround(reference, locator, note):
                ground = ["reference", reference, locator, note]
        return "e1-" + json_digest([self.statement, ground])[:24]
