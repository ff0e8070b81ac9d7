"""What kind of thing a question asks for, and whether a sentence offers one."""

from __future__ import annotations

import re
from enum import StrEnum

from core.literature.index.tokens import text_units


class AskedFor(StrEnum):
    GENE = "gene"
    NUMBER = "number"
    DISEASE = "disease"
    YES_OR_NO = "yes or no"
    OPEN = "open"


# "How many patients …", "At what age …"
_NUMBER = re.compile(
    r"\bhow (?:many|much|often|long|old|large|big)\b|\bwhat (?:percentage|proportion|fraction"
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
_DIGITS = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half|twice|dozen|hundred"
    r"|thousand|million)\b",
    re.IGNORECASE,
)
_SYMBOL = re.compile(r"\b(?=[A-Za-z0-9-]*[A-Z0-9])[A-Za-z][A-Za-z0-9-]*[A-Z0-9][A-Za-z0-9-]*\b")
_ILLNESS = re.compile(
    r"\w{3,}(?:itis|oma|omas|osis|emia|aemia|pathy|plegia|trophy|uria|algia)\b|\b(?:disease"
    r"|disorder|syndrome|cancer|carcinoma|infection|failure|deficiency|diabetes|stroke)s?\b",
    re.IGNORECASE,
)
_FINDING = re.compile(
    r"\b(?:conclu\w+|suggest\w*|show(?:s|ed|n)?|demonstrat\w+|found|reveal\w*|indicat\w+|result\w*"
    r"|associated|significant\w*|effective|increase[sd]?|reduce[sd]?|is an?|are)\b",
    re.IGNORECASE,
)


def asked_for(question: str) -> AskedFor:
    if _NUMBER.search(question):
        return AskedFor.NUMBER
    if _GENE.search(question):
        return AskedFor.GENE
    if _DISEASE.search(question):
        return AskedFor.DISEASE
    return AskedFor.YES_OR_NO if _YES_OR_NO.match(question) else AskedFor.OPEN


def offers(sentence: str, kind: AskedFor, asked: frozenset[str]) -> bool:
    """Whether a sentence holds a thing of the kind that the question, of the units `asked`, does
    not name itself.
    """
    pattern = {
        AskedFor.NUMBER: _DIGITS,
        AskedFor.GENE: _SYMBOL,
        AskedFor.DISEASE: _ILLNESS,
    }.get(kind, _FINDING)
    if kind in (AskedFor.NUMBER, AskedFor.YES_OR_NO, AskedFor.OPEN):
        return pattern.search(sentence) is not None
    return any(not asked.issuperset(text_units(match[0])) for match in pattern.finditer(sentence))
