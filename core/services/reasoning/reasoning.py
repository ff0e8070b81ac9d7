"""Defined classes of a project, and what a reasoner finds by them."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rdflib import RDFS, Graph, URIRef
from rdflib import Literal as RdfValue

from core.codec import from_json, stored_as, to_json
from core.curie import is_curie
from core.desk_parts import HasFolder, HasProjectJobs, HasProjectTerms, HasStore, HasVocabularies
from core.errors import InputError, NotFound
from core.jobs.runner import JobContext, register_job
from core.kb.entry import KnowledgeBase
from core.kb.owl.form import OwlForm
from core.kb.rdf import iri
from core.kb.reasoning.classify import (
    Classification,
    classify,
    explained_member,
    owl_in_words,
)
from core.kb.reasoning.definition import (
    RELATION_KIND,
    DefinedClass,
    MembershipCondition,
    class_iri,
)
from core.kb.reasoning.merge import (
    MergedOntology,
    RelationPath,
    SetAside,
    checked_definition,
    kind_words,
    merge_ontology,
    tie_paths,
)
from core.kb.reasoning.reasoner import (
    PYELK,
    Check,
    Reasoner,
    no_check,
    reason_by,
    reasoner_named,
    usable_reasoners,
)
from core.kb.reasoning.taxonomy import NOTHING
from core.model import Curator, Job, Json, Role, fold_words, json_digest
from core.services.graph import knowledge_base
from core.services.graph.export_file import replace_file
from core.services.graph.gate_memory import GateMemory
from core.services.graph.knowledge_base import GateReport
from core.text.count import counted

__all__ = [
    "RELATION_KIND",
    "DefinedClass",
    "MembershipCondition",
    "MergedOntology",
    "Reasoner",
    "RelationPath",
    "kind_words",
]


STORED = "defined class·"  # begins the property of the project that holds a definition
LEFT_OUT = {  # OWL constructors, in words
    "Data": "numbers and words",
    "ObjectAllValuesFrom": "“only” relations",
    "ObjectComplementOf": "“not”",
    "ObjectOneOf": "lists of individuals",
    "ObjectUnionOf": "“or”",
}
SET_ASIDE: dict[str, tuple[str, ...]] = {
    SetAside.NEGATED: ("negated statement",),
    SetAside.HEDGED: ("hypothesis or background statement", "hypotheses or background statements"),
    SetAside.QUALIFIED: ("statement with qualifiers", "statements with qualifiers"),
}
COUNTED = "counted relations"  # the constructors that end in Cardinality
MOST_EXPLAINED = 100  # contradictions; each takes a few hundredths of a second and more
INFERRED = "Inferred by a reasoner ({}) from approved statements; no curator stated it."


@dataclass(frozen=True, slots=True)
class ReasoningResult:
    """What was found, by which reasoner, and from what: `stamp` is that of `reasoning_stamp` then.
    `keys` are the graph's keys of the members and of what cannot be, by IRI.
    """

    definitions: tuple[DefinedClass, ...]
    classification: Classification = field(metadata=stored_as("found"))
    base_iri: str
    keys: dict[str, str] = field(default_factory=dict)
    reasoner: str = PYELK.title
    stamp: str = ""

    def key_of(self, iri: str) -> str:
        """A thing's key in the graph; "" for a class."""
        return self.keys.get(iri, "")

    def curie_of(self, iri: str) -> str:
        """A thing's id in a vocabulary; "" for one without, such as a recipe of a text."""
        key = self.key_of(iri)
        return key if is_curie(key) else ""

    @property
    def left_out(self) -> list[str]:
        """What of the axioms the reasoner did not take into account, in words, each once, and how
        many statements.
        """
        set_aside = self.classification.set_aside
        constructors = sorted({_constructor_words(name) for name in self.classification.outside})
        return constructors + [counted(set_aside[kind], *SET_ASIDE[kind]) for kind in set_aside]

    @property
    def labels(self) -> dict[str, str]:
        """What the members, the classes and what cannot be are called, by IRI."""
        members = (pair for group in self.classification.groups.values() for pair in group)
        classes = (
            (class_iri(defined_class.name, self.base_iri), defined_class.name)
            for defined_class in self.definitions
        )
        return dict((*members, *self.classification.contradictions, *classes))


