"""A statement with everything a curator needs to judge it, as the browser gets it: words, classes
and addresses, never markup. The browser shows all of it as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.model import (
    ENDS,
    Candidate,
    Category,
    Evidence,
    Literal,
    Modality,
    Node,
    RecordGround,
    ReferenceGround,
    Span,
    State,
    Statement,
    Support,
    SupportVerdict,
    Term,
    TextGround,
    Thing,
    is_withdrawn,
    relation_words,
)
from core.services.extract.engines import engine_title
from core.services.review.card import EvidenceView, StatementCard, TermOrigin
from core.services.review.queue import StatementRow
from core.services.shared.screen import counted, web_link
from core.services.support.shown_support import likelihood_words, support_words
from pages.components.shared.term import (
    STATE_ICONS,
    drawable_text,
    statement_label,
    thing_label,
    thing_name,
)
from pages.components.shared.text import MarkedWords, text_segments

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
        f"Its paper {'was withdrawn' if is_withdrawn(notice) else 'has a notice'} ({notice}):"
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


Row = dict[str, Any]
PROOFS = {
    "quote": "✓ quote proven",
    "record": "✓ recorded answer",
    "typed": "typed by a curator",
    "none": "⚠ not proven",
}
STANDINGS = {"accepted": "✓ accepted", "waiting": "○ to be judged", "rejected": "✕ rejected"}
TABLE_ROWS = 12  # of a table around a quote
LONGEST_CELL = 300  # characters of a cell or a caption that are shown
MOST_WORDS = 6_000  # characters of one passage


def web_address(curie: str) -> str:
    address = web_link(curie) if curie else ""
    return address if address.startswith(("https://", "http://")) else ""


def passage_row(card: StatementCard, passage: EvidenceView) -> Row:
    """One piece of evidence: words with their marks, or a recorded value, and where it is from."""
    ground, piece = passage.evidence.ground, passage.evidence
    row: Row = {
        "id": piece.id,
        "parts": [],
        "table": None,
        "warning": "",
        "source": _source(card, passage),
        "link": web_address(ground.document) if isinstance(ground, TextGround) else "",
        "document": ground.document if isinstance(ground, TextGround) else "",
        "judge": len(card.passages) > 1 or card.folded.has_news,
        "absent": isinstance(ground, TextGround) and passage.absent,
        "call": passage.call is not None,
    }
    match ground:
        case TextGround() if passage.span is not None:
            row["warning"] = _newer_text(passage) or _support_warning(card, piece)
            table = _table(passage, ground.span) if passage.table else None
            return row | {"parts": _sentence(card, passage, passage.span), "table": table}
        case TextGround(document=document, quote=quote):
            why = (
                f"The text of {document} is not in this project, so the quote cannot be checked."
                if passage.absent
                else "Not found in the text. Check before approving."
            )
            return row | {"parts": [(f"“{quote}”", "", "")], "warning": why}
        case RecordGround(record=record, pointer=pointer):
            parts = [(f"{record} ", "gw-id", ""), (card.record_words(ground), "gr-value", "")]
            alone = "; it confirms a term, not the relation"
            row["parts"] = [
                *parts,
                (f" at {pointer}{alone if piece.path == ENDS else ''}", "gr-faint", ""),
            ]
            if passage.absent:
                row["warning"] = (
                    "The recorded answer is not in this project. Ask the same question again, or"
                    " add a reference."
                )
        case ReferenceGround(reference=reference, locator=locator, note=note):
            words = [(f"{reference} ", "gw-id"), (f"{locator} ", ""), (note, "gr-note-words")]
            row["parts"] = [(part, classes, "") for part, classes in words if part]
            row["link"], row["document"] = web_address(reference), reference
    return row


def _table(passage: EvidenceView, quote: Span) -> Row:
    """The table that a quote stands in: headings, the rows around the quote, and which cells of
    them it points to, as [row, column].
    """
    assert passage.table is not None
    grid, cells = passage.table.grid, passage.table.cells
    marked = [(cell.row, cell.column) for cell in cells if cell.span.overlaps(quote)]
    middle = marked[0][0] if marked else 0
    first = max(0, min(middle - TABLE_ROWS // 2, len(grid.rows) - TABLE_ROWS))
    shown = grid.rows[first : first + TABLE_ROWS]
    return {
        "caption": passage.caption[:LONGEST_CELL],
        "columns": [name[:LONGEST_CELL] for name in grid.columns],
        "rows": [[cell[:LONGEST_CELL] for cell in row] for row in shown],
        "stub": grid.stub,
        "marked": [[row - first, column] for row, column in marked if row - first < len(shown)],
        "left": len(grid.rows) - len(shown),
    }


def _support_warning(card: StatementCard, piece: Evidence) -> str:
    """What the judges say where the words do not clearly say the statement."""
    support = card.support.get(piece.id)
    supports = support is None or support.verdict is SupportVerdict.SUPPORTS
    return "" if supports else support_words(support)


def _newer_text(passage: EvidenceView) -> str:
    """That the text was read again since, and whether it still says this."""
    if not passage.read_again:
        return ""
    if passage.still_said:
        return "This text has changed since it was read; the newer version contains the quote too."
    return (
        "This text has changed since it was read, and the newer version does not contain the "
        "quote. The evidence rests on the older one."
    )


def _sentence(card: StatementCard, passage: EvidenceView, span: Span) -> list[tuple[str, str, str]]:
    """The sentence with its neighbours: the quote marked, and in it what the statement's things
    were read from.
    """
    text = passage.before + passage.sentence + passage.after
    quote = Span(span.start + len(passage.before), span.end + len(passage.before))
    marks = [mark for mark in _words(card, passage) if mark.span.overlaps(quote)]
    shift = max(quote.start - MOST_WORDS // 2, 0) if len(text) > MOST_WORDS else 0
    clipped = text[shift : shift + MOST_WORDS]
    moved = [
        mark._replace(span=Span(mark.span.start - shift, mark.span.end - shift))
        for mark in _marks(quote, marks)
    ]
    pieces = text_segments(clipped, moved)
    before, after = ("… ", "", ""), (" …", "", "")
    cut = shift + MOST_WORDS < len(text)
    pieces = [*([before] if shift else []), *pieces, *([after] if cut else [])]
    return [(words, classes, title) for words, classes, title in pieces]


def _words(card: StatementCard, passage: EvidenceView) -> list[MarkedWords]:
    """Where the statement's things stand in what is shown."""
    readings = [
        reading
        for reading in card.readings
        if reading.run == passage.evidence.run and reading.spans
    ]
    return [
        MarkedWords(
            Span(span.start - passage.start, span.end - passage.start),
            reading.category,
            reading.role,
        )
        for reading in readings
        for span in reading.spans
        if span.start >= passage.start
    ]


