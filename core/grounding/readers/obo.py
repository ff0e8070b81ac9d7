"""OBO 1.2 and 1.4 flat files: terms, and relations ([Typedef]). Tags that no term is made of are
counted in the ledger.

What a cross-reference means is read where the file says it: Mondo's `{source="MONDO:equivalentTo"}`
behind it, and the heading's `treat-xrefs-as-equivalent: FMA` and its like (OBO 1.4, 4.4.2).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from core.curie import is_known_prefix, preferred_prefix
from core.errors import InputError
from core.grounding.readers.record import (
    SynonymScope,
    TermName,
    TermRecord,
    VocabularyReading,
    identifier,
)
from core.grounding.readers.source import numbered_lines
from core.model.mapping import SAME_THING

SUFFIXES = (".obo",)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(EXACT|NARROW|BROAD|RELATED)?')
_STANZA = re.compile(r"\[([^\]]+)\]\s*(?:!.*)?$")  # [Term] ! made by a script
_IDSPACE = re.compile(r"(\S+)\s+(https?://\S+)")
_KEPT = frozenset(
    ("id", "name", "synonym", "is_a", "relationship", "alt_id", "is_obsolete", "replaced_by", "def",
     "consider", "idspace", "ontology", "data-version", "date", "format-version", "xref",
     "equivalent_to", "property_value")
)  # fmt: skip
_TREATED = "treat-xrefs-as-"  # is_a, has-subclass, genus-differentia …: whatever is not equivalent
# Mondo: {source="MONDO:equivalentTo"}, or of a near thing {source="MONDO:relatedTo"}; the ids that
# stand there too ({source="DOID:2841"}) say only where it is from
_SAID = re.compile(r'\bsource="\w+:([a-z]\w*)"')
_SAME_VALUE = re.compile(r"(\S+)\s+(\S+)")  # skos:exactMatch MESH:D001249
_RELATIONS = ("RO", "BFO")  # whose ids stand as xref of a relation with a name for its id
_TAG = re.compile(r"([A-Za-z0-9_\-]+):\s*(.*)")


def fits(head: bytes) -> bool:
    return (
        b"\0" not in head
        and re.search(rb"^(format-version:|\[Term\]|ontology:)", head, re.MULTILINE) is not None
    )


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    kind, tags, start = "header", defaultdict[str, list[str]](list), 1
    treated: dict[str, bool] = {}  # prefix → whether its cross-references are the same things
    for number, line in numbered_lines(path, reading):
        if stanza := _STANZA.match(line):
            yield from _stanza(kind, tags, reading, start=start, treated=treated)
            kind, tags, start = stanza[1].strip(), defaultdict(list), number
        elif match := _TAG.match(line):
            tags[match[1]].append(match[2])
        elif line.strip() and not line.startswith("!"):
            reading.trouble(
                "malformed-line", f"{line[:60]!r} is not a tag and a value.", f"line {number}"
            )
    if kind == "header":
        raise InputError(f"{path.name} contains no terms.", "Choose another file.")
    yield from _stanza(kind, tags, reading, start=start, treated=treated)


def _stanza(
    kind: str,
    tags: dict[str, list[str]],
    reading: VocabularyReading,
    *,
    start: int,
    treated: dict[str, bool],
) -> Iterator[TermRecord]:
    for tag in tags.keys() - _KEPT:
        if kind == "header" and tag.startswith(_TREATED):
            continue
        reading.ledger.leave("tag" if kind != "header" else "heading", tag, len(tags[tag]))
    if kind == "header":
        reading.name = _first(tags, "ontology").removesuffix(".obo")
        reading.version = _first(tags, "data-version") or _first(tags, "date")
        for value in tags["idspace"]:
            if match := _IDSPACE.match(value):
                reading.prefixes[match[1]] = match[2]
        for tag in [tag for tag in tags if tag.startswith(_TREATED)]:
            same = tag == f"{_TREATED}equivalent"
            treated |= {preferred_prefix(value.split()[0]): same for value in tags[tag] if value}
    elif kind not in ("Term", "Typedef"):
        reading.ledger.leave("stanza", kind)
    elif curie := _id(tags, kind):
        _note_prefix(curie, reading)
        _count_unkept(tags, reading)
        term = _term(curie, tags, f"line {start}", is_relation=kind == "Typedef")
        exact, xrefs = _references(tags, treated)
        yield replace(term, exact=exact, xrefs=xrefs) if exact or xrefs else term
    elif kind == "Typedef":
        reading.ledger.leave("relation", _first(tags, "id"))
    else:
        message = f"{_first(tags, 'id')[:60]!r} is not an id."
        reading.trouble("malformed-id", message, f"line {start}")


def _id(tags: dict[str, list[str]], kind: str) -> str:
    """The id of a stanza; of a relation called by a name (`part_of`) that of its xref."""
    if (curie := identifier(_bare(_first(tags, "id")))) or kind == "Term":
        return curie
    xrefs = (identifier(_bare(value)) for value in tags["xref"])
    return next((xref for xref in xrefs if xref.partition(":")[0] in _RELATIONS), "")


def _count_unkept(tags: dict[str, list[str]], reading: VocabularyReading) -> None:
    """Count cross-references that are no ids, and property values that tie no ids."""
    unkept = sum(not identifier(_first_word(value)) for value in tags["xref"])
    if unkept:
        reading.ledger.leave("tag", "xref", unkept)
    others = sum(not _same_value(value) for value in tags["property_value"])
    if others:
        reading.ledger.leave("tag", "property_value", others)


def _references(
    tags: dict[str, list[str]], treated: dict[str, bool]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ids that a stanza calls the same, and those that it only refers to; without those of a
    near thing, and those that the heading treats as something else.
    """
    exact = [*_ids(tags["equivalent_to"]), *filter(None, map(_same_value, tags["property_value"]))]
    xrefs: list[str] = []
    for value in tags["xref"]:
        id = identifier(_first_word(value))
        said = _SAID.findall(value)
        same = treated.get(id.partition(":")[0], None if not said else "equivalentTo" in said)
        if id and same is not False:
            (exact if same else xrefs).append(id)
    return tuple(dict.fromkeys(exact)), tuple(dict.fromkeys(xrefs))


