"""The judge that reads: who does what to whom by the relation rules, and how it is said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.model import Modality, Span, SupportVerdict
from core.support.case import OPPOSED, Case, PairInSentence, PairReading
from core.support.claim import Passage
from core.support.fitting_kinds import acts_the_other_way, misfit, with_article
from core.support.judge import Opinion
from core.support.naming import NamedEnd, Naming, named_in
from core.support.reading.part_in_sentence import is_lacking
from core.support.reading.rule_table import DECHALLENGE, HINT, SURE
from core.support.reading.stance import denied_whole
from core.support.reading.stance_patterns import (
    AIM,
    ANOTHERS_EFFECT,
    HARM_OF,
    HYPOTHESIS,
    IN_PRESENCE,
    LEFT_OUT,
    LIKE_PLACEBO,
    NEGATION,
    NO_NEGATION,
    ONLY_IF,
    TO_BRING_ABOUT,
    UNREAL,
    WHICH_WAS_GIVEN,
)

SUPPORTS, UNCLEAR = SupportVerdict.SUPPORTS, SupportVerdict.UNCLEAR
SILENT, CONTRADICTS = SupportVerdict.SILENT, SupportVerdict.CONTRADICTS
CLEARLY = 0.5  # how much nearer an opposed or swapped reading must be to count for more


@dataclass(frozen=True, slots=True)
class RulesJudge:
    name: str = "rules"

    def opinion(self, case: Case) -> Opinion | None:
        """What the quote's sentences say of the pair, by the best reading of each kind."""
        if missing := _missing(case):
            if _is_of_whole_text(case):
                words = case.claim.subject.words
                return Opinion(UNCLEAR, (f"“{words}” is named elsewhere in the text only",))
            return Opinion(SILENT, missing, sure=True)
        naming = _naming(case)
        if unfit := _unfit(case):
            return _with(naming, unfit)
        if _same_words(case):
            return Opinion(SILENT, ("it names neither of the two", *naming), sure=True)
        opinion = _read(case) or _unread(case) if case.pairs else Opinion(*_apart(case))
        return _as_named(case, _with(naming, _as_denied(case, opinion)))


def _same_words(case: Case) -> bool:
    """Whether the same words are taken to mean both ends: "the condition"."""
    subject, object_ = case.subject, case.object
    if subject is None or object_ is None or not (subject.refers and object_.refers):
        return False
    return subject.spans == object_.spans


def _as_denied(case: Case, opinion: Opinion) -> Opinion:
    """A claim that something is not so needs a word that denies."""
    if not case.claim.negated or opinion.verdict is CONTRADICTS:
        return opinion
    if any(_denies(case.passage.text, sentence) for sentence in case.passage.quoted_sentences):
        return opinion
    return Opinion(SILENT, ("nothing in it denies that", *opinion.reasons), sure=True)


def _as_named(case: Case, opinion: Opinion) -> Opinion:
    """What is said of a part of an end's name may be said of another thing: at most unclear."""
    in_part = any(end and end.how is Naming.PART for end in (case.subject, case.object))
    if in_part and opinion.verdict is SUPPORTS:
        return Opinion(UNCLEAR, opinion.reasons, opinion.probability, sure=True)
    return opinion


def _is_of_whole_text(case: Case) -> bool:
    """Whether only the subject is missing, of a predicate that is a slot's name ("ingredients"),
    and the text names it elsewhere: a dish or a study is what all of a text is about.
    """
    if case.claim.family is not None or case.subject or not case.object:
        return False
    return named_in(case.claim.subject, Passage(case.passage.text)) is not None


def _missing(case: Case) -> tuple[str, ...]:
    """Which ends the passage does not name."""
    ends = (
        ("subject", case.claim.subject, case.subject),
        ("object", case.claim.object, case.object),
    )
    return tuple(
        f"the {role}, “{end.words}”, is not named in it"
        for role, end, named in ends
        if named is None
    )


