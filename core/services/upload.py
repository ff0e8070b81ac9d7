"""Files that a curator brings to the Extract page, as plain text."""

from __future__ import annotations

import io

from core.errors import InputError
from core.text.document import clean

MAX_PAGES = 400


def text_of(name: str, data: bytes) -> str:
    """The words of a text or PDF file. Raises InputError for a file that has none, is locked, or is too large."""
    if name.casefold().endswith(".pdf") or data[:5] == b"%PDF-":
        return clean(_pdf(name, data))
    return clean(data)


def _pdf(name: str, data: bytes) -> str:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(f"{name} is locked with a password.", "Unlock it, or paste its text.")
        if len(reader.pages) > MAX_PAGES:
            raise InputError(f"{name} has {len(reader.pages)} pages.", f"At most {MAX_PAGES} are read: split the file.")
        pages = [page.extract_text() for page in reader.pages]
    except InputError:
        raise
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError, OSError) as error:
        raise InputError(f"{name} cannot be read as a PDF.", "Paste its text instead.") from error
    found = "\n\n".join(page.strip() for page in pages if page.strip())
    if not found:
        raise InputError(f"{name} holds no text, only pictures of it.", "Run a text recognition on it first.")
    return found
