"""Answers of BLAST that only look like answers: pages without a request id or a status, half
reports. Those of E-utilities are judged in `core.web.eutils`.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.ncbi.blast_formats import is_complete, is_json, is_xml2
from core.ncbi.blast_report import read_submission, report_status
from core.web import Fetch, eutils


@dataclass(slots=True)
class CheckedNcbiFetcher(eutils.CheckedFetcher):
    """E-utilities and BLAST. A submission that got no request id is sent again once only."""

    def tries(self, request: Fetch) -> int:
        return 2 if is_blast_submission(request) else eutils.TRIES

    def fault(self, fetch: Fetch, text: str) -> str:
        return answer_fault(fetch, text)

    def refusal(self, fetch: Fetch, text: str) -> str:
        return refusal_in(fetch, text)

    def is_report(self, fetch: Fetch) -> bool:
        return is_blast_report(fetch)

    def is_unfinished(self, text: str) -> bool:
        return _unfinished(text)


def is_blast_submission(fetch: Fetch) -> bool:
    """A BLAST submission: asked once only."""
    return isinstance(fetch.data, tuple) and ("CMD", "Put") in fetch.data


def is_blast_report(fetch: Fetch) -> bool:
    return dict(fetch.params).get("CMD") == "Get"


def _unfinished(text: str) -> bool:
    """A BLAST report in text ends with its statistics, one in XML with its root."""
    if is_json(text) or is_xml2(text):
        return not is_complete(text)
    if text.lstrip().startswith("<?xml"):
        return "</BlastOutput>" not in text
    ends = ("Lambda", "No hits found", "No significant similarity found")
    return report_status(text) in ("", "READY") and not any(end in text for end in ends)


def answer_fault(fetch: Fetch, text: str) -> str:
    """What is wrong with an answer, in words that follow "NCBI sent"; nothing when it is usable."""
    if text.strip() and is_blast_submission(fetch) and not read_submission(text).rid:
        return "a page without a BLAST request id"
    if fault := eutils.answer_fault(fetch, text):
        return fault
    has_no_status = is_blast_report(fetch) and not report_status(text) and not is_json(text)
    is_text_report = "Program: BLASTN" in text[:2000]
    if has_no_status and not is_text_report and not text.lstrip().startswith("<?xml"):
        return "a page without a status"
    return ""


def refusal_in(fetch: Fetch, text: str) -> str:
    """What an E-utility says instead of an answer, when asking again is no use; it is no answer to
    keep.
    """
    is_blast = is_blast_report(fetch) or is_blast_submission(fetch)
    return "" if is_blast else eutils.refusal_in(text)
