"""What an export is made of: statements with the evidence and the decisions they rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import itemgetter

from core.kb.release.release import ReleaseDescription
from core.model import (
    MANUAL,
    NOT_JUDGED,
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
    Support,
    Term,
    TextGround,
    Thing,
    fold_words,
    relation_words,
    thing_words,
)
from core.schema.definition import Schema


@dataclass(frozen=True, slots=True)
class ExportEntry:
    """A statement, the evidence that counts, and the approvals that stand (none in a draft), in
    order. `joined` are the ids of further statements that it was derived from, sorted.
    """

    statement: Statement
    evidence: tuple[Evidence, ...] = ()
    approvals: tuple[Decision, ...] = ()
    joined: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether subject, predicate and object alone say what is claimed: they may be one plain
        triple then.

        Every qualifier is taken as essential: without it the triple would say more than the curator
        approved.

        >>> treats = Term("RO:0002606", "treats")
        >>> claim = Statement(Term("CHEBI:15365", "aspirin"), treats, Term("HP:0012531", "Pain"))
        >>> ExportEntry(claim).is_plain, ExportEntry(replace(claim, negated=True)).is_plain
        (True, False)
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
class TaughtWords:
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

    @property
    def is_turned_down(self) -> bool:
        """Whether it was rejected, or replaced by a correction."""
        return self.state in (State.REJECTED, State.SUPERSEDED)


def logged_entry(entry: ExportEntry) -> LoggedStatement:
    """What an entry says by itself of the decisions it rests on."""
    approvals = tuple(replace(d, statement=entry.statement.id) for d in entry.approvals)
    return LoggedStatement(entry.statement, entry.evidence, approvals, State.APPROVED)


def _no_log() -> Iterator[LoggedStatement]:
    return iter(())


def _nobody(written: int, total: int) -> None:
    """Reports no progress."""


TOLD = 250  # entries between two words on progress


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """Entries to be written. `base_iri` ends in / or #; `prefixes` are those of the schemas;
    `curators` ORCID → name.

    A `draft` holds what nobody has decided: it has no plain triples and says *undecided*. `notices`
    say of papers that they were retracted or deleted. `release` describes the release that these
    entries are; None for the knowledge base as it stands. `log` gives everything that was decided,
    sorted by id, where that is known. `on_progress` hears from time to time how many entries of how
    many a writer has gone through (it may do so several times), and may raise Stopped.
    `signing_key` is the PEM of an RSA key, for formats that can be signed. `same` gives the other
    ids of the thing of an id, sorted; `by_reference` those of them that only cross-references tie.
    `support`: statement → whether its evidence says it, None where no judge looked; empty where
    that was not asked.
    """

    base_iri: str
    entries: tuple[ExportEntry, ...] = ()
    prefixes: Mapping[str, str] = field(default_factory=dict)
    documents: Mapping[str, Document] = field(default_factory=dict)
    curators: Mapping[str, str] = field(default_factory=dict)
    draft: bool = False
    wordings: tuple[TaughtWords, ...] = ()
    schemas: tuple[
        Schema, ...
    ] = ()  # that the statements were made by: what their `owl` annotations say
    notices: Mapping[str, str] = field(default_factory=dict)  # document → "retracted"
    release: ReleaseDescription | None = None
    log: Callable[[], Iterator[LoggedStatement]] = _no_log
    on_progress: Callable[[int, int], None] = _nobody
    signing_key: bytes = b""
    same: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    by_reference: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    support: Mapping[str, Support | None] = field(default_factory=dict)

    def support_cells(self, statement: str) -> tuple[str, str]:
        """`supports`, `0.93`: what the evidence of a statement does to it, and how likely its text
        says it; `not judged` and nothing where no judge looked.
        """
        support = self.support.get(statement)
        return (str(support.verdict), f"{support.probability:g}") if support else (NOT_JUDGED, "")

    def name_of(self, decision: Decision) -> str:
        """What its curator was called when they decided, or, of old decisions, is called now."""
        return decision.curator_name or self.curators.get(decision.curator, "")

    def identified(self) -> Iterator[tuple[str, ExportEntry]]:
        """The entries with the ids of their statements, sorted by id; `on_progress` is told."""
        entries_by_id = [(entry.statement.id, entry) for entry in self.entries]
        entries_by_id.sort(key=itemgetter(0))
        for at, pair in enumerate(entries_by_id):
            if at % TOLD == 0:
                self.on_progress(at, len(entries_by_id))
            yield pair

    def sorted(self) -> Iterator[ExportEntry]:
        return (entry for _, entry in self.identified())


def things_in(statement: Statement) -> Iterator[Thing]:
    """Subject, predicate, object and the qualifiers' values."""
    yield from (statement.subject, statement.predicate, statement.object)
    yield from (qualifier.value for qualifier in statement.qualifiers)


