"""Answers of E-utilities that only look like answers: block pages, empty bodies, malformed or cut
JSON and XML.

`CheckedFetcher` stands below the recorder, so that such bodies are asked for again and never stored
as good. The pace, the key, `tool` and `email`, Retry-After and the circuit breaker are the web
client's, one layer further down.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from xml.etree import ElementTree as ET

from core.errors import BadAnswer, NotServed, RemoteError
from core.web.request import Attempt, Fetch, Fetched, Fetcher

TRIES = 3
PASSING = re.compile(  # words of trouble that passes
    r"rate limit|too many|backend|busy|time[d -]*out|unavailable|try"
    r" (?:again|later)|overload|temporar|exlinksrv"
    r"|internal|server error|maintenance",
    re.I,
)
BLOCKED = ("error blocked", "access denied", "www error", "possible misuse", "forbidden")


@dataclass(slots=True)
class CheckedFetcher:
    """Asks again when an answer is blocked, empty, malformed or cut; raises BadAnswer when it stays
    so.

    `pause(seconds)` waits between tries: 1, 2, … seconds times `scale`. What else is asked of NCBI
    than E-utilities (BLAST) has its own `tries`, `fault`, `refusal` and `is_report`.
    """

    inner: Fetcher
    pause: Callable[[float], None] = time.sleep
    scale: float = 1.0

    def tries(self, request: Fetch) -> int:
        """How often a request is sent at most."""
        return TRIES

    def fault(self, fetch: Fetch, text: str) -> str:
        """What is wrong with an answer, in words that follow "NCBI sent"; "" for a usable one."""
        return answer_fault(fetch, text)

    def refusal(self, fetch: Fetch, text: str) -> str:
        """What is said instead of an answer, when asking again is no use."""
        return refusal_in(text)

    def is_report(self, fetch: Fetch) -> bool:
        """Whether a part of the answer is of use where no more comes."""
        return False

    def is_unfinished(self, text: str) -> bool:
        """Whether a report lacks its end."""
        return False

    def fetch(self, request: Fetch) -> Fetched:
        tries = self.tries(request)
        tried: list[Attempt] = []
        for attempt in range(1, tries + 1):
            try:
                answer = self._once(request)
            except BadAnswer as error:
                tried += error.attempts
                if attempt == tries or isinstance(error, NotServed):
                    error.attempts = tuple(tried)
                    raise
            else:
                if not answer.cut or attempt >= 2 or not self.is_report(request):
                    return replace(answer, attempts=(*tried, *answer.attempts))
                tried += (*answer.attempts, answer.attempt("NCBI sent only part of the report"))
            self.pause(attempt * self.scale)
        raise AssertionError("unreachable")

    def _once(self, fetch: Fetch) -> Fetched:
        answer = self.inner.fetch(fetch)
        if refusal := self.refusal(fetch, answer.text):
            tool = fetch.url.rpartition("/")[2].removesuffix(".fcgi")
            kind = (
                NotServed if tool in refusal.lower() else RemoteError
            )  # what is wrong is the tool, or what was asked
            refused = kind(f"NCBI says: {refusal}.", "Check the question, or try again later.")
            refused.attempts = (*answer.attempts, answer.attempt(refused.message))
            raise refused
        trouble = self.fault(fetch, answer.text)
        if trouble and answer.cut:
            too_large = RemoteError(
                f"NCBI's answer is larger than {fetch.max_bytes / 1e6:,.0f} MB, and a part of it"
                " cannot be read.",
                "Narrow the question.",
            )
            too_large.attempts = (*answer.attempts, answer.attempt(too_large.message))
            raise too_large
        if trouble:
            useless = BadAnswer(
                f"NCBI sent {trouble}.",
                "Try again in a minute; it may be busy or blocking this address.",
            )
            useless.attempts = (*answer.attempts, answer.attempt(useless.message))
            raise useless
        unfinished = self.is_report(fetch) and self.is_unfinished(answer.text)
        return replace(answer, cut=True) if unfinished else answer


def answer_fault(fetch: Fetch, text: str) -> str:
    """What is wrong with an answer, in words that follow "NCBI sent"; nothing when it is usable."""
    start = text.lstrip()[:600].lower()
    params = dict(fetch.params)
    if not start:
        return _nothing(fetch, params)
    if is_block_page(text):
        return "a block page instead of an answer"
    if params.get("retmode") == "json":
        return _wrong_json(text)
    if params.get("retmode") == "xml" and start.startswith("<"):
        return _wrong_xml(text)
    return ""


def is_block_page(text: str) -> bool:
    """Whether NCBI says that it blocks this address; a report of BLAST may quote such words."""
    start = text.lstrip()[:600].lower()
    is_blast = "qblastinfobegin" in text[:200_000].lower()
    return not is_blast and any(word in start for word in BLOCKED)


def _nothing(fetch: Fetch, params: dict[str, str]) -> str:
    """What an empty body lacks. Some tools answer so in XML where they have nothing; PubMed's
    efetch sends an empty set of articles.
    """
    if params.get("retmode") != "xml":
        return "an empty answer"
    if params.get("db") != "pubmed" or not fetch.url.endswith("efetch.fcgi"):
        return ""
    pmids = [pmid for pmid in str(params.get("id", "")).split(",") if pmid]
    more = f" and {len(pmids) - 1} more" if len(pmids) > 1 else ""
    return f"nothing for PMID {pmids[0]}{more}" if pmids else "an empty answer"


def refusal_in(text: str) -> str:
    """What an E-utility says instead of an answer, when asking again is no use; it is no answer to
    keep.
    """
    refusal = _error_in(text)
    return "" if PASSING.search(refusal) else refusal


def _error_in(text: str) -> str:
    """The error that an E-utility says in XML, or in JSON beside or in place of its answer; nothing
    for an answer.
    """
    if "<error>" in text[:2000].lower() and "<IdList>" not in text[:2000]:
        match = re.search(r"<error>(.{1,300}?)</error>", text, re.S | re.I)
        return " ".join(match[1].split()) if match else "an error"
    try:
        body = json.loads(text, strict=False) if text.lstrip().startswith("{") else {}
    except (ValueError, RecursionError):
        return ""
    sets = (body.get("linksets") if isinstance(body, dict) else None) or []
    good = [
        link_set for link_set in sets if isinstance(link_set, dict) and not (link_set.get("ERROR"))
    ]
    # of several link sets one may fail: that is counted with the answer, not an error of all
    parts = (
        [body, body.get("esearchresult"), *([] if good else sets)] if isinstance(body, dict) else []
    )
    error_text = next(
        (
            part[key]
            for part in parts
            if isinstance(part, dict)
            for key in ("error", "ERROR")
            if part.get(key)
        ),
        "",
    )
    return " ".join(str(error_text).split())[:300]


def _wrong_json(text: str) -> str:
    if text.lstrip().startswith("<") and "<html" in text[:400].lower():
        return "a web page instead of an answer"
    if refusal := _error_in(text):
        return f"an error in place of an answer ({refusal[:120]})"
    if text.lstrip().startswith("<"):  # elink answers in XML where it fails
        return _wrong_xml(text)
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
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
