"""Relations between mentions in one sentence, by rules that can be read: no model.

A pair of mentions is joined by what stands between and before them. Every relation names its rule
and its cue, so a curator sees why it was proposed. It is a draft: precision over recall, and
nothing across sentences (but see `topic`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.extraction.builtin.groups import AGENT_IN_NAME
from core.extraction.builtin.part_in_sentence import (
    is_compared,
    is_condition,
    is_setting,
    no_agent,
)
from core.extraction.builtin.predicate import Predicate, predicate_families
from core.extraction.builtin.rule_table import (
    BACKWARD,
    COMPOUND,
    FORWARD,
    HINT,
    STATED,
    SURE,
    Family,
    RelationRule,
    RuleTable,
    shipped_rules,
)
from core.extraction.builtin.second_verb import is_behind_first_verb
from core.extraction.builtin.stance import RelationWording, relation_stance, turned_round
from core.extraction.builtin.stance_patterns import (
    APPEARED,
    BEGINS_CLAUSE,
    CONTRAST,
    FINITE,
    HYPHEN,
    NEW_PREDICATE,
    NO_SUBJECT,
    OTHER_ACTOR,
    OTHER_CLAUSE,
    OTHER_OUTCOME,
    PARTICIPLE,
    REDUCED,
)
from core.model import Span

JOINT = re.compile(
    r"[\s()/,-]*|[\s()/,]*(?:(?:,|/|\band\b|\bor\b|\bnor\b|\bbut not\b|\bplus\b|\bas well"
    r" as\b)\s*)+(?:[\w-]+\s+)?[\s()]*"
)
REACH = 160  # characters between two mentions, at most
LEAD_REACH = 60  # characters before the first mention in which a rule's leading words may stand
# Families whose object is what the verb acts on, and nothing behind it.
DIRECT = frozenset(("inhibit", "activate", "phosphorylate", "bind", "regulate"))
# Another verb begins: "A inhibits B, and the kinase is inhibited by C".
NEXT_VERB = re.compile(
    r";|\b(?:which|whose|whereas|while|but|thereby|thus)\b"
    r"|\band(?: the \w+)? (?:is|are|was|were|has|have)\b"
    r"|\band (?:lower|rais|reduc|increas|decreas|prevent|block|inhibit|activat|stimulat|improv|caus"
    r"|induc|lead|result|bind|limit|promot)(?:s|es|ed)\b"
)
NEXT_SUBJECT = re.compile(r";|\band the \w+ (?:is|are|was|were)\b")
# A clause with a verb of its own: "A led to B; no C was attributed to D" joins A with B, D with C.
CLAUSE_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|did|does|do)\b")
# A second verb of the same subject: in "A activates B and is used in C" it is A that is used.
SECOND_VERB = re.compile(
    r"\s+and\s+(?:then |also |thereby |\w+ly )?(?:(?:is|are|was|were|has been) )?"
)
NEARNESS = {SURE: 3.0, STATED: 2.0, HINT: 1.0}  # stronger rules go first, then nearer pairs


@dataclass(frozen=True, slots=True)
class Relation:
    """Subject, object and `cue` are offsets into the text. `rule` is the row of the rule table that
    joined them, `score` its weight, from 0 to 1. `aim`: the sentence only asks the question.
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
    near: float = 0.0  # orders the relations of a pair: the strongest and nearest first


@dataclass(frozen=True, slots=True)
class SentenceMentions:
    """One sentence of a text with the mentions that may be subjects and objects in it."""

    text: str
    sentence: Span
    subjects: Sequence[Span]
    objects: Sequence[Span]
    rules: RuleTable

    def between(self, start: int, end: int, spans: Sequence[Span]) -> list[Span]:
        return sorted(
            (s for s in spans if start <= s.start and s.end <= end), key=lambda s: s.start
        )

    def names(self, span: Span) -> list[Span]:
        """What the sentence names before a mention."""
        return self.between(self.sentence.start, span.start, (*self.subjects, *self.objects))


