"""Whether a sentence states a relation in its plainest form: a clause that begins with the subject,
its verb next, and the object behind it ("Gefitinib directly inhibits EGFR in …"). No weight that
was learned from what annotators marked may silence such a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.model import Span
from core.support.reading.stance import ACTING

# Families of which the object may be more or less: "inhibits the expression of O".
AMOUNTS = frozenset(("inhibit", "activate", "regulate"))
PHRASE = 60  # characters behind a name in which its noun phrase may end

# Adverbs that take something from a verb: "hardly inhibits", "allegedly inhibits".
_LESS = (
    r"(?:hardly|scarcely|barely|rarely|minimally|marginally|negligibly|insignificantly|reportedly"
    r"|allegedly|supposedly|apparently|seemingly|purportedly|arguably)\b"
)
# What there is more or less of where a molecule acts: "the expression of", "levels".
_AMOUNT = (
    r"(?:(?:m?rna|proteins?|genes?|receptor|surface)\s)?"
    r"(?:m?rnas?|proteins?|genes?|(?:over)?expression|levels?|activit(?:y|ies)|activation|production"
    r"|secretion|release|synthesis|transcription|(?:auto-?)?phosphorylation|signal?ling|function|pathway"
    r"|abundance|accumulation|generation|formation|induction|up-?regulation|content|concentrations?)"
)
_MUCH = rf"(?:{_AMOUNT}(?:(?:\s(?:and|or)\s|/){_AMOUNT}|\slevels?)?)"
# "treatment with S inhibits …", "administration of S"
_GIVEN = (
    r"(?:(?:(?:pre)?treatment|stimulation|incubation|therapy|exposure)(?:\sof\s(?:[\w-]+\s){1,3})?"
    r"\s(?:with|to|by)|(?:administration|addition|injection|infusion|presence|binding)\sof)"
)
# "regulated by hormones such as S"
_SUCH_AS = r"(?:(?:[\w-]+\s){0,5}(?:such as|including|like)\s)"
_HELPERS = (
    rf"(?:the|an?|its|both|also|then|thereby|human|mouse|murine|rat|(?!{_LESS})\w+ly"
    r"|in\sturn|downstream|upstream|endogenous|intracellular|can|has|have|had|been|was|were|is|are)"
)
_DENIAL = re.compile(
    r"\s(?:(?:do|does|did|can|could|is|are|was|were)\snot|cannot|(?:fails?|failed)\sto|never)\b"
)
_NO_ADVERB = re.compile(r"(?:\s(?:an?|the|also|then))*\s?")
# "…, S, which inhibits O": a clause of the subject's own
_WHICH = r",?\s(?:which|that)\s"
_RELATIVE = re.compile(_WHICH)
# Of two verbs with one object the other one: "binds to and inhibits"
_VERB = r"\w{2,}[^\Ws]s|\w{3,}ed"
_VERB_AND = rf"(?:(?:{_VERB})\s(?:(?:to|with)\s)?and\s)?"
_AND_VERB = rf"(?:and\s(?:\w+ly\s)?(?:{_VERB})\s)?"
# Words that may stand beside a verb without taking anything from what it says.
_BESIDE_CUE = re.compile(rf"\s?(?:{_HELPERS}\s)*{_VERB_AND}{_AND_VERB}(?:{_HELPERS}\s)*")
_BEFORE_ACTION = re.compile(
    rf"(?:{_WHICH}|\s?(?:(?:{_MUCH}|treatment|administration|exposure|alone)\s)?)(?:{_HELPERS}\s)*{_VERB_AND}(?:{_HELPERS}\s)*"
)
_BEHIND_ACTION = re.compile(
    rf"\s?{_AND_VERB}(?:{_HELPERS}\s)*(?:(?:{_MUCH}\sof|{_GIVEN})\s(?:(?:the|both|human|mouse)\s)*)?{_SUCH_AS}?"
)
_BEHIND_BINDING = re.compile(
    rf"\s?(?:(?:directly|physically|specifically)\s)?(?:to|with)\s(?:{_HELPERS}\s)*"
)
# Where a subject says by "is a" or between commas what it does: "S, a selective inhibitor of O".
_IS_SUCH = re.compile(
    r"(?:\s?\(|,)?\s(?:(?:is|are|was|were|as|acts? as|acted as|functions? as|known as)\s)?"
    r"(?:(?:an?|the|two|three)\s)?(?:(?!no\b|not\b|and\b|or\b|by\b|of\b|with\b)[\w-]+,?\s(?:and\s)?){0,4}"
)
# What is said of a name aside: "S, an EGFR inhibitor, blocks O", "S (a kinase) blocks O"
_ASIDE = re.compile(r",\s(?:an?|the|one)\s[^,;:()]{1,60},|\s\([^()]{1,40}\)")
# The first of two verbs with what it acts on: "A [binds to B and] inhibits C".
_FIRST_VERB = re.compile(
    rf"\s(?:{_HELPERS}\s)*\w+(?:s|ed|d)\s(?:(?:to|with|in)\s)?(?:(?:the|an?|its)\s)?"
    rf"(?:{_MUCH}\sof\s(?:the\s)?)?"
)
_SECOND_VERB = re.compile(
    rf"(?:\s(?:{_MUCH}|promoter|pathway))?,?\sand\s(?:(?:then|thus)\s)?(?:{_HELPERS}\s)*"
)
# "we show that S …", not "we doubt that S …" or "the claim that S …".
_FINDING = (
    r"(?:show\w*|find\w*|found|demonstrat\w+|reveal\w*|indicat\w+|confirm\w*|conclud\w+|observ\w+"
    r"|report\w*|prov\w+|establish\w*|suggest\w*|seen|known)"
)
# What a molecule is that acts: "activated A phosphorylates B"
_FORM = (
    r"(?:activated|active|phosphorylated|nuclear|recombinant|endogenous|exogenous|soluble|secreted"
    r"|overexpressed|wild-type|murine|rat|oral|intravenous|topical|inhaled|(?:high|low)-dose)"
)
# Where a clause begins: behind a finding, "however, S …", "the S …", "whereas S …".
_OPENS = re.compile(
    rf"(?:^|[.;:,(]\s*|\b(?:{_FINDING}\s(?:\w+\s)?that|and|but|while|whereas|because|since|therefore"
    rf"|thus|hence|here|how)\s)(?:(?:the|both|human|mouse|{_FORM})\s)*"
    rf"(?:(?:{_MUCH}\sof|{_GIVEN})\s(?:the\s)?)?$"
)
# What may stand behind the object: the end of its noun phrase.
_ENDS = re.compile(
    rf"(?:\s{_MUCH})?"
    r"\s?(?:$|[.,;:)(]|(?:in|by|through|via|and|or|to|at|on|with|during|but|which|that|while|whereas|from"
    r"|was|were|is|are|has|had|after|without|within|under|upon|thereby|when|as|independently|directly)\b)"
)
# "presents with", "is characterised by": what belongs to the verb, where no agent is meant
_OF_VERB = re.compile(r"\s(?:by|with|such as)\b")


# What a noun says that something is, where "of" follows: "a potent inhibitor of O".
_NOUN = re.compile(
    r"(?:inhibitor|antagonist|blocker|suppressor|repressor|activator|agonist|regulator|ligand"
    r"|substrate|target)s?\b"
)


def is_plain(
    text: str,
    *,
    opening: str,
    first: Span,
    cue: Span,
    second: Span,
    family: str,
    denied: bool = False,
) -> bool:
    """Whether nothing but its verb (`cue`), helpers and adverbs stands between two names, and a
    clause begins with the first; of what a molecule acts on it may be said how much there is
    ("inhibits the expression of O"). Where the relation is no action, "by" and "with" belong to its
    verb. `opening` is what the sentence says before the first name; of what is `denied` "does not"
    stands among the helpers.

    >>> text = "Here gefitinib directly inhibits EGFR in mice."
    >>> places = {"first": Span(5, 14), "cue": Span(24, 32), "second": Span(33, 37)}
    >>> is_plain(text, opening="Here ", **places, family="inhibit")
    True
    """
    if not first.end < cue.start <= cue.end < second.start:
        return False
    before, behind = (
        text[first.end : cue.start].casefold(),
        text[cue.end : second.start].casefold(),
    )
    if denied:
        before, number = _DENIAL.subn("", before, count=1)
        if not number or not _NO_ADVERB.fullmatch(before):
            return False  # "does not completely inhibit" inhibits
    relative = _RELATIVE.match(before)
    if relative:
        before = f" {before[relative.end() :]}"
    opens = relative is not None or opens_a_clause(opening)
    return opens and _says_no_more(family, cue.quote(text), before, behind)


def opens_a_clause(opening: str) -> bool:
    """Whether a clause begins behind these words, with nothing but an article or what there is
    much of.
    """
    return _OPENS.search(opening.casefold()) is not None


def with_aside(text: str, name: Span, cue: Span) -> Span:
    """A name with what is said of it aside, before its verb: "S, an EGFR inhibitor,"."""
    aside = _ASIDE.match(text, name.end, cue.start)
    return Span(name.start, aside.end()) if aside else name


def is_second_verb(text: str, *, first: Span, acted_on: Sequence[Span], cue: Span) -> bool:
    """Whether a subject has two verbs, of which the cue is the second: "A binds to B and inhibits
    C". `acted_on` is what the first verb acts on.
    """
    before, behind = text[first.end : acted_on[0].start], text[acted_on[-1].end : cue.start]
    return bool(_FIRST_VERB.fullmatch(before.casefold())) and bool(
        _SECOND_VERB.fullmatch(behind.casefold())
    )


def says_no_more(text: str, *, cue: Span, second: Span, family: str) -> bool:
    """Whether nothing that takes from what is said stands between a verb and the name behind it."""
    return _says_no_more(family, cue.quote(text), " ", text[cue.end : second.start].casefold())


def _says_no_more(family: str, cue: str, before: str, behind: str) -> bool:
    if _NOUN.match(cue.casefold()):
        return bool(_IS_SUCH.fullmatch(before) and _BESIDE_CUE.fullmatch(behind))
    if family == "bind":
        return bool(
            _BESIDE_CUE.fullmatch(before)
            and (_BESIDE_CUE.fullmatch(behind) or _BEHIND_BINDING.fullmatch(behind))
        )
    if family in AMOUNTS:
        return bool(_BEFORE_ACTION.fullmatch(before) and _BEHIND_ACTION.fullmatch(behind))
    if family not in ACTING:
        behind = _OF_VERB.sub("", behind, count=1)
    return bool(_BESIDE_CUE.fullmatch(before) and _BESIDE_CUE.fullmatch(behind))


def ends_its_phrase(text: str, name: Span) -> bool:
    """Whether a name is the last word of its noun phrase, or what follows it says how much there
    is: "EGFR in mice", "EGFR levels", not "EGFR mutations".
    """
    return _ENDS.match(text[name.end : name.end + PHRASE].casefold()) is not None
