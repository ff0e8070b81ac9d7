"""A statement with everything a curator needs to judge it, as the browser gets it: words, classes
and addresses, never markup. The browser shows all of it as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.model import (
    Candidate,
    Literal,
    Modality,
    Node,
    State,
    Statement,
    Term,
    TextGround,
    Thing,
    relation_words,
)
from core.services.review.card import StatementCard, TermOrigin
from core.services.review.queue import StatementRow
from core.services.shared.screen import counted
from pages.components.review.passage_row import Row, passage_row, web_address
from pages.components.shared.term import (
    STATE_ICONS,
    drawable_text,
    statement_label,
    thing_label,
    thing_name,
)

MOST_CANDIDATES = 9  # of one term: a digit chooses one


def slice_row(line: StatementRow) -> Row:
    """A line of the list."""
    unproven = line.unsupported and line.state is not State.REJECTED
    flags = ("＋" if line.has_news else "") + ("⚠" if unproven else "")
    row = {
        "id": line.id,
        "version": line.version,
        "order": list(line.order),
        "state": str(line.state),
        "icon": STATE_ICONS[line.state],
        "flags": flags,
        "label": statement_label(line.statement),
        "document": f"{line.title} · {line.document}" if line.title else line.document,
        "taken": line.taken,
    }
    return _drawable(row)  # type: ignore[no-any-return]


def card_row(card: StatementCard, remarks: Sequence[str] = ()) -> Row:
    """Everything about one statement in one version, with what the vocabularies say against it."""
    record, statement = card.record, card.record.statement
    shown_state = State.PROPOSED if card.hidden else record.state
    row = {
        "id": record.id,
        "version": record.version,
        "state": str(shown_state),
        "icon": STATE_ICONS[shown_state],
        "label": statement_label(statement),
        "statement": statement_parts(statement),
        "line": _state_line(card),
        "warnings": [*remarks, *_warnings(card)],
        "renamed": [
            f"{label.term} was called “{label.before}” until {label.renamed_in or 'an update'}"
            f" renamed it “{label.now}”."
            for label in card.former_labels
        ],
        "conflicts": [
            {
                "kind": str(conflict.kind),
                "id": other_statement.id,
                "label": statement_label(other_statement),
            }
            for conflict, other_statement in card.conflicts
        ],
        "passages": [passage_row(card, passage) for passage in card.passages],
        "terms": [_reading(card, reading) for reading in card.readings],
        "history": []
        if card.hidden
        else [_entry(entry.decision, entry.undone) for entry in card.folded.history][::-1],
        "node": f"{card.node.cls} ({len(card.together)})" if card.node else "",
        "unsupported": card.unsupported,
        "origin": statement.derived_from,
        "correction": card.corrected_by,
    }
    return _drawable(row)  # type: ignore[no-any-return]


def _drawable(value: Any) -> Any:
    """Every text in it as one that a browser takes, whatever an old import left in the database."""
    if isinstance(value, str):
        return drawable_text(value)
    if isinstance(value, dict):
        return {name: _drawable(item) for name, item in value.items()}
    return [_drawable(item) for item in value] if isinstance(value, list | tuple) else value


def statement_parts(statement: Statement) -> Row:
    """The claim in parts, so that a correction can be shown before it is stored."""
    return {
        "subject": _thing(statement.subject),
        "predicate": {
            "label": relation_words(statement.predicate),
            "id": statement.predicate.id,
        },
        "object": _thing(statement.object),
        "negated": statement.negated,
        "modality": "" if statement.modality is Modality.ASSERTED else str(statement.modality),
        "qualifiers": [
            {"name": qualifier.name.replace("_", " "), "value": _thing(qualifier.value)}
            for qualifier in statement.qualifiers
        ],
        "swappable": isinstance(statement.object, Term | Node),
    }


def _thing(thing: Thing) -> Row:
    match thing:
        case Term(id=curie, label=label, category=category):
            return {
                "kind": "term",
                "label": label,
                "id": curie,
                "category": str(category),
                "link": web_address(curie),
            }
        case Node(cls=cls, category=category):
            label = thing_name(thing) or "unnamed"
            return {"kind": "node", "label": label, "id": cls, "category": str(category)}
        case Literal():
            return {"kind": "value", "label": thing_label(thing), "id": "", "category": ""}
    raise TypeError(f"not a thing: {thing!r}")


def _state_line(card: StatementCard) -> str:
    record, review_state = card.record, card.folded
    if card.hidden:
        return "○ to be judged · others have judged it; you see their verdicts after yours"
    words = [f"{STATE_ICONS[record.state]} {record.state}"]
    words += [card.progress] if card.progress else []
    if decision := review_state.deciding:
        by = f"by {decision.curator_name or decision.curator}"
        words.append(f"{by}: {decision.reason}" if decision.reason else by)
    if review_state.has_news:
        words.append(f"{counted(len(review_state.waiting), 'piece')} of new evidence to judge")
    if record.statement.derived_from:
        words.append("a correction")
    return " · ".join(words)


def _warnings(card: StatementCard) -> list[str]:
    titles = {
        piece.evidence.ground.document: piece.title
        for piece in card.passages
        if isinstance(piece.evidence.ground, TextGround)
    }
    words = [
        f"Its paper was withdrawn ({notice}):"
        f" {' · '.join(filter(None, (titles.get(paper), paper)))}."
        for paper, notice in card.withdrawn.items()
    ]
    if card.unproven and card.record.state is not State.REJECTED:
        words.append("No verifiable evidence: it will not be exported even if approved.")
    elif card.unsupported and card.passages:
        words.append("Its only proof is a reference that someone typed in.")
    if not card.passages:
        words.append("No evidence. Add a reference, or reject it.")
    return words


def _reading(card: StatementCard, reading: TermOrigin) -> Row:
    """The words that a term was read from, with the candidates and why each matched."""
    relation = reading.role == "predicate"
    words = relation_words(Term("", reading.words)) if relation else reading.words
    return {
        "role": reading.role,
        "words": words,
        "candidates": [
            _candidate(card, candidate, relation)
            for candidate in reading.candidates[:MOST_CANDIDATES]
        ],
    }


def _candidate(card: StatementCard, candidate: Candidate, relation: bool) -> Row:
    how = str(candidate.match) + (f" ({candidate.differed})" if candidate.differed else "")
    words = [how, "obsolete" if candidate.obsolete else ""]
    words += [f"{candidate.vocabulary} {candidate.version}".strip(), f"{candidate.score:.2f}"]
    term = candidate.term
    return {
        "id": term.id,
        "label": relation_words(term) if relation else term.label,
        "category": str(term.category),
        "link": web_address(term.id),
        "why": " · ".join(word for word in words if word),
        "chosen": term.id in _ids(card),
    }


def _ids(card: StatementCard) -> set[str]:
    statement = card.record.statement
    things: list[Thing] = [statement.subject, statement.predicate, statement.object]
    things += [qualifier.value for qualifier in statement.qualifiers]
    return {thing.id for thing in things if isinstance(thing, Term)} - {""}


def _entry(decision: Any, undone: bool) -> Row:
    words = [decision.time[:16].replace("T", " "), decision.curator_name or decision.curator]
    words += [str(decision.verdict) + (f": {decision.reason}" if decision.reason else "")]
    words += [f"“{decision.note}”"] if decision.note else []
    words += ["(one piece of evidence)"] if decision.evidence else []
    words += ["undone"] if undone else []
    again = "Restore" if str(decision.verdict) == "undo" else "Undo"
    return {"id": decision.id, "words": " · ".join(words), "again": "" if undone else again}
