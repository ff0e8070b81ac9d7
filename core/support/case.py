"""One claim before one passage: where its ends are named, and what the rules read of the pair.
Worked out once, and shared by all judges.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.model import Category, Span
from core.support.claim import Claim, Passage, ThingInPassage
from core.support.naming import NamedEnd, Naming, named_in
from core.support.reading.part_in_sentence import is_compared, is_lacking, no_agent
from core.support.reading.predicate import Predicate
from core.support.reading.pronoun import FIRST, is_its_verb, pronoun_subject
from core.support.reading.relation import Relation, pair_ways
from core.support.reading.rule_table import RuleTable, shipped_rules
from core.support.reading.sentence_mentions import SentenceMentions
from core.support.reading.stance import RelationWording, relation_stance

MOST_PAIRS = 6  # of mentions of the two ends in one sentence that are read, the nearest first
MOST_OTHERS = 8  # other things of a sentence that a relation may be said of
# Families whose relation is also said by one of another family.
SAID_BY: Mapping[str, tuple[str, ...]] = {
    "associate": ("cause", "exacerbate", "phenotype", "regulate", "activate", "inhibit", "treat"),
    "regulate": ("activate", "inhibit", "phosphorylate"),
    "treat": ("inhibit",),
    "phenotype": ("cause",),
    "respond": ("resist", "sensitise"),
}
# … and families that say something else of the same pair, with which it is easily confused.
OPPOSED: Mapping[str, tuple[str, ...]] = {
    "treat": ("cause", "exacerbate"),
    "prevent": ("cause", "exacerbate"),
    "cause": ("treat", "prevent"),
    "exacerbate": ("treat", "prevent"),
    "activate": ("inhibit",),
    "inhibit": ("activate",),
    "resist": ("sensitise",),
    "sensitise": ("resist",),
}
# Families in which it matters, and the words of a sentence show, who acts on whom.
DIRECTED = frozenset(
    ("cause", "exacerbate", "treat", "prevent", "inhibit", "activate", "phosphorylate", "regulate")
)
# Cues that tie two things without saying which acts, and a passive: "related to", "induced by".
_UNDIRECTED = re.compile(r"associat|relat|link|correlat|seen|with$|in$|during$|after$|^$")
_BY = re.compile(r"\s(?:\w+ly\s)?(?:in (?:\w+\s){1,3})?by\b")
CONDITIONS = frozenset((Category.DISEASE, Category.PHENOTYPE))


@dataclass(frozen=True, slots=True)
class PairReading:
    """What a rule reads of the claim's pair in one sentence. `swapped`: with the ends exchanged."""

    relation: Relation
    family: str
    sentence: Span
    swapped: bool = False


@dataclass(frozen=True, slots=True)
class PairInSentence:
    """A sentence with the nearest mentions of the two ends."""

    sentence: Span
    subject: Span
    object: Span

    @property
    def between(self) -> Span:
        first, second = sorted((self.subject, self.object), key=lambda span: span.start)
        return Span(first.end, max(first.end, second.start))

    @property
    def pair(self) -> Span:
        return Span(
            min(self.subject.start, self.object.start), max(self.subject.end, self.object.end)
        )


