"""Whether evidence still proves anything: the words are in the text, the value is in the answer
(docs/architecture.md, Contracts).
"""

from __future__ import annotations

import html
import json
from enum import StrEnum
from typing import Protocol

from core.model import Call, CallState, Evidence, Json, RecordGround, ReferenceGround, TextGround
from core.text.json_pointer import pointer_span


class EvidenceProof(StrEnum):
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


def prove_evidence(evidence: Evidence, sources: Sources) -> EvidenceProof:
    match evidence.ground:
        case TextGround(version=version, span=span, quote=quote):
            text = sources.text(version)
            return (
                EvidenceProof.QUOTE
                if quote.strip() and text is not None and span.quote(text) == quote
                else EvidenceProof.NONE
            )
        case RecordGround(call=call, pointer=pointer, value=value):
            recorded_call = sources.call(call)
            good = (
                recorded_call is not None
                and recorded_call.state is CallState.DONE
                and answer_holds(recorded_call.answer, pointer, value)
            )
            return EvidenceProof.RECORD if good else EvidenceProof.NONE
        case ReferenceGround(reference=reference):
            return EvidenceProof.TYPED if reference.strip() else EvidenceProof.NONE


def is_supported(evidence: Evidence, sources: Sources) -> bool:
    """A proven quote or a recorded call; a curator's reference is neither, and cannot be approved
    in bulk.
    """
    return prove_evidence(evidence, sources) in (EvidenceProof.QUOTE, EvidenceProof.RECORD)


def source_is_missing(evidence: Evidence, sources: Sources) -> bool:
    """Whether the text or the answer that would prove it is not there at all, as after an import
    from elsewhere.
    """
    match evidence.ground:
        case TextGround(version=version):
            return sources.text(version) is None
        case RecordGround(call=call):
            return sources.call(call) is None
    return False


def answer_holds(answer: Json, pointer: str, value: str) -> bool:
    """Whether the body of a stored answer says the value where the pointer leads.

    In JSON the pointer (RFC 6901) must lead to the value, or to a text with these words in it. XML
    and plain text (a report of BLAST) are read through: the words must stand in them alone, white
    space and XML escapes aside.

    >>> record = {"gene": {"symbol": "TP53", "chromosome": "17"}}
    >>> answer_holds(record, "/gene/symbol", "TP53"), answer_holds(record, "/gene/symbol", "17")
    (True, False)
    """
    if not value.strip() or answer is None:
        return False
    body = answer.get("text", answer) if isinstance(answer, dict) else answer
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    if pointer.startswith("/") and text.lstrip()[:1] in ("{", "["):
        place = pointer_span(text, pointer)
        return place is not None and _says(_json_text(place.quote(text)), value)
    return _says(html.unescape(text), value)


def _json_text(json_text: str) -> str:
    """A value as JSON writes it; a text without its quotes and escapes."""
    return str(json.loads(json_text, strict=False)) if json_text.startswith('"') else json_text


def _says(text: str, value: str) -> bool:
    return pointer_span(" ".join(text.split()), "", " ".join(value.split())) is not None
