"""OWL and SKOS as RDF: RDF/XML, Turtle and N-Triples, streamed through pyoxigraph.

A class's names, parents and restrictions are taken from its triples; of a SKOS concept prefLabel,
altLabel (exact), hiddenLabel (related) and broader; object properties are relations. An IRI, a date
or a language tag that breaks its rules costs no more than its triple. XML that declares entities is
refused. What no term is made of is counted in the ledger.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pyoxigraph as ox

from core.curie import is_known_prefix
from core.errors import InputError
from core.grounding.readers.names_told import (
    SYNONYM_PROPERTIES,
    WrittenName,
    label_of,
    names_in_languages,
)
from core.grounding.readers.obo_graphs import REPLACED_BY
from core.grounding.readers.record import (
    SynonymScope,
    TermName,
    TermRecord,
    VocabularyReading,
)
from core.grounding.readers.source import LARGEST_WHOLE, not_utf_8, open_unpacked
from core.grounding.readers.xml_guard import GuardedXml

SUFFIXES = (".owl", ".rdf", ".xml", ".ttl", ".nt")
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_OIO = "http://www.geneontology.org/formats/oboInOwl#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_TYPE = f"{_RDF}type"
_DEFINITION = "http://purl.obolibrary.org/obo/IAO_0000115"
_WANTED = {  # each as one string, which all subjects share
    predicate: predicate for predicate in (
        _TYPE, f"{_RDFS}label", f"{_RDFS}subClassOf", f"{_OWL}deprecated",
        f"{_OWL}versionInfo", f"{_OWL}versionIRI", f"{_OWL}onProperty", f"{_OWL}someValuesFrom",
        f"{_OIO}hasAlternativeId", f"{_OIO}consider", f"{_SKOS}prefLabel", f"{_SKOS}broader",
        f"{_SKOS}narrower", f"{_SKOS}definition", _DEFINITION, REPLACED_BY,
        f"{_RDFS}subPropertyOf", f"{_OWL}imports", f"{_OIO}hasDbXref", f"{_SKOS}exactMatch",
        f"{_OWL}equivalentClass", f"{_OWL}sameAs", *SYNONYM_PROPERTIES,
    )
}  # fmt: skip
_CLASS, _CONCEPT, _ONTOLOGY, _RELATION, _RDFS_CLASS = map(
    ox.NamedNode,
    (
        f"{_OWL}Class", f"{_SKOS}Concept", f"{_OWL}Ontology", f"{_OWL}ObjectProperty",
        f"{_RDFS}Class",
    ),
)  # fmt: skip
_TYPES = (_CLASS, _CONCEPT, _ONTOLOGY, _RELATION, _RDFS_CLASS)
_LABELS = (f"{_RDFS}label", f"{_SKOS}prefLabel")
_SAME = (f"{_SKOS}exactMatch", f"{_OWL}equivalentClass", f"{_OWL}sameAs")
_STRUCTURE = (_RDF, _OWL)  # how a file says things, and nothing that a term loses
_MOST_SLIPS = 100  # statements of Turtle that cannot be read; a file with more is refused
_BAD_IRI = re.compile(r"[\s<>\"{}|\\^`]")
_OF_RESTRICTIONS = (f"{_OWL}onProperty", f"{_OWL}someValuesFrom")
_XML = re.compile(rb"<\?xml|<rdf:RDF|<!DOCTYPE\s+rdf", re.IGNORECASE)
_OWL_XML = re.compile(rb"<(?:\w+:)?Ontology\s[^>]*http://www\.w3\.org/2002/07/owl#")
# An ontology in Turtle begins with prefixes, in either spelling
_TURTLE = re.compile(rb"^\s*@?prefix\s+[\w.-]*:\s*<", re.MULTILINE | re.IGNORECASE)
_TRIPLES = re.compile(rb"^(?:<[^>]+>|_:\S+) <[^>]+> .{1,4000}\.\s*$", re.MULTILINE)

# Subject → predicate, object, predicate, object …: half the memory of lists by predicate
Facts = dict[Any, list[Any]]


def fits(head: bytes) -> bool:
    return b"\0" not in head and any(form.search(head) for form in (_XML, _TURTLE, _TRIPLES))


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    facts = _facts(path, reading)
    for ontology in _of_type(facts, _ONTOLOGY):
        reading.name = ontology.value.rsplit("/", 1)[-1].split(".")[0]
        own = _own(facts, ontology)
        reading.version = _text(own, f"{_OWL}versionInfo") or _text(own, f"{_OWL}versionIRI")
        for value in own.get(f"{_OWL}imports", ()):
            reading.ledger.leave("import", value.value)
    narrower = _narrower(facts)
    concepts = _of_type(facts, _CONCEPT)
    for node in _of_type(facts, _CLASS, _RDFS_CLASS):
        yield from _class(facts, node, reading)
        if not concepts:
            del facts[node]  # its memory is wanted for the index
    for node in concepts:
        yield from _concept(facts, node, narrower, reading)
    for node in _of_type(facts, _RELATION):
        yield from _relation(facts, node, reading)


def _facts(path: Path, reading: VocabularyReading) -> Facts:
    """The triples that are wanted by subject and predicate; of unnamed nodes, half of a file, only
    restrictions. The prefixes that the file declares are noted. Raises InputError.
    """
    facts: Facts = {}
    with open_unpacked(path, LARGEST_WHOLE) as file:
        head = file.read(4096)
    if _OWL_XML.search(head) and b"<rdf:RDF" not in head:
        raise InputError(f"{path.name} is OWL/XML.", "Save it as RDF/XML or OBO.")
    is_xml = _XML.search(head) is not None
    form = (
        ox.RdfFormat.RDF_XML
        if is_xml
        else ox.RdfFormat.N_TRIPLES
        if _TRIPLES.search(head) and not _TURTLE.search(head)
        else ox.RdfFormat.TURTLE
    )
    try:
        with open_unpacked(path, LARGEST_WHOLE) as file:
            content = cast("Any", GuardedXml(file, path) if is_xml else file)
            parser = ox.parse(
                content, format=form, base_iri="http://vocabulary.invalid/", lenient=True
            )
            left: Counter[tuple[str, str]] = Counter()
            for quad in _quads(parser, reading, may_slip=not is_xml):
                predicate = _WANTED.get(quad.predicate.value)
                if predicate and _is_told(quad, predicate):
                    facts.setdefault(quad.subject, []).extend((predicate, quad.object))
                elif isinstance(quad.subject, ox.NamedNode):
                    left[_left(quad)] += 1
                if isinstance(quad.object, ox.NamedNode) and _BAD_IRI.search(quad.object.value):
                    message = f"{quad.object.value[:80]!r} is no IRI."
                    reading.trouble("bad-iri", message, str(quad.subject)[:80])
    except MemoryError as error:  # the parser's own limit
        message = f"A value in {path.name} is longer than 16 MB."
        raise InputError(message, "Is it a vocabulary file?") from error
    except (SyntaxError, ValueError, OSError, EOFError) as error:
        if "utf-8" in str(error).lower():
            raise not_utf_8(path) from error
        raise InputError(
            f"{path.name} is not RDF that can be read: {str(error)[:120]}.",
            "Download it again.",
        ) from error
    reading.prefixes |= _xml_prefixes(head) if is_xml else dict(parser.prefixes)
    for (kind, name), times in left.items():
        if kind:
            reading.ledger.leave(kind, name, times)
    return facts


def _quads(parser: Any, reading: VocabularyReading, *, may_slip: bool) -> Iterator[ox.Quad]:
    """What a parser reads. A statement of Turtle that cannot be read costs itself, and is said; XML
    cannot be read on behind an error. Raises SyntaxError where that, or too much, is wrong.
    """
    slips, quads = 0, 0
    while True:
        try:
            quad = next(parser, None)
        except SyntaxError as error:
            slips += 1
            if not may_slip or slips > _MOST_SLIPS or not quads or _is_cut(error):
                raise
            reading.trouble("malformed-line", f"{str(error)[:160]}.", "", "It is left out.")
            continue
        if quad is None:
            return
        quads += 1
        yield quad


def _is_cut(error: SyntaxError) -> bool:
    """Whether the file ended where something had to follow."""
    return "end of file" in str(error).lower() or "unexpected end" in str(error).lower()


def _xml_prefixes(head: bytes) -> dict[str, str]:
    """The prefixes that the root element of RDF/XML declares."""
    text = head.decode("utf-8", "replace")
    return dict(re.findall(r"""xmlns:([\w.\-]+)\s*=\s*["'](https?://[^"'\s]+)["']""", text))


def _left(quad: ox.Quad) -> tuple[str, str]:
    """What the ledger calls a triple of which no term is made: kind and name; no kind: nothing."""
    predicate = quad.predicate.value
    if predicate == _TYPE:
        kind = getattr(quad.object, "value", "")
        return ("type", re.split(r"[#/]", kind)[-1]) if kind.startswith("http") else ("", "")
    if predicate.startswith(_STRUCTURE):
        return "", ""
    return "property", re.split(r"[#/]", predicate)[-1] or predicate


def _is_told(quad: ox.Quad, predicate: str) -> bool:
    """Whether some term may say this triple."""
    if isinstance(quad.subject, ox.BlankNode):
        return predicate in _OF_RESTRICTIONS
    return predicate != _TYPE or quad.object in _TYPES


def _of_type(facts: Facts, *kinds: ox.NamedNode) -> list[ox.NamedNode]:
    """Named subjects of a type, in the order of their IRIs."""
    nodes = (
        node
        for node, facts_of_node in facts.items()
        if isinstance(node, ox.NamedNode)
        and any(
            predicate == _TYPE and value in kinds
            for predicate, value in zip(facts_of_node[::2], facts_of_node[1::2], strict=True)
        )
    )
    return sorted(nodes, key=lambda node: node.value)


def _own(facts: Facts, node: Any) -> dict[str, list[Any]]:
    """What is said of a node, by predicate."""
    facts_of_node, own = facts.get(node, []), defaultdict[str, list[Any]](list)
    for predicate, value in zip(facts_of_node[::2], facts_of_node[1::2], strict=True):
        own[predicate].append(value)
    return own


def _class(facts: Facts, node: ox.NamedNode, reading: VocabularyReading) -> Iterator[TermRecord]:
    own, id = _own(facts, node), reading.curie(node.value)
    label, names = _named(own, reading)
    if not _is_term(node, id, label, reading):
        return
    yield TermRecord(
        id,
        label,
        names,
        parents=tuple(sorted(_ids(own.get(f"{_RDFS}subClassOf", ()), reading))),
        related=tuple(sorted(_restrictions(facts, own, reading))),
        alternative=tuple(sorted(_ids(own.get(f"{_OIO}hasAlternativeId", ()), reading))),
        obsolete=_is_deprecated(own),
        replaced_by=reading.curie(_text(own, REPLACED_BY)),
        definition=_text(own, _DEFINITION) or _text(own, f"{_SKOS}definition"),
        where=node.value,
        consider=tuple(sorted(_ids(own.get(f"{_OIO}consider", ()), reading))),
        exact=_exact(own, reading),
        xrefs=_xrefs(own, reading),
    )


def _concept(
    facts: Facts,
    node: ox.NamedNode,
    narrower: Mapping[str, list[str]],
    reading: VocabularyReading,
) -> Iterator[TermRecord]:
    own, id = _own(facts, node), reading.curie(node.value)
    label, names = _named(own, reading, _LABELS[::-1])
    if not id:
        _is_term(node, id, label or "?", reading)
        return
    above = [
        node.value for node in own.get(f"{_SKOS}broader", ()) if isinstance(node, ox.NamedNode)
    ]
    parents = map(reading.curie, (*above, *narrower.get(node.value, ())))
    yield TermRecord(
        id,
        label,
        names,
        parents=tuple(sorted({parent for parent in parents if parent})),
        obsolete=_is_deprecated(own),
        definition=_text(own, f"{_SKOS}definition"),
        where=node.value,
        exact=_exact(own, reading),
        xrefs=_xrefs(own, reading),
    )


def _relation(facts: Facts, node: ox.NamedNode, reading: VocabularyReading) -> Iterator[TermRecord]:
    own, id = _own(facts, node), reading.curie(node.value)
    label, names = _named(own, reading)
    if id and label:
        yield TermRecord(
            id,
            label,
            names,
            parents=tuple(sorted(_ids(own.get(f"{_RDFS}subPropertyOf", ()), reading))),
            obsolete=_is_deprecated(own),
            replaced_by=reading.curie(_text(own, REPLACED_BY)),
            definition=_text(own, _DEFINITION),
            where=node.value,
            relation=True,
        )
    else:
        reading.ledger.leave("relation", label or node.value)


def _is_term(node: ox.NamedNode, id: str, label: str, reading: VocabularyReading) -> bool:
    """Whether a class has an id, and a name where only this file knows its prefix; else it is
    noted.
    """
    if not id and label:
        message = f"{node.value[:80]!r} has no known prefix."
        reading.trouble("malformed-id", message, node.value[:80])
    elif id and not label and not is_known_prefix(id.partition(":")[0]):
        reading.ledger.leave("class without a name", id)
        return False
    return bool(id)


def _is_deprecated(own: Mapping[str, list[Any]]) -> bool:
    return _text(own, f"{_OWL}deprecated").lower() in ("true", "1")


def _narrower(facts: Facts) -> dict[str, list[str]]:
    """Child → parents, from skos:narrower of the parents."""
    parents: dict[str, list[str]] = defaultdict(list)
    for node, facts_of_node in facts.items():
        for predicate, child in zip(facts_of_node[::2], facts_of_node[1::2], strict=True):
            named = isinstance(node, ox.NamedNode) and isinstance(child, ox.NamedNode)
            if named and predicate == f"{_SKOS}narrower":
                parents[child.value].append(node.value)
    return parents


def _named(
    own: Mapping[str, list[Any]],
    reading: VocabularyReading,
    labels: tuple[str, ...] = _LABELS,
) -> tuple[str, tuple[TermName, ...]]:
    """A term's label, and its other names: further labels are exact synonyms."""
    label: WrittenName | None = None
    names: list[WrittenName] = []
    for predicate in labels:
        written = [(*pair, SynonymScope.EXACT) for pair in _written(own.get(predicate, ()))]
        label = label or label_of(written)
        names += written
    for predicate, scope in SYNONYM_PROPERTIES.items():
        names += [(*pair, scope) for pair in _written(own.get(predicate, ()))]
    kept = names_in_languages(names, reading.languages, reading.ledger)
    words = label[0] if label else ""
    return words, tuple(name for name in kept if name.text != words)


