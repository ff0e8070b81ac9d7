"""What part a name plays in its sentence, by the words around it: an agent, a setting, something
compared with, or a condition that a patient had before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.model import Span
from core.support.reading.stance_patterns import (
    APPOSED,
    BEARER,
    BETWEEN_TWO,
    CAUSED_AFTER,
    COMPARED,
    CONDITION_AFTER,
    CONDITION_BEFORE,
    FUSING,
    LACKING_AFTER,
    LACKING_BEFORE,
    METAL_BEFORE,
    NO_AGENTS,
    NOT_ITSELF,
    OPPOSITE,
    SAID_TO_BE,
    SALTS,
    SETTING,
    STIMULUS,
    SYMBOL,
)

# "heparin-induced thrombocytopenia": the name of a condition that names its cause.
AGENT_IN_NAME = re.compile(r"[-\s]+(?:induced|associated|related|mediated)\b", re.IGNORECASE)
# … or shares with the next name: "against veratin- and solbex-induced tremor".
_CAUSES_IN_NAME = re.compile(rf"{AGENT_IN_NAME.pattern}|-\s(?:and|or)\b", re.IGNORECASE)
ADJECTIVES = ("ic", "al", "ous", "ar")  # how an adjective may end
_APPOSED_WITHIN = 90  # characters between two names of one thing, at most
SALT_GAP = 2  # characters between a drug and the name of its salt, at most


def no_agent(text: str, subject: Span, subjects: Sequence[Span]) -> bool:
    """Whether a name stands for no agent here: a placebo, a salt of the drug before it, a receptor
    or an inhibitor of what is named, its opposite (anti-TNF), only an adjective of the next name
    ("inorganic arsenic"), or what another is said to be ("HAB1, a homologue of ABI1, …", "Graves
    disease is a disorder with …").
    """
    before = text[max(subject.start - 24, 0) : subject.start].casefold()
    words = " ".join(subject.quote(text).casefold().split())
    if words in NO_AGENTS or is_not_itself(text, subject):
        return True
    if OPPOSITE.search(before) and not _CAUSES_IN_NAME.match(text, subject.end):
        return True
    if _is_apposed(text, subject, subjects) or is_fused(text, subject, subjects):
        return True
    if words in SALTS and METAL_BEFORE.search(before):
        return True
    if words.endswith(ADJECTIVES) and any(span.start == subject.end + 1 for span in subjects):
        return True
    return words in SALTS and any(0 <= subject.start - span.end <= SALT_GAP for span in subjects)


def is_fused(text: str, name: Span, others: Sequence[Span]) -> bool:
    """Whether a gene's symbol is only half of a name: "BCR-ABL1" is what two genes became, unless
    the text speaks of what is between them ("the TP53-MDM2 interaction").
    """
    for other in others:
        first, second = (name, other) if name.start < other.start else (other, name)
        joint = text[first.end : second.start]
        if FUSING.fullmatch(joint) and all(
            SYMBOL.fullmatch(place.quote(text)) for place in (first, second)
        ):
            return not BETWEEN_TWO.match(text[second.end : second.end + 40].casefold())
    return False


def is_not_itself(text: str, name: Span) -> bool:
    """Whether the words behind a name make another thing of it: "dopamine receptors"."""
    return NOT_ITSELF.match(text[name.end : name.end + 40].casefold()) is not None


def is_of_a_bearer(text: str, name: Span) -> bool:
    """Whether a name only says which cells, animals or people are meant: "TET2-deficient cells"."""
    return BEARER.match(text[name.end : name.end + 60].casefold()) is not None


def is_stimulus(text: str, name: Span) -> bool:
    """Whether what a name stands for is only what sets something else off: of "TNF-induced NF-kB
    activation" it is NF-kB that is inhibited.
    """
    return STIMULUS.match(text[name.end : name.end + 40].casefold()) is not None


def _is_apposed(text: str, name: Span, others: Sequence[Span]) -> bool:
    """Whether a name only says what the one before it is: behind "is a", or between commas."""
    between = [
        text[other.end : name.start].casefold()
        for other in others
        if 0 < name.start - other.end <= _APPOSED_WITHIN
    ]
    if any(map(SAID_TO_BE.match, between)):
        return True
    return text[name.end : name.end + 1] == "," and any(map(APPOSED.match, between))


def acts_on_another(text: str, object_: Span, names_it: bool) -> bool:
    """Whether an action is done to another thing than the one of that name: to what the words
    behind it make of it (unless they say what the subject is, `names_it`), to its bearer, or to the
    response to it.
    """
    another = is_not_itself(text, object_) and not names_it
    return another or is_of_a_bearer(text, object_) or is_stimulus(text, object_)


def is_lacking(text: str, subject: Span) -> bool:
    """Whether what is named is missing or does not act: "loss of PTEN", "alcohol withdrawal"."""
    after = text[subject.end : subject.end + 24].casefold()
    before = text[max(subject.start - 28, 0) : subject.start].casefold()
    return bool(LACKING_AFTER.match(after) or LACKING_BEFORE.search(before))


def is_setting(text: str, sentence: Span, subject: Span) -> bool:
    """Whether a clause opens with a phrase that only says where or without what it holds: "in the
    absence of S, …".
    """
    before = text[sentence.start : subject.start].casefold()
    return text[subject.end : subject.end + 1] == "," and bool(SETTING.search(before))


def is_compared(text: str, sentence: Span, subject: Span) -> bool:
    """Whether a name is only what another is compared with: "… than with S"."""
    before = text[max(sentence.start, subject.start - 60) : subject.start].casefold()
    return COMPARED.search(before) is not None


def is_condition(text: str, sentence: Span, object_: Span) -> bool:
    """Whether a patient had the object before, by the words around it: "patients with O",
    "O patients", "treatment of O"."""
    after = text[object_.end : object_.end + 40].casefold()
    if CAUSED_AFTER.match(after):
        return False
    before = text[max(object_.start - 60, sentence.start) : object_.start].casefold()
    return bool(CONDITION_AFTER.match(after) or CONDITION_BEFORE.search(before))