@dataclass(frozen=True)
class Case:
    """`claim` is asked in the active voice. `rules` are the relation rules of the project."""

    claim: Claim
    passage: Passage
    rules: RuleTable

    @cached_property
    def subject(self) -> NamedEnd | None:
        return named_in(self.claim.subject, self.passage)

    @cached_property
    def object(self) -> NamedEnd | None:
        return named_in(self.claim.object, self.passage)

    @property
    def family(self) -> str:
        """The claim's family of predicates, else its own words."""
        family = self.claim.family
        return family.name if family else self._own.name

    @cached_property
    def _own(self) -> Predicate:
        return Predicate(self.claim.predicate_words or "related")

    @cached_property
    def predicates(self) -> tuple[Predicate, ...]:
        """The claim's predicate, those that also say it, and those that say another thing."""
        family = self.claim.family
        if family is None:
            return (self._own, Predicate("associate"))
        names = (family.name, *SAID_BY.get(family.name, ()), *OPPOSED.get(family.name, ()))
        return tuple(Predicate(name) for name in dict.fromkeys(names))

    @cached_property
    def pairs(self) -> tuple[PairInSentence, ...]:
        """The nearest mentions of both ends in each sentence of the quote that names both."""
        return tuple(pairs[0] for _, pairs in self._mentions if pairs)

    @cached_property
    def _mentions(self) -> tuple[tuple[Span, list[PairInSentence]], ...]:
        if self.subject is None or self.object is None:
            return ()
        found = []
        for sentence in self.passage.quoted_sentences:
            subjects = self._in(sentence, self.subject)
            objects = self._in(sentence, self.object)
            pairs = [
                PairInSentence(sentence, subject, object_)
                for subject in subjects
                for object_ in objects
                if subject != object_
            ]
            found.append((sentence, sorted(pairs, key=_distance)[:MOST_PAIRS]))
        return tuple(found)

    def _in(self, sentence: Span, end: NamedEnd) -> list[Span]:
        held = [s for s in end.spans if sentence.start <= s.start and s.end <= sentence.end]
        if held or end.how is Naming.TITLE:
            return [span for span in held if span.end > span.start]
        pronoun = pronoun_subject(self.passage.text, sentence)
        at = self.passage.sentences.index(sentence)
        if pronoun and at:
            before = self.passage.sentences[at - 1]
            if any(0 <= span.start - before.start <= FIRST for span in end.spans):
                return [pronoun]
        return []

    @cached_property
    def others(self) -> tuple[tuple[Span, ThingInPassage], ...]:
        """What else the quote names."""
        ends = [
            *(self.subject.spans if self.subject else ()),
            *(self.object.spans if self.object else ()),
        ]
        own = {self.claim.subject.id, self.claim.object.id} - {""}
        return tuple(
            (span, thing) for span, thing in self.passage.others(ends) if thing.key not in own
        )

    @cached_property
    def readings(self) -> tuple[PairReading, ...]:
        """All that the rules read of the pair, the strongest first."""
        found = [reading for _, pairs in self._mentions for reading in self._read(pairs)]
        return tuple(sorted(found, key=lambda reading: -reading.relation.near))

    def _read(self, pairs: Sequence[PairInSentence]) -> Iterator[PairReading]:
        for pair in pairs:
            scene = self._scene(pair)
            for relation in pair_ways(scene, pair.subject, pair.object, self.predicates):
                if self._is_read(pair, relation):
                    yield PairReading(relation, relation.predicate, pair.sentence)
            if self.family not in DIRECTED:
                continue
            back = self._scene(pair, swapped=True)
            for relation in pair_ways(back, pair.object, pair.subject, self.predicates[:1]):
                if self._is_directed(relation):
                    yield PairReading(relation, relation.predicate, pair.sentence, swapped=True)

    def _is_directed(self, relation: Relation) -> bool:
        """Whether the words of a relation show which of the two acts."""
        text, cue = self.passage.text, relation.cue
        forward = relation.subject.start < relation.object.start
        passive = forward and _BY.match(text, cue.end)
        return not passive and not _UNDIRECTED.search(cue.quote(text).casefold())

    def _is_read(self, pair: PairInSentence, relation: Relation) -> bool:
        """Of a pronoun only its own verb is read."""
        if self.subject and pair.subject not in self.subject.spans:
            return is_its_verb(self.passage.text, pair.subject, relation.cue)
        return True

    def _scene(self, pair: PairInSentence, swapped: bool = False) -> SentenceMentions:
        """The sentence with its names: those of the subject's kind may own a verb too."""
        sentence = pair.sentence
        subjects, objects = [pair.subject], [pair.object]
        for span, thing in self.others[: 3 * MOST_OTHERS]:
            if not sentence.start <= span.start < sentence.end:
                continue
            if _alike(thing.category, self.claim.subject.category):
                subjects.append(span)
            if _alike(thing.category, self.claim.object.category):
                objects.append(span)
        ends = (objects, subjects) if swapped else (subjects, objects)
        return SentenceMentions(self.passage.text, sentence, *ends, self.rules)

    def said_of_another(self) -> tuple[str, str] | None:
        """Another thing of which a sentence says what is claimed of one end, and which end that is
        ("subject" or "object"): a sentence about solbex says nothing of veratin.
        """
        for _, pairs in self._mentions:
            for pair in pairs[:1]:
                scene = self._scene(pair)
                claimed = self.predicates[:1]
                for other in scene.subjects[1 : MOST_OTHERS + 1]:
                    if pair_ways(scene, other, pair.object, claimed):
                        return other.quote(self.passage.text), "subject"
                for other in scene.objects[1 : MOST_OTHERS + 1]:
                    if pair_ways(scene, pair.subject, other, claimed):
                        return other.quote(self.passage.text), "object"
        return None

    @cached_property
    def stances(self) -> tuple[tuple[PairInSentence, bool, bool, bool], ...]:
        """Of each sentence with both ends, whatever relates them: whether its words deny, suppose
        or ask something of the two.
        """
        found = []
        for pair in self.pairs:
            wording = RelationWording(pair.pair, pair.between, pair.between, is_named=False)
            stance = relation_stance(self.passage.text, pair.sentence, wording)
            found.append((pair, *stance))
        return tuple(found)

    def role(self, pair: PairInSentence) -> str:
        """What else a sentence makes of the subject than an agent, in words; else ""."""
        text, span = self.passage.text, pair.subject
        words = span.quote(text)
        if is_compared(text, pair.sentence, span):
            return f"“{words}” is only what another is compared with"
        if no_agent(text, span, [span]):
            return f"“{words}” is part of another name there"
        if is_lacking(text, span):
            return f"the sentence speaks of the lack of “{words}”"
        return ""

    def lacks_subject(self, reading: PairReading) -> bool:
        """Whether it is the lack of the subject that acts ("VHL silencing reduced E-cadherin"), and
        the rule does not say already what the subject does then.
        """
        rule = self.rules.by_name.get(reading.relation.rule)
        if reading.swapped or (rule and rule.is_of_lack):
            return False
        return is_lacking(self.passage.text, reading.relation.subject)


def _alike(category: Category, wanted: Category) -> bool:
    """Whether two kinds may stand in one place."""
    if Category.THING in (category, wanted) or category is wanted:
        return True
    return any({category, wanted} <= kinds for kinds in _SAME_PLACE)


_SAME_PLACE = (
    CONDITIONS | {Category.PROCESS},
    frozenset((Category.CHEMICAL, Category.GENE, Category.PROTEIN, Category.PROCEDURE)),
)


def _distance(pair: PairInSentence) -> int:
    return pair.between.end - pair.between.start


def case_of(claim: Claim, passage: Passage, rules: RuleTable | None = None) -> Case:
    return Case(claim.active, passage, rules or shipped_rules())