def _written(values: Iterable[Any]) -> list[tuple[str, str]]:
    """Words and language of literals, in order."""
    return sorted(
        (value.value.strip(), value.language or "")
        for value in values
        if isinstance(value, ox.Literal) and value.value.strip()
    )


def _ids(values: Iterable[Any], reading: VocabularyReading) -> set[str]:
    texts = (value.value for value in values if isinstance(value, ox.NamedNode | ox.Literal))
    return {id for text in texts if (id := reading.curie(text))}


def _exact(own: Mapping[str, list[Any]], reading: VocabularyReading) -> tuple[str, ...]:
    """The ids that the file calls the same."""
    values = (value for predicate in _SAME for value in own.get(predicate, ()))
    return tuple(sorted(_ids(values, reading)))


def _xrefs(own: Mapping[str, list[Any]], reading: VocabularyReading) -> tuple[str, ...]:
    """The ids that the file refers to; what is no id is counted."""
    values = own.get(f"{_OIO}hasDbXref", ())
    ids = [reading.curie(value.value) for value in values if not isinstance(value, ox.BlankNode)]
    if unkept := ids.count(""):
        reading.ledger.leave("property", "hasDbXref", unkept)
    return tuple(sorted({*ids} - {""}))


def _restrictions(
    facts: Facts, own: Mapping[str, list[Any]], reading: VocabularyReading
) -> Iterator[tuple[str, str]]:
    for parent in own.get(f"{_RDFS}subClassOf", ()):
        if not isinstance(parent, ox.BlankNode):
            continue
        restriction = _own(facts, parent)
        relations = restriction.get(f"{_OWL}onProperty", ())
        for target in sorted(_ids(restriction.get(f"{_OWL}someValuesFrom", ()), reading)):
            for relation in relations:
                if isinstance(relation, ox.NamedNode):
                    yield reading.curie(relation.value) or relation.value, target


def _text(own: Mapping[str, list[Any]], predicate: str) -> str:
    """The English value, or the first in order."""
    values = sorted(
        own.get(predicate, ()),
        key=lambda v: ((getattr(v, "language", None) or "en")[:2] != "en", str(v.value)),
    )
    return str(values[0].value).strip() if values else ""
