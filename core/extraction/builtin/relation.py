"""Relations between mentions in one sentence, by rules that can be read: no model.

A pair of mentions is joined by what stands between and before them. Every relation names its rule
and its cue, so a curator sees why it was proposed. It is a draft: precision over recall, and
nothing across sentences but one rule.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from core.extraction.builtin.relation_patterns import (
    ABSENT,
    CONDITION_AFTER,
    CONDITION_BEFORE,
    DENIED_AFTER,
    HYPOTHESIS,
    NEGATION,
    NO_NEGATION,
    NOT_ITSELF,
    OTHER_CLAUSE,
    SETTING,
    Family,
    family,
    own_words,
)
from core.model import Span

JOINT = re.compile(
    r"[\s()/,]*|[\s()/,]*(?:(?:,|/|\band\b|\bor\b|\bplus\b|\bas well"
    r" as\b)\s*)+(?:[\w-]+\s+)?[\s()]*"
)
REACH = 160  # characters between two mentions, at most
SCOPE = 70  # characters before them that a negation reaches over
COMPOUND, STATED, HINTED, TOPICAL = (
    0.95,
    0.8,
    0.5,
    0.3,
)  # "S-induced O", "S causes O", "O after S", across sentences


@dataclass(frozen=True, slots=True)
class Predicate:
    """A relation of the schema: `name` is what goes into the tree, `cues` are its aliases, in
    words.
    """

    name: str
    cues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """Subject and object are offsets into the text, `cue` too; `score` is between 0 and 1."""

    subject: Span
    object: Span
    predicate: str
    cue: Span
    rule: str
    score: float
    negated: bool = False
    hypothesis: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """One sentence of a text with the mentions that may be subjects and objects in it."""

    text: str
    sentence: Span
    subjects: Sequence[Span]
    objects: Sequence[Span]

    def between(self, start: int, end: int, spans: Sequence[Span]) -> list[Span]:
        return sorted(
            (s for s in spans if start <= s.start and s.end <= end), key=lambda s: s.start
        )


def relations(
    text: str,
    sentence: Span,
    subjects: Sequence[Span],
    objects: Sequence[Span],
    predicates: Sequence[Predicate],
) -> list[Relation]:
    """Every pair of a subject and an object in the sentence that a rule joins, with the predicate
    that fits best.
    """
    scene = Scene(text, sentence, subjects, objects)
    found = []
    for subject in subjects:
        if re.match(NOT_ITSELF, text[subject.end : subject.end + 40].casefold()) or _setting(
            scene, subject
        ):
            continue
        for object_ in objects:
            ways = [way for one in predicates if (way := _join(scene, subject, object_, one))]
            ways = [way for way in ways if not _mirrored(scene, way, predicates)]
            if ways:
                found.append(max(ways, key=_nearness))
    return found


def _nearness(way: Relation) -> tuple[float, int]:
    """Of two verbs the one next to an object that follows says what is done to it; else the first
    predicate counts.
    """
    return way.score, way.cue.start if way.subject.end <= way.object.start else 0


def _setting(scene: Scene, subject: Span) -> bool:
    """Whether a clause opens with a phrase that only says where or without what it holds: "in the
    absence of S, …".
    """
    before = scene.text[scene.sentence.start : subject.start].casefold()
    return scene.text[subject.end : subject.end + 1] == "," and bool(re.search(SETTING, before))


def _mirrored(scene: Scene, way: Relation, predicates: Sequence[Predicate]) -> bool:
    """Whether a symmetric relation (A binds B) is being read backwards where it can be read
    forwards.
    """
    one = next(one for one in predicates if one.name == way.predicate)
    both = way.subject in scene.objects and way.object in scene.subjects
    return (
        both
        and way.object.start < way.subject.start
        and any(family.symmetric for family in families(one))
    )


def _join(scene: Scene, subject: Span, object_: Span, predicate: Predicate) -> Relation | None:
    forward = subject.end <= object_.start
    between = Span(subject.end, object_.start) if forward else Span(object_.end, subject.start)
    if (
        subject.overlaps(object_)
        or between.end - between.start > REACH
        or _left(scene, between, forward)
    ):
        return None
    words = between.quote(scene.text).casefold()
    for cues in families(predicate):
        rule, cue, score = _rule(words, between, forward, cues)
        if not rule or (score < COMPOUND and cues.outcome and _condition(scene, object_)):
            continue
        if forward and not _bound(scene, subject, object_, cue, score, cues):
            continue
        nearer = len(scene.between(between.start, between.end, [*scene.subjects, *scene.objects]))
        score -= 0.05 * min(nearer, 4) + 0.1 * (between.end - between.start) / REACH
        negated, hypothesis = stance(
            scene.text, scene.sentence, between, max(subject.end, object_.end)
        )
        return Relation(
            subject, object_, predicate.name, cue, rule, max(score, 0.05), negated, hypothesis
        )
    return None


def _left(scene: Scene, between: Span, forward: bool) -> bool:
    """Whether another clause with a subject of its own begins between a subject and an object that
    follows.
    """
    ends = [
        found.end() for found in re.finditer(OTHER_CLAUSE, between.quote(scene.text).casefold())
    ]
    return forward and any(
        scene.between(between.start + end, between.end, scene.subjects) for end in ends[:1]
    )


def _rule(words: str, between: Span, forward: bool, cues: Family) -> tuple[str, Span, float]:
    if forward and (found := re.match(rf"[\s)\]]*(?P<cue>-?(?:{cues.compound}))\b", words)):
        at = between.start
        return (
            f"compound ({cues.name})",
            Span(at + found.start("cue"), at + found.end("cue")),
            COMPOUND,
        )
    voice = "active" if forward else "passive"
    if found := re.search(cues.forward if forward else cues.backward, words):
        return f"{voice} ({cues.name})", _place(between, found), STATED
    if found := re.search(cues.weak_forward if forward else cues.weak_backward, words):
        return f"weak {voice} ({cues.name})", _place(between, found), HINTED
    return "", between, 0.0


def _bound(
    scene: Scene, subject: Span, object_: Span, cue: Span, score: float, cues: Family
) -> bool:
    """Whether a cue is this pair's own. "A and B-induced C and D" joins A, B with C, D; "A …
    B-induced C … D" not.
    """
    text = scene.text
    owners = [s for s in scene.subjects if 0 <= cue.start - s.end <= 2 and s != subject]
    compound = (
        re.match(rf"[-\s]?(?:{cues.compound})\b", text[owners[0].end : cue.end].casefold())
        if owners
        else None
    )
    if compound and not _coordinated(scene, subject.end, owners[0].start, scene.subjects):
        return False
    nearer = scene.between(subject.end, cue.start, scene.subjects)
    if nearer and not _coordinated(scene, subject.end, nearer[-1].start, scene.subjects):
        return False
    if score >= COMPOUND or score <= HINTED or compound:
        earlier = scene.between(
            subject.end if score <= HINTED else cue.end, object_.start, scene.objects
        )
        return not earlier or _coordinated(scene, earlier[0].end, object_.start, scene.objects)
    return True


def _coordinated(scene: Scene, start: int, end: int, spans: Sequence[Span]) -> bool:
    """Whether only commas, "and", "or" and other mentions stand in between."""
    words = scene.text[start:end]
    for span in reversed(scene.between(start, end, spans)):
        words = words[: span.start - start] + " " + words[span.end - start :]
    return bool(JOINT.fullmatch(words.casefold()))


def _condition(scene: Scene, object_: Span) -> bool:
    """Whether the object is what a patient had before: "patients with O", "O patients", "treatment
    of O".
    """
    after = scene.text[object_.end : object_.end + 30].casefold()
    before = scene.text[max(object_.start - 60, scene.sentence.start) : object_.start].casefold()
    return bool(re.match(CONDITION_AFTER, after) or re.search(CONDITION_BEFORE, before))


def _place(between: Span, found: re.Match[str]) -> Span:
    return Span(between.start + found.start(), between.start + found.end())


@cache
def families(predicate: Predicate) -> tuple[Family, ...]:
    """The families that state a predicate: of its name, else of its aliases, else its own words."""
    if known := family(predicate.name):
        return (known,)
    meant = [found for words in predicate.cues if (found := family(words))]
    own = own_words(
        tuple(word for word in (predicate.name, *predicate.cues) if len(word.split()) <= 4)
    )
    return tuple(dict.fromkeys(meant)) or (own,)


def stance(text: str, sentence: Span, between: Span, end: int) -> tuple[bool, bool]:
    """Whether a relation is denied, and whether it is only supposed: cues in its clause, before it
    or inside it, or what follows its `end`: "… was not observed".
    """
    clause = _clause(text, sentence, between)
    scope = re.sub(ABSENT, " ", text[clause : between.end].casefold())
    denied = re.sub(NO_NEGATION, " ", scope)
    after = re.match(DENIED_AFTER, text[end : sentence.end].casefold())
    return bool(after or re.search(NEGATION, denied)), bool(re.search(HYPOTHESIS, scope))


def _clause(text: str, sentence: Span, between: Span) -> int:
    """Where the clause of a relation begins: after the last ;, :, "but", "although" before it; at
    most SCOPE before.
    """
    before = text[sentence.start : between.start]
    ends = [
        found.end()
        for found in re.finditer(
            r"[;:]\s|,?\s(?:but|although|whereas|however|while|though)\b", before
        )
    ]
    return max(sentence.start + (ends[-1] if ends else 0), between.start - SCOPE)


def topical(
    text: str,
    title: Span,
    sentences: Sequence[Span],
    subjects: Mapping[str, Sequence[Span]],
    objects: Mapping[str, Sequence[Span]],
    predicates: Sequence[Predicate],
    stated: Sequence[Relation],
) -> list[Relation]:
    """What a text is about, across sentences: the subject named in its title and most often of all,
    when no sentence says what it does, goes with the outcomes that the text names. The weakest of
    the rules (score 0.3).
    """
    cues = next(
        (one for one in predicates if any(family.outcome for family in families(one))), None
    )
    topic = max(subjects, key=lambda name: (len(subjects[name]), name), default="")
    spans = subjects.get(topic, ())
    if cues is None or not any(title.overlaps(span) for span in spans):
        return []
    if any(
        one.subject in spans and one.predicate == cues.name and not one.negated for one in stated
    ):
        return []
    treated = {one.object for one in stated if one.subject in spans}
    found = []
    for places in objects.values():
        fresh = [
            p
            for p in places
            if not title.overlaps(p) and p not in treated and not _had(text, sentences, p)
        ]
        if fresh and not treated & set(places):
            found.append(
                Relation(spans[0], fresh[0], cues.name, fresh[0], "topic of the text", TOPICAL)
            )
    return found


def _had(text: str, sentences: Sequence[Span], object_: Span) -> bool:
    sentence = next((s for s in sentences if s.overlaps(object_)), Span(0, len(text)))
    return _condition(Scene(text, sentence, (), ()), object_)
