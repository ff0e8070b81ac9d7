"""One piece of evidence as the browser gets it: words with their marks, or a recorded value, and
where it is from.
"""

from __future__ import annotations

from typing import Any

from core.model import (
    ENDS,
    Category,
    Evidence,
    RecordGround,
    ReferenceGround,
    Span,
    Support,
    SupportVerdict,
    TextGround,
)
from core.services.extract.engines import engine_title
from core.services.review.card import EvidenceView, StatementCard
from core.services.shared.screen import web_link
from core.services.support.shown_support import support_words
from pages.components.shared.text import MarkedWords, text_segments

Row = dict[str, Any]
PROOFS = {
    "quote": "✓ quote proven",
    "record": "✓ recorded answer",
    "typed": "typed by a curator",
    "none": "⚠ not proven",
}
STANDINGS = {"accepted": "✓ accepted", "waiting": "○ to be judged", "rejected": "✕ rejected"}
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
            return row | {"parts": _sentence(card, passage, passage.span)}
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
        words.append(f"does it say so? {support.probability:.0%}")
    if card.grounding is not None:
        words.append(f"is it that thing? {card.grounding:.0%}")
    words += [f"{engine_title(piece.engine)}, score {piece.score:.2f}"] if piece.engine else []
    words += [f"rule {piece.rule}{f': {agreed.words}' if agreed else ''}"] if piece.rule else []
    words += [passage.title] if passage.title else []
    return " · ".join(words)
