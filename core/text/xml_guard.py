"""XML entities that a document declares for itself: a few hundred bytes can mean gigabytes."""

from __future__ import annotations

import re

from core.errors import InputError

# <!ENTITY name "value"> as vocabularies use it for namespaces; the value is group 1, or for an
# entity of another file the word SYSTEM or PUBLIC
_ENTITY = re.compile(rb"<!ENTITY\s+(?:%\s+)?[^\s>]{1,200}\s+(?:\"([^\"]*)\"|'([^']*)'|(\w+))")
LONGEST = 500  # bytes of a namespace
MOST = 500  # entities


def refuse_entities(head: bytes, name: str) -> None:
    """`head` is the beginning of an XML file, as far as its document type reaches.

    Short entities, such as OWL files declare for namespaces, pass. Raises InputError for one that
    holds another entity, is long, or stands in another file, and for more than `MOST`.
    """
    entities = _ENTITY.findall(head)
    values = [double or single for double, single, _ in entities]
    if (
        len(entities) > MOST
        or any(b"&" in value.replace(b"&#", b"") or len(value) > LONGEST for value in values)
        or any(outside for _, _, outside in entities)
        or head.count(b"<!ENTITY") > len(entities)
    ):
        raise InputError(
            f"{name} declares XML entities that are nested, long, or in other files.",
            "Such files are not read. Save it without a document type (<!DOCTYPE …>).",
        )
