"""What a remote service of terms is: it makes one request of words, and reads candidates from the
answer. It is optional; nothing in the desk needs one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from core.curie import is_curie, underscored_id
from core.grounding.readers.record import identifier
from core.model import Candidate, Json, MatchKind, Term
from core.web import Fetch

MOST = 20  # candidates of one answer
LONGEST_LABEL = 300  # characters: an answer is data from outside

# words (or an id), a vocabulary's name ("" for all), the service's base URL, its token → request
Ask = Callable[[str, str, str, str], Fetch]


@dataclass(frozen=True, slots=True)
class RemoteService:
    """A service. `base` is its address; `needs_token` says that GROUNDWORK_TOKEN_NAME must be set;
    `takes` is what it is asked with, for the page.
    """

    name: str
    title: str
    base: str
    ask: Ask
    read: Callable[[Json], Iterable[Candidate]]
    takes: str = "words"
    needs_token: bool = False
    documentation: str = ""


def candidate(
    id: object, label: object, source: str, *, score: object = 0.0
) -> Iterator[Candidate]:
    """A candidate of an answer; none where its id is no CURIE in printable ASCII (a web address, a
    script, a line of text) and no known IRI.
    """
    written = str(id or "")
    term_id = identifier(written) or underscored_id(re.split(r"[/#]", written)[-1])
    if is_curie(term_id) and term_id.isascii() and term_id.isprintable():
        words = str(label or term_id)[:LONGEST_LABEL]
        share = float(score) if isinstance(score, int | float) else 0.0
        yield Candidate(
            Term(term_id, words), MatchKind.PARTIAL, min(1.0, max(0.0, share)), words,
            vocabulary=source[:80],
        )  # fmt: skip


def list_of_objects(answer: Json, *path: str) -> list[dict[str, Json]]:
    """The objects of a list inside an answer; nothing where it has another form."""
    for key in path:
        answer = answer.get(key) if isinstance(answer, dict) else None
    return (
        [row for row in answer[:MOST] if isinstance(row, dict)] if isinstance(answer, list) else []
    )
