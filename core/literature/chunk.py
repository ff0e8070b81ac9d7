"""A chunk: a passage of a document that can be ranked, ticked, quoted and cited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from core.model import Json, status_mark


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage. `id` is `document#section-or-kind@start`; `text` is `document text[start:start +
    len(text)]`.

    `version` is the SHA-256 of the text version the offsets count in, `kind` abstract or full text.
    `title` is the document's, and its words count as part of the chunk when it is ranked. `flags`:
    retracted, corrected, … as its source said when it was cut; `status`: what the project knows
    now, in words.
    """

    id: str
    document: str
    text: str
    start: int = 0
    version: str = ""
    section: str = ""
    kind: str = ""
    title: str = ""
    year: str = ""
    journal: str = ""
    authors: str = ""
    flags: tuple[str, ...] = ()
    status: str = ""

    @property
    def marked_title(self) -> str:
        """The title behind the mark of a paper that was retracted or corrected."""
        return f"{status_mark(self.status)}{self.title}"

    def row(self) -> Json:
        """Everything but the text."""
        return {name: value for name in _NAMES if name != "text" and (value := getattr(self, name))}


_NAMES = tuple(field.name for field in fields(Chunk))


def chunk_from_row(row: Mapping[str, Any], text: str) -> Chunk:
    fields = {key: value for key, value in row.items() if key in _NAMES}
    fields["flags"] = tuple(fields.get("flags", ()))
    return Chunk(**fields, text=text)
