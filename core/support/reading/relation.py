"""Relations between mentions in one sentence, by rules that can be read: no model.

A pair of mentions is joined by what stands between and before them. Every relation names its rule
and its cue, so a curator sees why it was proposed. It is a draft: precision over recall, and
nothing across sentences (but see `pronoun`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.model import Span
from core.support.reading.cue_owner import (
    begins_other_clause,
    is_behind_semicolon,
    is_bound,
    is_bound_backwards,
    is_of_its_verb,
)
from core.support.reading.part_in_sentence import (
    AGENT_IN_NAME,
    acts_on_another,
    is_compared,
    is_condition,
    is_fused,
    is_lacking,
    is_setting,
    no_agent,
)
from core.support.reading.plain_pair import in_order, is_beside, is_plainly_joined
from core.support.reading.predicate import Predicate, predicate_families
from core.support.reading.rule_table import (
    BACKWARD,
    BEHIND,
    CASE_REPORT,
    COMPOUND,
    DECHALLENGE,
    FORWARD,
    HINT,
    OWN,
    STATED,
    SURE,
    Family,
    RelationRule,
    RuleTable,
    shipped_rules,
)
from core.support.reading.second_verb import is_behind_first_verb
from core.support.reading.sentence_mentions import (
    SentenceMentions,
    are_coordinated,
)
from core.support.reading.stance import (
    ACTING,
    RelationWording,
    is_of_mutants,
    relation_stance,
    turned_round,
)
from core.support.reading.stance_patterns import (
    BEGINS_CLAUSE,
    CONTRAST,
    FINITE,
    HYPHEN,
    NEW_PREDICATE,
    NO_SUBJECT,
    ONLY_IF,
    PARTICIPLE,
    REDUCED,
)

REACH = 160  # characters between two mentions, at most
LEAD_REACH = 60  # characters before the first mention in which a rule's leading words may stand
TAIL_REACH = 40  # characters behind the second mention in which those that follow it may stand
STEM = 6  # letters by which a predicate and a verb of the text are the same word
NEARNESS = {SURE: 3.0, STATED: 2.0, HINT: 1.0}  # stronger rules go first, then nearer pairs


@dataclass(frozen=True, slots=True)
class Relation:
    """Subject, object and `cue` are offsets into the text. `rule` is the row of the rule table that
    joined them, `score` its weight, from 0 to 1. `aim`: the sentence only asks the question.
    `plain`: it is asserted or denied in the plainest form, "S inhibits O", "S does not inhibit O",
    by a rule that comes with the app.
    """

    subject: Span
    object: Span
    predicate: str
    cue: Span
    rule: str
    score: float
    negated: bool = False
    hypothesis: bool = False
    aim: bool = False
    plain: bool = False
    near: float = 0.0  # orders the relations of a pair: the strongest and nearest first


def pair_relations(
    text: str,
    sentence: Span,
    subjects: Sequence[Span],
    objects: Sequence[Span],
    *,
    predicates: Sequence[Predicate],
    rules: RuleTable | None = None,
    fits: Callable[[Relation], bool] = lambda relation: True,
) -> list[Relation]:
    """Every pair of a subject and an object in the sentence that a rule joins, with the predicate
    that fits best. What does not pass `fits` is left out.
    """
    agents = [
        subject
        for subject in subjects
        if not (no_agent(text, subject, subjects) or is_compared(text, sentence, subject))
    ]
    whole = [object_ for object_ in objects if not is_fused(text, object_, objects)]
    scene = SentenceMentions(text, sentence, agents, objects=whole, rules=rules or shipped_rules())
    nearest_relations = []
    for subject in agents:
        if is_setting(text, sentence, subject):
            continue
        for object_ in whole:
            ways = [way for way in _ways(scene, subject, object_, predicates) if fits(way)]
            ways = [way for way in ways if not _mirrored(scene, way, predicates)]
            if ways:
                way = max(ways, key=lambda way: (*_nearness(way), _is_named_by_cue(text, way)))
                nearest_relations.append(_on_condition(text, sentence, way))
    return nearest_relations


def _on_condition(text: str, sentence: Span, way: Relation) -> Relation:
    """A relation that an if-clause only supposes is a hypothesis: "if A caused B, …"."""
    before = text[sentence.start : min(way.subject.start, way.object.start)].casefold()
    return replace(way, hypothesis=True, plain=False) if ONLY_IF.search(before) else way


def pair_ways(
    scene: SentenceMentions, subject: Span, object_: Span, predicates: Sequence[Predicate]
) -> list[Relation]:
    """What the rules read of one pair, by each predicate that joins it, the strongest and nearest
    first; nothing where the subject is no agent, or only a setting or what another is compared
    with.
    """
    if (
        no_agent(scene.text, subject, scene.subjects)
        or is_compared(scene.text, scene.sentence, subject)
        or is_setting(scene.text, scene.sentence, subject)
        or is_fused(scene.text, object_, scene.objects)
    ):
        return []
    return sorted(_ways(scene, subject, object_, predicates), key=_nearness, reverse=True)


def _ways(
    scene: SentenceMentions, subject: Span, object_: Span, predicates: Sequence[Predicate]
) -> Iterator[Relation]:
    """The relation of a pair by each predicate that joins it."""
    if object_.start == subject.start and (named := AGENT_IN_NAME.match(scene.text, subject.end)):
        cue = Span(*named.span())
        relations = (
            _named_for(scene, subject, object_, cue, predicate=name) for name in predicates
        )
    elif gap := _gap_between(scene, subject, object_):
        relations = (_join(scene, gap, predicate) for predicate in predicates)
    else:
        return
    yield from filter(None, relations)


def _nearness(way: Relation) -> tuple[float, int, int]:
    """Of two verbs the one next to an object that follows says what is done to it, and of two that
    end in one place the longer: "negatively regulates"; else the first predicate counts.
    """
    forward = way.subject.end <= way.object.start
    return way.near, way.cue.end if forward else 0, way.cue.end - way.cue.start


def _is_named_by_cue(text: str, way: Relation) -> bool:
    """Of two predicates of one family the text's own word is meant: "expressed in" is EXPRESSED_IN,
    not LOCATED_IN.
    """
    stem = way.predicate.casefold()[:STEM]
    return len(stem) == STEM and stem in way.cue.quote(text).casefold()


def _mirrored(scene: SentenceMentions, way: Relation, predicates: Sequence[Predicate]) -> bool:
    """Whether a symmetric relation (A binds B) is being read backwards where it can be read
    forwards.
    """
    predicate = next(candidate for candidate in predicates if candidate.name == way.predicate)
    both = way.subject in scene.objects and way.object in scene.subjects
    return (
        both
        and way.object.start < way.subject.start
        and any(family.symmetric for family, _ in predicate_families(predicate, scene.rules))
    )


@dataclass(frozen=True, slots=True)
class _Gap:
    """What stands between a subject and an object, worked out once for all predicates. `words` are
    case-folded, as are those `before` the first of the two and `behind` the second; `parts` are
    where a cue is looked for, with what kind of rule; `begun` is where other predicates begin, the
    last one first.
    """

    subject: Span
    object: Span
    between: Span
    words: str
    before: str
    behind: str
    parts: tuple[tuple[str, str, Span], ...]
    begun: tuple[re.Match[str], ...]

    @property
    def forward(self) -> bool:
        return self.subject.start < self.object.start


def _gap_between(scene: SentenceMentions, subject: Span, object_: Span) -> _Gap | None:
    """None where no rule may join the two: too far apart, or in other clauses."""
    forward = subject.end <= object_.start
    between = Span(subject.end, object_.start) if forward else Span(object_.end, subject.start)
    if (
        subject.overlaps(object_)
        or between.end - between.start > REACH
        or begins_other_clause(scene, between, object_, forward)
        or is_behind_semicolon(scene, between)
    ):
        return None
    words = between.quote(scene.text).casefold()
    if forward and NO_SUBJECT.match(words):
        return None
    start = min(subject.start, object_.start)
    before = scene.text[max(scene.sentence.start, start - LEAD_REACH) : start].casefold()
    parts = _parts(scene, between, words, forward)
    begun = tuple(reversed(list(NEW_PREDICATE.finditer(words))))
    end = max(subject.end, object_.end)
    behind = scene.text[end : min(end + TAIL_REACH, scene.sentence.end)].casefold()
    return _Gap(
        subject,
        object_,
        between,
        words=words,
        before=before,
        behind=behind,
        parts=parts,
        begun=begun,
    )


def _parts(
    scene: SentenceMentions, between: Span, words: str, forward: bool
) -> tuple[tuple[str, str, Span], ...]:
    """The words in which a cue is looked for, with the direction and strength of the rules: one
    word first, then what stands behind "but", then verbs, then hints.
    """
    direction = FORWARD if forward else BACKWARD
    parts = [(direction, strength, between) for strength in (STATED, HINT)]
    if forward:
        ends = [match.end() for match in CONTRAST.finditer(words)]
        parts = [
            (FORWARD, STATED, Span(between.start + at, between.end)) for at in ends[-1:]
        ] + parts
    if (listed := _list_begins(scene, between, forward)) is not None:
        parts.insert(len(parts) - 1, (direction, STATED, Span(between.start, listed)))
    if forward and _joined_word(scene, between, words):
        parts = [(COMPOUND, SURE, between), *parts]
    return tuple(parts)


def _list_begins(scene: SentenceMentions, between: Span, forward: bool) -> int | None:
    """Where the list begins of which the second name of a pair is not the first: "the EGFR
    inhibitors A, B and C".
    """
    alike = scene.objects if forward else scene.subjects
    start = None
    for name in reversed(scene.between(between.start, between.end, alike)):
        if not are_coordinated(scene, name.end, between.end, alike):
            break
        start = name.start
    return start


def _join(scene: SentenceMentions, gap: _Gap, predicate: Predicate) -> Relation | None:
    subject, object_, forward = gap.subject, gap.object, gap.forward
    pair = Span(min(subject.start, object_.start), max(subject.end, object_.end))
    for cues, rules in predicate_families(predicate, scene.rules):
        rule, cue, between = _rule(scene, gap, cues, rules)
        if rule is None or (
            rule.strength != SURE
            and rule.name != CASE_REPORT
            and (cues.outcome or cues.name == "prevent" or _is_behind_object(scene, cue, object_))
            and is_condition(scene.text, scene.sentence, object_)
        ):
            continue
        cue = cue if cue.start < cue.end else object_  # nothing stands between the two
        if turned_round(scene.text, pair, gap.between, cue, rule=rule):
            continue
        # "the JAK1 inhibitor S", "S, a JAK1 inhibitor": the cue makes it one
        names_it = 0 <= cue.start - object_.end <= 1 or BEHIND in rule.pattern
        lacks = is_lacking(scene.text, subject) and not rule.is_of_lack
        if rule.family in ACTING and (lacks or acts_on_another(scene.text, object_, names_it)):
            continue
        if not cues.outcome and not is_of_its_verb(scene, subject, object_, cue, forward=forward):
            continue
        if not _is_own(scene, subject, object_, cue, rule=rule, rules=rules):
            continue
        words = between.quote(scene.text).casefold()
        denied, hypothesis, aim = relation_stance(
            scene.text,
            scene.sentence,
            RelationWording(
                pair,
                gap.between,
                between,
                rule.strength == SURE or (not forward and bool(REDUCED.match(words))),
            ),
        )
        if denied and (
            rule.name == DECHALLENGE  # that it stayed says nothing of what caused it
            or is_of_mutants(scene.text, scene.sentence, pair, rule)
        ):
            continue
        return Relation(
            subject,
            object_,
            predicate.name,
            cue=cue,
            rule=rule.name,
            score=rule.weight,
            negated=denied,
            hypothesis=hypothesis,
            aim=aim,
            plain=rule.strength == STATED
            and rule.name != CASE_REPORT
            and not (hypothesis or aim or rule.name.startswith(OWN))
            and (
                (names_it and not denied and is_beside(scene, subject, cue))
                or is_plainly_joined(scene, in_order(subject, object_), cue, rule, denied=denied)
            ),
            near=_nearness_of(scene, rule, between),
        )
    return None


def _nearness_of(scene: SentenceMentions, rule: RelationRule, between: Span) -> float:
    """How near the two are: the strength of the rule, less for names and words between."""
    names = scene.between(between.start, between.end, (*scene.subjects, *scene.objects))
    length = (between.end - between.start) / REACH
    return NEARNESS[rule.strength] - 0.1 * min(len(names), 4) - 0.2 * length


def _is_own(
    scene: SentenceMentions,
    subject: Span,
    object_: Span,
    cue: Span,
    *,
    rule: RelationRule,
    rules: RuleTable,
) -> bool:
    """Whether a cue is this pair's own, whichever of the two comes first."""
    if object_.start < subject.start:
        return is_bound_backwards(scene, subject, object_, cue)
    if rule.strength == STATED and is_behind_first_verb(
        scene.text, scene.sentence, scene.names(subject), subject, cue=cue
    ):
        return False
    return is_bound(scene, subject, object_, cue, rule=rule, rules=rules)