def approved_knowledge_base(
    desk: HasProjectTerms, report: GateReport | None = None
) -> KnowledgeBase:
    """What passes the gate: a reasoner sees what an export would say."""
    report = report or knowledge_base.gate_passage(desk, GateMemory())
    return knowledge_base.knowledge_base(desk, report.entries)


def class_definitions(desk: HasStore) -> list[DefinedClass]:
    """The defined classes of the project, by name."""
    stored = desk.store.project.starting(STORED)
    return [from_json(DefinedClass, value) for value in stored.values() if value]


def definitions_stamp(desk: HasStore) -> str:
    """Changes whenever a definition does."""
    return json_digest(desk.store.project.starting(STORED))


def define_class(
    desk: HasProjectTerms, defined: DefinedClass, curator: Curator | None = None
) -> DefinedClass:
    """Keep a class; another of that name is replaced. Raises InputError for one that says nothing,
    has unknown ids, or is apart from what there is not, and Forbidden for a reader.
    """
    if curator:
        desk.store.curators.need(curator.orcid, Role.CURATOR)
    name = " ".join(defined.name.split())
    base = knowledge_base.knowledge_base(desk, ())
    class_names = {defined_class.name for defined_class in class_definitions(desk)}
    for other_name in defined.apart:
        if other_name not in class_names or other_name == name:
            raise InputError(f"There is no other class called {other_name!r}.", "Define it first.")
    kind_is_told = bool(defined.kind_words or not defined.kind)
    is_told = kind_is_told and all(tie.words for tie in defined.ties)
    ways = [] if is_told else ways_to_define(desk)
    words_by_path = {way.path: way.words for way in ways}
    words_by_kind = {way.kind: way.kind_words for way in ways}
    ties = tuple(
        replace(
            tie,
            words=tie.words or words_by_path.get(tie.path, ""),
            label=tie.label or term_label(desk, tie.term),
        )
        for tie in defined.ties
    )
    new_class = replace(
        defined,
        name=name,
        ties=ties,
        kind_words=defined.kind_words or words_by_kind.get(defined.kind, ""),
        curator=curator.orcid if curator else "",
    )
    desk.store.project.set(STORED + name, to_json(checked_definition(new_class, base)))
    return new_class


def remove_definition(desk: HasStore, name: str, curator: Curator | None = None) -> None:
    """Take a class out; other classes are no longer apart from it. Raises NotFound, and Forbidden
    for a reader.
    """
    if curator:
        desk.store.curators.need(curator.orcid, Role.CURATOR)
    if name not in {defined_class.name for defined_class in class_definitions(desk)}:
        raise NotFound(f"There is no defined class {name!r}.", "List them: define --list.")
    desk.store.project.set(STORED + name, None)
    for defined_class in class_definitions(desk):
        if name in defined_class.apart:
            still_apart = tuple(
                other_name for other_name in defined_class.apart if other_name != name
            )
            desk.store.project.set(
                STORED + defined_class.name, to_json(replace(defined_class, apart=still_apart))
            )


def definition_words(defined: DefinedClass) -> str:
    """A definition as a sentence: `a recipe with ingredients › food: wheat food product`."""
    kind = (defined.kind_words or kind_words(defined.kind)) if defined.kind else "thing"
    joint = " or " if defined.either else " and "
    ties = joint.join(f"{tie.words or ' › '.join(tie.path)}: {tie.label}" for tie in defined.ties)
    words = f"any {kind}" + (f" with {ties}" if ties else "")
    return words + (f"; never also {', '.join(defined.apart)}" if defined.apart else "")


def _constructor_words(name: str) -> str:
    if name.endswith("Cardinality"):
        return COUNTED
    return LEFT_OUT["Data"] if name.startswith("Data") else LEFT_OUT.get(name, name)


def parent_terms(desk: HasVocabularies, curie: str) -> tuple[str, ...]:
    """is_a parents by the installed vocabularies; the first that knows any counts."""
    for lexicon in desk.vocabulary_registry.lexicons(prefixes=(curie.partition(":")[0],)):
        if parent_curies := lexicon.parents(curie):
            return tuple(parent_curies)
    return ()


