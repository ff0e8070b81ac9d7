"""Texts that evidence quotes and that are not in this project, as after an import: what is missing,
and giving it.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.desk_parts import HasStore
from core.errors import InputError
from core.kb.gate.proof import source_is_missing
from core.model import Evidence, TextGround, TextVersion
from core.services.people import roles
from core.services.review.authority import StoredSources
from core.text.clean import clean_text, text_version


def missing_texts(desk: HasStore, evidence: Iterable[Evidence]) -> list[tuple[str, str]]:
    """(document, SHA-256) of each text that is quoted and not stored, sorted."""
    sources = StoredSources(desk.store)
    grounds = (piece.ground for piece in evidence if source_is_missing(piece, sources))
    return sorted(
        {(ground.document, ground.version) for ground in grounds if isinstance(ground, TextGround)}
    )


def supply_text(
    desk: HasStore, document: str, sha: str, text: str | bytes, *, curator: str | None = None
) -> TextVersion:
    """Keep the text that evidence quotes: it must be the very same, but for white space at its
    ends.

    Raises InputError for another text: evidence of it would be new evidence. Raises Forbidden for
    a reader.
    """
    roles.require_role(desk, curator)
    words = clean_text(text)
    for form in dict.fromkeys((words, words.strip(), f"{words.strip()}\n")):
        version = text_version(document, form, "pasted")
        if version.sha == sha:
            stored_document = desk.store.documents.get(document)
            return desk.store.documents.add_text(
                TextVersion(sha, stored_document.id, form, version.kind)
            )
    raise InputError(
        f"This is not the text of {document} that was quoted: at least one character differs.",
        "Read it on Extract under the same id for evidence of its own, or add a reference with a"
        " place in it.",
    )
