"""Making a schema without writing YAML: what the form may choose from, what it would find on the
curator's own text, and keeping it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from core.codec import from_json, to_json
from core.desk import Desk
from core.errors import GroundworkError, InputError
from core.extraction.engine import EngineParts, Limits
from core.extraction.mention_grounding import grounding
from core.extraction.registry import engine_spec
from core.extraction.spires.prompt import prompt
from core.extraction.statements import extracted_statements
from core.kb.formats import biolink
from core.model import Category, Literal, Role, Statement, TextVersion
from core.schema import builder_reading
from core.schema.builder import to_linkml
from core.schema.builder_reading import OpenedSchema
from core.schema.load import check_schema
from core.schema.schema_form import (
    PLAIN,
    FieldForm,
    PartForm,
    PredicateForm,
    RelationForm,
    SchemaForm,
    ThingForm,
    snake,
)
from core.services.extract import schemas
from core.settings import CODE
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
    "draft",
    "keep",
    "keep_draft",
    "kinds",
    "linkml",
    "opened",
    "predicates",
    "preview",
    "vocabularies",
    "vocabularies_of",
]

RELATIONS = CODE / "schemas" / "vocabularies" / "relation.tsv"
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


@dataclass(frozen=True, slots=True)
class SchemaPreview:
    """What a schema would do with a text: mentions as (words, class, term), statements in words,
    and what a model would be asked. `problem` says what is missing.
    """

    mentions: tuple[tuple[str, str, str], ...] = ()
    statements: tuple[str, ...] = ()
    question: str = ""
    problem: str = ""


def kinds() -> list[Category]:
    return list(KINDS)


def vocabularies(desk: Desk) -> list[str]:
    """Names of the vocabularies that the project has."""
    return sorted(desk.shelf.names())


def vocabularies_of(desk: Desk, kind: Category) -> list[str]:
    """The vocabularies that a thing of this kind is usually found in, of those there are."""
    there = set(desk.shelf.names())
    return [name for name in KINDS.get(kind, ()) if name in there]


@cache
def predicates() -> tuple[PredicateForm, ...]:
    """Relations of RO and of the Biolink Model that a statement may be made with, by name."""
    predicate_forms: dict[str, PredicateForm] = {}
    lines = RELATIONS.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(
        io.StringIO("\n".join(line for line in lines if not line.startswith("#"))), delimiter="\t"
    )
    for row in rows:
        known = predicate_forms.get(row["id"]) or PredicateForm(row["label"], row["id"])
        if row["synonym"] != row["label"]:
            known = replace(known, words=(*known.words, row["synonym"]))
        predicate_forms[row["id"]] = known
    for name in biolink.parents():
        id = f"biolink:{name}"
        predicate_forms.setdefault(id, PredicateForm(name.replace("_", " "), id))
    return tuple(sorted(predicate_forms.values(), key=lambda one: (one.name, one.curie)))


def linkml(desk: Desk, form: SchemaForm, base: OpenedSchema | None = None) -> str:
    """The LinkML of a form; of an opened schema, its own text with what was changed. Raises
    InputError for a form with a gap.
    """
    if base is not None:
        return builder_reading.changed(base, form, _prefixes(desk, form))
    return to_linkml(form, _prefixes(desk, form))


def opened(desk: Desk, name: str) -> OpenedSchema:
    """A schema of the project or of the app as a form. Raises InputError for what is none."""
    text = schemas.source(desk, name)
    if not text:
        raise InputError(f"There is no schema {name[:60]}.", "Choose one of the list.")
    return builder_reading.from_linkml(text)


def preview(desk: Desk, text: str, sample: str) -> SchemaPreview:
    """What the built-in engine finds in `sample` with the schema `text` (LinkML), and what a model
    would be asked. Nothing is kept.
    """
    schema, problems = check_schema(text, desk.schemas)
    if schema is None or schema.root not in schema.classes:
        return SchemaPreview(problem=str(problems[0].message) if problems else "It has no root.")
    words = clean_text(sample.encode("utf-8", "replace"))[:LONGEST]
    question = prompt(schema, schema.root, words or "(your text stands here)")
    if not words.strip():
        return SchemaPreview(question=question)
    try:
        spec, grounder = engine_spec("builtin"), desk.grounder()
        parts = EngineParts(grounder, grounding(schema, grounder), Limits(), None, desk.schemas)
        extraction = spec.make(parts).extract(schema, schema.root, words)
    except GroundworkError as error:
        return SchemaPreview(question=question, problem=str(error))
    version = TextVersion("0" * 64, "doc:preview", words)
    proposed = extracted_statements(schema, extraction, "doc:preview", version, "", "builtin")
    mentions = [
        (
            mention.text,
            mention.cls,
            f"{mention.chosen.label} · {mention.chosen.id}" if mention.chosen else "no term yet",
        )
        for mention in extraction.mentions
        if mention.category is not Category.RELATION
    ]
    lines = [_in_words(statement) for statement, _ in proposed]
    return SchemaPreview(tuple(dict.fromkeys(mentions)), tuple(lines), question)


def keep(
    desk: Desk,
    form: SchemaForm,
    base: OpenedSchema | None = None,
    name: str = "",
    curator: str = "",
) -> str:
    """Keep the schema in the project, under the name its title gives (or `name`). Raises InputError
    for a form with a gap, Refused for the name of a template of the app, Forbidden for a reader.
    """
    if curator:
        desk.store.curators.need(curator, Role.CURATOR)
    return schemas.save(desk, name or snake(form.title), linkml(desk, form, base))


def draft(desk: Desk, orcid: str) -> SchemaForm:
    """The form that this person was filling; an empty one at first."""
    kept = desk.store.project.get(f"schema draft {orcid}")
    return from_json(SchemaForm, kept) if kept else SchemaForm()


def keep_draft(desk: Desk, orcid: str, form: SchemaForm) -> None:
    desk.store.project.set(f"schema draft {orcid}", to_json(form))


def _in_words(statement: Statement) -> str:
    """`warfarin · induces · hemorrhage (denied)`"""
    ends = (statement.subject, statement.predicate, statement.object)
    words = [
        f"{end.value} {end.unit}".strip() if isinstance(end, Literal) else end.label or end.id
        for end in ends
    ]
    return " · ".join(words) + (" (denied)" if statement.negated else "")


def _prefixes(desk: Desk, form: SchemaForm) -> Mapping[str, str]:
    """How the ids of the form's vocabularies begin, where the project has them."""
    found: dict[str, str] = {}
    there = set(desk.shelf.names())
    for name in {name for thing in form.things for name in thing.vocabularies} & there:
        try:
            found[name] = next(iter(desk.shelf.lexicon(name).prefixes), "")
        except GroundworkError:
            continue  # being compiled, or broken: its well-known prefix stands in
    return {name: prefix for name, prefix in found.items() if prefix}
