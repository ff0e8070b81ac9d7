"""The most that an endpoint may send as an answer, a list of models, or its reason for refusing.

A stream has limits of its own (`reply_reader`); everything else is read here piece by piece, so
that no answer fills the memory, packed or not.
"""

from __future__ import annotations

from typing import Any

LARGEST_ANSWER = 32 << 20  # bytes: far more than thoughts, words or vectors of one request take
LARGEST_FILE = 1 << 30  # of the answers of a whole batch
FILE = "/content"  # how the address of a file's contents ends


class AnswerTooLarge(Exception):
    """An answer that was not read to its end, because of its size in bytes."""

    def __init__(self, limit: int):
        super().__init__(f"longer than {limit >> 20} MB")
        self.limit = limit


def read_within_limit(response: Any, as_stream: bool = False) -> None:
    """Reads the body of a response of the HTTP package as soon as its head is there; not that of a
    stream where it is taken `as_stream`. Raises AnswerTooLarge.
    """
    kind = str(response.headers.get("content-type", "")).casefold()
    if as_stream and "event-stream" in kind and response.status_code < 400:
        return
    limit = LARGEST_FILE if response.request.url.path.endswith(FILE) else LARGEST_ANSWER
    pieces, size = [], 0
    for piece in response.iter_bytes():
        size += len(piece)
        if size > limit:
            raise AnswerTooLarge(limit)
        pieces.append(piece)
    response._content = b"".join(pieces)  # as its own `read` does
