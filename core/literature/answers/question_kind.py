"""What kind of thing a question asks for, and whether a sentence offers one."""

from __future__ import annotations

import re
from enum import StrEnum

from core.literature.index.tokens import ASKING_WORDS, text_units


class AskedFor(StrEnum):
    GENE = "gene"
    NUMBER = "number"
    DISEASE = "disease"
    YES_OR_NO = "yes or no"
    OPEN = "open"


# "How many patients …", "At what age …"
_NUMBER = re.compile(
    r"\bhow (?:many|much|often|long|old|large|big)\b|\bwhat (?:percent(?:age)?|proportion|fraction"
    r"|number|age|dose|is the (?:incidence|prevalence|frequency|number|size|length|dose|half-life"
    r"|mortality|risk))\b|\bwhen (?:was|were|did)\b|\bwhich year\b",
    re.IGNORECASE,
)
# "Which genes …", "What receptor …", "Which kinase …"
_GENE = re.compile(
    r"\b(?:which|what|name the|list(?: the)?)\s(?:\w+\s){0,2}?(?:genes?|proteins?|receptors?"
    r"|kinases?|enzymes?|transcription factors?|micrornas?|mutations?|biomarkers?|cytokines?)\b",
    re.IGNORECASE,
)
# "Which disease …", "What syndrome …"
_DISEASE = re.compile(
    r"\b(?:which|what|name the|list(?: the)?)\s(?:\w+\s){0,2}?(?:diseases?|disorders?|syndromes?"
    r"|conditions?|cancers?|tumou?rs?|infections?|symptoms?|side effects?)\b",
    re.IGNORECASE,
)
# "Is tau …", "Can aspirin …"
_YES_OR_NO = re.compile(
    r"\s*(?:is|are|was|were|do|does|did|can|could|has|have|had|should|may|might|will)\b",
    re.IGNORECASE,
)
# "What is an operon?", "whats CRISPR", "define necroptosis"; not "what is the role of tau"
_DEFINITION = re.compile(
    r"\s*(?:what\s?(?:['’]?s|is|are)|define|definition of)\s+(?:(?:an?|the)\s+)?"
    r"((?!(?:known|meant|there)\b)[\w+’'/-]+(?:\s(?!(?:of|in|for|by|to|with|on|and|or|between"
    r"|about|used|is|are|does|do)\b)[\w+’'/-]+){0,3})[\s?.!]*",
    re.IGNORECASE,
)
# An amount, in digits or words: an answer to "How many …"; HER2 and IL-6 are none
_DIGITS = re.compile(
    r"(?<![A-Za-z])(?<![A-Za-z]-)\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half|twice|dozen|hundred"
    r"|thousand|million)\b",
    re.IGNORECASE,
)
# The form of a gene's symbol: "TP53", "p38", "miR-21"
_SYMBOL = re.compile(r"\b(?=[A-Za-z0-9-]*[A-Z0-9])[A-Za-z][A-Za-z0-9-]*[A-Z0-9][A-Za-z0-9-]*\b")
# The form of a disease's name: "hepatitis", "renal failure"
_ILLNESS = re.compile(
    r"\w{3,}(?:itis|oma|omas|osis|emia|aemia|pathy|plegia|trophy|uria|algia)\b|\b(?:disease"
    r"|disorder|syndrome|cancer|carcinoma|infection|failure|deficiency|diabetes|stroke)s?\b",
    re.IGNORECASE,
)
# Words of which a title needs one to state something: "Trial of metformin in diabetes" has none
_STATES = re.compile(
    r"\b(?:is|are|was|were|has|have|had|do|does|did|can|could|may|might|will|would|should|must"
    r"|cannot|found|shown?|led|\w{3,}ed"
    r"|(?:show|reveal|inhibit|prevent|affect|predict|protect|suppress|block|lower|lead|play|bind"
    r"|interact|confer|delay|alter|impair|control|trigger|fail|suggest|support|target)s"
    r"|(?:reduc|increas|decreas|improv|induc|activat|promot|caus|regulat|enhanc|attenuat|mediat"
    r"|modulat|requir|restor|correlat|contribut|rais|driv|encod|associat|indicat)es?)\b",
    re.IGNORECASE,
)
# Words of a sentence that reports something, so that it may answer
_FINDING = re.compile(
    r"\b(?:conclu\w+|suggest\w*|show(?:s|ed|n)?|demonstrat\w+|found|reveal\w*|indicat\w+|result\w*"
    r"|associated|significant\w*|effective|increase[sd]?|reduce[sd]?|is an?|are)\b",
    re.IGNORECASE,
)