def _is_behind_object(scene: SentenceMentions, cue: Span, object_: Span) -> bool:
    """Whether what follows a cue is another object first: "worsened A in two men with B"."""
    return bool(scene.between(cue.end, object_.start, scene.objects))


def _named_for(
    scene: SentenceMentions, subject: Span, object_: Span, cue: Span, *, predicate: Predicate
) -> Relation | None:
    """The relation inside the name of a condition that names its cause: "heparin-induced
    thrombocytopenia".
    """
    words = scene.text[subject.end : cue.end].casefold()
    for cues, rules in predicate_families(predicate, scene.rules):
        if cues.name == "cause" and (met := rules.first(words, cues.name, COMPOUND, SURE)):
            rule = met[0]
            return Relation(
                subject,
                object_,
                predicate.name,
                cue=cue,
                rule=rule.name,
                score=rule.weight,
                near=NEARNESS[SURE],
            )
    return None


def _rule(
    scene: SentenceMentions, gap: _Gap, cues: Family, rules: RuleTable
) -> tuple[RelationRule | None, Span, Span]:
    """The row that joins a pair, with its cue and the words it was read in. A verb with which a new
    predicate begins goes before other verbs.
    """
    for kind, strength, part in gap.parts:
        whole = part == gap.between
        if strength == STATED and whole and (anew := _new_predicate(gap, kind, cues, rules)):
            return anew
        words = gap.words if whole else part.quote(scene.text).casefold()
        around = {"before": gap.before, "behind": gap.behind}
        if met := rules.first(words, cues.name, kind, strength, **around):
            rule, start, end = met
            return rule, Span(part.start + start, part.start + end), part
    return None, gap.between, gap.between


def _joined_word(scene: SentenceMentions, between: Span, words: str) -> bool:
    """Whether what follows a subject may be one word with it: "S-induced", "of S induced O", but
    not "that S induced O"; or the two are one name: "S O".
    """
    if HYPHEN.match(words) or words == " ":
        return True
    subject = next(span for span in scene.subjects if span.end == between.start)
    before = scene.text[scene.sentence.start : subject.start].casefold()
    return bool(PARTICIPLE.match(words)) and not BEGINS_CLAUSE.search(before)


def _new_predicate(
    gap: _Gap, direction: str, cues: Family, rules: RuleTable
) -> tuple[RelationRule, Span, Span] | None:
    """The row of the last predicate that begins between the two with a cue: "S did not relieve A
    and caused O".
    """
    for begin in gap.begun:
        rest = gap.words[begin.end() :]
        met = rules.first(rest, cues.name, direction, STATED)
        if met and met[1] == 0 and (begin["helper"] or FINITE.match(rest)):
            part = Span(gap.between.start + begin.start("begin"), gap.between.end)
            at = gap.between.start + begin.end()
            return met[0], Span(at, at + met[2]), part
    return None
