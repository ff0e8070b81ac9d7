"""Whether a cue is a pair's own: no nearer name, other clause or other verb claims it."""

from __future__ import annotations

import re

from core.model import Span
from core.support.reading.part_in_sentence import is_not_itself, is_setting
from core.support.reading.rule_table import (
    COMPOUND,
    HINT,
    STATED,
    SURE,
    RelationRule,
    RuleTable,
)
from core.support.reading.second_verb import is_behind_first_verb
from core.support.reading.sentence_mentions import SentenceMentions, are_coordinated
from core.support.reading.stance_patterns import (
    APPEARED,
    BY_DOING,
    ITS_VERB,
    NEXT_CLAUSE,
    ONLY_BEFORE,
    OTHER_ACTOR,
    OTHER_CLAUSE,
    OTHER_OUTCOME,
)
from core.text.phrases import one_of, phrases

# Families whose object is what the verb acts on, and nothing behind it.
DIRECT = frozenset(("inhibit", "activate", "phosphorylate", "bind", "regulate"))
ACTED = DIRECT | {"locate"}  # families of what molecules do, not of what comes of it
_WHICH = re.compile(r",\s(?:which|who)\s")
# Another verb begins: "A inhibits B, and the kinase is inhibited by C".
_STEMS = one_of(
    "lower rais reduc increas decreas prevent block inhibit activat stimulat improv caus induc lead"
    " result bind limit promot"
)
NEXT_VERB = phrases(
    {
        "which|whose|whereas|while|but|thereby|thus": "A inhibits B, thereby",
        r"and(?: the \w+)? (?:is|are|was|were|has|have)": "A inhibits B, and the kinase is",
        f"and {_STEMS}(?:s|es|ed)": "A inhibits B and raises",
    },
    also={";": "A inhibits B; C"},
    flags=re.NOFLAG,
)
NEXT_SUBJECT = re.compile(r";|\band the \w+ (?:is|are|was|were)\b")
# A clause with a verb of its own: "A led to B; no C was attributed to D" joins A with B, D with C.
CLAUSE_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|did|does|do)\b")
MODAL = re.compile(r"\b(?:may|might|can|could)\b")
# A second verb of the same subject: in "A activates B and is used in C" it is A that is used.
SECOND_VERB = re.compile(
    r"\s+and\s+(?:then |also |thereby |\w+ly )?(?:(?:is|are|was|were|has been) )?"
)
# "activated by A and suppressed by B": both verbs are of the name before them
_BY = re.compile(r"\b\w+ed\s(?:\w+ly\s)?by\s(?:the\s)?$")
_AND_PASSIVE = re.compile(r",?\s(?:and|but)\s(?:(?:is|was|are|were)\s)?(?:\w+ly\s)?\w+ed\sby")
_PARTICIPLE_OF = re.compile(r"\s\w+ed\sby")  # "O activated by"


def is_bound_backwards(scene: SentenceMentions, subject: Span, object_: Span, cue: Span) -> bool:
    """Whether a cue that follows its object is this pair's own: in "O induced by A was treated
    with B" it is that of A, in "B suppresses O activated by A" of O, and in "O is activated by A
    and suppressed by B" B does nothing to A.
    """
    text = scene.text
    if _BY.search(text[scene.sentence.start : object_.start].casefold()) and _AND_PASSIVE.fullmatch(
        text[object_.end : cue.end].casefold()
    ):
        return False
    beside = [
        other
        for other in scene.between(object_.end, cue.start, scene.objects)
        if _PARTICIPLE_OF.fullmatch(text[other.end : cue.end].casefold())
    ]
    if beside and not are_coordinated(scene, object_.end, beside[-1].start, scene.objects):
        return False
    nearer = scene.between(cue.end, subject.start, scene.subjects)
    words = scene.text[nearer[0].end : subject.start].casefold() if nearer else ""
    return not (CLAUSE_VERB.search(words) or NEXT_VERB.search(words))


def begins_other_clause(
    scene: SentenceMentions, between: Span, object_: Span, forward: bool
) -> bool:
    """Whether another clause with a subject of its own begins between a subject and an object that
    follows, be it a name of the schema, another word with a verb ("and solbex may worsen …") or
    the object itself.
    """
    words = between.quote(scene.text).casefold()
    after = scene.text[object_.end : object_.end + 40].casefold()
    if forward and NEXT_CLAUSE.search(words) and ITS_VERB.match(after):
        return True
    if (OTHER_ACTOR if forward else OTHER_OUTCOME).search(words):
        return True
    ends = [match.end() for match in OTHER_CLAUSE.finditer(words)]
    return forward and any(
        scene.between(between.start + end, between.end, scene.subjects) for end in ends[:1]
    )


