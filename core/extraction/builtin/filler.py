"""Fills the objects of a schema from one text: entities from the names that were recognised,
literals from what stands beside a slot's name, relations from the rules.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from core.extraction.builtin import NAME, outline
from core.extraction.builtin.draft_probability import (
    DraftEnd,
    DraftJudge,
    draft_features,
    lesson_signs,
    shipped_judge,
)
from core.extraction.builtin.groups import (
    MentionGroup,
    are_one_thing,
    listed_once,
    outside_names,
)
from core.extraction.builtin.measurement import measured_slots, measurements
from core.extraction.builtin.reading import Reader
from core.extraction.builtin.recognised_things import ThingsInText
from core.extraction.builtin.slot_constraints import (
    fitting_mentions,
    in_turn_of_slot,
    is_warning_slot,
    repeats_earlier_list,
)
from core.extraction.builtin.slot_relation import is_read_as_relation, related_places
from core.extraction.builtin.slot_sense import SlotSense, slot_sense
from core.extraction.builtin.slot_statement import SlotPlace, slot_places, stated_by
from core.extraction.builtin.slot_value import (
    TITLES,
    enum_values_in,
    remaining_words,
    slot_quantity,
    slot_value,
)
from core.extraction.builtin.study_value import study_values
from core.extraction.builtin.triple_evidence import (
    predicate_mention,
    stated_evidence,
    words_of_relation,
)
from core.extraction.builtin.triples import ProposedTriple, unique_triples
from core.extraction.quantity import Quantity, find_quantities
from core.extraction.tree import Branch, Leaf, LeafKind
from core.grounding.choice import choose_candidate
from core.model import Candidate, Category, MatchKind, Mention, Outcome, Span, Term
from core.schema.definition import ClassDefinition, RangeKind, Schema, Slot
from core.support.reading.pair_features import Kinds, no_kinds
from core.support.reading.pair_probability import weights_for
from core.support.reading.rule_table import RuleTable, family_of, shipped_rules

DEPTH = 6  # objects within objects
READINGS = 1_000  # of one text, by the objects of a schema; a short text counts as `SHORT`
SHORT = 500  # characters


@dataclass
class SlotFiller:
    """Fills branches from one text; `mentions` grows with each entity that is placed."""

    schema: Schema
    text: str
    sentences: tuple[Span, ...]
    things: ThingsInText
    mentions: list[Mention] = field(default_factory=list)
    lists: dict[tuple[str, ...], list[Span]] = field(default_factory=dict)  # by what heads them
    listing: bool = False  # whether what is being filled is a line of a list
    rules: RuleTable = field(default_factory=shipped_rules)
    kinds: Kinds = no_kinds
    judge: DraftJudge = shipped_judge
    root: str = ""  # the class of what the whole text is about
    read: int = 0  # characters, each time that an object was looked for in them

    def fill(
        self, cls: ClassDefinition, path: str, within: Span, above: tuple[str, ...]
    ) -> Branch | None:
        """A branch with every slot that the words `within` fill; None when they fill none."""
        if cls.name in above or len(above) > DEPTH or self.is_exhausted:
            return None
        self.read += within.end - within.start
        slots = []
        for slot in cls.slots:
            place = f"{path}.{slot.name}" if path else slot.name
            if not (slot.identifier or slot.skip) and (
                values := self.values(cls, slot, place, within=within, above=(*above, cls.name))
            ):
                slots.append((slot.name, tuple(values)))
        is_root = not path
        return (
            Branch(
                path,
                cls.name,
                "" if is_root else within.quote(self.text),
                slots=tuple(slots),
                spans=(within,),
            )
            if slots
            else None
        )

    @property
    def is_exhausted(self) -> bool:
        """Whether the schema's objects in objects asked for more than a text is read for."""
        return self.read > READINGS * max(len(self.text), SHORT)

    def values(  # noqa: PLR0917
        self, cls: ClassDefinition, slot: Slot, path: str, within: Span, above: tuple[str, ...]
    ) -> list[Branch | Leaf]:
        match slot.kind:
            case RangeKind.ENTITY if slot.name in {sibling.unit_slot for sibling in cls.slots}:
                return [
                    unit_leaf for unit_leaf in (self.unit(cls, slot, path, within),) if unit_leaf
                ]
            case RangeKind.ENTITY:
                return list(self.entities(cls, slot, path, within))
            case RangeKind.ENUM:
                return list(self.permissible(slot, path, within))
            case RangeKind.OBJECT:
                return list(self.objects(slot, path, within, above))
        nested = len(above) > 1
        title = within if nested else self.subject(cls)
        if title is None and slot.name in TITLES:
            return []
        if not nested and (words := self.of_study(slot)):
            chance = self.judge(draft_features(f"words {slot.name}", "words", score=0.8, ends=()))
            return [
                Leaf(
                    slot_path(path, slot, number), span.quote(self.text), slot.range,
                    kind=LeafKind.LITERAL, value=span.quote(self.text), spans=(span,),
                    score=max(chance, 0.0),
                )
                for number, span in enumerate(words)
            ]  # fmt: skip
        leaf = slot_value(
            self.text,
            within,
            slot,
            cls,
            nested=nested,
            spans=self.named_spans(within),
            listed=self.listing,
            title=title,
        )
        return [replace(leaf, path=slot_path(path, slot, 0))] if leaf else []

    def of_study(self, slot: Slot) -> list[Span]:
        """Plain words on the place and the methods of a study, for a slot that asks for them."""
        whole = Span(0, len(self.text))
        named = self.things.spans_within(whole)
        return list(
            study_values(
                self.text, slot, outline.title_line(self.text), self.sentences, named=named
            )
        )

    def subject(self, cls: ClassDefinition) -> Span | None:
        """What names the object that the whole text is about; None where the text names none."""
        if not cls.is_entity:
            return outline.title_line(self.text)
        return self.things.subject(cls)

    def disease(self) -> Span | None:
        """The name of the disease that the whole text is about, where the schema asks for one."""
        root = self.schema.classes.get(self.root)
        if root is None or not root.is_entity or root.category is not Category.DISEASE:
            return None
        return self.subject(root)

    def named_spans(self, within: Span) -> list[Span]:
        """The words that entities and quantities have."""
        named_spans = self.things.spans_within(within) + [
            span
            for mention in self.mentions
            if not mention.candidates
            for span in mention.spans
            if within.start <= span.start and span.end <= within.end
        ]
        return sorted(
            named_spans + [q.span for q in find_quantities(self.text, within)],
            key=lambda span: span.start,
        )

    # -------------------------------------------------------------- entities and value sets

    def entities(self, cls: ClassDefinition, slot: Slot, path: str, within: Span) -> Iterator[Leaf]:
        if "." not in path:
            yield from self.of_root(cls, slot, path, within)
            return
        placed = self.things.within(slot.range, within)
        if repeats_earlier_list(cls, slot):
            return
        if (
            not placed
            and self.listing
            and slot.required
            and (words_left := remaining_words(self.text, within, self.named_spans(within)))
        ):
            yield self.unknown(slot_path(path, slot, 0), slot, words_left)
        placed = (
            listed_once(placed, self.text)
            if slot.multivalued
            else in_turn_of_slot(cls, slot, placed)
        )
        for number, (group, spans) in enumerate(placed):
            yield self.leaf(slot_path(path, slot, number), group, spans[0])

    def of_root(self, cls: ClassDefinition, slot: Slot, path: str, within: Span) -> Iterator[Leaf]:
        """The things of a list of what the whole text is about, each with the sentences that say
        so. What a text does not name has no list.
        """
        if repeats_earlier_list(cls, slot) or (cls.is_entity and self.subject(cls) is None):
            return
        placed = self.root_places(cls, slot, within)
        kept = listed_once([(group, spans) for group, spans, _ in placed], self.text)
        why = {group.key: places for group, _, places in placed}
        if not slot.multivalued:
            kept = in_turn_of_slot(cls, slot, kept)
        chances = {group.key: self.chance(cls, slot, group, why[group.key]) for group, _ in kept}
        kept = [(group, spans) for group, spans in kept if chances[group.key] >= 0]
        for number, (group, spans) in enumerate(kept):
            leaf = self.leaf(slot_path(path, slot, number), group, spans[0])
            stated = stated_by(why[group.key], self.text, chances[group.key])
            yield replace(leaf, **stated)

    def chance(
        self, cls: ClassDefinition, slot: Slot, group: MentionGroup, places: Sequence[SlotPlace]
    ) -> float:
        """How likely a thing fills a list of what the text is about; below 0 where that is too low
        to propose it, 1 for a list of what is named at all.
        """
        if not places:
            return 1.0
        best = max(places, key=lambda place: place.score)
        own = self.things.about(cls)
        return self.judge(
            draft_features(
                f"list {slot_sense(cls, slot)}",
                best.rule,
                best.score,
                self.draft_ends(*filter(None, (own, group))),
                plainly_said=best.plain,
                said_again=len(places) > 1,
            )
            | lesson_signs(slot.title or slot.name, (own, group) if own else (group,))
        )

    def root_places(
        self, cls: ClassDefinition, slot: Slot, within: Span
    ) -> list[tuple[MentionGroup, tuple[Span, ...], list[SlotPlace]]]:
        """The things that may fill a list, where the text names them, and what says so; for a list
        of what is named at all, nothing.
        """
        subject = self.subject(cls)
        fitting = [
            (group, spans)
            for group, named in self.things.within(slot.range, within)
            if (spans := fitting_mentions(self.text, cls, slot, named, subject=subject))
        ]
        if cls.is_entity:
            fitting = self.things.of_subject(cls, slot, fitting)
        sense = SlotSense.NAMED if is_warning_slot(slot) else slot_sense(cls, slot)
        if sense is SlotSense.NAMED:
            return [(group, spans, []) for group, spans in fitting]
        own = self.things.about(cls)
        groups = [
            replace(group, spans=spans)
            for group, spans in fitting
            if not (own and are_one_thing(own, group, self.text))
        ]
        by_key: dict[str, list[SlotPlace]] = {}
        if own and is_read_as_relation(sense):
            by_key = related_places(self.reader, sense, own, groups)
        title, names = outline.title_line(self.text), own.spans if own else ()
        for group in groups:
            worded = slot_places(self.text, sense, group.spans, root=names, title=title)
            by_key.setdefault(group.key, []).extend(worded)
        return [
            (group, tuple(place.span for place in places), places)
            for group in groups
            if (places := by_key[group.key])
        ]

    @property
    def reader(self) -> Reader[MentionGroup]:
        return Reader(
            self.text, self.sentences, self.rules, kinds=self.kinds, category_of=self.category_of
        )

    def category_of(self, group: MentionGroup) -> Category:
        definition = self.schema.classes.get(group.cls)
        return definition.category if definition else Category.THING

    def leaf(self, path: str, group: MentionGroup, primary: Span) -> Leaf:
        words = primary.quote(self.text)
        spans = (primary, *(span for span in group.spans if span != primary))
        term, outcome = choose_candidate(group.candidates)
        category = self.category_of(group)
        chosen_by = NAME if term else ""
        self.mentions.append(
            Mention(
                words,
                path,
                group.cls,
                category=category,
                spans=spans,
                candidates=group.candidates,
                chosen=term,
                chosen_by=chosen_by,
                outcome=outcome,
            )
        )
        return Leaf(
            path, words, group.cls, kind=LeafKind.ENTITY, value=words, spans=spans, score=1.0
        )

    def unknown(self, path: str, slot: Slot, span: Span) -> Leaf:
        """Words that no vocabulary has: an ungrounded mention."""
        words = span.quote(self.text)
        definition = self.schema.classes.get(slot.range)
        category = definition.category if definition else Category.THING
        self.mentions.append(
            Mention(
                words,
                path,
                slot.range,
                category=category,
                spans=(span,),
                outcome=Outcome.UNGROUNDED,
            )
        )
        return Leaf(
            path, words, slot.range, kind=LeafKind.ENTITY, value=words, spans=(span,), score=1.0
        )

    def permissible(self, slot: Slot, path: str, within: Span) -> Iterator[Leaf]:
        """The values of an enum whose name or alias occurs in the text as words."""
        enum = self.schema.enums.get(slot.range)
        named = enum_values_in(self.text, enum, within) if enum else ()
        for number, (value, span) in enumerate(named):
            words, place = span.quote(self.text), slot_path(path, slot, number)
            yield Leaf(
                place, words, slot.range, kind=LeafKind.ENUM, value=value, spans=(span,), score=1.0
            )
            if not slot.multivalued:
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
        if not (listed or self.listing) and (roles := measured_slots(cls)):
            yield from self.measured(slot, cls, path, within, roles=roles)
            return
        places = listed or (self.sentences_within(within) if slot.multivalued else [within])
        before, self.listing = self.listing, self.listing or bool(listed)
        yield from self.filled(slot, cls, path, places, above=above)
        self.listing = before

    def measured(
        self, slot: Slot, cls: ClassDefinition, path: str, within: Span, *, roles: tuple[Slot, Slot]
    ) -> Iterator[Branch]:
        """A branch for each quantity with a unit of which a sentence says what has it."""
        thing, value = roles
        number = 0
        for sentence in self.sentences_within(within):
            placed = self.things.within(thing.range, sentence)
            group_of = {span: group for group, spans in placed for span in spans}
            for variable, quantity in measurements(self.text, sentence, list(group_of)):
                at = slot_path(path, slot, number)
                place = Span(variable.start, quantity.span.end)
                group = group_of[variable]
                slots: dict[str, Branch | Leaf | None] = {
                    thing.name: self.leaf(f"{at}.{thing.name}", group, variable),
                    value.name: Leaf(
                        f"{at}.{value.name}", quantity.number.quote(self.text), value.range,
                        kind=LeafKind.LITERAL, value=quantity.value, spans=(quantity.number,),
                        score=1.0,
                    ),
                    value.unit_slot: self.unit_of(cls, f"{at}.{value.unit_slot}", value, quantity),
                }  # fmt: skip
                ordered = tuple(
                    (name, (leaf,))
                    for name in (known.name for known in cls.slots)
                    if (leaf := slots.get(name))
                )
                yield Branch(at, cls.name, place.quote(self.text), slots=ordered, spans=(place,))
                number += 1
                if not slot.multivalued:
                    return

    def filled(
        self,
        slot: Slot,
        cls: ClassDefinition,
        path: str,
        places: Sequence[Span],
        *,
        above: tuple[str, ...],
    ) -> Iterator[Branch]:
        number = 0
        for place in places:
            mentions_before = len(self.mentions)
            branch = self.fill(cls, slot_path(path, slot, number), place, above)
            if branch is not None and self.worthy(branch, cls):
                yield branch
                number += 1
            else:
                del self.mentions[mentions_before:]

    def listed(self, slot: Slot, cls: ClassDefinition, within: Span) -> list[Span]:
        """The list lines below a heading that says the slot."""
        names = (slot.name, slot.title, cls.name)
        if names not in self.lists:
            self.lists[names] = outline.list_items(self.text, names)
        return [span for span in self.lists[names] if span.overlaps(within)]

    def sentences_within(self, part: Span) -> tuple[Span, ...]:
        begin = bisect_left(self.sentences, part.start, key=attrgetter("start"))
        return self.sentences[begin : bisect_right(self.sentences, part.end, key=attrgetter("end"))]

    def worthy(self, branch: Branch, cls: ClassDefinition) -> bool:
        """A line of a list is an object whatever fills it; a bare sentence must hold two parts of
        the class.
        """
        fillable = [s for s in cls.slots if not (s.identifier or s.skip)]
        required = all(branch.get(s.name) for s in fillable if s.required)
        return required and (self.listing or len(branch.slots) >= min(2, len(fillable)))

    def triples(
        self, slot: Slot, cls: ClassDefinition, path: str, within: Span
    ) -> Iterator[Branch]:
        subject, object_ = cls.slot("subject"), cls.slot("object")
        if subject is None or object_ is None:
            return
        triples = unique_triples(
            self.schema,
            cls,
            self.reader,
            subjects=outside_names(
                self.things.of(subject.range), self.things.of(object_.range), self.text
            ),
            objects=self.things.of(object_.range),
            about=self.disease(),
        )
        triples_within = [
            judged
            for triple in triples
            if within.start <= triple.sentence.start
            and triple.sentence.end <= within.end
            and not are_one_thing(triple.subject, triple.object, self.text)
            and (judged := self.judged(triple))
        ]
        for number, triple in enumerate(triples_within if slot.multivalued else triples_within[:1]):
            yield self.triple(cls, slot_path(path, slot, number), triple)

    def draft_ends(self, *groups: MentionGroup) -> list[DraftEnd]:
        return [
            DraftEnd(group, self.kinds(group.key), self.category_of(group) is Category.VARIANT)
            for group in groups
        ]

    def kind_of_draft(self, triple: ProposedTriple[MentionGroup]) -> str:
        """The family of a relation, and whether weights were learned for its kinds of ends."""
        rule = self.rules.by_name.get(triple.relation.rule)
        known = family_of(triple.relation.predicate)
        family = rule.family if rule else known.name if known else "own"
        ends = (self.reader.kind(end) for end in (triple.subject, triple.object))
        learned = weights_for(next(ends), family, next(ends))
        return f"{'learned' if learned else 'stated'} {family}"

    def judged(self, triple: ProposedTriple[MentionGroup]) -> ProposedTriple[MentionGroup] | None:
        """A triple with the probability that it is right as it stands; None where that is too low
        to propose it.
        """
        relation = triple.relation
        chance = self.judge(
            draft_features(
                self.kind_of_draft(triple),
                relation.rule,
                relation.score,
                self.draft_ends(triple.subject, triple.object),
                negated=relation.negated,
                supposed=relation.hypothesis,
                plainly_said=relation.plain,
                said_again=len(triple.places) > 1,
            )
            | lesson_signs(relation.predicate, (triple.subject, triple.object), relation.negated)
        )
        if chance < 0:
            return None
        share = chance / relation.score if relation.score else 0.0
        places = tuple(
            (replace(one, score=min(chance, one.score * share)), sentence)
            for one, sentence in triple.places
        )
        return replace(triple, relation=replace(relation, score=chance), places=places)

    def triple(
        self, cls: ClassDefinition, path: str, triple: ProposedTriple[MentionGroup]
    ) -> Branch:
        slots: list[tuple[str, tuple[Branch | Leaf, ...]]] = []
        for slot in cls.slots:
            place = slot_path(f"{path}.{slot.name}", slot, 0)
            if slot.name == "subject":
                subjects = tuple(dict.fromkeys(relation.subject for relation, _ in triple.places))
                slots.append((slot.name, (self.end(place, triple.subject, subjects),)))
            elif slot.name == "object":
                objects = tuple(dict.fromkeys(relation.object for relation, _ in triple.places))
                slots.append((slot.name, (self.end(place, triple.object, objects),)))
            elif slot.name in triple.values:
                slots.append((slot.name, (self.leaf_of_triple(place, slot, triple),)))
        sentences = tuple(dict.fromkeys(sentence for _, sentence in triple.places))
        words, stated = words_of_relation(triple, self.text), stated_evidence(triple, self.text)
        return Branch(path, cls.name, words, slots=tuple(slots), spans=sentences, stated=stated)

    def end(self, path: str, group: MentionGroup, places: tuple[Span, ...]) -> Leaf:
        """An end of a relation: its leaf has the places where the relation is stated, its mention
        has all places.
        """
        return replace(self.leaf(path, group, places[0]), spans=places)

    def leaf_of_triple(self, path: str, slot: Slot, triple: ProposedTriple[MentionGroup]) -> Leaf:
        words, span = triple.values[slot.name]
        if slot.kind is RangeKind.ENTITY:
            return (
                self.relation(path, slot, words, span)
                if slot.name == "predicate"
                else self.unknown(path, slot, span)
            )
        kind = LeafKind.ENUM if slot.kind is RangeKind.ENUM else LeafKind.LITERAL
        return Leaf(
            path,
            words,
            slot.range,
            kind=kind,
            value=words,
            spans=(span,),
            score=triple.relation.score,
        )

    def relation(self, path: str, slot: Slot, words: str, span: Span) -> Leaf:
        """A predicate in plain words: a value of the schema's own set, or the Biolink predicate
        that they name.
        """
        self.mentions.append(predicate_mention(self.schema, path, slot, words, span=span))
        return Leaf(
            path, words, slot.range, kind=LeafKind.ENTITY, value=words, spans=(span,), score=1.0
        )

    def unit(self, cls: ClassDefinition, slot: Slot, path: str, within: Span) -> Leaf | None:
        """The unit of the sibling slot that holds its number, as a UCUM code where the class allows
        those.
        """
        number = next(sibling for sibling in cls.slots if sibling.unit_slot == slot.name)
        quantity = slot_quantity(self.text, within, number, cls, listed=self.listing)
        return self.unit_of(cls, path, number, quantity) if quantity else None

    def unit_of(
        self, cls: ClassDefinition, path: str, number: Slot, quantity: Quantity
    ) -> Leaf | None:
        """The unit of a quantity, for the slot that goes with the one of its number."""
        slot = next(sibling for sibling in cls.slots if sibling.name == number.unit_slot)
        if quantity.unit is None or slot.range not in self.schema.classes:
            return None
        definition = self.schema.classes[slot.range]
        group = next(
            (
                candidate
                for candidate in self.things.of(slot.range)
                if quantity.unit in candidate.spans
            ),
            None,
        )
        if group is not None:
            return self.leaf(path, group, quantity.unit)
        if "UCUM" not in definition.id_prefixes:
            return self.unknown(path, slot, quantity.unit)
        term = Term(f"UCUM:{quantity.ucum}", quantity.unit.quote(self.text), definition.category)
        coded = Candidate(term, MatchKind.EXACT, 0.95, quantity.ucum, vocabulary="ucum")
        return self.leaf(
            path, MentionGroup(term.id, slot.range, (quantity.unit,), (coded,)), quantity.unit
        )


def slot_path(path: str, slot: Slot, number: int) -> str:
    """A multivalued slot always has an index, a single one never."""
    return f"{path}[{number}]" if slot.multivalued else path