def _unfit(case: Case) -> Opinion | None:
    """Kinds of ends that such a relation cannot join; most often they are exchanged."""
    claim = case.claim
    unfit = misfit(case.family, claim.subject.category, claim.object.category)
    if not unfit or claim.negated:
        return None
    back = next((_shown(case, reading) for reading in case.readings if reading.swapped), "")
    reasons = (f"the other way round: {back}", unfit) if back else (unfit,)
    return Opinion(CONTRADICTS if back else SILENT, reasons, sure=True)


def _naming(case: Case) -> tuple[str, ...]:
    """How an end is named, where not by its own words."""
    return tuple(
        words
        for named in (case.subject, case.object)
        if named and (words := _how_named(case, named))
    )


def _how_named(case: Case, named: NamedEnd) -> str:
    place = named.spans[0].quote(case.passage.text)
    match named.how:
        case Naming.ABBREVIATION:
            return f"“{place}” stands for “{named.end.words}” in this text"
        case Naming.PRONOUN | Naming.NOUN:
            return f"“{place}” is taken to mean “{named.end.words}”"
        case Naming.KIND:
            return f"“{place}” is a kind of “{named.end.words}”"
        case Naming.PART:
            return f"“{place}” is only a part of the name “{named.end.words}”"
        case Naming.TITLE:
            return f"“{named.end.words}” is named in the title only"
    return ""


def _apart(case: Case) -> tuple[SupportVerdict, tuple[str, ...]]:
    ends = (case.subject, case.object)
    if all(named and named.how is Naming.TITLE for named in ends):
        return SILENT, ("it names neither of the two; only the title does",)
    if any(named and named.refers for named in ends):
        return UNCLEAR, ()
    return SILENT, ("no sentence of it names both",)


def _with(naming: tuple[str, ...], opinion: Opinion) -> Opinion:
    return Opinion(opinion.verdict, (*opinion.reasons, *naming), opinion.probability, opinion.sure)


def _read(case: Case) -> Opinion | None:
    """The verdict of what the rules read; None where they read nothing of the pair."""
    readings = [r for r in case.readings if not _is_time(case, r)]
    claimed = [r for r in readings if not r.swapped and not _is_opposed(case, r)]
    opposed = [r for r in readings if not r.swapped and _is_opposed(case, r)]
    swapped = [r for r in readings if r.swapped]
    best = claimed[0] if claimed else None
    for others, words in ((opposed, "it says another thing"), (swapped, "the other way round")):
        if others and not others[0].relation.negated and _outweighs(case, others[0], best):
            # where no words say the claim itself, nothing weighed says it either
            reasons = (f"{words}: {_shown(case, others[0])}",)
            return Opinion(CONTRADICTS, reasons, sure=best is None and others is opposed)
    if best is None:
        return None
    return _stance(case, claimed)


def _is_opposed(case: Case, reading: PairReading) -> bool:
    """Whether a reading says another thing than is claimed. What the lack of the subject does is
    the opposite of what the subject does.
    """
    opposed = reading.family in OPPOSED.get(case.family, ())
    if case.family in _TURNED_BY_LACK and case.lacks_subject(reading):
        return reading.family == case.family
    return opposed


def _is_time(case: Case, reading: PairReading) -> bool:
    """Whether a treatment is only when something happened: "bradycardia during combined therapy
    with verapamil" speaks for its cause as much as for its cure.
    """
    relation = reading.relation
    between = case.passage.text[relation.object.end : relation.subject.start]
    if case.family not in _HARMS or reading.family not in _HELPS:
        return False
    return bool(_DURING.match(between.casefold()))


_DURING = re.compile(
    r"\s(?:during|after|following|on|while)\s(?:[\w-]+\s){0,3}(?:therapy|treatment|receiving|taking)\b"
)
_TURNED_BY_LACK = frozenset(("activate", "inhibit"))


