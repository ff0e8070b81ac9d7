"""Text at entry: decoded once, checked once, never changed afterwards."""

from __future__ import annotations

import hashlib
import re

from core.errors import InputError
from core.model import TextVersion

MAX_TEXT = 2_000_000  # code points
_MAX_BYTES = 4 * MAX_TEXT
_BINARY = (
    b"%PDF-",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"\xd0\xcf\x11\xe0",
)
_CONTROL = re.compile(r"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffe\uffff]")
# Signs that nobody sees and that make two texts look alike, or one read backwards: zero-width
# space, word joiner and byte order mark inside a text, and bidirectional overrides and isolates.
# Joiners (U+200C, U+200D) and direction marks (U+200E, U+200F) stay: scripts and emoji need them.
_INVISIBLE = re.compile(r"[\u200b\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u206f]")
HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")


def clean_text(raw: bytes | str) -> str:
    r"""The text as the desk keeps it: Unicode, line ends LF, no byte order mark.

    Bytes are read as UTF-8 (UTF-16 and UTF-32 with a byte order mark), and as Windows-1252/Latin-1
    where they are not. Raises InputError for empty texts, NUL or binary content, and more than
    `MAX_TEXT` code points.

    >>> clean_text(b"\xef\xbb\xbfTitle\r\nBody")
    'Title\nBody'
    """
    text = raw if isinstance(raw, str) else _decode(raw)
    check_size(len(text), "characters")
    if "\0" in text:
        raise InputError(
            "The text contains NUL bytes, so it is not plain text.",
            "Save it as plain text (UTF-8).",
        )
    text = without_deceptive_signs(text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise InputError("The text is empty.", "Paste or upload a text with at least one word.")
    if len(_CONTROL.findall(text, 0, 20_000)) > 0.02 * min(len(text), 20_000) + 1:
        raise InputError("The text looks like a binary file.", "Save it as plain text (UTF-8).")
    return text


def without_deceptive_signs(text: str) -> str:
    r"""The text without signs that deceive the eye; NUL and lone surrogates, which databases and
    files refuse, become U+FFFD. What the store's door does with titles, names and notes.

    >>> without_deceptive_signs("BR\u200bCA1 \u202eevil")
    'BRCA1 evil'
    """
    if text.isascii():
        return text.replace("\0", "\ufffd")
    return HALF_CHARACTER.sub("\ufffd", _INVISIBLE.sub("", text)).replace("\0", "\ufffd")


def text_version(document: str, text: str, kind: str = "pasted") -> TextVersion:
    """A text of `document`, cleaned and named by its SHA-256."""
    text = clean_text(text)
    return TextVersion(hashlib.sha256(text.encode("utf-8")).hexdigest(), document, text, kind)


def check_size(size: int, unit: str, limit: int = MAX_TEXT) -> None:
    """Raises InputError for a text longer than any that is read."""
    if size > limit:
        raise InputError(
            f"The text is too long: {size:,} {unit}; at most {limit:,} are read at once.",
            "Split it, for example by chapter, and add the parts one by one.",
        )


def _decode(raw: bytes) -> str:
    check_size(len(raw), "bytes", _MAX_BYTES)
    if raw.startswith(_BINARY):
        raise InputError(
            "This is a binary file, not a text.", "Save it as plain text, or add a PDF as a PDF."
        )
    for mark, encoding in ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32")):
        if raw.startswith(mark):
            return _decoded(raw, encoding)
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _decoded(raw, "utf-16")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _single_byte(raw)


def _decoded(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError:
        raise InputError(
            f"The text says it is {encoding.upper()} but is not.", "Save it as UTF-8."
        ) from None


def _single_byte(raw: bytes) -> str:
    """Windows-1252 where every byte has a meaning there (curly quotes, dashes), else Latin-1."""
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
