"""Which mentions may fill a list of the thing that a text is about, where a sentence says more than
a name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.extraction.builtin.groups import MentionGroup
from core.model import Category, Span
from core.schema.definition import ClassDefinition, Slot
from core.support.reading.stance_patterns import DENIED_OF
from core.text.phrases import phrases
from core.text.sentence import sentence_at

# "is a feature of", "is the cause of" name no kind
_NO_KINDS = r"(?:features?|signs?|symptoms?|manifestations?|complications?|causes?|parts?) of"
# Before a general term: "metformin is a biguanide", "a form of anaemia"
_KIND_OF = phrases(
    {
        r"(?:is|are|was|were|as|being)\s+(?:also\s+)?(?:an?|the|one of (?:the|several|many))\s"
        rf"(?:(?!{_NO_KINDS})[\w-]+\s){{0,6}}": "metformin is an oral ",
        r"(?:form|type|kind|subtype|group|class|variant|example)s? of\s(?:the\s|an?\s)?"
        r"(?:[\w-]+\s){0,4}": "a form of ",
        r"(?:belongs? to|member of)\s(?:the\s)?(?:[\w-]+\s){0,4}": "it belongs to the ",
    },
    after="$",
)
# "should not be used in asthma", "contraindicated"
_WARNING = phrases(
    {
        "contra-?indicat": "contraindicated in asthma",
        r"(?:must|should|may|can) ?not be (?:given|used|taken)\b": "should not be used in asthma",
        r"not recommended\b": "not recommended in asthma",
        r"avoid(?:ed|ing)?\b": "to be avoided in asthma",
        r"(?:must|should) not (?:take|receive|use)\b": "patients must not take aspirin",
    },
    after="",
)
_TREATS = re.compile(r"\btreat", re.IGNORECASE)
# A sentence about treatment: "patients received aspirin", "effective in migraine"
_TREATED = phrases(
    {
        "treat|therap|administ|receiv|prescri|prophyla|efficac": "patients received aspirin",
        "randomi[sz]|combin|infus|inject|relie|remission|supplement": "they were randomised",
        "radiotherap|chemotherap|immunotherap": "after chemotherapy",
        r"(?:given|dose|doses|dosed|regimens?|underwent|undergo\w*)\b": "aspirin was given",
        r"(?:effective|cur(?:e|ed|es)|benefit\w*|placebo|manage\w*|improv\w*)\b": (
            "effective in migraine"
        ),
    },
    after="",
)
# After a drug that is measured, not given: "calcium levels", "insulin resistance"
_MEASURED = re.compile(
    r"\s*(?:levels?|concentrations?|status|content|values?|ratio|expression|resistance|metabolism"
    r"|synthesis|clearance|excretion|secretion|sensitivity)\b",
    re.IGNORECASE,
)
_SYMPTOMS = re.compile(r"\b(?:symptom|sign|phenotype|feature)s?\b", re.IGNORECASE)
# A sentence on harm: "adverse effects were nausea", "treatment leads to dyskinesia"
_HARM = phrases(
    {
        r"prevent\w*|controls?|controlled|reduc\w+": "aspirin prevents stroke",
        r"adverse|side[- ]effects?|toxic\w*|risk|worsens?": "adverse effects were nausea",
        r"caus(?:e|es|ed|ing)|induc\w*|lead(?:s|ing)? to|led to|result\w* in": (
            "levodopa leads to dyskinesia"
        ),
    }
)
# "No patient developed (tremor)", "none of them had (ataxia)", "no mutation of (ABC1)"
_NONE_BEFORE = re.compile(
    r"\b(?:no|none of the\w*|neither|never)\s"
    r"(?:(?!but\b|and\b|only\b|doubt\b|longer\b)[\w-]+\s){0,6}$",
    re.IGNORECASE,
)
# "(ABC1) was sequenced and no variant was found"
_NO_VARIANT = re.compile(
    r"[^.;,]{0,40}\b(?:no|without)\s(?:[\w-]+\s){0,2}(?:variants?|mutations?|changes?)\b",
    re.IGNORECASE,
)
# "X, which resembles (Marfan syndrome)": a name that another thing is only likened to
_LIKENED = phrases(
    {
        r"resembl\w+|mimic\w*|similar to|overlap\w* with": "X, which resembles ",
        "unlike|(?:distinct|different|distinguished) from": "X is distinct from ",
        r"allelic (?:to|with)|(?:compared|contrast) (?:to|with)": "X, in contrast to the ",
    },
    after=r"\s(?:[\w-]+\s){0,2}$",
)
_TARGETS = re.compile(r"\bacts? on\b|\btargets?\b", re.IGNORECASE)
_LISTED = re.compile(r"[\s,/]*(?:(?:and|or)\s+)?")  # between two names of a list
OPENING = 12  # characters before the first name of a sentence: "In severe", "The"
_WARNS = re.compile(r"contra-?indicat|must not|avoid", re.IGNORECASE)


def fitting_mentions(
    text: str, cls: ClassDefinition, slot: Slot, spans: Sequence[Span], *, subject: Span | None
) -> tuple[Span, ...]:
    """The mentions of one thing, of `spans`, that may fill a slot of the object that the whole text
    is about, whose name stands at `subject`.

    Nothing is a part or a kind of itself; a group is named by "is a" or "a type of"; what must not
    be given goes to the slot for it, where the class has one. What treats, or is treated, stands
    in a sentence on a treatment, and is not measured there; a symptom does not. What a sentence
    denies of a mention ("veratin did not help") keeps it out, but for the members of a pathway.
    """
    if cls.is_entity and subject in spans:
        return ()
    if cls.is_entity and cls.category is not Category.PATHWAY and not is_warning_slot(slot):
        spans = [span for span in spans if not _denied(text, span)]
    if slot.uri.endswith("subClassOf"):
        return tuple(
            span
            for span in spans
            if _KIND_OF.search(text[sentence_at(text, span).start : span.start])
        )
    if _is_for_treatment(slot):
        spans = [span for span in spans if _treated_with(text, span)]
    elif _is_for_symptoms(slot):
        spans = [span for span in spans if not _on_treatment_or_harm(text, span)]
    elif _TARGETS.search(slot.description):
        spans = [span for span in spans if not _MEASURED.match(text, span.end)]
    if any(is_warning_slot(sibling) for sibling in cls.slots if sibling.range == slot.range):
        return tuple(span for span in spans if _warned(text, span) == is_warning_slot(slot))
    return tuple(spans)


def said_of_another(
    text: str, slot: Slot, span: Span, own: Sequence[Span], *, others: Sequence[Span]
) -> bool:
    """Whether the sentence of a mention is about another thing of the class that the text is about:
    it names one of the `others`, and none of its `own` names, or only to liken the other to it. A
    group ("is a muscle disease") is none; a symptom may itself be a disease, so that only one named
    before it, and not listed with it, counts.
    """
    sentence = sentence_at(text, span)
    if any(
        sentence.overlaps(name) and not _LIKENED.search(text[sentence.start : name.start])
        for name in own
    ):
        return False
    other_spans = [
        other
        for other in others
        if sentence.overlaps(other) and not _KIND_OF.search(text[sentence.start : other.start])
    ]
    if not _is_for_symptoms(slot):
        return any(not other.overlaps(span) for other in other_spans)
    first = min(other_spans, key=lambda other: other.start, default=span)
    return first.start <= sentence.start + OPENING and (
        first.overlaps(span) or not _LISTED.fullmatch(text[first.end : span.start])
    )


def _is_for_symptoms(slot: Slot) -> bool:
    return bool(_SYMPTOMS.search(f"{slot.name.replace('_', ' ')} {slot.description}"))


def _denied(text: str, span: Span) -> bool:
    sentence = sentence_at(text, span)
    return bool(
        DENIED_OF.match(text[span.end : span.end + 60].casefold())
        or _NO_VARIANT.match(text, span.end, sentence.end)
        or _NONE_BEFORE.search(text[sentence.start : span.start])
    )


def _is_for_treatment(slot: Slot) -> bool:
    """Whether a slot is for what a text says to treat, or to be treated."""
    words = f"{slot.name.replace('_', ' ')} {slot.description}"
    return bool(_TREATS.search(words)) and not is_warning_slot(slot)


def _treated_with(text: str, span: Span) -> bool:
    sentence = sentence_at(text, span)
    return bool(_TREATED.search(sentence.quote(text))) and not _MEASURED.match(text, span.end)


def _on_treatment_or_harm(text: str, span: Span) -> bool:
    words = sentence_at(text, span).quote(text)
    return bool(_HARM.search(words) or _TREATED.search(words))


def _warned(text: str, span: Span) -> bool:
    return bool(_WARNING.search(sentence_at(text, span).quote(text)))


def is_warning_slot(slot: Slot) -> bool:
    """Whether a slot is for what must not be given or done."""
    return bool(_WARNS.search(f"{slot.name} {slot.uri}") or _WARNS.search(slot.description))


def repeats_earlier_list(cls: ClassDefinition, slot: Slot) -> bool:
    """Whether an earlier list of the class takes the same things: inputs before outputs."""
    same = [
        sibling.name
        for sibling in cls.slots
        if sibling.range == slot.range and sibling.multivalued and not sibling.skip
    ]
    return slot.multivalued and same.index(slot.name) > 0 and not is_warning_slot(slot)


def in_turn_of_slot(
    cls: ClassDefinition, slot: Slot, placed_groups: list[tuple[MentionGroup, tuple[Span, ...]]]
) -> list[tuple[MentionGroup, tuple[Span, ...]]]:
    """One mention for each of a class's slots of one range: the first slot has the first, the
    second the next.
    """
    rivals = [
        sibling.name
        for sibling in cls.slots
        if sibling.range == slot.range and not sibling.multivalued
    ]
    turn = rivals.index(slot.name)
    if len(rivals) == 1:
        placed_groups = sorted(placed_groups, key=lambda pair: -len(pair[1]))
    return placed_groups[turn : turn + 1]
