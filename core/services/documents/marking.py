"""Statements that a curator marks in a text by hand: what an engine missed, with its sentence as
the quote.

A marking is a proposal of agent type *manual*: the run that it writes down has the engine `manual`,
and so have its evidence and its exports. It waits in Review like any other, or is approved at once
by its author.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from core.desk import APP_VERSION
from core.desk_parts import HasProjectTerms, HasStore
from core.errors import Forbidden, InputError
from core.extraction.tree import Branch, Extraction
from core.model import (
    MANUAL,
    Candidate,
    Curator,
    Evidence,
    Literal,
    MatchKind,
    Mention,
    Modality,
    Outcome,
    Problem,
    Qualifier,
    Role,
    Run,
    Severity,
    Span,
    State,
    Statement,
    Support,
    Term,
    TextGround,
    TextVersion,
    Verdict,
)
from core.services.people.orcid import checked_curator
from core.services.review import decision
from core.services.review.authority import ProjectIds
from core.services.support.evidence_support import support_of_record
from core.store import StatementRecord

LONGEST_QUOTE = 20_000
MOST_QUOTES = 20


@dataclass(frozen=True, slots=True)
class MarkedStatement:
    """One statement as a curator marked it. `quotes` are half-open code-point spans of the
    sentences that say it; `subject_words` and `object_words` are where its two things stand, if
    they do.
    """

    document: str
    version: str
    quotes: tuple[Span, ...]
    subject: Term
    predicate: Term
    object: Term | Literal
    negated: bool = False
    modality: Modality = Modality.ASSERTED
    qualifiers: tuple[Qualifier, ...] = ()
    subject_words: Span | None = None
    object_words: Span | None = None


@dataclass(frozen=True, slots=True)
class MarkingResult:
    """The statement as it stands now; `new` unless the project had it. `problems` are notes on its
    ids, which the export will look at again. `waits_because`: why it was not approved at once.
    """

    record: StatementRecord
    new: bool
    evidence: tuple[Evidence, ...]
    problems: tuple[Problem, ...] = ()
    decision: str = ""  # id of the approval, if it was approved at once
    waits_because: str = ""
    support: Support | None = None  # a remark: what the judges say of the marked words


def propose_marking(
    desk: HasProjectTerms, marking: MarkedStatement, curator: Curator, *, approve: bool = False
) -> MarkingResult:
    """Propose what a curator marked. With `approve` it is approved at once by its author, unless
    the project wants another to approve it: then it waits. Raises InputError for a span that holds
    no words, NotFound for a text that is not in the project.
    """
    person = checked_curator(curator.orcid, curator.name)
    desk.store.curators.need(person.orcid, Role.CURATOR)
    text = desk.store.documents.text(marking.version, marking.document)
    quotes = [checked_span(text, span) for span in _distinct(marking.quotes)]
    if not quotes:
        raise InputError("A statement needs a sentence that says it.", "Give a quote.")
    if marking.subject == marking.object:
        raise InputError("Subject and object are the same.", "Choose two different terms.")
    statement = Statement(
        marking.subject,
        marking.predicate,
        marking.object,
        negated=marking.negated,
        modality=marking.modality,
        qualifiers=marking.qualifiers,
        document=text.document,
    )
    run = _manual_run(desk, text, quotes, person, statement=statement, marking=marking)
    evidence = tuple(
        Evidence(
            statement.id,
            TextGround(text.document, text.sha, span, span.quote(text.text)),
            run.id,
            engine=MANUAL,
        )
        for span in quotes
    )
    proposal = desk.store.statements.propose([(statement, evidence)], run.id, person.orcid)
    record = desk.store.statements.get(statement.id)
    approval = waits_because = ""
    if approve and (record.state is not State.APPROVED or record.new_evidence):
        judgement = decision.Judgement(Verdict.APPROVE)
        try:
            approved = decision.decide(desk, record.id, record.version, judgement, curator=person)
            record, approval = approved.record, approved.decisions[-1].id
        except Forbidden as refusal:  # it is proposed all the same
            waits_because = refusal.hint
    new = statement.id in proposal.new
    problems = _id_problems(desk, statement)
    return MarkingResult(
        record,
        new,
        evidence,
        problems=problems,
        decision=approval,
        waits_because=waits_because,
        support=support_of_record(desk, record),
    )


def _distinct(spans: Iterable[Span]) -> list[Span]:
    chosen = list(dict.fromkeys(spans))
    if len(chosen) > MOST_QUOTES:
        raise InputError(f"A statement takes at most {MOST_QUOTES} quotes.", "Use fewer.")
    return sorted(chosen, key=lambda span: (span.start, span.end))


def checked_span(text: TextVersion, span: Span) -> Span:
    inside = 0 <= span.start < span.end <= len(text.text)
    if not inside or not span.quote(text.text).strip():
        raise InputError(
            f"The text has no words from {span.start} to {span.end}.", "Select them again."
        )
    if span.end - span.start > LONGEST_QUOTE:
        raise InputError(
            f"A quote has at most {LONGEST_QUOTE:,} characters.",
            "Select the sentence that says it.",
        )
    return span


def _manual_run(
    desk: HasStore,
    text: TextVersion,
    quotes: Sequence[Span],
    person: Curator,
    *,
    statement: Statement,
    marking: MarkedStatement,
) -> Run:
    """The run that a marking writes down, with its two mentions, so that Review shows their
    words. The same marking by the same person again is the same run.
    """
    ends = (
        ("subject", statement.subject, marking.subject_words),
        ("object", statement.object, marking.object_words),
    )
    mentions = tuple(
        manual_mention(text, slot, thing, span, person=person)
        for slot, thing, span in ends
        if span is not None and isinstance(thing, Term)
    )
    places = [(span.start, span.end) for span in quotes]
    marked = repr((person.orcid, statement.id, text.document, text.sha, places))
    return kept_run(desk, text, person, mentions, id=sha256(marked.encode()).hexdigest()[:32])


def manual_mention(
    text: TextVersion, slot: str, term: Term, span: Span, *, person: Curator
) -> Mention:
    return Mention(
        checked_span(text, span).quote(text.text),
        slot,
        cls="",
        category=term.category,
        spans=(span,),
        candidates=(Candidate(term, MatchKind.CURATOR, 1.0, term.label),) if term.id else (),
        chosen=term if term.id else None,
        chosen_by=person.orcid,
        outcome=Outcome.GROUNDED if term.id else Outcome.NO_TERM_FITS,
    )


def kept_run(
    desk: HasStore, text: TextVersion, person: Curator, mentions: tuple[Mention, ...], *, id: str
) -> Run:
    run = Run(
        id,
        "mark",
        MANUAL,
        document=text.document,
        text_version=text.sha,
        app_version=APP_VERSION,
        created=desk.clock(),
        curator=person.orcid,
    )
    desk.store.runs.add(run)
    desk.store.runs.save_extraction(run.id, Extraction(Branch("", "Marking"), mentions))
    return run


def _id_problems(desk: HasProjectTerms, statement: Statement) -> tuple[Problem, ...]:
    ids = ProjectIds(desk)
    terms = [thing for thing in (statement.subject, statement.object) if isinstance(thing, Term)]
    terms += [q.value for q in statement.qualifiers if isinstance(q.value, Term)]
    terms.append(statement.predicate)
    return tuple(
        replace(problem, severity=Severity.WARNING)
        for term in terms
        if term.id
        for problem in ids.problems(term, statement)
    )


# ------------------------------------------------------------------ where a quote stands


def quote_span(text: str, quote: str, start: int | None = None) -> Span:
    """Where a quote stands, in half-open code points. White space may differ, nothing else.

    `start` chooses among several occurrences. Raises InputError when it is not there, or stands at
    several places and `start` does not say at which.
    """
    words = quote.strip().split()
    if not words:
        raise InputError("The quote is empty.", "Give the sentence that says it.")
    pattern = re.compile(r"\s+".join(re.escape(word) for word in words))
    spans = [Span(*match.span()) for match in pattern.finditer(text)]
    if not spans:
        raise InputError(
            f"Not found in the text: “{' '.join(words)[:80]}”.", "Copy the quote from the text."
        )
    if start is not None:
        lead = len(quote) - len(quote.lstrip())
        spans = [span for span in spans if span.start in (start, start + lead)]
        if not spans:
            raise InputError(f"The quote is not at {start}.", "Offsets count characters from 0.")
    if len(spans) > 1:
        places = ", ".join(str(span.start) for span in spans[:5])
        raise InputError(
            f"The quote occurs at {len(spans)} places in the text: {places}.",
            "Say which with `start`, or give a longer quote.",
        )
    return spans[0]
