"""Whether a clause of an answer says other than a passage's sentence by single words, where no
relation is read: another direction ("higher" of what is lower), other people or animals, exchanged
sides of a comparison, a difference of what is alike, or as a finding what was only asked.
"""

from __future__ import annotations

import re

from core.literature.answers.stance import FINDINGS, SentenceStance, sentence_stance
from core.literature.index.tokens import text_units
from core.text.phrases import phrases
from core.text.sentence import split_sentences

# Ways that exclude each other. A clause that names some of a line, of which its sentence names
# only others, says the contrary.
_DIRECTIONS = (
    phrases(
        {
            "higher|more|greater|longer|larger": "The rate was higher",
            r"(?:increas|elevat|prolong|lengthen|rais|augment)\w*": "It raises the rate",
            "rose|rises?|rising|grew": "The rate rose",
        }
    ),
    phrases(
        {
            "lower|less|fewer|shorter|smaller": "The rate was lower",
            r"(?:decreas|reduc|shorten|diminish|lessen|lower(?:s|ed|ing))\w*": "It reduces",
            "fell|falls?|falling|declin(?:e[sd]?|ing)": "The rate fell",
        }
    ),
)
_OUTCOMES = (
    phrases({r"surviv\w+|alive": "All survived"}),
    phrases({r"died|dies?|deaths?|mortality|fatal|lethal": "All died"}),
)
_LACK = phrases(
    {
        r"loss|lack\w*|deletion|depletion|deficien\w+": "loss of PTEN",
        r"knock-?(?:out|down)\w*|silencing": "PTEN knockdown",
    }
)
_NO = re.compile(r"\b(?:no|not|nor|neither|cannot)\b", re.I)  # "no better than placebo"
_WAYS = (
    (
        phrases({r"(?:improv|ameliorat|reliev|alleviat)\w*|better": "It improved pain"}),
        phrases({r"(?:worsen|aggravat|exacerbat|deteriorat)\w*|worse": "It worsened pain"}),
    ),
    (
        phrases({"safe|safely|harmless|well tolerated": "It was safe"}),
        phrases({"unsafe|harmful|dangerous|toxic|poorly tolerated": "It was unsafe"}),
    ),
    (
        phrases({"men|males?|boys?": "in men"}),
        phrases({"wom[ae]n|females?|girls?": "in women"}),
    ),
    (
        phrases({r"child(?:ren)?|infants?|neonat\w+|p(?:a?)ediatric": "in children"}),
        phrases({"adults?|elderly": "in adults"}),
    ),
    (
        phrases({r"humans?|people|patients?|volunteers?|wom[ae]n|men|children": "in humans"}),
        phrases({r"mice|mouse|rats?|rabbits?|dogs?|pigs?|monkeys?|murine": "in mice"}),
        phrases({"in vitro|cultured|cell lines?": "in vitro"}),
    ),
)
_THAN = re.compile(r"\b(?:than|compared (?:with|to)|versus|vs\.?)\s((?:[\w-]+\s?){1,4})", re.I)
_DIFFERS = re.compile(
    r"\b(?:more|less|\w+er|superior|inferior|worse)\b.{0,60}\b(?:than|to)\b", re.I
)
_ALIKE = phrases(
    {
        r"as \w+ as": "It was as good as aspirin",
        "similar(?:ly)?|comparable|equal(?:ly)?|equivalent|identical": "They were similar",
        r"(?:no|not|nor)\b[^.;]{0,40}\bdiffer\w*": "They did not differ",
    }
)
_WEAKER = (SentenceStance.AIM, SentenceStance.HYPOTHESIS, SentenceStance.UNCLEAR)


def says_otherwise(clause: str, ground: str) -> bool:
    """Whether a clause says other than the words that it rests on, by its own words.

    >>> says_otherwise("mortality was lower with A than with B", "higher with A than with B")
    True
    >>> says_otherwise("mortality was lower with B than with A", "higher with A than with B")
    False
    >>> says_otherwise("zinc prevents colds", "We aimed to test whether zinc prevents colds.")
    True
    """
    if _is_turned(clause, ground) or any(_excludes(ways, clause, ground) for ways in _WAYS):
        return True
    alike = _ALIKE.search(ground) and not _DIFFERS.search(ground)
    differs = _DIFFERS.search(clause) and not (_ALIKE.search(clause) or _NO.search(clause))
    return bool(alike and differs) or _is_stronger(clause, ground)


def _is_turned(clause: str, ground: str) -> bool:
    """Whether the directions are contrary. More survivors are fewer deaths, and what a thing does
    is the contrary of what its loss does: each turns the direction once.
    """
    otherwise = _excludes(_OUTCOMES, clause, ground)
    if not all(any(way.search(words) for way in _DIRECTIONS) for words in (clause, ground)):
        return otherwise or _exchanged(clause, ground)
    lacks = (_LACK.search(clause) is None) != (_LACK.search(ground) is None)
    turns = (_excludes(_DIRECTIONS, clause, ground), _exchanged(clause, ground), otherwise, lacks)
    return sum(turns) % 2 == 1


def _excludes(ways: tuple[re.Pattern[str], ...], clause: str, ground: str) -> bool:
    said = {place for place, way in enumerate(ways) if way.search(clause)}
    known = {place for place, way in enumerate(ways) if way.search(ground)}
    return bool(said and known) and said.isdisjoint(known)


def _exchanged(clause: str, ground: str) -> bool:
    """Whether the clause compares with what the ground calls the first of two."""
    said, known = _THAN.search(clause), _THAN.search(ground)
    if said is None or known is None:
        return False
    compared = frozenset(text_units(said[1])) - frozenset(text_units(known[1]))
    return bool(compared & frozenset(text_units(ground[: known.start()])))


def _is_stronger(clause: str, ground: str) -> bool:
    """Whether a clause finds what every sentence with its words only asks, expects or allows."""
    if sentence_stance(clause) not in FINDINGS:
        return False
    told = frozenset(text_units(clause))
    shares = [
        (len(told & frozenset(text_units(words))), words)
        for words in (span.quote(ground) for span in split_sentences(ground))
    ]
    most = max((share for share, _ in shares), default=0)
    nearest = [words for share, words in shares if share == most]
    return bool(nearest) and all(sentence_stance(words) in _WEAKER for words in nearest)
