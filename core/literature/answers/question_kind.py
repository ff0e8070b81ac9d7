"""What kind of thing a question asks for, and whether a sentence offers one."""

from __future__ import annotations

import re
from enum import StrEnum

from core.literature.index.tokens import ASKING_WORDS, text_units
from core.text.phrases import one_of, phrases


class AskedFor(StrEnum):
    GENE = "gene"
    NUMBER = "number"
    DISEASE = "disease"
    YES_OR_NO = "yes or no"
    OPEN = "open"


# "How many patients …", "At what age …"
_NUMBER = phrases(
    {
        "how (?:many|much|often|long|old|large|big)": "How many patients were seen?",
        "what (?:percent(?:age)?|proportion|fraction|number|age|dose)": "At what age is it?",
        "what is the (?:incidence|prevalence|frequency|mortality|risk)": "What is the risk?",
        "what is the (?:number|size|length|dose|half-life)": "What is the size?",
        "when (?:was|were|did)": "When was insulin found?",
        "which year": "In which year was that?",
    }
)
# "Which genes …", "What receptor …", "Which kinase …"
_ASKS_WHICH = r"\b(?:which|what|name the|list(?: the)?)\s(?:\w+\s){0,2}?"
_GENE = phrases(
    {
        "genes?|mutations?|micrornas?": "Which genes are known?",
        "proteins?|receptors?|enzymes?|cytokines?": "What new receptor is it?",
        "kinases?|transcription factors?|biomarkers?": "List the kinases",
    },
    before=_ASKS_WHICH,
)
# "Which disease …", "What syndrome …"
_DISEASE = phrases(
    {
        "diseases?|disorders?|syndromes?|conditions?": "What rare syndrome is it?",
        "cancers?|tumou?rs?|infections?": "Which tumors grow?",
        "symptoms?|side effects?": "Name the side effects",
    },
    before=_ASKS_WHICH,
)
# "Is tau …", "Can aspirin …"
_YES_OR_NO = re.compile(
    r"\s*(?:is|are|was|were|do|does|did|can|could|has|have|had|should|may|might|will)\b",
    re.IGNORECASE,
)
# "What is an operon?", "whats CRISPR", "define necroptosis"; not "what is the role of tau"
_DEFINITION = re.compile(
    # "What is an …"
    r"\s*(?:what\s?(?:['’]?s|is|are)|define|definition of)\s+(?:(?:an?|the)\s+)?"
    # a word …
    r"((?!(?:known|meant|there)\b)[\w+’'/-]+"
    # … and at most three more, none of which says that more is asked of it
    r"(?:\s(?!(?:of|in|for|by|to|with|on|and|or|between|about|used|is|are|does|do)\b)"
    r"[\w+’'/-]+){0,3})"
    r"[\s?.!]*",
    re.IGNORECASE,
)
# An amount, in digits or words: an answer to "How many …"; HER2 and IL-6 are none
_NUMERAL = one_of(
    "one two three four five six seven eight nine ten half twice dozen hundred thousand million"
)
_DIGITS = re.compile(rf"(?<![A-Za-z])(?<![A-Za-z]-)\d|\b{_NUMERAL}\b", re.IGNORECASE)
# The form of a gene's symbol: "TP53", "p38", "miR-21"
_SYMBOL = re.compile(r"\b(?=[A-Za-z0-9-]*[A-Z0-9])[A-Za-z][A-Za-z0-9-]*[A-Z0-9][A-Za-z0-9-]*\b")
# The form of a disease's name: "hepatitis", "renal failure"
_ILLNESS_ENDS = one_of("itis oma omas osis emia aemia pathy plegia trophy uria algia")
_ILLNESS_NOUN = one_of(
    "disease disorder syndrome cancer carcinoma infection failure deficiency diabetes stroke"
)
_ILLNESS = re.compile(rf"\w{{3,}}{_ILLNESS_ENDS}\b|\b{_ILLNESS_NOUN}s?\b", re.IGNORECASE)
# Words of which a title needs one to state something: "Trial of metformin in diabetes" has none
_TAKES_S = one_of(
    "show reveal inhibit prevent affect predict protect suppress block lower lead play bind"
    " interact confer delay alter impair control trigger fail suggest support target"
)
_TAKES_ES = one_of(
    "reduc increas decreas improv induc activat promot caus regulat enhanc attenuat mediat modulat"
    " requir restor correlat contribut rais driv encod associat indicat"
)
_STATES = phrases(
    {
        "is|are|was|were|has|have|had|do|does|did": "IL-6 is high in sepsis",
        "can|could|may|might|will|would|should|must|cannot": "IL-6 may rise",
        "found|shown?|led": "A gene found in mice",
        r"\w{3,}ed": "Metformin lowered glucose",
        f"{_TAKES_S}s": "Metformin inhibits growth",
        f"{_TAKES_ES}es?": "Statins reduce mortality",
    }
)
# Words of a sentence that reports something, so that it may answer
_FINDING = phrases(
    {
        r"conclu\w+|suggest\w*|indicat\w+": "Data suggest a role",
        r"show(?:s|ed|n)?|demonstrat\w+|found|reveal\w*|result\w*": "We found a role",
        r"associated|significant\w*|effective": "A significantly high dose",
        "increase[sd]?|reduce[sd]?": "It increased with age",
        "is an?|are": "TP53 is a gene",
    }
)

# "Which genes are not …", "what doesn't …"; not "… or not?", "if not", "not only"
_WHICH_NOT = phrases(
    {
        r"\b(?:is|are|was|were|do|does|did|has|have|can) not\b(?! only)": "Which genes are not?",
        r"n['’]t\b": "What doesn't bind?",
    },
    before=r"^\s*(?:which|what|who|list|name)\b.{0,200}?",
    after="",
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
