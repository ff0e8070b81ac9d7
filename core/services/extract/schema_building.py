"""Making a schema without writing YAML: what the form may choose from, what it would find on the
curator's own text, and keeping it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.codec import from_json, to_json
from core.desk_parts import HasFolder, HasProjectTerms, HasStore, HasVocabularies
from core.errors import GroundworkError, InputError
from core.extraction.budget import Limits
from core.extraction.builtin import NAME as BUILTIN
from core.extraction.builtin.engine import named_things, recognisable_classes
from core.extraction.engine import EngineParts
from core.extraction.mention_grounding import grounding
from core.extraction.registry import engine_spec
from core.extraction.spires.prompt import spires_prompt
from core.extraction.statements import extracted_statements
from core.extraction.tree import Extraction
from core.grounding.recognise.recogniser import Recogniser
from core.model import Category, Literal, Role, Statement, TextVersion, relation_words
from core.schema import builder_reading
from core.schema.builder import to_linkml
from core.schema.builder_reading import OpenedSchema
from core.schema.definition import Schema
from core.schema.load import check_schema
from core.schema.schema_form import (
    PLAIN,
    FieldForm,
    PartForm,
    PredicateForm,
    RelationForm,
    SchemaForm,
    ThingForm,
    checked_name,
    snake_case,
)
from core.services.extract import schemas
from core.services.vocabularies.obstacles import schema_obstacles
from core.text.clean import clean_text

__all__ = [
    "PLAIN",
    "Category",
    "FieldForm",
    "OpenedSchema",
    "PartForm",
    "PredicateForm",
    "RelationForm",
    "SchemaForm",
    "SchemaPreview",
    "ThingForm",
    "add_predicate",
    "checked_name",
    "form_draft",
    "form_to_linkml",
    "keep_draft",
    "keep_schema",
    "kind_of",
    "schema_preview",
    "schema_to_form",
    "thing_kinds",
    "vocabularies_of",
    "vocabulary_names",
]

PREVIEWED = "doc:preview"  # the document of a text that is only tried
LONGEST = 20_000  # characters of a text that is previewed
KINDS = {
    Category.GENE: ("hgnc",),
    Category.PROTEIN: ("hgnc",),
    Category.DISEASE: ("mondo",),
    Category.PHENOTYPE: ("hp",),
    Category.CHEMICAL: ("chebi", "mesh"),
    Category.ANATOMY: ("uberon",),
    Category.CELL: ("cl",),
    Category.PROCESS: ("go",),
    Category.PATHWAY: ("go",),
    Category.ORGANISM: ("ncbitaxon",),
    Category.FOOD: ("foodon",),
    Category.ENVIRONMENT: ("envo",),
    Category.PROCEDURE: ("maxo",),
    Category.VARIANT: ("so",),
    Category.QUALITY: ("pato",),
    Category.THING: (),
}

NAMED = {  # other words for a kind, in the names that people give to things
    Category.GENE: ("locus",),
    Category.PROTEIN: ("enzyme", "receptor", "antibody"),
    Category.DISEASE: ("disorder", "syndrome", "cancer", "tumor", "tumour", "infection"),
    Category.PHENOTYPE: ("symptom", "sign", "finding", "trait"),
    Category.CHEMICAL: ("drug", "compound", "substance", "medicine", "metabolite", "ligand"),
    Category.ANATOMY: ("tissue", "organ", "body"),
    Category.PROCESS: ("function",),
    Category.ORGANISM: ("species", "taxon", "bacterium", "bacteria", "virus", "host", "strain"),
    Category.FOOD: ("ingredient", "diet"),
    Category.ENVIRONMENT: ("habitat", "biome"),
    Category.PROCEDURE: ("treatment", "therapy", "surgery", "intervention"),
    Category.VARIANT: ("mutation", "polymorphism", "allele"),
}

UNRELATED = "nothing-stated"
BLIND = ("missing-vocabulary", "preparing")  # obstacles for which names are not found at all


@dataclass(frozen=True, slots=True)
class SchemaPreview:
    """What a schema would do with a text: mentions as (words, class, term), statements in words,
    and what a model would be asked. `problem` says what is missing; `lacking`, which vocabularies
    are not there or not ready yet, or that nothing relates what the text names, in sentences.
    """

    mentions: tuple[tuple[str, str, str], ...] = ()
    statements: tuple[str, ...] = ()
    question: str = ""
    problem: str = ""
    lacking: tuple[str, ...] = ()


def thing_kinds() -> list[Category]:
    return list(KINDS)


def kind_of(name: str) -> Category | None:
    """The kind that the name of a thing speaks of: `Drug` is a chemical; None where it says
    nothing.
    """
    words = set(re.findall(r"[a-z]+", name.casefold()))
    words |= {word.removesuffix("s") for word in words}
    return next((kind for kind in KINDS if words & {str(kind), *NAMED.get(kind, ())}), None)


def vocabulary_names(desk: HasVocabularies) -> list[str]:
    """Names of the vocabularies that the project has."""
    return sorted(desk.vocabulary_registry.names())


def vocabularies_of(desk: HasVocabularies, kind: Category) -> list[str]:
    """The vocabularies that a thing of this kind is usually found in, of those there are."""
    installed = set(desk.vocabulary_registry.names())
    return [name for name in KINDS.get(kind, ()) if name in installed]


def form_to_linkml(
    desk: HasVocabularies, form: SchemaForm, base: OpenedSchema | None = None
) -> str:
    """The LinkML of a form; of an opened schema, its own text with what was changed. Raises
    InputError for a form with a gap.
    """
    if base is not None:
        return builder_reading.edited_text(base, form, _prefixes(desk, form))
    return to_linkml(form, _prefixes(desk, form))


def schema_to_form(desk: HasFolder, name: str) -> OpenedSchema:
    """A schema of the project or of the app as a form. Raises InputError for what is none."""
    text = schemas.schema_source(desk, name)
    if not text:
        raise InputError(f"There is no schema {name[:60]}.", "Choose one from the list.")
    return builder_reading.from_linkml(text)


def schema_preview(desk: HasVocabularies, text: str, sample: str) -> SchemaPreview:
    """What the built-in engine finds in `sample` with the schema `text` (LinkML), and what a model
    would be asked. Nothing is kept.
    """
    schema, problems = check_schema(text, desk.schemas)
    if schema is None or schema.root not in schema.classes:
        return SchemaPreview(problem=str(problems[0].message) if problems else "It has no root.")
    words = clean_text(sample.encode("utf-8", "replace"))[:LONGEST] if sample.strip() else ""
    question = spires_prompt(schema, schema.root, words or "(your text stands here)")
    if not words.strip():
        return SchemaPreview(question=question)
    try:
        spec, grounder = engine_spec(BUILTIN), desk.grounder()
        parts = EngineParts(grounder, grounding(schema, grounder), Limits(), folders=desk.schemas)
        extraction = spec.make(parts).extract(schema, schema.root, words)
    except GroundworkError as error:
        return SchemaPreview(question=question, problem=str(error))
    version = TextVersion("0" * 64, PREVIEWED, words)
    proposed = extracted_statements(schema, extraction, PREVIEWED, version, run="", engine=BUILTIN)
    lines = [_in_words(statement).replace(PREVIEWED, "this text") for statement, _ in proposed]
    lacking = [
        problem.message for problem in schema_obstacles(desk, schema) if problem.code in BLIND
    ]
    lacking += [problem.message for problem in extraction.problems if problem.code == UNRELATED]
    return SchemaPreview(
        _named(schema, extraction, words, Recogniser(grounder)),
        tuple(lines),
        question,
        lacking=tuple(lacking),
    )


def _named(
    schema: Schema, extraction: Extraction, text: str, recogniser: Recogniser
) -> tuple[tuple[str, str, str], ...]:
    """Each thing that the text names, once, as (words, class, term): those of the statements, and
    those that nothing relates.
    """
    named = [
        (mention.text, mention.cls, mention.chosen)
        for mention in extraction.mentions
        if mention.category is not Category.RELATION
    ]
    classes = recognisable_classes(schema, schema.classes[schema.root])
    for group in named_things(schema, classes, text, recogniser):
        term = group.candidates[0].term
        if schema.classes[group.cls].category is not Category.RELATION:
            named.append((group.spans[0].quote(text), group.cls, term))
    rows = [
        (words, cls, f"{term.label} · {term.id}" if term else "no term yet")
        for words, cls, term in named
    ]
    return tuple(dict.fromkeys(rows))


def keep_schema(
    desk: HasProjectTerms,
    form: SchemaForm,
    *,
    base: OpenedSchema | None = None,
    name: str = "",
    curator: str = "",
) -> str:
    """Keep the schema in the project, under the name its title gives (or `name`). Raises InputError
    for a form with a gap, Refused for the name of a template of the app, Forbidden for a reader.
    """
    if curator:
        desk.store.curators.need(curator, Role.CURATOR)
    return schemas.save_schema(
        desk, name or snake_case(form.title), form_to_linkml(desk, form, base)
    )


def add_predicate(
    desk: HasProjectTerms, schema: str, name: str, ends: tuple[Category, Category], *, curator: str
) -> None:
    """Let one of the project's own schemas say `name` between things of these two kinds. Raises
    InputError where it has no such things, Forbidden for a reader.
    """
    opened_schema = schema_to_form(desk, schema)
    form, added = opened_schema.form, PredicateForm(name.strip())
    kinds = {thing.name: thing.category for thing in form.things}
    for number, relation in enumerate(form.relations):
        if (kinds.get(relation.subject), kinds.get(relation.object)) == ends:
            wider = replace(relation, predicates=(*relation.predicates, added))
            relations = (*form.relations[:number], wider, *form.relations[number + 1 :])
            break
    else:
        names = {kind: thing for thing, kind in reversed(kinds.items())}
        lacking = [f"no {kind}" for kind in ends if kind not in names]
        if lacking:
            raise InputError(
                f"{form.title} has {' and '.join(lacking)} among its things.",
                "Add the relation on the Schemas page; the marked pair waits here.",
            )
        subject, object_ = (names[kind] for kind in ends)
        relations = (*form.relations, RelationForm(subject, (added,), object_))
    keep_schema(
        desk, replace(form, relations=relations), base=opened_schema, name=schema, curator=curator
    )


def form_draft(desk: HasStore, orcid: str) -> SchemaForm:
    """The form that this person was filling; an empty one at first."""
    stored_draft = desk.store.project.get(f"schema draft {orcid}")
    return from_json(SchemaForm, stored_draft) if stored_draft else SchemaForm()


def keep_draft(desk: HasStore, orcid: str, form: SchemaForm) -> None:
    desk.store.project.set(f"schema draft {orcid}", to_json(form))


def _in_words(statement: Statement) -> str:
    """`warfarin · induces · hemorrhage (denied)`"""
    subject, object_ = (
        f"{end.value} {end.unit}".strip() if isinstance(end, Literal) else end.label or end.id
        for end in (statement.subject, statement.object)
    )
    words = (subject, relation_words(statement.predicate), object_)
    return " · ".join(words) + (" (denied)" if statement.negated else "")


def _prefixes(desk: HasVocabularies, form: SchemaForm) -> Mapping[str, str]:
    """How the ids of the form's vocabularies begin, where the project has them."""
    prefix_by_name: dict[str, str] = {}
    installed = set(desk.vocabulary_registry.names())
    for name in {name for thing in form.things for name in thing.vocabularies} & installed:
        try:
            prefix_by_name[name] = next(iter(desk.vocabulary_registry.lexicon(name).prefixes), "")
        except GroundworkError:
            continue  # being compiled, or broken: its well-known prefix stands in
    return {name: prefix for name, prefix in prefix_by_name.items() if prefix}