def _outweighs(case: Case, other: PairReading, best: PairReading | None) -> bool:
    rule = case.rules.by_name.get(other.relation.rule)
    if rule is None or rule.strength == HINT:
        return False
    return best is None or other.relation.near > best.relation.near + CLEARLY


def _stance(case: Case, readings: Sequence[PairReading]) -> Opinion:
    """How the relation is said: a finding counts for more than what was only asked or supposed."""
    findings = [r for r in readings if not r.relation.hypothesis or _is_presupposed(case, r)]
    affirmed = [r for r in findings if not r.relation.negated]
    denied = [r for r in readings if r.relation.negated]
    if case.claim.negated:
        affirmed, denied = denied, affirmed
    if affirmed and denied and affirmed[0].sentence != denied[0].sentence:
        reasons = (f"one sentence says it, {_shown(case, affirmed[0])}, and another denies it",)
        return Opinion(UNCLEAR, reasons)
    if affirmed and not (denied and denied[0].relation.near > affirmed[0].relation.near):
        other = "" if case.claim.negated else _of_another_kind(case, affirmed[0])
        if other:
            return Opinion(UNCLEAR, (f"{other}: {_shown(case, affirmed[0])}",), sure=True)
        says = "the sentence denies it too" if case.claim.negated else "the sentence says so"
        return Opinion(SUPPORTS, (f"{says}: {_shown(case, affirmed[0])}",))
    if denied:
        verb = "says that it does" if case.claim.negated else "denies it"
        words = _shown(case, denied[0]) if case.claim.negated else _denied(case, denied[0])
        return Opinion(CONTRADICTS, (f"the sentence {verb}: {words}",), sure=True)
    return _supposed(case, readings)


def _of_another_kind(case: Case, reading: PairReading) -> str:
    """Why the words of a relation may say another thing than they seem to; "" where they do not:
    not the subject acts, or not on the object, or only on a condition.
    """
    text, relation = case.passage.text, reading.relation
    subject, object_ = relation.subject, relation.object
    first, last = sorted((subject, object_), key=lambda span: span.start)
    before = text[reading.sentence.start : first.start].casefold()
    between = text[first.end : last.start].casefold()
    behind = text[last.end : reading.sentence.end].casefold()
    name = f"“{subject.quote(text)}”"
    helps = case.family in _HELPS
    found = (
        (
            case.family in _OF_CARE
            and not between.startswith("-")  # "reduced veratin-induced tremor"
            and relation.rule != DECHALLENGE
            and is_lacking(text, subject),
            f"said of the lack of {name}",
        ),
        (ANOTHERS_EFFECT.search(between), "said of what another does"),
        (IN_PRESENCE.search(between), f"“{last.quote(text)}” is only present"),
        (ONLY_IF.search(before) or UNREAL.search(between), "only on a condition"),
        (helps and HARM_OF.match(text[subject.end :].casefold()), f"said of the harm of {name}"),
        (
            first == subject and WHICH_WAS_GIVEN.search(f"{before}|{between}"),
            f"{name} is not what does it",
        ),
        (helps and LIKE_PLACEBO.search(f"{between}{behind}"), "no more than a placebo does"),
        (helps and TO_BRING_ABOUT.search(between), "it brings that about"),
        (helps and LEFT_OUT.match(behind), "said of whom the study left out"),
    )
    return next((words for met, words in found if met), "")


def _is_presupposed(case: Case, reading: PairReading) -> bool:
    """Whether the relation stands inside a noun: "to study veratin-induced tremor" takes it for
    granted.
    """
    rule = case.rules.by_name.get(reading.relation.rule)
    return rule is not None and rule.strength == SURE


