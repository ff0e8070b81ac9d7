"""Words that state a relation: families of verbs and phrases, and which family a schema's predicate
belongs to.

The lists are English and ours. A predicate that fits no family is looked for by its own words. A
schema's enum aliases and descriptions add words of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Family:
    """`names` recognises a predicate. The rest are regular expressions over case-folded words:
    `forward` between subject and object (S causes O), `backward` between object and subject (O
    caused by S), `compound` joins them (S-induced O). The `weak` ones hint (O after S). `outcome`:
    the object is something that happens to a patient, so a condition that the patient had before is
    not one. `symmetric`: subject and object may change places.
    """

    name: str
    names: str
    forward: str
    backward: str
    compound: str = r"(?!)"
    weak_forward: str = r"(?!)"
    weak_backward: str = r"(?!)"
    outcome: bool = False
    symmetric: bool = False


_CAUSED = r"induc|caus|produc|provok|precipitat|elicit|evok|trigger|mediat|potentiat"
_WORSENED = r"exacerbat|aggravat|worsen|deteriorat"
_LOWERED = r"inhibit|suppress|block|repress|down-?regulat|decreas|reduc|antagoni|inactivat|attenuat|silenc|abolish"
# S is done to, it does not do
_ACTIVE = r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbeen )(?<!\bbeing )"
_TREATS = r"treat|alleviat|ameliorat|reliev|cur(?:e|es|ed|ing)\b|manag|palliat|heal|revers"

FAMILIES: tuple[Family, ...] = (
    Family(
        "exacerbate",
        _WORSENED,
        rf"{_ACTIVE}\b(?:{_WORSENED})\w*",
        rf"\b(?:{_WORSENED})\w* (?:by|with|during|after|following|in)\b",
        rf"(?:{_WORSENED})\w*",
    ),
    Family(
        "cause",
        r"caus|induc|produc|trigger|provok|lead|result|contribut|risk|adverse|side.?effect|toxic",
        rf"\b(?:{_CAUSED})\w*|\b(?:result|lead|led)\w* (?:in|to)\b|contribut\w+ to|responsible"
        r" for|\bcause of"
        r"|\bassociated\b|\bimplicated in|\bcomplicat\w+|(?:adverse|side|toxic)"
        r" (?:effects?|reactions?|events?)",
        rf"\b(?:{_CAUSED})\w* (?:by|with|during|after|following|in)\b|\bdue to|secondary to|because"
        r" of|attribut\w+ to"
        r"|result\w*"
        r" (?:from|of)\b|(?:associated|related|linked|exposure|reactions?|hypersensitivity)"
        r" (?:with|to)\b"
        r"|(?:seen|occurr\w+|observed|reported|develop\w*)"
        r" (?:with|in|during|after|following)\b|complicat\w+"
        r"|(?:side|adverse|toxic) effects? (?:of|to)",
        rf"(?:{_CAUSED})\w*|associated|related|linked|dependent",
        r"\brisks?\b|\brelated\b|\bdevelop\w*|\bfollowed by|\btoxicity\b|\bincreas\w+ (?:the"
        r" )?(?:incidence|rate)",
        r"\bfollowing\b|\bafter\b|\bduring\b|\bwhile"
        r" (?:on|taking|receiving)\b|\breceiving\b|\bon\b|\bfrom\b"
        r"|\bwith(?: the)? use of|\buse\b|\btaking\b",
        outcome=True,
    ),
    Family(
        "treat",
        r"treat|therap|alleviat|ameliorat|reliev|cure|manag|indicat|palliat",
        rf"\b(?:{_TREATS})\w*|\b(?:therapy|treatment|management|prophylaxis|use|used|indicated|approved|effective|given"
        r"|efficacy)[^.;]{0,40}?\b(?:for|of|in|against)\b|\bprotect\w*",
        rf"\b(?:{_TREATS})\w* (?:[\w-]+ ){{0,6}}?(?:with|by|after|using)\b|respond\w* to|controlled"
        r" (?:by|with)"
        r"|improv\w+ (?:by|with|after)|(?:therapy|treatment) with|\b(?:randomi[sz]ed|assigned)"
        r" to\b|\bprescribed\b",
        r"treated|responsive|sensitive",
        r"\bfor\b|patients? with|in patients",
        r"\b(?:given|received|receiving)\b",
    ),
    Family(
        "prevent",
        r"prevent|protect|prophyla",
        r"\bprevent\w*|\bprotect\w*|prophyla\w+|\breduc\w+ (?:the )?(?:incidence|risk|rate)",
        r"prevent\w* (?:by|with)|protect\w* by",
        r"prevented",
    ),
    Family(
        "inhibit",
        r"inhibit|suppress|block|repress|down.?regulat|negativ|decreas|reduc|antagon|inactivat|attenuat|silenc",
        rf"{_ACTIVE}\b(?:{_LOWERED}|impair|degrad)\w*",
        rf"\b(?:{_LOWERED})\w* by\b",
        r"(?:inhibit|suppress|block|repress)ed",
    ),
    Family(
        "activate",
        r"activat|stimulat|up.?regulat|positiv|increas|enhanc|promot|agoni|induc",
        rf"{_ACTIVE}\b(?:activat|stimulat|up-?regulat|increas|enhanc|promot|induc|trigger|potentiat|elevat)\w*",
        r"\b(?:activat|stimulat|up-?regulat|increas|enhanc|promot|induc|trigger|potentiat)\w*"
        r" by\b|downstream of",
        r"(?:activat|stimulat|induc|mediat)ed",
    ),
    Family(
        "phosphorylate",
        r"phosphorylat",
        rf"{_ACTIVE}\bphosphorylat(?:e|es|ed|ing)\b",
        r"\bphosphorylat\w* by\b|substrate of",
        r"phosphorylated",
    ),
    Family(
        "bind",
        r"bind|interact|complex",
        r"\b(?:bind|bound|interact|associat|complex|dimeri)\w*",
        r"\b(?:bound|bind|interact|associat|complex)\w*",
        r"bound",
        symmetric=True,
    ),
    Family(
        "regulate",
        r"regulat|control|modulat|affect|influenc",
        rf"{_ACTIVE}\b(?:regulat|control|modulat|affect|influenc|alter)\w*",
        r"\b(?:regulat|control|modulat|affect|influenc|alter)\w* by\b",
        r"(?:regulat|modulat|mediat)ed",
    ),
    Family(
        "locate",
        r"locat|found.?in|occurs.?in|expressed|part.?of|contain|sampled|isolated|resid|inhabit",
        r"\b(?:locat|locali[sz]|express|found|present|occurr?|isolat|collect|sampl|resid|inhabit|detect|accumulat"
        r"|translocat)\w*(?: \w+)?"
        r" (?:in|into|to|from|at|on|within)\b[^,;:]{0,30}$|\benter(?:s|ed|ing)?\b[^,;:]{0,15}$",
        r"\b(?:contain|includ|compris|harbou?r|carr)\w*",
        weak_forward=(
            r"(?:\b(?:in|within|at)|^\s*(?:from|of))(?: (?:the|an?|this|each|both))?(?:"
            r" [\w-]+){0,2}\s*$"
        ),
    ),
    Family(
        "associate",
        r"associat|correlat|relat|link",
        r"\b(?:associat|correlat|relat|link|connect)\w*",
        r"\b(?:associat|correlat|relat|link|connect)\w*",
        r"(?:associat|relat|link)ed",
        symmetric=True,
    ),
    Family(
        "phenotype",
        r"phenotyp|symptom|manifest|sign|feature|presents?",
        r"\b(?:characteri[sz]|present|manifest|feature|symptom|sign|includ|show|caus|exhibit)\w*|\bwith\b",
        r"\b(?:characteristic|symptom|sign|feature|manifestation|seen|common)s? (?:of|in)\b|\bin\b",
    ),
)

NEGATION = (
    r"\b(?:not|no|without|never|neither|nor|cannot|lack\w*|absence of|absent|failed to|fails"
    r" to|free of|unrelated"
    r"|unlikely|rather than|n't|ruled out|negative for|nil)\b"
)
NO_NEGATION = (
    r"\bnot only\b|\bno(?:t)? (?:longer|doubt|uncommon|infrequent|unusual)\w*|\bif not\b|\bwhether"
    r" or not\b"
)
CONDITION_AFTER = (
    r"[-\s](?:positive"
    r" )?(?:patients?|subjects?|rats?|mice|individuals?|children|adults|women|men|models?)\b"
)
CONDITION_BEFORE = (
    r"\b(?:patients?|subjects?|rats?|mice|child|children|adults?|wom[ae]n|m[ae]n|individuals?|boy|girl|infants?|cases?"
    r"|treatment|therapy|management|history|model)\s(?:[\w-]+\s){0,2}?(?:with|of|for|suffering"
    r" from|having)"
    r"\s(?:an?\s|the\s)?(?:[\w-]+\s){0,2}$"
)
# Before what only says where, or without what.
SETTING = r"(?:^|[;:,]\s)(?:in|without|unlike|despite|within|at)(?:\s[\w-]+){0,4}\s$"
# what is not there; what follows is not denied
ABSENT = r"^(?:in the absence of|without|lacking|unlike)\b[^,.;:]*,"
OTHER_CLAUSE = r"[,;]\s(?:but|whereas|while|although|though|and|or|then|so)\s"
NOT_ITSELF = (
    r"[-\s]+(?:[\w-]+\s)?(?:receptors?|antagonists?|agonists?|blockers?|inhibitors?|antibod\w+|transporters?"
    r"|deficien\w+|channels?|synthase|reuptake|uptake|release)\b"
)
DENIED_AFTER = (
    r"^[^,.;:]{0,25}?\b(?:was|were|is|are|has been|have been|did|does|do|could|can)"
    r" ?(?:not|never)\s(?:be )?"
    r"(?:observed|seen|found|reported|noted|detected|occur\w*|develop\w*|present|demonstrated|confirmed|shown)\b"
)
HYPOTHESIS = (
    r"\b(?:may|might|could|possibl[ey]|potential(?:ly)?|suspect\w*|hypothes\w*|whether|putative\w*|presum\w*|speculat\w*"
    r"|perhaps|to (?:determine|assess|test|investigate|examine|evaluate|study)|aimed?"
    r" (?:to|at)|proposed?)\b"
)


@cache
def family(predicate: str) -> Family | None:
    """The family whose verbs state a predicate of this name, alias or description; the first that
    fits.
    """
    words = predicate.replace("_", " ").casefold()
    return next((one for one in FAMILIES if re.search(rf"\b(?:{one.names})", words)), None)


def own_words(names: tuple[str, ...]) -> Family:
    """A family made of a predicate's own names: `TARGETS` is looked for as target, targets,
    targeted by.
    """
    stems = [_stem(name) for name in names if len(name.strip()) > 2]
    either = (
        "|".join(re.escape(stem).replace(r"\ ", r"[\s_-]+") for stem in dict.fromkeys(stems))
        or r"(?!)"
    )
    return Family(
        either,
        either,
        rf"\b(?:{either})\w*",
        rf"\b(?:{either})\w* (?:by|in|of|to|with)\b",
        rf"(?:{either})\w*",
    )


def _stem(name: str) -> str:
    words = name.replace("_", " ").casefold().split()
    head = words[0] if words else ""
    for ending in ("ing", "ed", "es", "s", "e"):
        if head.endswith(ending) and len(head) - len(ending) > 3:
            head = head.removesuffix(ending)
            break
    # Only the verb may vary; the words that follow it ("part of", "results in") stand.
    return head if len(words) <= 1 else rf"{head} {' '.join(words[1:])}"
