"""Whether an answer states anything: "N/A", "None mentioned in the text" and their like are *not
stated*.

OntoGPT keeps such words as values; a third of the values in its recorded runs are of this kind.
Here they are never values and never recursed into. "NOT" alone is a negation, and "Na" is sodium:
both are stated.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from core.text.phrases import one_of, phrases

NULL_WORDS = frozenset(
    [
        "none",
        "null",
        "nil",
        "empty",
        "unknown",
        "undefined",
        "unspecified",
        "unmentioned",
        "unstated",
        "missing",
        "absent",
        "nothing",
        "blank",
        "no",
        "tbd",
        "omitted",
        "n/a",
        "n.a",
        "n.a.",
        "nan",
        "n/s",
        "n.d",
        "nd",
        "inapplicable",
        "unclear",
        "undetermined",
        "unavailable",
    ]
)
NULL_PHRASES = frozenset(
    (
        "no value",
        "no answer",
        "no data",
        "no information",
        "no qualifier",
        "no qualifiers",
        "no entities",
        "no results",
        "not known",
        "not clear",
        "not sure",
        "none of the above",
        "not yet available",
        "does not apply",
        "i do not know",
        "i don't know",
        "no relevant information",
        "no specific information",
        "keine angabe",
        "nicht angegeben",
        "nicht erwähnt",
        "non mentionné",
        "non spécifié",
        "no mencionado",
        "no especificado",
    )
)
SAID = one_of("""
    mentioned mention specified stated provided reported described indicated identified found given
    listed present applicable available discussed included detailed defined disclosed noted explicit
    extracted determined detected recorded named observable inferred supplied shown clear
""")
SOURCE = one_of("""
    text passage abstract article document input title paper section context snippet recipe excerpt
    content information sentence paragraph above provided fields?
""")
TAIL = (
    rf"(?:\s*$|\s*[.;,(\[–—-].*$|\s+(?:or|and)\s+\w+ly\b.*$|"
    rf"\s+(?:here|anywhere|explicitly|specifically|clearly|directly)\b.*$|"
    rf"\s+(?:in|by|within|from|for|to|of|on|as)\s(?:.{{0,60}}\b)?{SOURCE}\b.*$)"
)
ADVERB = r"(?:\w+ly\s+|yet\s+|be\s+|been\s+|being\s+)*"
_SAID_NOWHERE = ADVERB + SAID + TAIL
NULL_PATTERN = phrases(
    {
        r"(?:none|nothing|not|n/a|nil)(?:\s+(?:is|are|was|were))?\s+" + _SAID_NOWHERE: (
            "none mentioned"
        ),
        r"no(?:\s+[^\s.;]+){1,9}?\s+(?:(?:is|are|was|were|can|could|has|have)\s+)?"
        + _SAID_NOWHERE: "no dose is given in the text",
        r"(?:is|are|was|were)\s+not\s+" + _SAID_NOWHERE: "was not specified",
        rf"none\s+(?:in|for|of|from|to)\s.{{0,40}}{SOURCE}\b.*$": "none in this abstract",
    },
    before="^",
    after="",
    flags=re.I | re.S,
)
# A null value with a reason behind it: "N/A (not in the text)"
HEAD = phrases(
    {
        "n/?a|none|null|empty": "N/A (not in the text)",
        "unknown|undefined|unspecified": "Unknown: no dose",
        "not (?:applicable|specified|stated|mentioned)": "not stated – no dose",
        "not (?:provided|given|available|known|clear)": "not given, as it seems",
    },
    before="^",
    after=r"\s*(?:[(\[–—:,.-]|\s-\s)",
)
ABSENT = r"(?:\b(?:no|none|nothing)\b|\b(?:do|does|did|is|are|was|were)(?: not\b|n['’]t\b))"
# "Unfortunately, the text does not mention …", "There are no relations in this passage"
REFUSAL = phrases(
    {
        r"(?:unfortunately|sorry|i['’]m sorry|i am sorry)\b"
        rf".{{0,120}}{ABSENT}.{{0,120}}\b(?:{SAID}|contain|{SOURCE})\b": (
            "Unfortunately, the text does not mention a drug"
        ),
        r"there (?:is|are|was|were) no\b": "There are no relations here",
        r"no (?:relevant|specific)\b": "No relevant entities",
        rf"(?:the|this)\s(?:\w+\s)?{SOURCE} (?:does|do|did) (?:not|n't)": (
            "The given passage does not name one"
        ),
        r"no\b.{0,120}\b(?:present|mentioned|extracted)\b": "No drugs were mentioned",
    },
    before="^",
    after="",
    flags=re.I | re.S,
)
EDGES = " \t\r\n.;,:!\"'`“”‘’«»()[]{}<>*_"
DASHES = re.compile(r"[-–—_?.…/\s]*")
UNSURE = re.compile(r"i (?:do not|don['’]t) know\b.*", re.I | re.S)
LONGEST = 400  # characters; longer words are never a mere "not stated"


def is_stated(words: str) -> bool:
    """False for words that say that there is nothing to say."""
    bare = words.strip(EDGES)
    if DASHES.fullmatch(bare):
        return False
    if len(bare) > LONGEST:
        return True
    folded = " ".join(bare.casefold().replace("’", "'").split())
    if bare == "Na":
        return True
    if folded == "na" or folded in NULL_WORDS or folded in NULL_PHRASES:
        return False
    return not (NULL_PATTERN.match(folded) or HEAD.match(folded))


def is_listed(words: str, values: Collection[str]) -> bool:
    """Whether words that usually state nothing are one of a schema's values, which then they are.
    Codes count as they are written: "No" is not NO, which is Norway, nor "NA" Na, which is sodium.

    >>> is_listed("unknown.", ["never", "Unknown"]), is_listed("No", ["NO", "SE"])
    (True, False)
    """
    bare = " ".join(words.strip(EDGES).split())
    folded = bare.casefold()
    loose = (v for v in values if not (v.isalpha() and v.isupper()) and v.casefold() != "na")
    return bare in values or folded in (value.casefold() for value in loose)


def is_refusal(words: str) -> bool:
    """True for prose that says that the text holds nothing of the kind ("No relevant entities are
    present …"). "I am sorry, I cannot help" and "I do not know" say nothing of the text.
    """
    folded = " ".join(words[:LONGEST].strip(EDGES).split())
    if UNSURE.fullmatch(folded):
        return False
    return not is_stated(words) or bool(REFUSAL.match(folded))