def is_behind_semicolon(scene: SentenceMentions, between: Span) -> bool:
    """Whether a semicolon between the two parts clauses, of which the later has its own verb."""
    mark = scene.text.rfind(";", between.start, between.end)
    if mark < 0:
        return False
    end = scene.text.find(";", between.end, scene.sentence.end)
    clause = scene.text[mark : end if end >= 0 else scene.sentence.end]
    return any(verb.search(clause.casefold()) for verb in (CLAUSE_VERB, MODAL))


def is_bound(
    scene: SentenceMentions,
    subject: Span,
    object_: Span,
    cue: Span,
    *,
    rule: RelationRule,
    rules: RuleTable,
) -> bool:
    """Whether a cue is this pair's own. "A and B-induced C and D" joins A, B with C, D; "A …
    B-induced C … D" not.
    """
    text = scene.text
    if rule.family in ACTED and _is_of_relative_clause(scene, subject, cue):
        return False
    owners = [s for s in scene.subjects if 0 <= cue.start - s.end <= 2 and s != subject]
    behind = text[owners[0].end : cue.end].casefold() if owners else ""
    compound = bool(owners) and rules.first(behind, rule.family, COMPOUND, SURE) is not None
    if compound and not are_coordinated(scene, subject.end, owners[0].start, scene.subjects):
        return False
    nearer = scene.between(subject.end, cue.start, scene.subjects)
    if (
        nearer
        and rule.strength == STATED
        and is_behind_first_verb(text, scene.sentence, scene.names(nearer[-1]), nearer[-1], cue=cue)
    ):
        head = _head(scene)
        if subject == head or are_coordinated(scene, head.end, subject.start, scene.subjects):
            nearer = []
    if nearer and not are_coordinated(scene, subject.end, nearer[-1].start, scene.subjects):
        return False
    behind_cue = text[cue.end : object_.start].casefold()
    if rule.family in DIRECT and BY_DOING.search(behind_cue):
        return False
    if ONLY_BEFORE.search(behind_cue) and scene.between(cue.end, object_.start, scene.objects):
        return False
    if rule.strength != STATED or compound or rule.family in DIRECT:
        begin = subject.end if rule.strength == HINT else cue.end
        earlier = [
            span
            for span in scene.between(begin, object_.start, scene.objects)
            if not is_not_itself(text, span)
        ]
        return not earlier or are_coordinated(scene, earlier[0].end, object_.start, scene.objects)
    return True


def _is_of_relative_clause(scene: SentenceMentions, subject: Span, cue: Span) -> bool:
    """Whether a cue is what a name between says by "which": in "A recruits B, which activates C" it
    is B that acts.
    """
    lead = scene.text[subject.end : cue.start]
    begins = [subject.end + match.start() for match in _WHICH.finditer(lead)]
    named = scene.between(subject.end, begins[-1], scene.names(cue)) if begins else []
    return bool(named) and named[-1].end == begins[-1]


def _head(scene: SentenceMentions) -> Span:
    """The subject with which a sentence begins, but for a setting: "In the absence of X, A …"."""
    in_order = sorted(scene.subjects, key=lambda span: span.start)
    return next(
        (span for span in in_order if not is_setting(scene.text, scene.sentence, span)), in_order[0]
    )


def is_of_its_verb(
    scene: SentenceMentions, subject: Span, object_: Span, cue: Span, *, forward: bool
) -> bool:
    """Whether subject and object belong to the verb: it is no second verb of an earlier subject,
    and no other verb begins before the object. What happens to a patient may be told later.
    """
    if APPEARED.match(scene.text[object_.end : object_.end + 40]):
        return False
    if not forward:
        return not NEXT_SUBJECT.search(scene.text[object_.end : cue.start].casefold())
    lead = scene.text[subject.end : cue.start].casefold()
    earlier = scene.between(scene.sentence.start, subject.start, scene.subjects)
    if earlier and SECOND_VERB.fullmatch(lead):
        return False
    return not NEXT_VERB.search(scene.text[cue.end : object_.start].casefold())
