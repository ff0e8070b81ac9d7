"""Everything about one statement, as the Review page shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.desk import Desk
from core.extraction.tree import Extraction
from core.kb.gate.proof import EvidenceProof, Sources, proof
from core.model import (
    Call,
    Candidate,
    Category,
    Decision,
    Evidence,
    Mention,
    Node,
    RecordGround,
    Span,
    State,
    Statement,
    Term,
    TextGround,
    fold_words,
)
from core.review.conflicts import Conflict, conflicts
from core.review.fold import ReviewState, Standing
from core.review.queue import arranged, group
from core.services.documents.name import document_title
from core.services.graph.authority import StoredSources
from core.services.review.decision import folded
from core.services.review.queue import PAGE, StatementRow, row
from core.store import Filter, StatementRecord
from core.text.sentence import neighbours


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """A piece of evidence as it is shown. For words in a text: the sentence with the quote at
    `span` of it, what stands before and after it (white space included), and `start`, the offset in
    the text at which `before` begins.
    """

    evidence: Evidence
    standing: Standing
    proof: EvidenceProof
    title: str = ""
    before: str = ""
    sentence: str = ""
    after: str = ""
    span: Span | None = None
    start: int = 0
    call: Call | None = None
    absent: bool = False  # the text or the answer that it rests on is not in this project


@dataclass(frozen=True, slots=True)
class TermOrigin:
    """What a term of the statement was read from: the words, and the candidates with why."""

    role: str  # subject, predicate, object or a qualifier's name
    words: str
    chosen_by: str
    candidates: tuple[Candidate, ...]
    category: Category = Category.THING
    spans: tuple[Span, ...] = ()  # in the text of the run
    run: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """Everything about one statement. `place` of `total` in the queue counts from 1; 0: not in it
    any more.
    """

    record: StatementRecord
    folded: ReviewState
    passages: tuple[EvidenceView, ...]
    readings: tuple[TermOrigin, ...]
    node: Node | None
    together: tuple[StatementRow, ...]
    conflicts: tuple[tuple[Conflict, Statement], ...]
    previous: str
    next: str
    place: int
    total: int
    corrected_by: str = ""

    @property
    def unsupported(self) -> bool:
        return not any(
            shown.proof in (EvidenceProof.QUOTE, EvidenceProof.RECORD) for shown in self.passages
        )

    @property
    def unproven(self) -> bool:
        """Whether none of its evidence proves anything: approved as it is, the gate would hold it
        back.
        """
        return bool(self.passages) and all(
            shown.proof is EvidenceProof.NONE for shown in self.passages
        )


def card(desk: Desk, statement: str, wanted: Filter) -> Card:
    """Everything about a statement. Raises NotFound."""
    record = desk.store.statements.get(statement)
    before, previous, following = desk.store.queue.place(statement, wanted)
    total = desk.store.queue.count(wanted)
    inside = statement in desk.store.queue.ids(wanted, limit=1, offset=before)
    sources, node = StoredSources(desk.store), group(record.statement)
    found = folded(record)
    return Card(
        record=record,
        folded=found,
        passages=tuple(passage(desk, piece, found, sources) for piece in record.evidence),
        readings=tuple(readings(desk, record)),
        node=node,
        together=tuple(together(desk, node)),
        conflicts=tuple(at_odds(desk, record.statement)),
        previous=previous,
        next=following,
        place=before + 1 if inside else 0,
        total=total,
        corrected_by=replacement(found.deciding),
    )


def replacement(deciding: Decision | None) -> str:
    return deciding.replacement if deciding else ""


def passage(desk: Desk, piece: Evidence, found: ReviewState, sources: Sources) -> EvidenceView:
    proven, standing = proof(piece, sources), found.standing(piece)
    match piece.ground:
        case TextGround(document=document, version=version, span=span):
            text, title = sources.text(version), document_title(desk, document)
            if text is None or proven is EvidenceProof.NONE:
                return EvidenceView(piece, standing, proven, title, absent=text is None)
            before, sentence, after = neighbours(text, span)
            inner = Span(span.start - sentence.start, span.end - sentence.start)
            parts = (
                text[before.start : sentence.start],
                sentence.quote(text),
                text[sentence.end : after.end],
            )
            return EvidenceView(piece, standing, proven, title, *parts, inner, before.start)
        case RecordGround(call=call):
            found_call = sources.call(call) if call else None
            return EvidenceView(piece, standing, proven, call=found_call, absent=found_call is None)
    return EvidenceView(piece, standing, proven, document_title(desk, piece.ground.reference))


def readings(desk: Desk, record: StatementRecord) -> list[TermOrigin]:
    """For each term of the statement the mention it came from, with its candidates; choices of
    curators applied.
    """
    mentions = [
        (piece.run, m) for piece in record.evidence if piece.run for m in mentions_at(desk, piece)
    ]
    found = []
    for role, term in roles(record.statement):
        run, mention = next(((run, m) for run, m in mentions if means(m, term)), ("", None))
        if mention is not None:
            spans, category = mention.spans, term.category
            found.append(
                TermOrigin(
                    role, mention.text, mention.chosen_by, mention.candidates, category, spans, run
                )
            )
    return found


def roles(statement: Statement) -> list[tuple[str, Term]]:
    things = [
        ("subject", statement.subject),
        ("predicate", statement.predicate),
        ("object", statement.object),
    ]
    things += [
        (qualifier.name.replace("_", " "), qualifier.value) for qualifier in statement.qualifiers
    ]
    return [(role, thing) for role, thing in things if isinstance(thing, Term)]


def mentions_at(desk: Desk, piece: Evidence) -> Sequence[Mention]:
    """The mentions at and below the evidence's place in its run's tree."""
    extraction: Extraction | None = desk.store.runs.extraction(piece.run)
    if extraction is None:
        return ()
    path = piece.path
    return [
        m
        for m in extraction.mentions
        if m.slot == path or m.slot.startswith((f"{path}.", f"{path}[")) or not path
    ]


def means(mention: Mention, term: Term) -> bool:
    ids = {candidate.term.id for candidate in mention.candidates} | (
        {mention.chosen.id} if mention.chosen else set()
    )
    return (bool(term.id) and term.id in ids) or fold_words(mention.text) == fold_words(term.label)


def together(desk: Desk, node: Node | None) -> list[StatementRow]:
    """The statements of a node, in the order of the text."""
    if node is None:
        return []
    records = {
        record.id: record for record in desk.store.queue.records(Filter(thing=node.id), limit=PAGE)
    }
    pieces = [(record.statement, record.evidence) for record in records.values()]
    return [row(records[statement.id]) for statement in arranged(pieces, node.id)]


def at_odds(desk: Desk, statement: Statement) -> list[tuple[Conflict, Statement]]:
    """Other statements, not rejected, that are in conflict with this one."""
    if not isinstance(statement.subject, Term) or not statement.subject.id:
        return []
    standing = (State.PROPOSED, State.APPROVED, State.UNSURE)
    near = Filter(states=standing, thing=statement.subject.id, predicate=statement.predicate.id)
    others = {record.id: record.statement for record in desk.store.queue.records(near, limit=PAGE)}
    others[statement.id] = statement
    found = [
        one for one in conflicts(others.values()) if statement.id in (one.statement, one.other)
    ]
    return [
        (
            one,
            others[
                (one.other or one.statement) if one.statement == statement.id else one.statement
            ],
        )
        for one in found
    ]
