"""The built-in engine: vocabularies and rules, no model, no network. A draft for a curator to
correct.

It works on any schema. Classes with a vocabulary are recognised (longest match, every occurrence,
in-text abbreviations); Triples are filled by the rules of `relation`; other objects from list lines
under a heading that says their slot, or from sentences that hold their parts; literals from the
title, "name: value" lines, patterns, numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from core.errors import InputError
from core.extraction.builtin import NAME
from core.extraction.builtin.draft_probability import DraftJudge, shipped_judge
from core.extraction.builtin.filler import SlotFiller
from core.extraction.builtin.groups import MentionGroup, chosen_annotations, group_by_term
from core.extraction.builtin.organism_word import organisms_by_common_word
from core.extraction.builtin.pathway_name import pathways_named_in_short
from core.extraction.builtin.recognised_things import ThingsInText
from core.extraction.builtin.unknown_names import (
    outside_phrases,
    unknown_name_problems,
    unknown_names,
)
from core.extraction.engine import Check, Progress, never_stop, no_progress
from core.extraction.tree import Branch, Extraction
from core.grounding.constraint.constraint import Constraint, constraint_of
from core.grounding.recognise.recogniser import RecognisedMention
from core.model import (
    Problem,
    Severity,
    Span,
)
from core.schema.definition import ClassDefinition, RangeKind, Schema
from core.support.reading.pair_features import Kinds, no_kinds
from core.support.reading.rule_table import RuleTable, shipped_rules
from core.text.grid import is_heading_row
from core.text.sentence import split_sentences

MOST_NAMED = 6  # names that a message lists


class Annotator(Protocol):
    """Finds the names of terms in a text (the desk's Grounder)."""

    def annotate(
        self, text: str, constraints: Mapping[str, Constraint], progress: Progress = ...
    ) -> list[RecognisedMention]: ...


@dataclass(frozen=True, slots=True)
class DictionaryEngine:
    """The built-in engine over one set of vocabularies. Between steps `progress` is told how many
    characters are read, of how many that are to be read, and `check` may raise Stopped.
    """

    annotator: Annotator
    check: Check = never_stop
    progress: Progress = no_progress
    rules: RuleTable = field(default_factory=shipped_rules)
    kinds: Kinds = no_kinds
    judge: DraftJudge = shipped_judge

    @property
    def name(self) -> str:
        return NAME

    def extract(self, schema: Schema, cls: str, text: str, *, place: str = "") -> Extraction:
        return extract_by_rules(
            schema,
            cls,
            text,
            self.annotator,
            progress=self.step,
            rules=self.rules,
            kinds=self.kinds,
            judge=self.judge,
        )

    def step(self, finished: int, total: int) -> None:
        self.check()
        self.progress(finished, total)


def extract_by_rules(
    schema: Schema,
    cls: str,
    text: str,
    annotator: Annotator,
    *,
    progress: Progress = no_progress,
    rules: RuleTable | None = None,
    kinds: Kinds = no_kinds,
    judge: DraftJudge = shipped_judge,
) -> Extraction:
    """Fill class `cls` (empty: the schema's root) from `text`. `progress` may raise Stopped.

    Raises InputError for a class that the schema does not have.
    """
    root = schema.classes.get(cls or schema.root)
    if root is None:
        raise InputError(
            f"{schema.name} has no class {cls!r}.",
            "Choose one of: " + ", ".join(sorted(schema.classes)),
        )
    names = recognisable_classes(schema, root)
    groups = named_things(schema, names, text, annotator=annotator, progress=progress)
    constraints = {name: constraint_of(schema, name) for name in names}
    if root.name in constraints:
        groups = pathways_named_in_short(
            text, root.name, constraints[root.name], annotate=annotator.annotate, known=groups
        )
    groups = organisms_by_common_word(text, constraints, annotate=annotator.annotate, known=groups)
    taken = [span for group in groups for span in group.spans]
    unknown = unknown_names(text, constraints, taken)
    groups = [*outside_phrases(groups, unknown), *unknown]
    filler = SlotFiller(
        schema,
        text,
        tuple(s for s in split_sentences(text) if not is_heading_row(s.quote(text))),
        ThingsInText(schema, text, groups, kinds),
        rules=rules or shipped_rules(),
        kinds=kinds,
        judge=judge,
        root=root.name,
    )
    tree = filler.fill(root, "", Span(0, len(text)), ())
    problems = _nothing_recognised(schema, names, groups)
    problems += [_too_many_objects(schema)] * filler.is_exhausted
    problems += unknown_name_problems(text, unknown)
    if groups and tree is None:
        problems.append(_unrelated(text, groups))
    return Extraction(
        tree or Branch("", root.name, spans=()), tuple(filler.mentions), tuple(problems)
    )


def _nothing_recognised(
    schema: Schema, names: Collection[str], groups: Sequence[MentionGroup]
) -> list[Problem]:
    if not names:
        message = f"{schema.name} names no vocabulary, so nothing can be recognised."
        return [Problem("no-vocabulary", message)]
    if groups:
        return []
    return [
        Problem(
            "nothing-recognised",
            "This text contains no name from an installed vocabulary.",
            Severity.WARNING,
            hint="Choose a schema that fits the text, or install the vocabularies of this one.",
        )
    ]


def _too_many_objects(schema: Schema) -> Problem:
    return Problem(
        "too-many-objects",
        f"{schema.name} has so many objects within objects that the text was not searched for"
        " all of them.",
        Severity.WARNING,
        hint="Use a schema with fewer nested classes.",
    )


def named_things(  # noqa: PLR0917
    schema: Schema,
    classes: Sequence[str],
    text: str,
    annotator: Annotator,
    progress: Progress = no_progress,
) -> list[MentionGroup]:
    """The things of these classes that a text names, whether or not anything relates them."""
    constraints = {name: constraint_of(schema, name) for name in classes}
    progress(0, len(text) * (1 + len(constraints)))
    annotations = annotator.annotate(text, constraints, progress) if constraints else []
    return group_by_term(chosen_annotations(text, annotations, constraints))


def _unrelated(text: str, groups: Sequence[MentionGroup]) -> Problem:
    """Why a text whose names are known gives no result."""
    names = list(dict.fromkeys(group.spans[0].quote(text) for group in groups))
    listed_names = ", ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")
    return Problem(
        "nothing-stated",
        f"The text names {listed_names}, but no words were found that relate them.",
        Severity.WARNING,
        hint="Mark the statement by hand on Documents, or let a model read the text.",
    )


def recognisable_classes(schema: Schema, root: ClassDefinition) -> list[str]:
    """The entity classes below `root` that name a vocabulary, prefixes or a value set, in schema
    order.
    """
    recognisable, waiting, visited = [], [root.name], set()
    while waiting:
        definition = schema.classes.get(waiting.pop(0))
        if definition is None or definition.name in visited:
            continue
        visited.add(definition.name)
        bound = (
            definition.annotators
            or definition.id_prefixes
            or definition.value_sets
            or definition.enums
        )
        if definition.is_entity and not definition.is_relation and bound:
            recognisable.append(definition.name)
        waiting += [
            slot.range
            for slot in definition.slots
            if slot.kind in (RangeKind.ENTITY, RangeKind.OBJECT)
        ]
    return recognisable
