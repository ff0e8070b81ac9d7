"""Two verbs of one subject: in "A binds B and inhibits C" it is A that inhibits C."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.model import Span
from core.text.phrases import one_of, phrases

# "A activates B and inhibits C": B stands behind a verb (or "by") and before a second one, which is
# A's.
_STEM = one_of("""
    activat stimulat inhibit suppress block repress reduc lower decreas increas rais elevat enhanc
    promot induc bind phosphorylat degrad prevent attenuat improv potentiat antagoni[sz] oppos
    regulat modulat trigger restor upregulat downregulat up-regulat down-regulat releas recruit
    target shorten normali[sz] abolish
""")
_VERB_BEFORE = phrases(
    {
        "by": "by the ",
        f"{_STEM}(?:s|es|ed)": "activates the ",
        "bound(?: to)?|(?:led|leads) to": "leads to ",
        r"(?:interact\w*|associat\w*|complex\w*) with": "interacts with ",
    },
    after=r"\s(?:the\s|an?\s|its\s)?(?:[\w-]+[\s/]){0,2}$",
    flags=re.NOFLAG,
)
_VERB_AFTER = re.compile(
    r"(?:[\s/][\w-]+){0,2}?,?\s+(?:and|but)\s+"  # "… kinase, and"
    r"(?:(?:then|also|thereby|thus|so|\w+ly)\s+){0,2}"  # "then strongly"
    r"(?:(?:is|are|was|were|has been|have been|can|may|might|could)\s+"  # "was also"
    r"(?:(?:once|also|now|\w+ly)\s+)?)?"
)
_LIST = re.compile(r"\s*(?:,|/|,?\s?\band\b|\bor\b)\s*")  # "A, B and C", without another word


def is_behind_first_verb(
    text: str, sentence: Span, before: Sequence[Span], name: Span, *, cue: Span
) -> bool:
    """Whether a name is what a first verb acts on, and the cue that follows it a second verb of
    that verb's subject: B in "A activates B and inhibits C". `before`: what the sentence names
    before it, in text order.
    """
    if not _VERB_AFTER.fullmatch(text[name.end : cue.start].casefold()):
        return False
    first = name
    for other in reversed(before):
        if not _LIST.fullmatch(text[other.end : first.start].casefold()):
            break
        first = other
    words = text[sentence.start : first.start].casefold()
    return _VERB_BEFORE.search(words) is not None
