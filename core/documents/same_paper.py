"""When two records may be one paper: they share a PMID, a PMCID or a DOI; or, where one of them
lacks these, title, year and first author, however they are spelled. The store keeps those apart
whose pages or abstracts differ (core/text/same_record.py).
"""

from __future__ import annotations

import re
from hashlib import sha256
from html import unescape

from core.documents.paper import Paper
from core.text.fold import fold_text

SHORTEST_TITLE = 25  # letters: "Editorial" and "Reply" name many papers of one author


def fold_letters(text: str) -> str:
    """Letters and digits alone, case-folded."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def same_paper_ids(paper: Paper) -> tuple[str, ...]:
    """`doc:` and a digest of title, year and first author's family name, where all three are known
    and the title is long enough to be a paper's own; and, if it differs, that of their spelling
    without umlauts, British endings, signs and particles.
    """
    title, year = fold_letters(paper.title), paper.year[:4]
    family = fold_letters(family_name(paper.authors[0])) if paper.authors else ""
    if len(title) < SHORTEST_TITLE or not year or not family:
        return ()
    spelled_alike = digest_id(alike_title(paper.title), year, alike_family(paper.authors[0]))
    return tuple(dict.fromkeys((digest_id(title, year, family), spelled_alike)))


_TAG = re.compile(r"</?[A-Za-z]{1,6}\s*/?>")
# British endings and the American ones beside them
_SPELLINGS = (
    (re.compile(r"(?<=\w\w)is(?=(?:e[ds]?|ing|ations?)\b)"), "iz"),
    (re.compile(r"(?<=\w)yse(?=[ds]?\b)"), "yze"),
    (re.compile(r"(?<=\w\w)our(?=(?:s|al|ed|ing)?\b)"), "or"),
    (re.compile(r"(?<=\w\w)tre(?=s?\b)"), "ter"),
)
# A word of a family name that some sources leave out: von Müller, van der Berg, de la Cruz
_PARTICLE = re.compile(
    r"^(?:(?:von|van|vom|zu|zum|zur|der|den|de|del|della|di|da|dos|du|la|le|ter|ten)\s+)+"
)


def alike_title(title: str) -> str:
    """A title however its sources spell it.

    >>> alike_title("Tumour &amp; anaemia: a <i>randomised</i> trial")
    'tumorandanemiaarandomizedtrial'
    """
    text = _TAG.sub("", unescape(title)).casefold().replace("&", " and ")
    for british, american in _SPELLINGS:
        text = british.sub(american, text)
    return _without_umlauts(text).replace("ae", "e").replace("oe", "e")


def alike_family(author: str) -> str:
    """A family name however its sources spell it.

    >>> alike_family("von Müller J"), alike_family("Mueller, Joerg")
    ('muller', 'muller')
    """
    family = _PARTICLE.sub("", family_name(author).casefold())
    return re.sub(r"(?<=[aou])e", "", _without_umlauts(family))


def _without_umlauts(text: str) -> str:
    """Letters and digits without accents, Greek letters by name."""
    return "".join(filter(str.isalnum, fold_text(text)))


def digest_id(*parts: str) -> str:
    """The id of a record that brings none."""
    return "doc:" + sha256("|".join(parts).encode("utf-8", "replace")).hexdigest()[:24]


def family_name(author: str) -> str:
    """`Roe AB`, `Roe, Ann B.` and `Ann B. Roe` as Roe; a group's name whole."""
    family, comma, _ = author.partition(",")
    if comma:
        return family
    words = author.split()
    while len(words) > 1 and words[-1].isupper() and len(words[-1]) < 5:
        words.pop()  # initials, as PubMed writes them
    return " ".join(words) if len(words) < len(author.split()) else words[-1] if words else ""
