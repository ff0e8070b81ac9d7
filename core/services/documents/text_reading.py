"""What became of each letter of a text's source: kept where a source is read, shown as shares, and
looked at by a person before statements of a text with a gap are sent.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.desk_parts import HasStore
from core.documents.ledger import BLOCKING
from core.documents.paper import Paper
from core.errors import InputError
from core.model import Json, Role
from core.store import TextReading

__all__ = ["TextReading", "keep_readings", "look_at_reading", "shares_of", "text_reading"]

# What to do about it; verbs and buttons are named in words that both ways have
LOOK = "Compare with the source; then say that you have looked at it, and send."
UNSEEN = "unseen-reading"  # the code of a warning in a result of which nobody looked at the reading


def reading_of_paper(paper: Paper) -> TextReading | None:
    """What is kept of the reading of a paper; None where its reader keeps no ledger."""
    if paper.ledger is None:
        return None
    warnings = [
        f"{problem.message} {problem.hint}".strip()
        for problem in paper.problems
        if problem.code in BLOCKING
    ]
    return TextReading(paper.ledger.json(), tuple(warnings))


def keep_readings(desk: HasStore, readings: Sequence[tuple[str, TextReading | None]]) -> None:
    """Keep what was read of the sources of texts, as (SHA-256, reading)."""
    desk.store.text_readings.keep({sha: reading for sha, reading in readings if reading})


def text_reading(desk: HasStore, sha: str) -> TextReading | None:
    """What was read of the source of a stored text, where that is known."""
    return desk.store.text_readings.of_texts([sha]).get(sha)


def look_at_reading(desk: HasStore, document: str, curator: str, version: str = "") -> TextReading:
    """Note that a person looked at the warnings of a document's text: its newest, or the `version`
    of that SHA-256. Raises Forbidden for a reader, NotFound, and InputError where there is no
    warning.
    """
    desk.store.curators.need(curator, Role.CURATOR)
    own = desk.store.documents.get(document).id
    sha = version or next((text.sha for text in reversed(desk.store.documents.texts(own))), "")
    reading = text_reading(desk, sha)
    if reading is None or not reading.warnings:
        raise InputError(
            f"Nothing of the text of {own} is to be looked at.", "Its statements can be sent."
        )
    desk.store.text_readings.look_at([sha], curator)
    return reading


def shares_of(ledger: Json) -> list[tuple[str, float]]:
    """The shares of a ledger, 0 to 1, largest first; what is missing last."""
    shares = [(str(name), float(share)) for name, share in ledger["shares"].items() if share]
    return sorted(shares, key=lambda pair: (pair[0] == "missing", -pair[1]))