def _marks(quote: Span, words: list[MarkedWords]) -> list[MarkedWords]:
    """The words' marks, and the quote's around and between them: marks do not nest."""
    quote_marks, at = [], quote.start
    for mark in sorted(words, key=lambda mark: mark.span.start):
        if mark.span.start >= at:
            quote_marks += [
                MarkedWords(Span(at, mark.span.start), Category.THING, "the quote", "quote"),
                mark,
            ]
            at = mark.span.end
    return (
        [*quote_marks, MarkedWords(Span(at, quote.end), Category.THING, "the quote", "quote")]
        if at < quote.end
        else quote_marks
    )


def _proof_words(passage: EvidenceView, support: Support | None) -> str:
    """A quote is proven where the text holds it and it says the statement; else only that it stands
    there is said.
    """
    if passage.proof != "quote":
        return PROOFS[passage.proof]
    if support is None or support.verdict is SupportVerdict.SUPPORTS:
        return PROOFS[passage.proof]
    return "○ the quote stands in the text"


def _source(card: StatementCard, passage: EvidenceView) -> str:
    piece: Evidence = passage.evidence
    agreed = card.rules.get(piece.rule)
    support = card.support.get(piece.id)
    words = [_proof_words(passage, support), STANDINGS[passage.standing]]
    if support:
        words.append(f"does it say so? {likelihood_words(support)}")
    if card.grounding is not None:
        words.append(f"is it that thing? {card.grounding:.0%}")
    words += [f"{engine_title(piece.engine)}, score {piece.score:.2f}"] if piece.engine else []
    words += [f"rule {piece.rule}{f': {agreed.words}' if agreed else ''}"] if piece.rule else []
    words += [passage.title] if passage.title else []
    return " · ".join(words)
