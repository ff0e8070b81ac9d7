"""What an export is made of: statements with the evidence and the decisions they rest on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from core.kb.release.release import ReleaseDescription
from core.model import (
    MANUAL,
    Category,
    Decision,
    Document,
    Evidence,
    Literal,
    Modality,
    Node,
    RecordGround,
    ReferenceGround,
    State,
    Statement,
    Term,
    TextGround,
    Thing,
    fold_words,
    relation_words,
)
from core.schema.definition import Schema


@dataclass(frozen=True, slots=True)
class ExportEntry:
    """A statement, the evidence that counts, and the approvals that stand (none in a draft), in
    order.
    """

    statement: Statement
    evidence: tuple[Evidence, ...] = ()
    approvals: tuple[Decision, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether subject, predicate and object alone say what is claimed: they may be one plain
        triple then.

        Every qualifier is taken as essential: without it the triple would say more than the curator
        approved.
        """
        statement = self.statement
        return (
            not statement.negated
            and statement.modality is Modality.ASSERTED
            and not statement.qualifiers
        )

    @property
    def by_machine(self) -> bool:
        """Whether an engine or a model proposed it, so that the curator validated rather than
        asserted.
        """
        return any(
            piece.engine != MANUAL
            and (piece.engine or piece.run or not isinstance(piece.ground, ReferenceGround))
            for piece in self.evidence
        )


@dataclass(frozen=True, slots=True)
class Wording:
    """Words that a curator chose a term for: they mean it wherever they stand in this project.
    `time` is ISO 8601.
    """

    words: str
    term: Term
    curator: str
    time: str


@dataclass(frozen=True, slots=True)
class LoggedStatement:
    """A statement with all its evidence and every decision on it, both in order of arrival."""

    statement: Statement
    evidence: tuple[Evidence, ...] = ()
    decisions: tuple[Decision, ...] = ()
    state: State = State.PROPOSED


def _no_log() -> Iterator[LoggedStatement]:
    return iter(())


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """Entries to be written. `base_iri` ends in / or #; `prefixes` are those of the schemas;
    `curators` ORCID → name.

    A `draft` holds what nobody has decided: it has no plain triples and says *undecided*. `notices`
    say of papers that they were retracted or deleted. `release` describes the release that these
    entries are; None for the knowledge base as it stands. `log` gives everything that was decided,
    sorted by id, where that is known.
    """

    base_iri: str
    entries: tuple[ExportEntry, ...] = ()
    prefixes: Mapping[str, str] = field(default_factory=dict)
    documents: Mapping[str, Document] = field(default_factory=dict)
    curators: Mapping[str, str] = field(default_factory=dict)
    draft: bool = False
    wordings: tuple[Wording, ...] = ()
    schemas: tuple[
        Schema, ...
    ] = ()  # that the statements were made by: what their `owl` annotations say
    notices: Mapping[str, str] = field(default_factory=dict)  # document → "retracted"
    release: ReleaseDescription | None = None
    log: Callable[[], Iterator[LoggedStatement]] = _no_log

    def name_of(self, decision: Decision) -> str:
        """What its curator was called when they decided, or, of old decisions, is called now."""
        return decision.curator_name or self.curators.get(decision.curator, "")

    def sorted(self) -> tuple[ExportEntry, ...]:
        return tuple(sorted(self.entries, key=lambda entry: entry.statement.id))


def things_in(statement: Statement) -> Iterator[Thing]:
    """Subject, predicate, object and the qualifiers' values."""
    yield from (statement.subject, statement.predicate, statement.object)
    yield from (qualifier.value for qualifier in statement.qualifiers)


def terms_in(statement: Statement) -> Iterator[Term]:
    return (thing for thing in things_in(statement) if isinstance(thing, Term))


def thing_key(thing: Thing, document: str = "") -> str:
    """What tells named things apart: the CURIE, the node's id, or the words with their document."""
    match thing:
        case Node(id=node):
            return node
        case Term(id="", label=label, category=category):
            return "\n".join(["words", fold_words(label), category, document])
        case Term(id=curie):
            return curie
        case Literal():
            return ""


def settle_labels(entries: Iterable[ExportEntry]) -> dict[str, Term | Node]:
    """One label and category a thing: the most frequent, then the first in the alphabet; THING only
    where alone.
    """
    seen: dict[str, Counter[Term | Node]] = {}
    for entry in entries:
        for thing in things_in(entry.statement):
            if isinstance(thing, Term | Node):
                seen.setdefault(thing_key(thing, entry.statement.document), Counter())[thing] += 1
    return {name: best(found) for name, found in seen.items()}


def best(found: Counter[Term | Node]) -> Term | Node:
    return min(
        found,
        key=lambda t: (t.category is Category.THING, not t.label, -found[t], t.label, t.category),
    )


def claim_words(statement: Statement) -> str:
    """A statement as plain words: `aspirin · NOT treats · Nausea (hypothesis)`."""
    subject, object_ = (thing_words(one) for one in (statement.subject, statement.object))
    relation = relation_words(statement.predicate)
    parts = [f"{subject} · {'NOT ' if statement.negated else ''}{relation} · {object_}"]
    if statement.modality is not Modality.ASSERTED:
        parts.append(f"({statement.modality})")
    parts += [f"[{one.name}: {thing_words(one.value)}]" for one in statement.qualifiers]
    return " ".join(parts)


def thing_words(thing: Thing) -> str:
    """A thing's label, else its id; a value with its unit."""
    if isinstance(thing, Literal):
        return f"{thing.value} {thing.unit}".strip()
    return thing.label or thing.id or (thing.cls if isinstance(thing, Node) else "")


def notices_of(entry: ExportEntry, kb: KnowledgeBase) -> list[str]:
    """`PMID:1: retracted`, for each retracted or deleted paper that an entry rests on, sorted."""
    papers = {document_of(piece) for piece in entry.evidence}
    return [f"{paper}: {kb.notices[paper]}" for paper in sorted(papers & kb.notices.keys())]


def document_of(evidence: Evidence) -> str:
    """The id of the paper that a piece of evidence is in; empty for a record."""
    match evidence.ground:
        case TextGround(document=document):
            return document
        case ReferenceGround(reference=reference):
            return reference
        case RecordGround():
            return ""
