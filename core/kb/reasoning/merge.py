"""What is reasoned over: the approved statements as OWL, merged with the needed part of the
vocabularies (SPIRES §3, step 5).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.errors import InputError
from core.kb.entry import KnowledgeBase, settle_labels, thing_key
from core.kb.owl.form import Iri, OwlForm
from core.kb.owl.instance import instances
from core.kb.owl.ontology import ontology
from core.kb.owl.part_name import labels_in
from core.kb.rdf import iri as iris
from core.kb.reasoning.definition import (
    RELATION_KIND,
    DefinedClass,
    class_iri,
    definition_axioms,
    kind_iri,
)
from core.model import Category, Literal, Modality, Node, Statement, Term, relation_words

LOGICAL = {"SubClassOf", "EquivalentClasses", "DisjointClasses", "SubObjectPropertyOf"}
MOST_STEPS = 3  # relations, one after another, that a definition can follow
Parents = Callable[[str], Sequence[str]]  # of a CURIE, by is_a
Label = Callable[[str], str]  # of a CURIE, "" where unknown


class SetAside(StrEnum):
    """Why a relation does not hold of its two things without more ado."""

    NEGATED = "negated"
    HEDGED = "hedged"
    QUALIFIED = "qualified"


@dataclass(slots=True)
class MergedOntology:
    """Axioms, with what their IRIs are called. `things` are those that statements are about, by
    IRI: what a class can have as members. `set_aside` counts the statements that are not reasoned
    over, by what they say beside a relation.
    """

    axioms: list[OwlForm] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    things: dict[str, str] = field(default_factory=dict)  # IRI → key of the graph
    module: int = 0  # is_a axioms of vocabularies
    set_aside: Counter[SetAside] = field(default_factory=Counter)


def merge_ontology(
    kb: KnowledgeBase, definitions: Sequence[DefinedClass], parents: Parents, label: Label
) -> MergedOntology:
    """The axioms of the knowledge base, of the definitions, and of the vocabularies' part above the
    terms that either uses. Raises InputError for a definition whose ids have no IRI.
    """
    merged_ontology = MergedOntology()
    stated = ontology(kb).axioms
    merged_ontology.axioms += [axiom for axiom in stated if axiom.operator in LOGICAL]
    merged_ontology.axioms += statement_axioms(kb, merged_ontology)
    for defined in definitions:
        merged_ontology.axioms += definition_axioms(defined, kb.base_iri, kb.prefixes)
        merged_ontology.labels[class_iri(defined.name, kb.base_iri)] = defined.name
    used = {key for key in merged_ontology.things.values() if ":" in key}
    used |= {tie.term for defined in definitions for tie in defined.ties}
    module = list(extracted_module(used, parents))
    merged_ontology.module = len(module)
    for child, parent in module:
        ends = tuple(Iri(iris.term_iri(curie, kb.prefixes)) for curie in (child, parent))
        merged_ontology.axioms.append(OwlForm("SubClassOf", ends))
    for curie in {curie for edge in module for curie in edge} | used:
        name = iris.term_iri(curie, kb.prefixes) if iris.known_form(curie) else ""
        merged_ontology.labels.setdefault(name, label(curie) or curie)
    merged_ontology.labels = labels_in(stated) | merged_ontology.labels
    merged_ontology.axioms = list(dict.fromkeys(merged_ontology.axioms))
    return merged_ontology


def statement_axioms(kb: KnowledgeBase, merged_ontology: MergedOntology) -> Iterator[OwlForm]:
    """Every plain statement as *each such thing is tied to some such thing*, and what kind each
    thing is. Negated, hedged and qualified statements say nothing here.
    """
    names, classes = settle_labels(kb.entries), instances(kb)
    for entry in kb.sorted():
        statement = entry.statement
        if isinstance(statement.object, Literal):
            continue
        if not entry.is_plain:
            merged_ontology.set_aside[set_aside_by(statement)] += 1
            continue
        ends = []
        for thing in (statement.subject, statement.object):
            name = iris.thing_iri(thing, statement.document, kb.base_iri, kb.prefixes)
            ends.append(Iri(name))
            if name not in merged_ontology.things:
                key = thing_key(thing, statement.document)
                merged_ontology.things[name] = key
                merged_ontology.labels[name] = named_classes(names[key]) or key
                cls = classes[name].cls
                for kind in kinds_of(thing, cls.uri if cls else ""):
                    above = kind_iri(kind, kb.base_iri, kb.prefixes)
                    name_of_kind = cls.name if cls and kind == cls.uri else kind
                    merged_ontology.labels.setdefault(above, kind_words(name_of_kind))
                    yield OwlForm("SubClassOf", (Iri(name), Iri(above)))
        relation = iris.term_iri(statement.predicate.id, kb.prefixes)
        merged_ontology.labels.setdefault(relation, relation_words(statement.predicate))
        tie = OwlForm("ObjectSomeValuesFrom", (Iri(relation), ends[1]))
        yield OwlForm("SubClassOf", (ends[0], tie))


def set_aside_by(statement: Statement) -> SetAside:
    """Why a statement that is not plain is not reasoned over; the first reason counts.

    >>> cold, cough = Term("MONDO:0005709", "common cold"), Term("HP:0012735", "Cough")
    >>> set_aside_by(Statement(cold, Term("", "causes"), cough, negated=True))
    <SetAside.NEGATED: 'negated'>
    """
    if statement.negated:
        return SetAside.NEGATED
    hedged = statement.modality is not Modality.ASSERTED
    return SetAside.HEDGED if hedged else SetAside.QUALIFIED


def named_classes(thing: Term | Node) -> str:
    """What a person calls a thing; its id says nothing to one where it is unnamed."""
    return thing.label or (kind_words(thing.cls) if isinstance(thing, Node) else "")


def kinds_of(thing: Term | Node, schema_class: str) -> list[str]:
    """The class of its schema, and its category."""
    kinds = [schema_class] if schema_class else []
    return kinds + (
        [] if thing.category is Category.THING else [f"{RELATION_KIND}{thing.category}"]
    )


def kind_words(kind: str) -> str:
    """What a person calls a kind, which is a category or a class of a schema.

    >>> kind_words("category:food"), kind_words("schema:MaterialSample")
    ('food', 'material sample')
    """
    name = kind.removeprefix(RELATION_KIND).rpartition(":")[2]
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").casefold()


def extracted_module(terms: Iterable[str], parents: Parents) -> Iterator[tuple[str, str]]:
    """Every is_a edge above these terms, as (child, parent), sorted by child as they are met.

    >>> parents = {"MONDO:0004979": ("MONDO:0005087",), "MONDO:0005087": ("MONDO:0000001",)}
    >>> list(extracted_module(["MONDO:0004979"], lambda id: parents.get(id, ())))
    [('MONDO:0004979', 'MONDO:0005087'), ('MONDO:0005087', 'MONDO:0000001')]
    """
    seen_terms, waiting = set(terms), sorted(terms)
    while waiting:
        child = waiting.pop()
        for parent in parents(child):
            yield child, parent
            if parent not in seen_terms:
                seen_terms.add(parent)
                waiting.append(parent)


@dataclass(frozen=True, slots=True)
class RelationPath:
    """Relations that lead from a kind of thing to terms, one after another, and how often."""

    kind: str
    path: tuple[str, ...]
    words: str
    count: int
    kind_words: str = ""


def tie_paths(kb: KnowledgeBase) -> list[RelationPath]:
    """What a definition can ask of each kind: the ways that lead from its things to terms, straight
    or through unnamed things, the most frequent first.
    """
    about: dict[str, list[Statement]] = {}
    for entry in kb.sorted():
        if entry.is_plain and not isinstance(entry.statement.object, Literal):
            key = thing_key(entry.statement.subject, entry.statement.document)
            about.setdefault(key, []).append(entry.statement)
    classes, class_names = {}, {}
    for instance in instances(kb).values():
        if instance.cls is not None:
            classes[thing_key(instance.thing)] = instance.cls.uri
            class_names[instance.cls.uri] = instance.cls.name
    words: dict[tuple[str, ...], str] = {}
    counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for key, statements in about.items():
        for path, names in ways_to_terms(key, about):
            words.setdefault(path, " › ".join(names))
            kinds = kinds_of(statements[0].subject, classes.get(key, ""))
            counts.update((kind, path) for kind in ("", *kinds))
    words = told_apart(words)
    return [
        RelationPath(
            kind, path, words[path], count=count, kind_words=kind_words(class_names.get(kind, kind))
        )
        for (kind, path), count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def told_apart(words: Mapping[tuple[str, ...], str]) -> dict[tuple[str, ...], str]:
    """The words of each path; with its ids where another has the same, as two schemas' *treats*.

    >>> told_apart({("lab:1",): "treats", ("lab:2",): "treats", ("lab:3",): "causes"})
    {('lab:1',): 'treats (lab:1)', ('lab:2',): 'treats (lab:2)', ('lab:3',): 'causes'}
    """
    same = Counter(name.casefold() for name in words.values())
    return {
        path: name if same[name.casefold()] == 1 else f"{name} ({' › '.join(path)})"
        for path, name in words.items()
    }


def ways_to_terms(
    key: str, about: Mapping[str, Sequence[Statement]], steps: int = MOST_STEPS
) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """(relations, their words) from a thing to terms; through unnamed things alone one goes on."""
    paths: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()
    for statement in about.get(key, ()) if steps else ():
        step, name = statement.predicate.id, relation_words(statement.predicate)
        if isinstance(statement.object, Node):
            onward = ways_to_terms(statement.object.id, about, steps - 1)
            paths |= {((step, *path), (name, *names)) for path, names in onward}
        elif isinstance(statement.object, Term) and statement.object.id:
            paths.add(((step,), (name,)))
    return paths


def checked_definition(defined: DefinedClass, kb: KnowledgeBase) -> DefinedClass:
    """The definition, if it says something. Raises InputError."""
    if not defined.name.strip() or len(defined.name) > 100:
        raise InputError("A class needs a name of 1 to 100 characters.")
    if not defined.ties and not defined.kind:
        raise InputError("A class needs a kind or a relation.", "Choose a relation and a term.")
    if defined.either and not defined.ties:
        raise InputError("One relation must be enough, but there is none.", "Add a relation.")
    if any(not tie.path or len(tie.path) > MOST_STEPS for tie in defined.ties):
        raise InputError(f"A condition has 1 to {MOST_STEPS} relations.")
    definition_axioms(defined, kb.base_iri, kb.prefixes)
    return defined
