"""Why a file is no vocabulary that can be read, from its first bytes, in a sentence that says what
to do about it.
"""

from __future__ import annotations

import re

from core.errors import InputError

# A page of the web, be it XHTML or below a comment: what a download gives behind a sign-in.
_WEB_PAGE = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE
)
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_PDF = b"%PDF-"
_WORKBOOK = (b"[Content_Types].xml", b"xl/", b"mimetypeapplication/vnd.oasis.opendocument")
_OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"  # .xls


def refuse_other_files(head: bytes, name: str) -> None:
    """Raise InputError for what no reader can read, however it is called: a web page, a PDF, a
    spreadsheet, text in UTF-16. `head` is what the file begins with, unpacked.
    """
    if _WEB_PAGE.match(head.removeprefix(b"\xef\xbb\xbf")):
        raise InputError(
            f"{name} is a web page, not a vocabulary.",
            "Its address leads to a page about the file or asks to sign in: get the file itself.",
        )
    if head.startswith(_UTF_16) or _every_other_is_zero(head):
        raise InputError(f"{name} is text in UTF-16.", "Save it as UTF-8 (in Excel: “CSV UTF-8”).")
    if head.startswith(_PDF):
        raise InputError(f"{name} is a PDF.", "Vocabularies are read from tables and ontologies.")
    if head.startswith(_OLD_WORKBOOK) or (
        head.startswith(b"PK\x03\x04") and any(part in head for part in _WORKBOOK)
    ):
        raise InputError(f"{name} is a spreadsheet.", "Save its sheet as CSV, and add that.")


def _every_other_is_zero(head: bytes) -> bool:
    """Whether letters of one byte are written with two, as in UTF-16 without its mark."""
    even, odd = head[::2], head[1::2]
    return len(head) > 20 and any(
        zeros.count(0) > 0.9 * len(zeros) and letters.count(0) < 0.1 * len(letters)
        for zeros, letters in ((even, odd), (odd, even))
    )


def unknown_format(head: bytes, name: str, formats: str) -> InputError:
    """The error of a file that no reader knows: `formats` are those that can be read."""
    if b"\0" in head:
        return InputError(f"{name} is not text: it contains binary data.", f"Known: {formats}.")
    return InputError(f"{name} is in no format that is known.", f"Known: {formats}.")