def terms_in(statement: Statement) -> Iterator[Term]:
    return (thing for thing in things_in(statement) if isinstance(thing, Term))


def thing_key(thing: Thing, document: str = "") -> str:
    r"""What tells named things apart: the CURIE, the node's id, or the words with their document.

    >>> thing_key(Term("CHEBI:15365", "aspirin")), thing_key(Term("", "Red  rice"), "PMID:1")
    ('CHEBI:15365', 'words\nred rice\nthing\nPMID:1')
    """
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
    return {name: best_labelled(counts) for name, (counts, _) in _alike(entries).items()}


def settle_things(entries: Iterable[ExportEntry]) -> Iterator[tuple[Term | Node, str]]:
    """Each thing once, by its settled label, with a document that it is in."""
    for counts, document in _alike(entries).values():
        yield best_labelled(counts), document


def _alike(entries: Iterable[ExportEntry]) -> dict[str, tuple[dict[Term | Node, int], str]]:
    """How often each thing is called what, and a document that it is in, by its key."""
    things: dict[str, tuple[dict[Term | Node, int], str]] = {}
    for entry in entries:
        document = entry.statement.document
        for thing in things_in(entry.statement):
            if isinstance(thing, Term | Node):
                counts = things.setdefault(thing_key(thing, document), ({}, document))[0]
                counts[thing] = counts.get(thing, 0) + 1
    return things


def best_labelled(counts: Mapping[Term | Node, int]) -> Term | Node:
    """The usual label; of a known relation as on the pages: a schema's INDUCES is "induces".

    >>> best_labelled({Term("CHEBI:15365", "ASA"): 1, Term("CHEBI:15365", "aspirin"): 3}).label
    'aspirin'
    """
    best = min(
        counts,
        key=lambda t: (t.category is Category.THING, not t.label, -counts[t], t.label, t.category),
    )
    if isinstance(best, Term) and best.id and best.label and best.category is Category.RELATION:
        return replace(best, label=relation_words(best))
    return best


def claim_words(statement: Statement) -> str:
    """A statement as plain words.

    >>> aspirin, nausea = Term("CHEBI:15365", "aspirin"), Term("HP:0002018", "Nausea")
    >>> claim = Statement(aspirin, Term("RO:0002606", "TREATS"), nausea, negated=True)
    >>> claim_words(replace(claim, modality=Modality.HYPOTHESIS))
    'aspirin · NOT treats · Nausea (hypothesis)'
    """
    subject, object_ = (thing_words(thing) for thing in (statement.subject, statement.object))
    relation = relation_words(statement.predicate)
    parts = [f"{subject} · {'NOT ' if statement.negated else ''}{relation} · {object_}"]
    if statement.modality is not Modality.ASSERTED:
        parts.append(f"({statement.modality})")
    parts += [
        f"[{qualifier.name.replace('_', ' ')}: {thing_words(qualifier.value)}]"
        for qualifier in statement.qualifiers
    ]
    return " ".join(parts)


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
