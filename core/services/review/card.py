"""Everything about one statement, as the Review page shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from core.desk_parts import HasStore
from core.extraction.tree import Extraction
from core.kb.entry import document_of
from core.kb.gate.proof import EvidenceProof, prove_evidence
from core.kb.record_words import record_words, statement_ends
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
    Support,
    Term,
    TextGround,
    fold_words,
)
from core.review.conflicts import Conflict, find_conflicts
from core.review.queue import node_group, order_of_node
from core.review.statement_state import EvidenceStanding, ReviewState, folded_state
from core.services.learning.rule_record import RuleRecord, rule_records
from core.services.people.blind import is_hidden
from core.services.review.authority import StoredSources
from core.services.review.decision import approval_progress
from core.services.review.queue import PAGE, StatementRow, queue_row
from core.services.shared.document_label import document_title
from core.services.support.evidence_support import judge_statements
from core.store import FormerLabel, QueueFilter, StatementRecord
from core.text.grid import PlacedGrid, caption_above, grid_at
from core.text.sentence import sentence_context

STANDING = (State.PROPOSED, State.APPROVED, State.UNSURE)


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """A piece of evidence as it is shown. For words in a text: the sentence with the quote at
    `span` of it, what stands before and after it (white space included), and `start`, the offset in
    the text at which `before` begins. `read_again`: its text was read again with other words since;
    `still_said`: the newest text of that kind holds the quote as well. `table` is the one that the
    quote stands in, under `caption`.
    """

    evidence: Evidence
    standing: EvidenceStanding
    proof: EvidenceProof
    title: str = ""
    before: str = ""
    sentence: str = ""
    after: str = ""
    span: Span | None = None
    start: int = 0
    call: Call | None = None
    absent: bool = False  # the text or the answer that it rests on is not in this project
    read_again: bool = False
    still_said: bool = False
    table: PlacedGrid | None = None
    caption: str = ""


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
class StatementCard:
    """Everything about one statement."""

    record: StatementRecord
    folded: ReviewState
    passages: tuple[EvidenceView, ...]
    readings: tuple[TermOrigin, ...]
    node: Node | None
    together: tuple[StatementRow, ...]
    conflicts: tuple[tuple[Conflict, Statement], ...]
    corrected_by: str = ""
    hidden: bool = False  # how others judged it is not shown before the reader has judged it
    rules: Mapping[str, RuleRecord] = field(default_factory=dict)  # how often curators agreed
    # papers of its evidence that were retracted or deleted, with what happened
    withdrawn: Mapping[str, str] = field(default_factory=dict)
    former_labels: tuple[FormerLabel, ...] = ()  # of its terms, before a vocabulary renamed them
    progress: str = ""  # how many of the approvals that it needs there are
    # what the judges say of each piece of evidence, by its id
    support: Mapping[str, Support] = field(default_factory=dict)

    @property
    def unsupported(self) -> bool:
        return not any(
            passage.proof in (EvidenceProof.QUOTE, EvidenceProof.RECORD)
            for passage in self.passages
        )

    @property
    def unproven(self) -> bool:
        """Whether none of its evidence proves anything: approved as it is, the gate would hold it
        back.
        """
        return bool(self.passages) and all(
            passage.proof is EvidenceProof.NONE for passage in self.passages
        )

    @property
    def grounding(self) -> float | None:
        """How surely the two ends are the things that the text means, 0 to 1: the score of the less
        sure one. None where a person chose them, or nothing is known of how they were chosen.
        """
        ends = [r for r in self.readings if r.role in ("subject", "object") and r.candidates]
        scores = [reading.candidates[0].score for reading in ends]
        return min(scores, default=None)

    def record_words(self, ground: RecordGround) -> str:
        """What the record says of the two ends of this statement."""
        return record_words(ground, *statement_ends(self.record.statement))


class CardSources:
    """What cards are made of, each text, answer and run read once."""

    def __init__(self, desk: HasStore, records: Sequence[StatementRecord]):
        self.desk = desk
        papers = sorted({document_of(p) for record in records for p in record.evidence} - {""})
        self.notices = desk.store.document_overview.notices(papers)
        self.newer_texts = desk.store.documents.newer_texts(papers)
        self.former_labels = desk.store.statements.former_labels([record.id for record in records])
        self.proofs = StoredSources(desk.store)
        self._mentions: dict[str, tuple[Mention, ...]] = {}
        self._titles: dict[str, str] = {}

    @cached_property
    def rules(self) -> Mapping[str, RuleRecord]:
        """How often curators agreed with each relation rule."""
        return rule_records(self.desk)

    def mentions(self, run: str) -> tuple[Mention, ...]:
        """The mentions of a run, choices of curators applied."""
        if run not in self._mentions:
            extraction: Extraction | None = self.desk.store.runs.extraction(run)
            self._mentions[run] = extraction.mentions if extraction else ()
        return self._mentions[run]

    def title(self, document: str) -> str:
        if document not in self._titles:
            self._titles[document] = document_title(self.desk, document)
        return self._titles[document]


def statement_card(desk: HasStore, statement: str, reader: str = "") -> StatementCard:
    """Everything about a statement, as `statement_cards` shows it to `reader`. Raises NotFound."""
    return statement_cards(desk, [desk.store.statements.get(statement).id], reader)[0]


def statement_cards(
    desk: HasStore, statements: Sequence[str], reader: str = ""
) -> list[StatementCard]:
    """Everything about these statements, in this order; what does not exist is left out. Where the
    project's readers are blind, `reader` does not see how others judged what still waits.
    """
    records = desk.store.statements.of_ids(statements)
    sources = CardSources(desk, records)
    policy = desk.store.project.policy()
    judged = judge_statements(desk, [record.id for record in records])
    cards = [
        _card(statement_record, sources, is_hidden(statement_record, reader, policy.blind))
        for statement_record in records
    ]
    return [
        replace(
            card,
            progress=approval_progress(card.record, policy),
            support=judged.get(card.record.id, {}),
        )
        for card in cards
    ]


def _card(record: StatementRecord, sources: CardSources, hidden: bool = False) -> StatementCard:
    node, review_state = node_group(record.statement), folded_state(record)
    papers = dict.fromkeys(document_of(piece) for piece in record.evidence)
    return StatementCard(
        record=record,
        folded=review_state,
        passages=tuple(view_evidence(piece, review_state, sources) for piece in record.evidence),
        readings=tuple(_readings(record, sources)),
        node=node,
        together=tuple(node_statements(sources.desk, node)),
        conflicts=tuple(at_odds(sources.desk, record.statement)),
        corrected_by=replacement_id(review_state.deciding),
        hidden=hidden,
        rules=sources.rules if any(piece.rule for piece in record.evidence) else {},
        withdrawn={paper: sources.notices[paper] for paper in papers if paper in sources.notices},
        former_labels=sources.former_labels.get(record.id, ()),
    )


def replacement_id(deciding: Decision | None) -> str:
    return deciding.replacement if deciding else ""


def view_evidence(piece: Evidence, review_state: ReviewState, sources: CardSources) -> EvidenceView:
    proven, standing = prove_evidence(piece, sources.proofs), review_state.standing(piece)
    match piece.ground:
        case TextGround(document=document, version=version, span=span):
            text, title = sources.proofs.text(version), sources.title(document)
            if text is None or proven is EvidenceProof.NONE:
                return EvidenceView(piece, standing, proven, title, absent=text is None)
            before, sentence, after = sentence_context(text, span)
            inner = Span(span.start - sentence.start, span.end - sentence.start)
            newest = sources.newer_texts.get((document, version), "")
            table = grid_at(text, span)
            return EvidenceView(
                piece,
                standing,
                proven,
                title,
                before=text[before.start : sentence.start],
                sentence=sentence.quote(text),
                after=text[sentence.end : after.end],
                span=inner,
                start=before.start,
                read_again=bool(newest),
                still_said=bool(newest) and span.quote(text) in (sources.proofs.text(newest) or ""),
                table=table,
                caption=caption_above(text, table.span.start) if table else "",
            )
        case RecordGround(call=call):
            found_call = sources.proofs.call(call) if call else None
            return EvidenceView(piece, standing, proven, call=found_call, absent=found_call is None)
    return EvidenceView(piece, standing, proven, sources.title(piece.ground.reference))


def term_readings(desk: HasStore, record: StatementRecord) -> list[TermOrigin]:
    """What the terms of a statement were read from, with the candidates."""
    return _readings(record, CardSources(desk, [record]))


def _readings(record: StatementRecord, sources: CardSources) -> list[TermOrigin]:
    """For each term of the statement the mention it came from, with its candidates; choices of
    curators applied.
    """
    mentions = [
        (piece.run, m)
        for piece in record.evidence
        if piece.run
        for m in mentions_at(sources, piece)
    ]
    origins = []
    for role, term in terms_by_role(record.statement):
        run, mention = next(((run, m) for run, m in mentions if means_term(m, term)), ("", None))
        if mention is not None:
            spans, category = mention.spans, term.category
            origins.append(
                TermOrigin(
                    role,
                    mention.text,
                    mention.chosen_by,
                    candidates=mention.candidates,
                    category=category,
                    spans=spans,
                    run=run,
                )
            )
    return origins


def terms_by_role(statement: Statement) -> list[tuple[str, Term]]:
    role_values = [
        ("subject", statement.subject),
        ("predicate", statement.predicate),
        ("object", statement.object),
    ]
    role_values += [
        (qualifier.name.replace("_", " "), qualifier.value) for qualifier in statement.qualifiers
    ]
    return [(role, thing) for role, thing in role_values if isinstance(thing, Term)]


def mentions_at(sources: CardSources, piece: Evidence) -> Sequence[Mention]:
    """The mentions at and below the evidence's place in its run's tree."""
    path = piece.path
    return [
        m
        for m in sources.mentions(piece.run)
        if m.slot == path or m.slot.startswith((f"{path}.", f"{path}[")) or not path
    ]


def means_term(mention: Mention, term: Term) -> bool:
    ids = {candidate.term.id for candidate in mention.candidates} | (
        {mention.chosen.id} if mention.chosen else set()
    )
    return (bool(term.id) and term.id in ids) or fold_words(mention.text) == fold_words(term.label)


def node_statements(desk: HasStore, node: Node | None) -> list[StatementRow]:
    """The statements of a node, in the order of the text."""
    if node is None:
        return []
    records = {
        record.id: record
        for record in desk.store.queue.records(QueueFilter(thing=node.id), limit=PAGE)
    }
    pieces = [(record.statement, record.evidence) for record in records.values()]
    return [queue_row(records[statement.id]) for statement in order_of_node(pieces, node.id)]


def at_odds(desk: HasStore, statement: Statement) -> list[tuple[Conflict, Statement]]:
    """Other statements, not rejected, on the same two things that are in conflict with this one."""
    subject, object_ = (getattr(end, "id", "") for end in (statement.subject, statement.object))
    if not subject or not object_ or not isinstance(statement.subject, Term):
        return [(conflict, statement) for conflict in find_conflicts([statement])]
    same_pair = QueueFilter(states=STANDING, pair=(subject, object_))
    others = {claim.id: claim for claim in desk.store.queue.claims(same_pair, limit=PAGE)}
    others[statement.id] = statement
    own_conflicts = [
        conflict
        for conflict in find_conflicts(others.values())
        if statement.id in (conflict.statement, conflict.other)
    ]
    return [
        (
            conflict,
            others[
                (conflict.other or conflict.statement)
                if conflict.statement == statement.id
                else conflict.statement
            ],
        )
        for conflict in own_conflicts
    ]
