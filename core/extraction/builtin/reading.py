"""What a text says of two lists of things: what the rules find, and what learned weights make of
it.

Weights are learned by the kinds of the two ends and the family of the predicate. Where there are
none, only what the text states counts: a hint is no proposal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Generic

from core.extraction.builtin.end_kinds import EndKind, end_kind, joins_fitting_ends
from core.extraction.builtin.likely_relation import (
    UNSTATED,
    likely_relations,
    may_be_proposed,
    plainly_worth,
)
from core.extraction.builtin.outline import title_line
from core.model import Category, Span
from core.support.reading.pair_features import G, Kinds, Pair, by_place, candidate_pairs
from core.support.reading.pair_probability import PairWeights, weights_for
from core.support.reading.part_in_sentence import is_lacking
from core.support.reading.predicate import Predicate, predicate_families
from core.support.reading.pronoun import antecedent, is_its_verb, pronoun_subject
from core.support.reading.relation import Relation, pair_relations
from core.support.reading.rule_table import HINT, RuleTable
from core.support.reading.stance_patterns import LESSENED_BEFORE, WARNED

STATED_LIKE = 0.6  # the weight of a hint that is as good as a statement ("Firmicutes in the lake")
EASING = frozenset(("treat", "prevent", "inhibit"))  # families that say a condition grows less
_KIND_OF_END = {
    EndKind.MOLECULE: Category.CHEMICAL,
    EndKind.TREATMENT: Category.CHEMICAL,
    EndKind.GENE: Category.GENE,
    EndKind.CONDITION: Category.DISEASE,
}
_SAME_KIND = {Category.PHENOTYPE: Category.DISEASE, Category.PROTEIN: Category.GENE}
# Annotated texts do not tell these apart: what is prevented is called treated there.
_TOGETHER = {"treat": ("treat", "prevent")}


@dataclass(frozen=True, slots=True)
class LearnedPredicate:
    """A predicate for two kinds of things with its weights, and all predicates that those speak
    of."""

    name: str
    all_names: frozenset[str]
    weights: PairWeights


@dataclass(frozen=True)
class Reader(Generic[G]):
    """Reads relations between the things of one text; `category_of` is what a thing is where its
    term does not say.
    """

    text: str
    sentences: Sequence[Span]
    rules: RuleTable
    kinds: Kinds
    category_of: Callable[[G], Category]

    def relations(
        self, subjects: Sequence[G], objects: Sequence[G], predicates: Sequence[Predicate]
    ) -> list[Relation]:
        """Every relation that the text states, with its probability where weights were learned
        for such things, else with the weight of its rule.
        """
        stated = self.stated(subjects, objects, predicates)
        left = set(map(id, stated))
        proposed: list[Relation] = []
        for ends, agents, things in self._by_kinds(subjects, objects):
            learned = learned_predicates(*ends, predicates, self.rules)
            here = _between(stated, agents, things)
            names = frozenset(name for one in learned for name in one.all_names)
            left -= {id(one) for one in here if one.predicate in names and not one.negated}
            proposed += self._likely(agents, things, here, learned, all_stated=stated)
        return proposed + [
            plainly_worth(relation)
            for relation in stated
            if id(relation) in left and not self._is_hint(relation)
        ]

    def stated(
        self, subjects: Sequence[G], objects: Sequence[G], predicates: Sequence[Predicate]
    ) -> list[Relation]:
        return stated_fitting(
            self.text,
            self.sentences,
            subjects,
            objects,
            predicates=predicates,
            rules=self.rules,
            kinds=self.kinds,
        )

    def pairs(
        self, subjects: Sequence[G], objects: Sequence[G], stated: Sequence[Relation], name: str
    ) -> list[Pair[G]]:
        """The pairs that weights for the predicate of this name look at, with their features."""
        title = title_line(self.text)
        pairs = candidate_pairs(
            self.text,
            title,
            self.sentences,
            subjects,
            objects=objects,
            stated=stated,
            predicate=name,
            kinds=self.kinds,
        )
        denied = frozenset(relation.object for relation in stated if relation.negated)
        return [pair for pair in pairs if may_be_proposed(pair, denied)]

    def kind(self, thing: G) -> Category:
        """What a thing is: by its term, else by its class."""
        known = end_kind(thing.key, self.kinds(thing.key))
        kind = _KIND_OF_END.get(known) if known else None
        category = kind or self.category_of(thing)
        return _SAME_KIND.get(category, category)

    def _by_kinds(
        self, subjects: Sequence[G], objects: Sequence[G]
    ) -> Iterator[tuple[tuple[Category, Category], list[G], list[G]]]:
        parts: list[dict[Category, list[G]]] = []
        for things in (subjects, objects):
            by_kind: dict[Category, list[G]] = defaultdict(list)
            for thing in things:
                by_kind[self.kind(thing)].append(thing)
            parts.append(by_kind)
        for first, agents in parts[0].items():
            for second, things in parts[1].items():
                yield (first, second), agents, things

    def _likely(
        self,
        subjects: Sequence[G],
        objects: Sequence[G],
        stated: Sequence[Relation],
        learned: Sequence[LearnedPredicate],
        *,
        all_stated: Sequence[Relation],
    ) -> list[Relation]:
        """The likeliest predicate of each pair that reaches its threshold, in one direction."""
        best: dict[frozenset[str], tuple[float, list[Relation]]] = {}
        owner = {span: thing.key for thing in (*subjects, *objects) for span in thing.spans}
        # What something is said to treat or to lessen is not caused where no word says so
        eased = frozenset(one.object for one in all_stated if not one.negated and self._eases(one))
        for predicate in learned:
            own: dict[tuple[str, str], list[Relation]] = defaultdict(list)
            for relation in stated:
                if relation.predicate in predicate.all_names:
                    own[owner[relation.subject], owner[relation.object]].append(relation)
            for pair in self.pairs(subjects, objects, stated, predicate.name):
                ends = pair.subject.key, pair.object.key
                whole = replace(pair, relations=tuple(own[ends]))
                likely = likely_relations(whole, predicate.name, predicate.weights)
                if likely and likely[0].rule in UNSTATED:
                    if predicate.weights.is_lenient and self._is_eased(pair, eased):
                        likely = []
                    if predicate.weights.is_scarce and self._is_warned_of(pair):
                        likely = []
                chance = likely[0].score if likely else 0.0
                if likely and chance > best.get(frozenset(ends), (0.0, []))[0]:
                    best[frozenset(ends)] = chance, likely
        return [relation for _, relations in best.values() for relation in relations]

    def _eases(self, relation: Relation) -> bool:
        rule = self.rules.by_name.get(relation.rule)
        return rule is not None and rule.strength != HINT and rule.family in EASING

    def _is_eased(self, pair: Pair[G], eased: frozenset[Span]) -> bool:
        """Whether the text says that something treats or lessens the object: by a relation; or,
        where no sentence names the two together, by the words right before its name.
        """
        spans = pair.object.spans
        return not eased.isdisjoint(spans) or (
            not pair.together
            and any(
                LESSENED_BEFORE.search(self.text[max(span.start - 40, 0) : span.start].casefold())
                for span in spans
            )
        )

    def _is_warned_of(self, pair: Pair[G]) -> bool:
        """Whether each sentence that names the two says between them that it does harm, or less
        than another does: that is no treatment.
        """
        return bool(pair.together) and all(
            WARNED.search(self.text[first.end : second.start].casefold())
            for first, second in (
                sorted((subject, object_), key=lambda span: span.start)
                for _, subject, object_ in pair.together
            )
        )

    def _is_hint(self, relation: Relation) -> bool:
        rule = self.rules.by_name.get(relation.rule)
        return rule is not None and rule.strength == HINT and rule.weight < STATED_LIKE


def learned_predicates(
    subject: Category, object_: Category, predicates: Sequence[Predicate], rules: RuleTable
) -> list[LearnedPredicate]:
    """The predicates that weights were learned for, for two kinds of things; the first of each
    family.
    """
    names: dict[str, list[str]] = defaultdict(list)
    for predicate in predicates:
        for family, _ in predicate_families(predicate, rules):
            names[family.name].append(predicate.name)
    return [
        LearnedPredicate(
            known[0],
            frozenset(one for other in _TOGETHER.get(family, (family,)) for one in names[other]),
            weights,
        )
        for family, known in list(names.items())
        if known and (weights := weights_for(subject, family, object_))
    ]


def _between(
    stated: Sequence[Relation], subjects: Sequence[G], objects: Sequence[G]
) -> list[Relation]:
    """The relations that join one of the subjects to one of the objects."""
    ours = {span for thing in subjects for span in thing.spans}
    theirs = {span for thing in objects for span in thing.spans}
    return [one for one in stated if one.subject in ours and one.object in theirs]


def stated_fitting(
    text: str,
    sentences: Sequence[Span],
    subjects: Sequence[G],
    objects: Sequence[G],
    *,
    predicates: Sequence[Predicate],
    rules: RuleTable,
    kinds: Kinds,
) -> list[Relation]:
    """What the rules find in all sentences between things that such a relation may join."""
    fits = _fitting(text, subjects, objects, kinds, rules=rules)
    return stated_in(
        text, sentences, subjects, objects, predicates=predicates, rules=rules, fits=fits
    )


def stated_in(
    text: str,
    sentences: Sequence[Span],
    subjects: Sequence[G],
    objects: Sequence[G],
    *,
    predicates: Sequence[Predicate],
    rules: RuleTable | None = None,
    fits: Callable[[Relation], bool] = lambda relation: True,
) -> list[Relation]:
    """What the rules find in each sentence, for the pairs that it names, and that passes `fits`."""
    stated: list[Relation] = []
    before: Span | None = None
    subjects_at, objects_at = by_place(subjects), by_place(objects)
    for sentence in sentences:
        named = [span for span, _ in subjects_at.within(sentence.start, sentence.end)]
        outcomes = [span for span, _ in objects_at.within(sentence.start, sentence.end)]
        stated += pair_relations(
            text, sentence, named, outcomes, predicates=predicates, rules=rules, fits=fits
        )
        pronoun = pronoun_subject(text, sentence)
        meant = None
        if pronoun and before:
            meant = antecedent(before, subjects_at.within(before.start, before.end))
        if pronoun and meant:
            ends = [pronoun, *named]
            read = pair_relations(
                text, sentence, ends, outcomes, predicates=predicates, rules=rules
            )
            meaning = (
                replace(relation, subject=meant)
                for relation in read
                if relation.subject == pronoun and is_its_verb(text, pronoun, relation.cue)
            )
            stated += [relation for relation in meaning if fits(relation)]
        before = sentence
    return stated


def _fitting(
    text: str, subjects: Sequence[G], objects: Sequence[G], kinds: Kinds, *, rules: RuleTable
) -> Callable[[Relation], bool]:
    """Whether a relation joins things that such a relation may join."""
    key_of = {span: group.key for group in (*subjects, *objects) for span in group.spans}

    @cache
    def kind_of(span: Span) -> EndKind | None:
        return end_kind(key_of[span], kinds(key_of[span]))

    return lambda relation: joins_fitting_ends(
        relation, rules, kind_of, is_lacking(text, relation.subject)
    )
