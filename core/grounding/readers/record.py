"""What a vocabulary file says, in the form every reader gives it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from core.curie import (
    contract_iri,
    curie_as_written,
    is_address,
    is_known_prefix,
    preferred_prefix,
    underscored_id,
)
from core.grounding.readers.ledger import Ledger
from core.model import Problem, Severity

_ID = re.compile(r"([A-Za-z_][\w.\-]*):([^\s\"<>]+)")
SHOWN_PROBLEMS = 200


class SynonymScope(StrEnum):
    """How a name relates to its term; PREVIOUS is a name that the term had (HGNC)."""

    LABEL = "label"
    EXACT = "EXACT"
    NARROW = "NARROW"
    BROAD = "BROAD"
    RELATED = "RELATED"
    PREVIOUS = "PREVIOUS"


class TermName(NamedTuple):
    text: str
    scope: SynonymScope = SynonymScope.EXACT


@dataclass(frozen=True, slots=True)
class TermRecord:
    """One term as a file has it. `parents` are is_a CURIEs, `related` other edges as (relation,
    CURIE); `alternative` are ids that now mean this term; `taxon` is a NCBITaxon CURIE; `where` is
    a line or a node; `consider` are ids that may take the place of an obsolete one, for a person to
    judge. The label of an `unspoken` term is no name: "program" in a text is hardly the pesticide.
    `relation`: it is a property, which relates others, and no thing that a text is about. `exact`
    are ids of other vocabularies that the file calls the same, `xrefs` those it only refers to.
    """

    id: str
    label: str
    names: tuple[TermName, ...] = ()
    parents: tuple[str, ...] = ()
    related: tuple[tuple[str, str], ...] = ()
    alternative: tuple[str, ...] = ()
    obsolete: bool = False
    replaced_by: str = ""
    taxon: str = ""
    definition: str = ""
    where: str = ""
    consider: tuple[str, ...] = ()
    unspoken: bool = False
    relation: bool = False
    exact: tuple[str, ...] = ()
    xrefs: tuple[str, ...] = ()


@dataclass(slots=True)
class VocabularyReading:
    """What is learnt while a file is read: its heading and its problems (the first 200 are kept,
    all are counted). `holds` are the categories of all its terms, where the file says so.

    `prefixes` are those that the file declares, `iris` those of its ids that the app does not know,
    with their IRIs. `languages` are those whose names are wanted beside English. `ledger` counts
    what was seen and not kept.
    """

    name: str = ""
    version: str = ""
    source: str = ""
    taxon: str = ""
    holds: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    count: int = 0
    prefixes: dict[str, str] = field(default_factory=dict)
    iris: dict[str, str] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    ledger: Ledger = field(default_factory=Ledger)

    def curie(self, iri: str) -> str:
        """The CURIE of an IRI (or of what is a CURIE already), by what the app knows, what the file
        declares, and last by the namespace that it stands in. Empty where none can be told.
        """
        return curie_of_iri(iri, self.prefixes, self.iris)

    def trouble(self, code: str, message: str, where: str = "", hint: str = "") -> None:
        self.count += 1
        if len(self.problems) < SHOWN_PROBLEMS:
            self.problems.append(Problem(code, message, Severity.WARNING, where=where, hint=hint))


def identifier(text: str, prefix: str = "") -> str:
    """The CURIE of an id as written in a file, or of an IRI that is known; empty when it is none.

    Wider than `core.curie.is_curie`: UCUM codes hold brackets and braces.

    >>> identifier("D014262", "MESH"), identifier("mesh:D014262"), identifier("MONDO_0005148")
    ('MESH:D014262', 'MESH:D014262', 'MONDO:0005148')
    """
    words = text.strip()
    match = _ID.fullmatch(words)
    if match is None and "_" in words and (written := curie_as_written(words)):
        return written
    if match is None and prefix and words and not re.search(r"[\s\"<>:]", words):
        match = _ID.fullmatch(f"{prefix}:{words}")
    if match is None:
        return ""
    if is_address(words):
        return curie_as_written(words)
    preferred = preferred_prefix(match[1])
    return f"{preferred}:{match[2].removeprefix(preferred + ':')}"


# Of no help as a prefix: `…/umls/id/C0015967` is of umls
_NO_NAME = frozenset(
    ("id", "ids", "resource", "entity", "term", "terms", "class", "concept", "ontology",
     "ontologies")
)  # fmt: skip
_OBO = re.compile(r"https?://purl\.obolibrary\.org/obo/")
_OWN = re.compile(r"(https?://\S*[/#:=])([^/#:=\s]+)")


def curie_of_iri(iri: str, declared: Mapping[str, str], iris: dict[str, str]) -> str:
    """See `VocabularyReading.curie`. A prefix that the app does not know is noted in `iris`."""
    if not iri.startswith(("http://", "https://")):
        return identifier(iri)
    if known := contract_iri(iri):
        return known
    match = _OWN.fullmatch(iri)
    if match is None:
        return ""
    base, local = match[1], match[2]
    underscored = underscored_id(local)
    prefix = underscored.partition(":")[0]
    if underscored and (_OBO.match(iri) or is_known_prefix(prefix)):
        return _noted(prefix, underscored.partition(":")[2], f"{base}{prefix}_", iris)
    fitting = [
        (len(own), name, own)
        for name, own in declared.items()
        if name and iri.startswith(own) and len(iri) > len(own) and not _OBO.fullmatch(own)
    ]
    for _, name, own in sorted(fitting, reverse=True):
        if identifier(f"{name}:{iri[len(own) :]}"):
            return _noted(preferred_prefix(name), iri[len(own) :], own, iris)
    if underscored:
        return _noted(prefix, underscored.partition(":")[2], f"{base}{prefix}_", iris)
    name = _name_of_namespace(base)
    return "" if not name or is_known_prefix(name) else _noted(name, local, base, iris)


def _name_of_namespace(base: str) -> str:
    """`pizza` of `http://www.co-ode.org/ontologies/pizza/pizza.owl#`."""
    path = re.split(r"[/#:?=]+", base.partition("://")[2])[1:]
    for part in reversed([part for part in path if part]):
        name = re.sub(r"\.(?:owl|rdf|ttl|json)$", "", part)
        if name.lower() not in _NO_NAME and re.fullmatch(r"[A-Za-z_][\w\-]*", name):
            return name
    return ""


def _noted(prefix: str, local: str, base: str, iris: dict[str, str]) -> str:
    """The CURIE; of two namespaces that would have one prefix the second gets a number."""
    if not is_known_prefix(prefix):
        name, number = prefix, 1
        while iris.setdefault(prefix, base) != base:
            number += 1
            prefix = f"{name}{number}"
    return identifier(f"{prefix}:{local}")