def _same_value(value: str) -> str:
    """The id in `skos:exactMatch MESH:D001249`; empty for another property."""
    match = _SAME_VALUE.match(_bare(value))
    return identifier(match[2].strip('"')) if match and match[1] in SAME_THING else ""


def _first_word(value: str) -> str:
    return _bare(value).split(' "')[0].strip()


def _note_prefix(curie: str, reading: VocabularyReading) -> None:
    """Note the IRI of a prefix that only the file knows, by its `idspace`."""
    prefix = curie.partition(":")[0]
    if prefix in reading.prefixes and not is_known_prefix(prefix):
        reading.iris.setdefault(prefix, reading.prefixes[prefix])


def _term(curie: str, tags: dict[str, list[str]], where: str, *, is_relation: bool) -> TermRecord:
    replaced = [identifier(_bare(value)) for value in tags["replaced_by"]]
    definition = _QUOTED.match(_first(tags, "def"))
    return TermRecord(
        curie,
        _unescaped(_uncommented(_first(tags, "name"))),
        (
            *(
                TermName(_unescaped(value))
                for value in map(_uncommented, tags["name"][1:])
                if value
            ),
            *(name for value in tags["synonym"] if (name := _name(value))),
        ),
        parents=_ids(tags["is_a"]),
        related=tuple(edge for value in tags["relationship"] if (edge := _edge(value))),
        alternative=_ids(tags["alt_id"]),
        obsolete=_first(tags, "is_obsolete").startswith("true"),
        replaced_by=replaced[0] if replaced else "",
        definition=_unescaped(definition[1]) if definition else "",
        where=where,
        consider=_ids(tags["consider"]),
        relation=is_relation,
    )


def _ids(values: list[str]) -> tuple[str, ...]:
    return tuple(id for value in values if (id := identifier(_bare(value))))


def _first(tags: dict[str, list[str]], tag: str) -> str:
    return tags[tag][0].strip() if tags.get(tag) else ""


def _bare(value: str) -> str:
    """A value without its comment and trailing modifiers."""
    return _uncommented(value).split(" {")[0].strip()


def _uncommented(value: str) -> str:
    """`delta body` of `delta body ! made by a script`."""
    return value.split(" ! ")[0].strip()


def _name(value: str) -> TermName | None:
    match = _QUOTED.match(value)
    return (
        TermName(_unescaped(match[1]), SynonymScope(match[2] or "RELATED"))
        if match and match[1].strip()
        else None
    )


def _edge(value: str) -> tuple[str, str] | None:
    parts = _bare(value).split()
    target = identifier(parts[1]) if len(parts) >= 2 else ""
    return (parts[0], target) if target else None


def _unescaped(text: str) -> str:
    return re.sub(
        r"\\(.)", lambda escape: {"n": "\n", "t": "\t", "W": " "}.get(escape[1], escape[1]), text
    ).strip()
