"""Whether a sentence states a relation in its plainest form: a clause that begins with the subject,
its verb next, and the object behind it ("Gefitinib directly inhibits EGFR in …"). No weight that
was learned from what annotators marked may silence such a sentence.
"""

from __future__ import annotations

import re

from core.model import Span

# Adverbs that take something from a verb: "hardly inhibits", "allegedly inhibits".
_LESS = (
    r"(?:hardly|scarcely|barely|rarely|minimally|marginally|negligibly|insignificantly|reportedly"
    r"|allegedly|supposedly|apparently|seemingly|purportedly|arguably)\b"
)
# Words that may stand beside a verb without taking anything from what it says.
_BESIDE_CUE = re.compile(
    rf"\s?(?:(?:the|an?|both|also|then|thereby|human|mouse|murine|rat|(?!{_LESS})\w+ly"
    r"|can|has|have|had|been|was|were|is|are)\s)*"
)
# "we show that S …", not "we doubt that S …" or "the claim that S …".
_FINDING = (
    r"(?:show\w*|find\w*|found|demonstrat\w+|reveal\w*|indicat\w+|confirm\w*|conclud\w+|observ\w+"
    r"|report\w*|prov\w+|establish\w*|suggest\w*|seen|known)"
)
# Where a clause begins: behind a finding, "however, S …", "the S …", "whereas S …".
_OPENS = re.compile(
    rf"(?:^|[.;:,(]\s*|\b(?:{_FINDING}\s(?:\w+\s)?that|and|but|while|whereas|because|since|therefore"
    r"|thus|hence|here|how)\s)(?:the\s|both\s|human\s|mouse\s)?$"
)
# What may stand behind the object: the end of its noun phrase.
_ENDS = re.compile(
    r"\s?(?:$|[.,;:)(]|(?:in|by|through|via|and|or|to|at|with|during|but|which|that|while|whereas|from|on"
    r"|was|were|is|are|has|had|after|without|within|under|upon|thereby|when|as|independently|directly)\b)"
)
# "presents with", "is characterised by": what belongs to the verb, where no agent is meant
_OF_VERB = re.compile(r"\s(?:by|with|such as)\b")


def is_plain(
    text: str, sentence: Span, *, first: Span, cue: Span, second: Span, is_action: bool
) -> bool:
    """Whether nothing but its verb (`cue`), helpers and adverbs stands between two names, and a
    clause begins with the first. Where the relation is no action, "by" and "with" belong to its
    verb.

    >>> text = "Here gefitinib directly inhibits EGFR in mice."
    >>> places = {"first": Span(5, 14), "cue": Span(24, 32), "second": Span(33, 37)}
    >>> is_plain(text, Span(0, 46), **places, is_action=True)
    True
    """
    if not first.end < cue.start <= cue.end < second.start:
        return False
    before, behind = (
        text[first.end : cue.start].casefold(),
        text[cue.end : second.start].casefold(),
    )
    if not is_action:
        behind = _OF_VERB.sub("", behind, count=1)
    return (
        _OPENS.search(text[sentence.start : first.start].casefold()) is not None
        and _BESIDE_CUE.fullmatch(before) is not None
        and _BESIDE_CUE.fullmatch(behind) is not None
    )


def ends_its_phrase(text: str, name: Span) -> bool:
    """Whether a name is the last word of its noun phrase: "EGFR in mice", not "EGFR levels"."""
    return _ENDS.match(text[name.end : name.end + 24].casefold()) is not None
