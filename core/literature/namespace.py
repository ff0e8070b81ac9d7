"""What a namespace is asked for and how its index is stored."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.literature.index.chunking import ChunkSize
from core.model import Json, json_digest
from core.text.clean import without_deceptive_signs

NAME = re.compile(r"[^\s/\\][^/\\\x00-\x1f]{0,79}")


@dataclass(frozen=True, slots=True)
class PubMedQuery:
    """A PubMed query. Dates are YYYY/MM/DD of publication, "" open; `reviews`: with, without or
    only.
    """

    terms: str
    since: str = ""
    until: str = ""
    reviews: str = "with"
    full_text: bool = False

    def json(self) -> Json:
        return {
            "terms": self.terms,
            "since": self.since,
            "until": self.until,
            "reviews": self.reviews,
            "full_text": self.full_text,
        }


def query_of(value: Json) -> PubMedQuery | None:
    """A stored query; None when the namespace is fed by hand."""
    if not isinstance(value, dict) or not str(value.get("terms", "")).strip():
        return None
    return PubMedQuery(
        str(value["terms"]),
        str(value.get("since", "")),
        str(value.get("until", "")),
        reviews=str(value.get("reviews", "with")),
        full_text=bool(value.get("full_text")),
    )


def checked_name(name: str) -> str:
    name = without_deceptive_signs(name).strip()
    if not NAME.fullmatch(name):
        raise InputError("A namespace's name has 1 to 80 characters and no slash.")
    return name


def index_folder(indexes: Path, name: str) -> Path:
    """Where the index of a namespace lies; names that differ only in case or signs get folders of
    their own.
    """
    slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:40] or "namespace"
    return indexes / "literature" / f"{slug}-{json_digest(name)[:8]}"


def index_key(name: str, created: str, version: int, settings: Json) -> str:
    """What an index is made from: when it differs, the index is rebuilt."""
    cutting = ChunkSize.of(settings)
    return json_digest([name, created, version, cutting.size, cutting.overlap])[:24]
