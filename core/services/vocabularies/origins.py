"""Where vocabularies installed by name came from: address, checksum, time, licence."""

from __future__ import annotations

import json
from collections.abc import Mapping

from core.desk_parts import HasFolder, HasProject, HasVocabularies
from core.grounding.install.catalogue import RELEASES, VocabularyRelease
from core.whole_file import whole_file

ORIGINS = ".origins.json"


def vocabulary_origins(desk: HasFolder) -> dict[str, Mapping[str, str]]:
    """Name → {address, sha256, stamp, time, licence} of vocabularies that were installed by
    name.
    """
    try:
        stored_origins = json.loads((desk.vocabularies / ORIGINS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    rows = stored_origins.items() if isinstance(stored_origins, dict) else ()
    return {
        str(name): value if isinstance(value, dict) else {"address": str(value)}
        for name, value in rows
    }


def updatable_vocabularies(desk: HasVocabularies) -> list[str]:
    """Installed vocabularies of which the authority's current release can be downloaded."""
    own = desk.vocabulary_registry.own()
    return [name for name in vocabulary_origins(desk) if name in own and name in RELEASES]


def remember_origin(
    desk: HasProject, release: VocabularyRelease, address: str, sha256: str, *, stamp: str
) -> None:
    """Note where a release was downloaded, and which: `stamp` is its server's word for it."""
    row = {
        "address": address,
        "sha256": sha256,
        "stamp": stamp,
        "time": desk.clock(),
        "licence": release.licence,
    }
    with whole_file(desk.vocabularies / ORIGINS) as part:
        json.dump({**vocabulary_origins(desk), release.name: row}, part, indent=1, sort_keys=True)