def _supposed(case: Case, readings: Sequence[PairReading]) -> Opinion:
    """What is only asked or supposed, unless another sentence gives the answer."""
    first = readings[0]
    for pair, *_ in case.stances:
        cue = "" if pair.sentence == first.sentence else _denial(case.passage.text, pair)
        if cue and not case.claim.negated:
            return Opinion(CONTRADICTS, (f"another sentence denies it: “{cue}”",), sure=True)
    words = first.sentence.quote(case.passage.text).casefold()
    if any(not r.relation.aim for r in readings):
        hedge = HYPOTHESIS.search(words)
        reason = f"only supposed: “{hedge[0]}”" if hedge else "only supposed"
        said = case.claim.modality is not Modality.ASSERTED
        return Opinion(SUPPORTS if said else UNCLEAR, (reason,))
    aim = AIM.search(words)
    reason = "the aim of the study, not a finding" + (f": “{aim[0]}”" if aim else "")
    said = case.claim.modality is not Modality.ASSERTED
    return Opinion(SUPPORTS if said else SILENT, (reason,))


def _unread(case: Case) -> Opinion:
    """Where no rule joins the pair: another thing of which it is said, a denial between the two, or
    a part that the subject plays.
    """
    text = case.passage.text
    if cue := next((cue for pair, *_ in case.stances if (cue := _denial(text, pair))), ""):
        verdict = SUPPORTS if case.claim.negated else CONTRADICTS
        return Opinion(verdict, (f"the sentence denies it: “{cue}”",), sure=True)
    if not case.claim.negated and (against := _against(case)):
        return Opinion(CONTRADICTS, (against,), sure=True)
    asserted = case.claim.modality is Modality.ASSERTED and case.family in _OF_CARE
    if asserted and case.stances and all(aim for _, _, _, aim in case.stances):
        return Opinion(SILENT, ("the aim of the study, not a finding",))
    if other := case.said_of_another():
        name, end = other
        own = case.claim.subject if end == "subject" else case.claim.object
        return Opinion(UNCLEAR, (f"said of “{name}”, not of “{own.words}”",))
    reasons = tuple(dict.fromkeys(role for pair in case.pairs if (role := _role(case, pair))))
    if reasons:
        return Opinion(SILENT, reasons[:1])
    ends = case.claim.subject.category, case.claim.object.category
    if acts_the_other_way(case.family, *ends):
        words = case.claim.predicate_words
        first, second = map(with_article, ends)
        reason = f"no words say “{words}”, and of {first} and {second} the latter acts"
        return Opinion(SILENT, (reason,))
    return Opinion(
        UNCLEAR,
        (f"it names both, but no words were found that say “{case.claim.predicate_words}”",),
    )


def _denies(text: str, sentence: Span) -> bool:
    """Whether a sentence holds any word that denies."""
    words = NO_NEGATION.sub(_blank, sentence.quote(text).casefold())
    return bool(NEGATION.search(words) or _LESS.search(words))


# Words that say without a "not" that something is not so.
_LESS = re.compile(
    r"\b(?:non|un\w+|ineffect\w+|insensitiv\w+|resistan\w+|[\w-]+-free|rather than|instead of"
    r"|negative|exclu\w+|ruled out|independent\w*|similar\w*|same|comparable|equal\w*)\b"
)


def _role(case: Case, pair: PairInSentence) -> str:
    """What the sentence makes of the pair other than a relation: the two only stand side by side,
    the subject plays another part, or was stopped where it is to have helped.
    """
    text = case.passage.text
    if case.family in _OF_CARE and _SIDE_BY_SIDE.fullmatch(pair.between.quote(text).casefold()):
        before = text[pair.sentence.start : pair.pair.start].casefold()
        if not _TOGETHER.search(before):
            return "the two are only named side by side"
    if case.family in _HELPS and _STOPPED.match(text[pair.subject.end : pair.sentence.end]):
        return f"“{pair.subject.quote(text)}” was stopped there"
    return case.role(pair)


