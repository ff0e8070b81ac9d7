"""The built-in engine: vocabularies and rules, no model, no network. A draft for a curator to
correct.

It works on any schema. Classes with a vocabulary are recognised (longest match, every occurrence,
in-text abbreviations); Triples are filled by the rules of `relation`; other objects from list lines
under a heading that says their slot, or from sentences that hold their parts; literals from the
title, "name: value" lines, patterns, numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from core.curie import preferred_prefix
from core.errors import InputError
from core.extraction.builtin import outline
from core.extraction.builtin.pair_features import Kinds, no_kinds
from core.extraction.builtin.rule_table import RuleTable, shipped_rules
from core.extraction.builtin.slot_constraints import fitting_mentions, is_warning_slot
from core.extraction.builtin.slot_value import remaining_words, slot_quantity, slot_value
from core.extraction.builtin.triples import Fact, unique_facts
from core.extraction.engine import Check, Progress, never_stop, no_progress
from core.extraction.negation import without_negation
from core.extraction.predicate import biolink_predicate
from core.extraction.quantity import find_quantities
from core.extraction.tree import Branch, Extraction, Leaf, LeafKind, StatedBy
from core.grounding.constraint import permissible
from core.grounding.constraint.constraint import Constraint, constraint_of
from core.grounding.grounder import choose_candidate
from core.grounding.recognise.recogniser import Annotation
from core.model import (
    Candidate,
    Category,
    MatchKind,
    Mention,
    Outcome,
    Problem,
    Severity,
    Span,
    Term,
)
from core.schema.definition import ClassDefinition, RangeKind, Schema, Slot
from core.text.sentence import split_sentences

NAME = "builtin"
DEPTH = 6


class Annotator(Protocol):
    """Finds the names of terms in a text (the desk's Grounder)."""

    def annotate(
        self, text: str, constraints: Mapping[str, Constraint], progress: Progress = ...
    ) -> list[Annotation]: ...


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

    @property
    def name(self) -> str:
        return NAME

    def extract(self, schema: Schema, cls: str, text: str, *, place: str = "") -> Extraction:
        return extract(schema, cls, text, self.annotator, self.step, self.rules, self.kinds)

    def step(self, done: int, total: int) -> None:
        self.check()
        self.progress(done, total)


@dataclass(frozen=True, slots=True)
class Group:
    """All mentions of one thing of one class: spans in text order. `key` is its CURIE, or its
    folded words.
    """

    key: str
    cls: str
    spans: tuple[Span, ...]
    candidates: tuple[Candidate, ...]

    def within(self, span: Span) -> tuple[Span, ...]:
        return tuple(
            place for place in self.spans if span.start <= place.start and place.end <= span.end
        )


def extract(
    schema: Schema,
    cls: str,
    text: str,
    annotator: Annotator,
    progress: Progress = no_progress,
    rules: RuleTable | None = None,
    kinds: Kinds = no_kinds,
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
    constraints = {name: constraint_of(schema, name) for name in names}
    progress(0, len(text) * (1 + len(constraints)))
    groups = group_by_term(
        own_vocabulary_first(annotator.annotate(text, constraints, progress), constraints)
        if constraints
        else []
    )
    filler = Filler(
        schema,
        text,
        tuple(split_sentences(text)),
        groups,
        rules=rules or shipped_rules(),
        kinds=kinds,
    )
    tree = filler.fill(root, "", Span(0, len(text)), ())
    problems = [
        Problem(
            "no-vocabulary", f"{schema.name} names no vocabulary, so nothing can be recognised."
        )
    ] * (not names)
    if not groups and names:
        message = "No name of an installed vocabulary stands in this text."
        problems.append(
            Problem(
                "nothing-recognised",
                message,
                Severity.WARNING,
                hint="Install the vocabularies of the schema.",
            )
        )
    return Extraction(
        tree or Branch("", root.name, spans=()), tuple(filler.mentions), tuple(problems)
    )


def recognisable_classes(schema: Schema, root: ClassDefinition) -> list[str]:
    """The entity classes below `root` that name a vocabulary, prefixes or a value set, in schema
    order.
    """
    found, waiting, seen = [], [root.name], set()
    while waiting:
        definition = schema.classes.get(waiting.pop(0))
        if definition is None or definition.name in seen:
            continue
        seen.add(definition.name)
        bound = (
            definition.annotators
            or definition.id_prefixes
            or definition.value_sets
            or definition.enums
        )
        if definition.is_entity and not definition.is_relation and bound:
            found.append(definition.name)
        waiting += [
            slot.range
            for slot in definition.slots
            if slot.kind in (RangeKind.ENTITY, RangeKind.OBJECT)
        ]
    return found


def own_vocabulary_first(
    annotations: Sequence[Annotation], constraints: Mapping[str, Constraint]
) -> list[Annotation]:
    """Words that two classes claim go to the one that has a vocabulary of its own for them: a term
    of a vocabulary that both share (MeSH holds chemicals and diseases) does not say of which class
    it is.
    """
    sources: dict[Span, dict[str, set[str]]] = {}
    for annotation in annotations:
        names = {
            preferred_prefix(candidate.term.id.partition(":")[0]).casefold()
            for candidate in annotation.candidates
        }
        sources.setdefault(annotation.span, {})[annotation.key] = names
    kept = []
    for annotation in annotations:
        rivals = {
            key: names for key, names in sources[annotation.span].items() if key != annotation.key
        }
        mine = {name.casefold() for name in constraints[annotation.key].vocabularies}
        if not any(
            _shared(sources[annotation.span][annotation.key], constraints[key]) and names - mine
            for key, names in rivals.items()
        ):
            kept.append(annotation)
    return kept


def _shared(names: set[str], rival: Constraint) -> bool:
    return names <= {name.casefold() for name in rival.vocabularies}


def group_by_term(annotations: Iterable[Annotation]) -> list[Group]:
    """Annotations of one class and one term together, in the order of their first mention."""
    found: dict[tuple[str, str], list[Annotation]] = {}
    for annotation in sorted(annotations, key=lambda one: (one.span.start, -one.span.end)):
        term, _ = choose_candidate(annotation.candidates)
        key = term.id if term else " ".join(sorted(c.term.id for c in annotation.candidates))
        found.setdefault((annotation.key, key), []).append(annotation)
    return [
        Group(key, cls, tuple(a.span for a in same), same[0].candidates)
        for (cls, key), same in found.items()
    ]


@dataclass
class Filler:
    """Fills branches from one text; `mentions` grows with each entity that is placed."""

    schema: Schema
    text: str
    sentences: tuple[Span, ...]
    groups: Sequence[Group]
    mentions: list[Mention] = field(default_factory=list)
    listing: bool = False  # whether what is being filled is a line of a list
    rules: RuleTable = field(default_factory=shipped_rules)
    kinds: Kinds = no_kinds

    def fill(
        self, cls: ClassDefinition, path: str, within: Span, above: tuple[str, ...]
    ) -> Branch | None:
        """A branch with every slot that the words `within` fill; None when they fill none."""
        if cls.name in above or len(above) > DEPTH:
            return None
        slots = []
        for slot in cls.slots:
            place = f"{path}.{slot.name}" if path else slot.name
            if not (slot.identifier or slot.skip) and (
                values := self.values(cls, slot, place, within, (*above, cls.name))
            ):
                slots.append((slot.name, tuple(values)))
        whole = not path
        return (
            Branch(
                path, cls.name, "" if whole else within.quote(self.text), tuple(slots), (within,)
            )
            if slots
            else None
        )

    def values(
        self, cls: ClassDefinition, slot: Slot, path: str, within: Span, above: tuple[str, ...]
    ) -> list[Branch | Leaf]:
        match slot.kind:
            case RangeKind.ENTITY if slot.name in {one.unit_slot for one in cls.slots}:
                return [one for one in (self.unit(cls, slot, path, within),) if one]
            case RangeKind.ENTITY:
                return list(self.entities(cls, slot, path, within))
            case RangeKind.ENUM:
                return list(self.permissible(slot, path, within))
            case RangeKind.OBJECT:
                return list(self.objects(slot, path, within, above))
        leaf = slot_value(
            self.text, within, slot, cls, len(above) > 1, self.taken(within), self.listing
        )
        return [replace(leaf, path=at(path, slot, 0))] if leaf else []

    def taken(self, within: Span) -> list[Span]:
        """The words that entities and quantities have."""
        named = [span for group in self.groups for span in group.within(within)]
        named += [
            span for mention in self.mentions for span in mention.spans if not mention.candidates
        ]
        named = [span for span in named if within.start <= span.start and span.end <= within.end]
        return sorted(
            named + [q.span for q in find_quantities(self.text, within)],
            key=lambda span: span.start,
        )

    # -------------------------------------------------------------- entities and value sets

    def entities(self, cls: ClassDefinition, slot: Slot, path: str, within: Span) -> Iterator[Leaf]:
        here = [(group, spans) for group in self.of(slot.range) if (spans := group.within(within))]
        if "." not in path:
            here = [
                (group, kept)
                for group, spans in here
                if (kept := fitting_mentions(self.text, cls, slot, spans))
            ]
        if self.repeats(cls, slot):
            return
        if (
            not here
            and self.listing
            and slot.required
            and (left := remaining_words(self.text, within, self.taken(within)))
        ):
            yield self.unknown(at(path, slot, 0), slot, left)
        if not slot.multivalued:
            here = self.single(cls, slot, here)
        for number, (group, spans) in enumerate(here):
            yield self.leaf(at(path, slot, number), group, spans[0])

    def repeats(self, cls: ClassDefinition, slot: Slot) -> bool:
        """Whether an earlier list of the class takes the same things: inputs before outputs."""
        same = [
            one.name
            for one in cls.slots
            if one.range == slot.range and one.multivalued and not one.skip
        ]
        return slot.multivalued and same.index(slot.name) > 0 and not is_warning_slot(slot)

    def single(
        self, cls: ClassDefinition, slot: Slot, here: list[tuple[Group, tuple[Span, ...]]]
    ) -> list[tuple[Group, tuple[Span, ...]]]:
        """One mention for each of a class's slots of one range: the first slot has the first, the
        second the next.
        """
        rivals = [one.name for one in cls.slots if one.range == slot.range and not one.multivalued]
        turn = rivals.index(slot.name)
        if len(rivals) == 1:
            here = sorted(here, key=lambda pair: -len(pair[1]))
        return here[turn : turn + 1]

    def of(self, cls: str) -> list[Group]:
        """The groups of a class or of those below it, each term once."""
        kinds = {cls} | {
            name for name, known in self.schema.classes.items() if cls in known.parents
        }
        groups: dict[str, Group] = {}
        for group in self.groups:
            if group.cls in kinds:
                groups.setdefault(group.key, group)
        return list(groups.values())

    def leaf(self, path: str, group: Group, primary: Span) -> Leaf:
        words = primary.quote(self.text)
        spans = (primary, *(span for span in group.spans if span != primary))
        term, outcome = choose_candidate(group.candidates)
        definition = self.schema.classes.get(group.cls)
        category = definition.category if definition else Category.THING
        chosen_by = NAME if term else ""
        self.mentions.append(
            Mention(
                words, path, group.cls, category, spans, group.candidates, term, chosen_by, outcome
            )
        )
        return Leaf(path, words, group.cls, LeafKind.ENTITY, words, spans, 1.0)

    def unknown(self, path: str, slot: Slot, span: Span) -> Leaf:
        """Words that no vocabulary has: an ungrounded mention."""
        words = span.quote(self.text)
        definition = self.schema.classes.get(slot.range)
        category = definition.category if definition else Category.THING
        self.mentions.append(
            Mention(words, path, slot.range, category, (span,), outcome=Outcome.UNGROUNDED)
        )
        return Leaf(path, words, slot.range, LeafKind.ENTITY, words, (span,), 1.0)

    def permissible(self, slot: Slot, path: str, within: Span) -> Iterator[Leaf]:
        """The values of an enum whose name or alias stands in the text as words."""
        known = self.schema.enums.get(slot.range)
        number = 0
        for value in known.values if known else ():
            for name in (value.name, *value.aliases):
                words = re.escape(name.replace("_", " ")).replace(r"\ ", r"[\s_-]+")
                match = re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE).search(
                    self.text, within.start, within.end
                )
                if match and len(name) > 2:
                    span = Span(*match.span())
                    yield Leaf(
                        at(path, slot, number),
                        match[0],
                        slot.range,
                        LeafKind.ENUM,
                        value.name,
                        (span,),
                        1.0,
                    )
                    number += 1
                    break
            if number and not slot.multivalued:
                return

    # -------------------------------------------------------------- objects

    def objects(
        self, slot: Slot, path: str, within: Span, above: tuple[str, ...]
    ) -> Iterator[Branch]:
        cls = self.schema.classes.get(slot.range)
        if cls is None:
            return
        if cls.is_triple:
            yield from self.triples(slot, cls, path, within)
            return
        listed = self.listed(slot, cls, within) if slot.multivalued else []
        sentences_ = [s for s in self.sentences if within.start <= s.start and s.end <= within.end]
        places = listed or (sentences_ if slot.multivalued else [within])
        before, self.listing = self.listing, self.listing or bool(listed)
        yield from self.filled(slot, cls, path, places, above)
        self.listing = before

    def filled(
        self,
        slot: Slot,
        cls: ClassDefinition,
        path: str,
        places: Sequence[Span],
        above: tuple[str, ...],
    ) -> Iterator[Branch]:
        number = 0
        for place in places:
            kept = len(self.mentions)
            branch = self.fill(cls, at(path, slot, number), place, above)
            if branch is not None and self.worthy(branch, cls):
                yield branch
                number += 1
            else:
                del self.mentions[kept:]

    def listed(self, slot: Slot, cls: ClassDefinition, within: Span) -> list[Span]:
        """The list lines below a heading that says the slot."""
        return [
            span
            for span in outline.list_items(self.text, (slot.name, slot.title, cls.name))
            if span.overlaps(within)
        ]

    def worthy(self, branch: Branch, cls: ClassDefinition) -> bool:
        """A line of a list is an object whatever fills it; a bare sentence must hold two parts of
        the class.
        """
        asked = [s for s in cls.slots if not (s.identifier or s.skip)]
        required = all(branch.get(s.name) for s in asked if s.required)
        return required and (self.listing or len(branch.slots) >= min(2, len(asked)))

    def triples(
        self, slot: Slot, cls: ClassDefinition, path: str, within: Span
    ) -> Iterator[Branch]:
        subject, object_ = cls.slot("subject"), cls.slot("object")
        if subject is None or object_ is None:
            return
        facts = unique_facts(
            self.schema,
            cls,
            self.text,
            self.sentences,
            self.of(subject.range),
            self.of(object_.range),
            self.rules,
            self.kinds,
        )
        here = [
            fact
            for fact in facts
            if within.start <= fact.sentence.start and fact.sentence.end <= within.end
        ]
        for number, fact in enumerate(here if slot.multivalued else here[:1]):
            yield self.triple(cls, at(path, slot, number), fact)

    def triple(self, cls: ClassDefinition, path: str, fact: Fact[Group]) -> Branch:
        slots: list[tuple[str, tuple[Branch | Leaf, ...]]] = []
        for slot in cls.slots:
            place = at(f"{path}.{slot.name}", slot, 0)
            if slot.name == "subject":
                subjects = tuple(dict.fromkeys(relation.subject for relation, _ in fact.places))
                slots.append((slot.name, (self.end(place, fact.subject, subjects),)))
            elif slot.name == "object":
                objects = tuple(dict.fromkeys(relation.object for relation, _ in fact.places))
                slots.append((slot.name, (self.end(place, fact.object, objects),)))
            elif slot.name in fact.values:
                slots.append((slot.name, (self.said(place, slot, fact),)))
        said = fact.relation
        cover = Span(
            min(said.subject.start, said.object.start), max(said.subject.end, said.object.end)
        )
        words = (
            cover.quote(self.text)
            if fact.sentence.end >= cover.end and fact.sentence.start <= cover.start
            else ""
        )
        sentences = tuple(dict.fromkeys(sentence for _, sentence in fact.places))
        stated = [
            StatedBy(sentence, one.rule, one.cue.quote(self.text).strip(" -"), round(one.score, 3))
            for one, sentence in fact.places
        ]
        return Branch(path, cls.name, words, tuple(slots), sentences, tuple(stated))

    def end(self, path: str, group: Group, places: tuple[Span, ...]) -> Leaf:
        """An end of a relation: its leaf has the places where the relation is stated, its mention
        has all places.
        """
        return replace(self.leaf(path, group, places[0]), spans=places)

    def said(self, path: str, slot: Slot, fact: Fact[Group]) -> Leaf:
        words, span = fact.values[slot.name]
        if slot.kind is RangeKind.ENTITY:
            return (
                self.relation(path, slot, words, span)
                if slot.name == "predicate"
                else self.unknown(path, slot, span)
            )
        kind = LeafKind.ENUM if slot.kind is RangeKind.ENUM else LeafKind.LITERAL
        return Leaf(path, words, slot.range, kind, words, (span,), fact.relation.score)

    def relation(self, path: str, slot: Slot, words: str, span: Span) -> Leaf:
        """A predicate in plain words: a value of the schema's own set, or the Biolink predicate
        that they name.
        """
        plain = without_negation(words)
        own = [
            one
            for _, one in permissible.permissible_candidates(
                plain, constraint_of(self.schema, slot.range).enums
            )
        ]
        known = own[:1] or [one for one in (biolink_predicate(plain),) if one]
        term = known[0].term if known else None
        outcome = Outcome.GROUNDED if term else Outcome.UNGROUNDED
        by = NAME if term else ""
        mention = Mention(
            words, path, slot.range, Category.RELATION, (span,), tuple(known), term, by, outcome
        )
        self.mentions.append(mention)
        return Leaf(path, words, slot.range, LeafKind.ENTITY, words, (span,), 1.0)

    def unit(self, cls: ClassDefinition, slot: Slot, path: str, within: Span) -> Leaf | None:
        """The unit of the sibling slot that holds its number, as a UCUM code where the class allows
        those.
        """
        number = next(one for one in cls.slots if one.unit_slot == slot.name)
        quantity = slot_quantity(self.text, within, number, cls, self.listing)
        if quantity is None or quantity.unit is None:
            return None
        definition = self.schema.classes[slot.range]
        group = next((one for one in self.of(slot.range) if quantity.unit in one.spans), None)
        if group is not None:
            return self.leaf(path, group, quantity.unit)
        if "UCUM" not in definition.id_prefixes:
            return self.unknown(path, slot, quantity.unit)
        term = Term(f"UCUM:{quantity.ucum}", quantity.unit.quote(self.text), definition.category)
        coded = Candidate(term, MatchKind.EXACT, 0.95, quantity.ucum, vocabulary="ucum")
        return self.leaf(
            path, Group(term.id, slot.range, (quantity.unit,), (coded,)), quantity.unit
        )


def at(path: str, slot: Slot, number: int) -> str:
    """A multivalued slot always has an index, a single one never."""
    return f"{path}[{number}]" if slot.multivalued else path
