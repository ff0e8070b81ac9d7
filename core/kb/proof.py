"""Whether evidence still proves anything: the words are in the text, the value is in the answer (DESIGN §4)."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Protocol

from core.model import Call, CallState, Evidence, Json, RecordGround, ReferenceGround, TextGround


class Proof(StrEnum):
    QUOTE = "quote"  # the text version holds these words at this place
    RECORD = "record"  # a stored answer holds this value
    TYPED = "typed"  # a curator's word: a reference
    NONE = "none"


class Sources(Protocol):
    """What evidence is checked against."""

    def text(self, version: str) -> str | None:
        """The text of a version (SHA-256), or None."""
        ...

    def call(self, identifier: str) -> Call | None:
        """A stored call, or None."""
        ...


def proof(evidence: Evidence, sources: Sources) -> Proof:
    match evidence.ground:
        case TextGround(version=version, span=span, quote=quote):
            text = sources.text(version)
            return Proof.QUOTE if quote.strip() and text is not None and span.quote(text) == quote else Proof.NONE
        case RecordGround(call=call, pointer=pointer, value=value):
            found = sources.call(call)
            good = found is not None and found.state is CallState.DONE and holds(found.answer, pointer, value)
            return Proof.RECORD if good else Proof.NONE
        case ReferenceGround(reference=reference):
            return Proof.TYPED if reference.strip() else Proof.NONE


def supported(evidence: Evidence, sources: Sources) -> bool:
    """A proven quote or a recorded call; a curator's reference is neither, and cannot be approved in bulk."""
    return proof(evidence, sources) in (Proof.QUOTE, Proof.RECORD)


def absent(evidence: Evidence, sources: Sources) -> bool:
    """Whether the text or the answer that would prove it is not there at all, as after an import from elsewhere."""
    match evidence.ground:
        case TextGround(version=version):
            return sources.text(version) is None
        case RecordGround(call=call):
            return sources.call(call) is None
    return False


def holds(answer: Json, pointer: str, value: str) -> bool:
    """Whether the answer has the value at the pointer (RFC 6901), or anywhere where the pointer is no such path."""
    if not value:
        return False
    if pointer.startswith("/"):
        found = resolve(answer, pointer)
        if found is not None:
            return plain(found) == value or value in plain(found)
    return value in (answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False))


def resolve(answer: Json, pointer: str) -> Json:
    """The value at a JSON pointer, or None."""
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(answer, dict) and name in answer:
            answer = answer[name]
        elif isinstance(answer, list) and name.isdigit() and int(name) < len(answer):
            answer = answer[int(name)]
        else:
            return None
    return answer


def plain(found: Json) -> str:
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