_SIDE_BY_SIDE = re.compile(r"\s?(?:,|,?\s?and|or|as well as|along with)\s")
_TOGETHER = re.compile(r"\b(?:between|interact|relat|associat|link|correlat|combin)\w*")
_STOPPED = re.compile(
    r"\s(?:was|were|had been|is)\s(?:\w+ly\s)?(?:withdrawn|stopped|discontinued|suspended)\b"
)


def _denial(text: str, pair: PairInSentence) -> str:
    """The words that deny: before the pair for all that follows, or between the two; a denial
    elsewhere may be of another thing, as is that of "A but not B" in what follows B.
    """
    if whole := denied_whole(text, pair.sentence, pair.pair):
        return whole[0]
    words = NO_NEGATION.sub(_blank, pair.between.quote(text).casefold())
    for match in NEGATION.finditer(words):
        contrasted = _BUT.search(words, 0, match.start())
        if not contrasted or len(words) - match.end() <= BESIDE:
            return match[0]
    return ""


def _against(case: Case) -> str:
    """Words that say the opposite where no relation is read, as a reason: "O was less frequent with
    S", "S is contraindicated in O", and of two drugs "A reduced O; S did not".
    """
    text = case.passage.text
    for pair in case.pairs:
        if left_out := _ELLIPSIS.match(text[pair.subject.end : pair.sentence.end].casefold()):
            return f"the sentence denies it: “{pair.subject.quote(text)}{left_out[0]}”"
        pattern = _SAYS_LESS if case.family in _HARMS else _WARNS_OF
        words = pattern.search(pair.between.quote(text).casefold())
        if words and case.family in _OF_CARE:
            return f"it says another thing: “{words[0]}”"
    return ""


_HARMS, _HELPS = ("cause", "exacerbate"), ("treat", "prevent")
_OF_CARE = (*_HARMS, *_HELPS)
# "warfarin did not.", "lactoferrin caused none."
_ELLIPSIS = re.compile(
    r"\s(?:(?:did|does|do|was|were|has|have|had|could|can)\s(?:not|never)|(?:\w+ed|had|gave)\snone)"
    r"\s?(?=[.;,]|$)"
)
# "was less frequent with", "a lower risk of"; not "less frequent with A than with".
_SAYS_LESS = re.compile(
    r"\b(?:less (?:frequent|common|likely|often|severe)\w*|rarer|(?:lower|reduced|decreased) "
    r"(?:[\w-]+ ){0,2}(?:risks?|odds|incidence|rates?|likelihood|prevalence|frequency))\b"
    r"(?!.*\bthan\b)"
)
_WARNS_OF = re.compile(r"\bcontra-?indicat\w*|\b(?:be|to) avoid\w*|\b(?:was|were) withdrawn\b")
_BUT = re.compile(r"\b(?:but|and|or|yet)\s$")
BESIDE = 12  # characters in which the end itself follows a "but not"


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _denied(case: Case, reading: PairReading) -> str:
    """The words of a denied relation, from those that deny it on."""
    text, relation = case.passage.text, reading.relation
    pair = PairInSentence(reading.sentence, relation.subject, relation.object)
    if whole := denied_whole(text, pair.sentence, pair.pair):
        return f"“{whole[0]}”"
    if NEGATION.search(pair.between.quote(text).casefold()):
        return _shown(case, reading)
    before = NEGATION.findall(text[reading.sentence.start : pair.pair.start].casefold())
    return f"“{before[-1]}”, said of {_shown(case, reading)}" if before else _shown(case, reading)


def _shown(case: Case, reading: PairReading) -> str:
    """The words from one end to the other, or the cue alone where they stand far apart."""
    relation = reading.relation
    start = min(relation.subject.start, relation.object.start, relation.cue.start)
    end = max(relation.subject.end, relation.object.end)
    if end - start > MOST_SHOWN:
        start, end = relation.cue.start, relation.cue.end
    words = " ".join(Span(start, end).quote(case.passage.text).split())
    return f"“{words}”"


MOST_SHOWN = 90  # characters of a sentence in a reason
