"""Whether a sentence states a relation in its plainest form: a clause that begins with the subject,
its verb next, and the object behind it ("Gefitinib directly inhibits EGFR in …"). No weight that
was learned from what annotators marked may silence such a sentence.
"""

from __future__ import annotations

import re

from core.model import Span

# Words that may stand beside a verb without taking anything from what it says.
_BESIDE_CUE = re.compile(
    r"\s?(?:(?:the|an?|both|also|then|thereby|human|mouse|murine|rat|\w+ly"
    r"|can|has|have|had|been|was|were|is|are)\s)*"
)
# Where a clause begins: "we show that S …", "however, S …", "the S …", "whereas S …".
_OPENS = re.compile(
    r"(?:^|[.;:,(]\s*|\b(?:that|and|but|while|whereas|because|since|therefore|thus|hence|here|how)\s)"
    r"(?:the\s|both\s|human\s|mouse\s)?$"
)
# What may stand behind the object: the end of its noun phrase.
_ENDS = re.compile(
    r"\s?(?:$|[.,;:)(]|(?:in|by|through|via|and|or|to|at|with|during|but|which|that|while|whereas|from|on"
    r"|after|without|within|under|upon|thereby|when|as|independently|directly)\b)"
)


def is_plain(text: str, sentence: Span, *, first: Span, cue: Span, second: Span) -> bool:
    """Whether nothing but its verb (`cue`), helpers and adverbs stands between two names, a clause
    begins with the first, and the second ends its noun phrase.

    >>> text = "Here gefitinib directly inhibits EGFR in mice."
    >>> places = {"first": Span(5, 14), "cue": Span(24, 32), "second": Span(33, 37)}
    >>> is_plain(text, Span(0, 46), **places)
    True
    """
    if not first.end < cue.start <= cue.end < second.start:
        return False
    gaps = (text[first.end : cue.start].casefold(), text[cue.end : second.start].casefold())
    return (
        _OPENS.search(text[sentence.start : first.start].casefold()) is not None
        and _ENDS.match(text[second.end : second.end + 24].casefold()) is not None
        and all(_BESIDE_CUE.fullmatch(gap) for gap in gaps)
    )