def term_label(desk: HasVocabularies, curie: str) -> str:
    """What an installed vocabulary calls a term; "" where none knows it."""
    for lexicon in desk.vocabulary_registry.lexicons(prefixes=(curie.partition(":")[0],)):
        if (term := lexicon.term(curie)) is not None:
            return str(term.label)
    return ""


def terms_like(desk: HasProjectTerms, words: str, most: int = 30) -> dict[str, str]:
    """Terms of the installed vocabularies that words may name, as CURIE → label: those called so
    first, then those of the vocabularies that approved statements use. Obsolete ones are left out.
    """
    if label := term_label(desk, words.strip()):
        return {words.strip(): label}
    used = {key.partition(":")[0] for key in knowledge_base.approved_graph(desk).points}
    lexicons = desk.vocabulary_registry.all()
    ranked = sorted(lexicons, key=lambda lexicon: not used & lexicon.prefixes.keys())
    hits = [hit for lexicon in ranked for hit in lexicon.search(words, most)]
    current = [hit for hit in hits if not (hit.obsolete or hit.label.startswith("obsolete "))]
    current.sort(key=lambda hit: fold_words(hit.text) != fold_words(words))
    return dict(itertools.islice({hit.id: hit.label for hit in current}.items(), most))


def ways_to_define(desk: HasProjectTerms, report: GateReport | None = None) -> list[RelationPath]:
    """What a definition can ask of each kind of thing."""
    return tie_paths(approved_knowledge_base(desk, report))


def ontology_of(desk: HasProjectTerms, report: GateReport | None = None) -> MergedOntology:
    """What is reasoned over: what is approved, the definitions, the vocabularies above."""
    return merge_ontology(
        approved_knowledge_base(desk, report),
        class_definitions(desk),
        lambda curie: parent_terms(desk, curie),
        lambda curie: term_label(desk, curie),
    )


def run_reasoner(
    desk: HasProjectTerms,
    ontology: MergedOntology | None = None,
    reasoner: Reasoner = PYELK,
    check: Check = no_check,
) -> ReasoningResult:
    """Classify what is approved by the defined classes. `check` is called all the while, and what
    it raises ends it. Raises InputError where the reasoner takes too long or cannot take it.
    """
    stamp, classes = reasoning_stamp(desk), class_definitions(desk)
    ontology = ontology or ontology_of(desk)
    base_iri = iri.normalised_base(desk.base_iri)
    classification = classify(
        ontology,
        classes,
        base_iri,
        lambda axioms, classes: reason_by(reasoner, axioms, classes, check=check),
    )
    member_iris = {
        member
        for pairs in (*classification.groups.values(), classification.contradictions)
        for member, _ in pairs
    }
    keys = {name: ontology.things[name] for name in sorted(member_iris & ontology.things.keys())}
    return ReasoningResult(
        tuple(classes), classification, base_iri, keys=keys, reasoner=reasoner.title, stamp=stamp
    )


def reasoning_stamp(desk: HasProjectTerms) -> str:
    """Changes whenever a reasoner may find something else."""
    return json_digest([knowledge_base.gate_stamp(desk), definitions_stamp(desk)])


def why_member(desk: HasStore, ontology: MergedOntology, name: str, group: str = "") -> list[str]:
    """The axioms, in words, from which a thing belongs to a defined class, or, without a class,
    from which it can have no member; a smallest set. Empty where too much lies round it, or where
    it does not follow by OWL 2 EL.
    """
    above = class_iri(group, iri.normalised_base(desk.base_iri)) if group else NOTHING
    forms: Sequence[OwlForm] = explained_member(ontology.axioms, name, above)
    return [owl_in_words(form, ontology.labels) for form in forms]


