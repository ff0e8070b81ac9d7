"""Answers that only look like answers: block pages, empty bodies, malformed or cut JSON and XML, half reports.

`Careful` stands below the recorder, so that such bodies are asked for again and never stored as good. The pace, the
key, `tool` and `email`, Retry-After and the circuit breaker are the web client's, one layer further down.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from xml.etree import ElementTree as ET

from core.errors import BadAnswer, RemoteError
from core.ncbi.blast_report import status, submitted
from core.web import Fetch, Fetched, Fetcher

TRIES = 3
BLOCKED = ("error blocked", "access denied", "www error", "possible misuse", "forbidden")


@dataclass(slots=True)
class Careful:
    """Asks again when an answer is blocked, empty, malformed or cut; raises BadAnswer when it stays so.

    `pause(seconds)` waits between tries: 1, 2, … seconds times `scale`.
    """

    inner: Fetcher
    pause: Callable[[float], None] = time.sleep
    scale: float = 1.0

    def fetch(self, request: Fetch) -> Fetched:
        tries = 2 if submits(request) else TRIES  # a submission that got no request id is of no use
        for attempt in range(1, tries + 1):
            try:
                answer = self._once(request)
            except BadAnswer:
                if attempt == tries:
                    raise
            else:
                if not answer.cut or attempt == min(2, tries) or not is_report(request):
                    return answer
            self.pause(attempt * self.scale)
        raise AssertionError("unreachable")

    def _once(self, fetch: Fetch) -> Fetched:
        answer = self.inner.fetch(fetch)
        if refusal := said_no(fetch, answer.text):
            raise RemoteError(f"NCBI says: {refusal}.", "Check the question, or try again later.")
        trouble = wrong_with(fetch, answer.text)
        if trouble:
            raise BadAnswer(f"NCBI sent {trouble}.", "Try again in a minute; it may be busy or blocking this address.")
        return replace(answer, cut=True) if is_report(fetch) and _unfinished(answer.text) else answer


def submits(fetch: Fetch) -> bool:
    """A BLAST submission: asked once only."""
    return isinstance(fetch.data, tuple) and ("CMD", "Put") in fetch.data


def is_report(fetch: Fetch) -> bool:
    return dict(fetch.params).get("CMD") == "Get"


def _unfinished(text: str) -> bool:
    """A BLAST text report ends with its statistics."""
    return status(text) != "WAITING" and "Lambda" not in text and "No hits found" not in text


def wrong_with(fetch: Fetch, text: str) -> str:
    """What is wrong with an answer, in words that follow "NCBI sent"; nothing when it is usable."""
    start = text.lstrip()[:600].lower()
    given = dict(fetch.params)
    if start and submits(fetch) and not submitted(text).rid:
        return "a page without a BLAST request id"
    if not start:
        return "" if given.get("retmode") == "xml" else "an empty answer"
    if "qblastinfobegin" not in text[:200_000].lower() and any(word in start for word in BLOCKED):
        return "a block page instead of an answer"
    if given.get("retmode") == "json":
        return _wrong_json(text)
    if given.get("retmode") == "xml" and start.startswith("<"):
        return _wrong_xml(text)
    if is_report(fetch) and not status(text) and not start.startswith("<?xml"):
        return "a page without a status"
    return ""


def said_no(fetch: Fetch, text: str) -> str:
    """What an E-utility says instead of an answer (`<ERROR>…`): asking again is no use, and it is no answer to keep."""
    if is_report(fetch) or submits(fetch) or "<error>" not in text[:2000].lower() or "<IdList>" in text[:2000]:
        return ""
    found = re.search(r"<error>(.{1,300}?)</error>", text, re.S | re.I)
    return " ".join(found[1].split()) if found else "an error"


def _wrong_json(text: str) -> str:
    if text.lstrip().startswith("<"):  # elink answers in XML where it fails
        return "a web page instead of an answer" if "<html" in text[:400].lower() else _wrong_xml(text)
    try:
        json.loads(text, strict=False)
    except ValueError:
        return "JSON that cannot be read"
    return ""


def _wrong_xml(text: str) -> str:
    body = text[text.find("?>") + 2 :] if text.lstrip().startswith("<?xml") else text
    if body.lstrip().startswith("<!DOCTYPE"):
        body = body[body.find(">") + 1 :]
    if "<!ENTITY" in text:
        return "XML with entities of its own"
    try:
        ET.fromstring(f"<answer>{body}</answer>")
    except ET.ParseError:
        return "XML that cannot be read"
    return ""