def pair_relations(
    text: str,
    sentence: Span,
    subjects: Sequence[Span],
    objects: Sequence[Span],
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
    scene = SentenceMentions(text, sentence, agents, objects, rules or shipped_rules())
    nearest_relations = []
    for subject in agents:
        if is_setting(text, sentence, subject):
            continue
        for object_ in objects:
            ways = [
                way
                for predicate in predicates
                if (way := _join(scene, subject, object_, predicate)) and fits(way)
            ]
            ways = [way for way in ways if not _mirrored(scene, way, predicates)]
            if ways:
                nearest_relations.append(max(ways, key=_nearness))
    return nearest_relations


def _nearness(way: Relation) -> tuple[float, int]:
    """Of two verbs the one next to an object that follows says what is done to it; else the first
    predicate counts.
    """
    return way.near, way.cue.start if way.subject.end <= way.object.start else 0


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


def _join(
    scene: SentenceMentions, subject: Span, object_: Span, predicate: Predicate
) -> Relation | None:
    if object_.start == subject.start and (named := AGENT_IN_NAME.match(scene.text, subject.end)):
        return _named_for(scene, subject, object_, Span(*named.span()), predicate)
    forward = subject.end <= object_.start
    between = Span(subject.end, object_.start) if forward else Span(object_.end, subject.start)
    if (
        subject.overlaps(object_)
        or between.end - between.start > REACH
        or _begins_other_clause(scene, between, forward)
        or _behind_semicolon(scene, between)
        or (forward and re.match(NO_SUBJECT, between.quote(scene.text).casefold()))
    ):
        return None
    whole = between
    for cues, rules in predicate_families(predicate, scene.rules):
        rule, cue, between = _rule(scene, subject, object_, whole, cues, rules)
        if rule is None or (
            rule.strength != SURE
            and (cues.outcome or cues.name == "prevent")
            and is_condition(scene.text, scene.sentence, object_)
        ):
            continue
        cue = cue if cue.start < cue.end else object_  # nothing stands between the two
        if rule.strength != SURE and turned_round(scene.text, whole, cue, rule):
            continue
        if (
            forward
            and rule.strength == STATED
            and is_behind_first_verb(scene.text, scene.sentence, scene.names(subject), subject, cue)
        ):
            continue
        if not cues.outcome and (
            re.match(APPEARED, scene.text[object_.end : object_.end + 40])
            or not _of_its_verb(scene, subject, object_, cue, forward)
        ):
            continue
        if forward and not _bound(scene, subject, object_, cue, rule, rules):
            continue
        if not forward and not _bound_backwards(scene, subject, cue):
            continue
        words = between.quote(scene.text).casefold()
        between_them = scene.between(between.start, between.end, (*scene.subjects, *scene.objects))
        length = (between.end - between.start) / REACH
        nearness = NEARNESS[rule.strength] - 0.1 * min(len(between_them), 4) - 0.2 * length
        denied, hypothesis, aim = relation_stance(
            scene.text,
            scene.sentence,
            RelationWording(
                Span(min(subject.start, object_.start), max(subject.end, object_.end)),
                whole,
                between,
                rule.strength == SURE or (not forward and bool(re.match(REDUCED, words))),
            ),
        )
        return Relation(
            subject, object_, predicate.name, cue, rule.name, rule.weight, denied, hypothesis, aim,
            nearness,
        )  # fmt: skip
    return None


def _bound_backwards(scene: SentenceMentions, subject: Span, cue: Span) -> bool:
    """Whether a cue that follows its object is this subject's own: in "O induced by A was treated
    with B" it is that of A.
    """
    nearer = scene.between(cue.end, subject.start, scene.subjects)
    words = scene.text[nearer[0].end : subject.start].casefold() if nearer else ""
    return not (CLAUSE_VERB.search(words) or NEXT_VERB.search(words))


def _named_for(
    scene: SentenceMentions, subject: Span, object_: Span, cue: Span, predicate: Predicate
) -> Relation | None:
    """The relation inside the name of a condition that names its cause: "heparin-induced
    thrombocytopenia".
    """
    words = scene.text[subject.end : cue.end].casefold()
    for cues, rules in predicate_families(predicate, scene.rules):
        if cues.name == "cause" and (met := rules.first(words, cues.name, COMPOUND, SURE)):
            rule = met[0]
            return Relation(
                subject, object_, predicate.name, cue, rule.name, rule.weight, near=NEARNESS[SURE]
            )
    return None


def _begins_other_clause(scene: SentenceMentions, between: Span, forward: bool) -> bool:
    """Whether another clause with a subject of its own begins between a subject and an object that
    follows, be it a name of the schema or another word with a verb ("and solbex may worsen …").
    """
    words = between.quote(scene.text).casefold()
    if re.search(OTHER_ACTOR if forward else OTHER_OUTCOME, words):
        return True
    ends = [match.end() for match in re.finditer(OTHER_CLAUSE, words)]
    return forward and any(
        scene.between(between.start + end, between.end, scene.subjects) for end in ends[:1]
    )


def _behind_semicolon(scene: SentenceMentions, between: Span) -> bool:
    """Whether a semicolon between the two parts clauses, of which the later has its own verb."""
    mark = scene.text.rfind(";", between.start, between.end)
    if mark < 0:
        return False
    end = scene.text.find(";", between.end, scene.sentence.end)
    clause = scene.text[mark : end if end >= 0 else scene.sentence.end]
    return CLAUSE_VERB.search(clause.casefold()) is not None


def _rule(
    scene: SentenceMentions,
    subject: Span,
    object_: Span,
    between: Span,
    cues: Family,
    rules: RuleTable,
) -> tuple[RelationRule | None, Span, Span]:
    """The row that joins a pair, with its cue and the words it was read in: one word first, then a
    verb behind "but", then one with which a new predicate begins, then verbs, then hints.
    """
    words = between.quote(scene.text).casefold()
    forward = subject.start < object_.start
    start = min(subject.start, object_.start)
    before = scene.text[max(scene.sentence.start, start - LEAD_REACH) : start].casefold()
    direction = FORWARD if forward else BACKWARD
    parts = [(direction, strength, between) for strength in (STATED, HINT)]
    if forward:
        ends = [match.end() for match in re.finditer(CONTRAST, words)]
        parts = [
            (FORWARD, STATED, Span(between.start + at, between.end)) for at in ends[-1:]
        ] + parts
    if forward and _joined_word(scene, between):
        parts = [(COMPOUND, SURE, between), *parts]
    for kind, strength, part in parts:
        if strength == STATED and part == between:
            met_anew = _new_predicate(scene.text, between, direction, cues, rules)
            if met_anew:
                return met_anew
        if met := rules.first(part.quote(scene.text).casefold(), cues.name, kind, strength, before):
            rule, start, end = met
            return rule, Span(part.start + start, part.start + end), part
    return None, between, between


def _joined_word(scene: SentenceMentions, between: Span) -> bool:
    """Whether what follows a subject may be one word with it: "S-induced", "of S induced O", but
    not "that S induced O"; or the two are one name: "S O".
    """
    words = between.quote(scene.text).casefold()
    if re.match(HYPHEN, words) or words == " ":
        return True
    subject = next(span for span in scene.subjects if span.end == between.start)
    before = scene.text[scene.sentence.start : subject.start].casefold()
    return bool(re.match(PARTICIPLE, words)) and not re.search(BEGINS_CLAUSE, before)


def _new_predicate(
    text: str, between: Span, direction: str, cues: Family, rules: RuleTable
) -> tuple[RelationRule, Span, Span] | None:
    """The row of the last predicate that begins between the two with a cue: "S did not relieve A
    and caused O".
    """
    words = between.quote(text).casefold()
    for match in reversed(list(re.finditer(NEW_PREDICATE, words))):
        met = rules.first(words[match.end() :], cues.name, direction, STATED)
        if met and met[1] == 0 and (match["helper"] or re.match(FINITE, words[match.end() :])):
            part = Span(between.start + match.start("begin"), between.end)
            at = between.start + match.end()
            return met[0], Span(at, at + met[2]), part
    return None


def _bound(
    scene: SentenceMentions,
    subject: Span,
    object_: Span,
    cue: Span,
    rule: RelationRule,
    rules: RuleTable,
) -> bool:
    """Whether a cue is this pair's own. "A and B-induced C and D" joins A, B with C, D; "A …
    B-induced C … D" not.
    """
    text = scene.text
    owners = [s for s in scene.subjects if 0 <= cue.start - s.end <= 2 and s != subject]
    behind = text[owners[0].end : cue.end].casefold() if owners else ""
    compound = bool(owners) and rules.first(behind, rule.family, COMPOUND, SURE) is not None
    if compound and not _coordinated(scene, subject.end, owners[0].start, scene.subjects):
        return False
    nearer = scene.between(subject.end, cue.start, scene.subjects)
    if (
        nearer
        and rule.strength == STATED
        and is_behind_first_verb(text, scene.sentence, scene.names(nearer[-1]), nearer[-1], cue)
    ):
        head = _head(scene)
        if subject == head or _coordinated(scene, head.end, subject.start, scene.subjects):
            nearer = []
    if nearer and not _coordinated(scene, subject.end, nearer[-1].start, scene.subjects):
        return False
    if rule.strength != STATED or compound or rule.family in DIRECT:
        begin = subject.end if rule.strength == HINT else cue.end
        earlier = scene.between(begin, object_.start, scene.objects)
        return not earlier or _coordinated(scene, earlier[0].end, object_.start, scene.objects)
    return True


def _head(scene: SentenceMentions) -> Span:
    """The subject with which a sentence begins, but for a setting: "In the absence of X, A …"."""
    in_order = sorted(scene.subjects, key=lambda span: span.start)
    return next(
        (span for span in in_order if not is_setting(scene.text, scene.sentence, span)), in_order[0]
    )


def _of_its_verb(
    scene: SentenceMentions, subject: Span, object_: Span, cue: Span, forward: bool
) -> bool:
    """Whether subject and object belong to the verb: it is no second verb of an earlier subject,
    and no other verb begins before the object. What happens to a patient may be told later.
    """
    if not forward:
        return not NEXT_SUBJECT.search(scene.text[object_.end : cue.start].casefold())
    lead = scene.text[subject.end : cue.start].casefold()
    earlier = scene.between(scene.sentence.start, subject.start, scene.subjects)
    if earlier and SECOND_VERB.fullmatch(lead):
        return False
    return not NEXT_VERB.search(scene.text[cue.end : object_.start].casefold())


def _coordinated(scene: SentenceMentions, start: int, end: int, spans: Sequence[Span]) -> bool:
    """Whether only commas, "and", "or" and other mentions stand in between."""
    words = scene.text[start:end]
    for span in reversed(scene.between(start, end, spans)):
        words = words[: span.start - start] + " " + words[span.end - start :]
    return bool(JOINT.fullmatch(words.casefold()))