def inferred_turtle(reasoned: ReasoningResult) -> bytes:
    """Inferred statements that nobody stated, sorted and marked as inferred."""
    graph = Graph()
    node = URIRef(f"{reasoned.base_iri}ontology/inferred")
    remark, labels = INFERRED.format(reasoned.reasoner), reasoned.labels
    graph.add((node, RDFS.comment, RdfValue(remark)))
    for below, above in reasoned.classification.inferred:
        graph.add((URIRef(below), RDFS.subClassOf, URIRef(above)))
        for name in (below, above):
            if label := labels.get(name, ""):
                graph.add((URIRef(name), RDFS.label, RdfValue(label)))
    head = f"# {remark}\n".encode()
    return head + graph.serialize(format="turtle", encoding="utf-8").strip() + b"\n"


def inferred_json(desk: HasStore, reasoned: ReasoningResult, ontology: MergedOntology) -> str:
    """The groups and the contradictions, as JSON."""
    classification = reasoned.classification

    def listed(pairs: Sequence[tuple[str, str]]) -> list[dict[str, object]]:
        return [{"iri": name, "id": reasoned.key_of(name), "label": label} for name, label in pairs]

    contradictions = [
        contradiction | {"because": because}
        for contradiction, because in zip(
            listed(classification.contradictions),
            contradictions_explained(desk, reasoned, ontology),
            strict=True,
        )
    ]
    return json.dumps(
        {
            "inferred": True,
            "reasoner": reasoned.reasoner,
            "groups": {name: listed(members) for name, members in classification.groups.items()},
            "contradictions": contradictions,
            "axioms": classification.axioms,
            "module": classification.module,
            "outside": list(classification.outside),
            "set_aside": classification.set_aside,
        },
        ensure_ascii=False,
    )


def contradictions_explained(
    desk: HasStore, reasoned: ReasoningResult, ontology: MergedOntology, most: int = MOST_EXPLAINED
) -> list[list[str]]:
    """Why each contradiction is one; of more than `most` the first are explained."""
    return [
        why_member(desk, ontology, name) if at < most else []
        for at, (name, _) in enumerate(reasoned.classification.contradictions)
    ]


JOB = "classification"
FILE = "classified.json"  # in the project's indexes: it can be made again
CLASSIFYING_STEPS = 3


def available_reasoners(desk: HasFolder) -> list[Reasoner]:
    """The reasoners that can be used here, pyELK first."""
    return usable_reasoners(desk.settings.reasoner_jars)


def start_classifying(desk: HasProjectJobs, reasoner: str = PYELK.name, curator: str = "") -> Job:
    """Classify in the background; `last_classification` has what was found. Raises NotFound for a
    reasoner that is not here.
    """
    reasoner_named(reasoner, desk.settings.reasoner_jars)
    return desk.runner.start(JOB, {"reasoner": reasoner}, curator)


def last_classification(desk: HasFolder) -> ReasoningResult | None:
    """What was found last, whatever was decided since (see `is_current`); None before."""
    try:
        return from_json(ReasoningResult, json.loads(_file(desk).read_text("utf-8")))
    except (OSError, ValueError, InputError):  # of another version: it is made again
        return None


def is_current(desk: HasProjectTerms, reasoned: ReasoningResult) -> bool:
    """Whether nothing that a reasoner uses has changed since."""
    return reasoned.stamp == reasoning_stamp(desk)


@register_job(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    desk: HasProjectTerms = context.context
    reasoner = reasoner_named(str(arguments["reasoner"]), desk.settings.reasoner_jars)
    context.progress(0, CLASSIFYING_STEPS, "checking statements")
    report = knowledge_base.gate_passage(desk)
    context.progress(1, CLASSIFYING_STEPS, "reading the broader terms of the vocabularies")
    ontology = ontology_of(desk, report)
    context.progress(
        2, CLASSIFYING_STEPS, f"{reasoner.title} is classifying {len(ontology.axioms):,} axioms"
    )
    reasoned = run_reasoner(desk, ontology, reasoner, context.check)
    replace_file(_file(desk), [json.dumps(to_json(reasoned)).encode()])
    context.progress(CLASSIFYING_STEPS, CLASSIFYING_STEPS)
    classification = reasoned.classification
    return {
        "members": sum(map(len, classification.groups.values())),
        "contradictions": len(classification.contradictions),
    }


def _file(desk: HasFolder) -> Path:
    return desk.indexes / FILE