# "Which genes are not …", "what doesn't …"; not "… or not?", "if not", "not only"
_WHICH_NOT = re.compile(
    r"^\s*(?:which|what|who|list|name)\b.{0,200}?(?:\b(?:is|are|was|were|do|does|did|has|have|can)"
    r" not\b(?! only)|n['’]t\b)",
    re.IGNORECASE,
)
_DENIAL = re.compile(r"\b(?:not|no|nor|neither|never|without|failed to|lack\w*)\b|n['’]t\b", re.I)
_HOW_MANY = re.compile(r"\bhow many\s+([\w-]+)", re.IGNORECASE)
# An amount with what is counted: "24 patients with asthma"
_COUNT = re.compile(rf"(?:{_DIGITS.pattern})[\d,.]*\s+((?:[\w-]+\s+){{0,3}}[\w-]+)", re.IGNORECASE)
# What every study does with those it counts: "included" says nothing more of them than "enrolled".
_STUDIED = frozenset(
    text_units(
        "included include enrolled enrol enroll recruited recruit studied study participated"
        " participate part analysed analyzed examined involved investigated randomised randomized"
        " trial paper article total overall there many"
    )
)
_PEOPLE = frozenset(
    text_units("patients participants subjects people persons individuals volunteers cases")
)


def asks_what_is_not(question: str) -> bool:
    """Whether a question asks which things are not so: "which genes are not linked to autism"."""
    return _WHICH_NOT.search(question) is not None


def is_denial(sentence: str) -> bool:
    return _DENIAL.search(sentence) is not None


def has_verb(words: str) -> bool:
    """Whether a title or a sentence has a verb, by which it can say yes or no."""
    return _STATES.search(words) is not None


def asked_for(question: str) -> AskedFor:
    if _NUMBER.search(question):
        return AskedFor.NUMBER
    if _GENE.search(question):
        return AskedFor.GENE
    if _DISEASE.search(question):
        return AskedFor.DISEASE
    return AskedFor.YES_OR_NO if _YES_OR_NO.match(question) else AskedFor.OPEN


def defined_thing(question: str) -> str:
    """What a question wants explained ("operon" of "What is an operon?"), "" for any other."""
    asked = _DEFINITION.fullmatch(question)
    return asked[1] if asked and not ASKING_WORDS.intersection(text_units(asked[1])) else ""


def is_definition(sentence: str, thing: str) -> bool:
    """Whether a sentence says what a thing is: `An operon is a …`, `dupilumab, an antibody …`,
    `necroptosis (…) refers to …`.
    """
    name = re.escape(thing.removesuffix("s")).replace(r"\ ", r"\s+")
    return (
        re.search(
            rf"(?<!\w){name}s?(?:\s*\([^()]{{1,80}}\))?(?:,[^,.;]{{1,80}},)?"
            r"(?:,?\s+(?:(?:is|are|was|were)\s+(?:\w+ly\s+)?(?:an?|the|one of|any)\b"
            r"|refers?\s+to\b|means\b|denotes?\b"
            r"|(?:is|are)\s+(?:defined|characteri[sz]ed)\s+(?:as|by)\b)"
            r"|,\s+(?:an?|one of)\s)",
            sentence,
            re.IGNORECASE,
        )
        is not None
    )


def names_kind(sentence: str, kind: AskedFor, question_units: frozenset[str]) -> bool:
    """Whether a sentence holds a thing of the kind that the question, of the units
    `question_units`, does not name itself.
    """
    pattern = {
        AskedFor.NUMBER: _DIGITS,
        AskedFor.GENE: _SYMBOL,
        AskedFor.DISEASE: _ILLNESS,
    }.get(kind, _FINDING)
    if kind in (AskedFor.NUMBER, AskedFor.YES_OR_NO, AskedFor.OPEN):
        return pattern.search(sentence) is not None
    return any(
        not question_units.issuperset(text_units(match[0])) for match in pattern.finditer(sentence)
    )


def gives_count(sentence: str, question: str) -> bool:
    """Whether a sentence of the one paper that is asked counts what a question "how many …" asks
    for (`120 patients were enrolled`), and holds all else that the question names.
    """
    counted = _HOW_MANY.search(question)
    if counted is None:
        return False
    nouns = frozenset(text_units(counted[1]))
    nouns = _PEOPLE if nouns & _PEOPLE else nouns
    telling = frozenset(text_units(question)) - _STUDIED - ASKING_WORDS - nouns
    return telling <= frozenset(text_units(sentence)) and any(
        nouns & frozenset(text_units(match[1])) for match in _COUNT.finditer(sentence)
    )
