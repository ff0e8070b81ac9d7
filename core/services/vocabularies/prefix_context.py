"""The prefixes of a project: their IRIs, from its schemas, from the vocabularies and mappings that
came in, and from its curators, who are asked for what no file says. Readers, the gate and exports
use the one context.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from core.curie import contract_iri, is_known_prefix, preferred_prefix
from core.desk_parts import HasFolder, HasProjectTerms, HasVocabularies
from core.errors import GroundworkError, InputError
from core.services.people import roles
from core.services.review.authority import loadable_schemas, prefixes_of_schemas
from core.whole_file import whole_file

FILE = ".prefixes.json"  # in the project's folder of vocabularies: prefix → IRI
_PREFIX = re.compile(r"[A-Za-z_][\w.-]*")
_SCHEMES = ("http://", "https://")


def project_prefixes(desk: HasFolder) -> dict[str, str]:
    """Prefix → IRI of all that the project knows beside the app's own; a schema's goes first."""
    return said_prefixes(desk) | prefixes_of_schemas(loadable_schemas(desk))


def said_prefixes(desk: HasFolder) -> dict[str, str]:
    """What files and curators said, apart from schemas."""
    try:
        rows = json.loads((desk.vocabularies / FILE).read_text(encoding="utf-8"))
        return {str(prefix): str(iri) for prefix, iri in rows.items()}
    except (OSError, ValueError, AttributeError):
        return {}


def keep_prefixes(desk: HasFolder, iris: Mapping[str, str]) -> None:
    """Keep the prefixes that a file declares; what the project knows already goes first."""
    known = said_prefixes(desk)
    new = {
        prefix: iri
        for prefix, iri in iris.items()
        if prefix not in known and not is_known_prefix(prefix) and iri.startswith(_SCHEMES)
    }
    if new:
        _write(desk, known | new)


def say_prefix(desk: HasProjectTerms, prefix: str, iri: str, curator: str | None = None) -> None:
    """Remember the IRI that a person gives a prefix. Raises InputError for what is no IRI or a
    prefix that the app knows; Forbidden for a reader.
    """
    roles.require_role(desk, curator)
    address = checked_prefix(prefix, iri)
    _write(desk, said_prefixes(desk) | {prefix.strip(): address})


def checked_prefix(prefix: str, iri: str) -> str:
    """The IRI of a prefix as it is kept. Raises InputError for what is no IRI or no prefix, and for
    a prefix that the app knows.
    """
    address = iri.strip()
    if not _PREFIX.fullmatch(prefix.strip()):
        raise InputError(
            f"{prefix[:40]!r} is not a prefix.", "Say it as LAB=https://example.org/lab/."
        )
    if is_known_prefix(prefix):
        raise InputError(
            f"The IRI of {preferred_prefix(prefix)} is known.", "Nothing is to be done."
        )
    if not address.startswith(_SCHEMES) or any(sign in address for sign in ' <>"{}|\\^`'):
        raise InputError(
            f"{address[:80]!r} is not an IRI.", "Give one such as https://example.org/lab/."
        )
    return address


def unknown_prefixes(desk: HasVocabularies, name: str) -> tuple[str, ...]:
    """The prefixes of a vocabulary's ids for which there is no IRI: statements with them are held
    back from exports until somebody gives one.
    """
    try:
        prefixes = desk.vocabulary_registry.lexicon(name).prefixes
    except GroundworkError:
        return ()
    return without_iri(desk, prefixes)


def without_iri(desk: HasFolder, prefixes: Iterable[str]) -> tuple[str, ...]:
    """Those of these prefixes for which there is no IRI, in their order."""
    strange = [prefix for prefix in prefixes if not is_known_prefix(prefix)]
    known = project_prefixes(desk) if strange else {}
    return tuple(prefix for prefix in strange if prefix not in known)


def question_words(prefixes: Iterable[str]) -> str:
    """What a person is asked for these prefixes; empty for none."""
    names = ", ".join(prefixes)
    return (
        f"No IRI is known for {names}: statements with such ids are held back from exports until"
        " one is given."
        if names
        else ""
    )


def curie_in_context(text: str, declared: Mapping[str, str]) -> str:
    """The CURIE of an id of a file that declares its own prefixes: by the IRI that they stand for,
    so that another name of a known prefix is that prefix. Empty for what is none.
    """
    words = text.strip()
    prefix, colon, local = words.partition(":")
    if colon and prefix in declared and not local.startswith("//"):
        words = declared[prefix] + local
        return contract_iri(words) or contract_iri(words, declared)
    if words.startswith(_SCHEMES):
        return contract_iri(words) or contract_iri(words, declared)
    return ""


def _write(desk: HasFolder, prefixes: Mapping[str, str]) -> None:
    desk.vocabularies.mkdir(parents=True, exist_ok=True)
    with whole_file(desk.vocabularies / FILE) as part:
        json.dump(prefixes, part, indent=1, sort_keys=True)
