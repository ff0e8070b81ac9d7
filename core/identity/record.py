"""A record of a paper as a source gives it, and its fields folded so that two sources' spellings of
one thing are equal.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import unescape
from typing import Any
from urllib.parse import unquote

from core.text.fold import fold_text


@dataclass(frozen=True, slots=True)
class AuthorName:
    """A name by its folded words, without particles and initials; `family` are those of the family
    name, none where the name does not say which they are, `initials` those of the given names.
    """

    words: frozenset[str]
    family: frozenset[str] = frozenset()
    initials: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PaperRecord:
    """What a source says of a paper; "" for what it does not say.

    `authors` in their order, as written. `pages` as `12-19`, or the number of an article. `ids` are
    CURIEs (PMID, PMCID, DOI, or ones of the source's own); `kind` is the source's word for what it
    is (journal article, preprint, …). `links` are what the source says that it is to other papers:
    PubMed's word (of LINKS in `relation.py`) and an id, folded. Not `title_sure`: the title may be
    a guess, as of a PDF.
    """

    title: str = ""
    authors: tuple[str, ...] = ()
    year: str = ""
    journal: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    abstract: str = ""
    ids: tuple[str, ...] = ()
    kind: str = ""
    links: tuple[tuple[str, str], ...] = ()
    title_sure: bool = True

    def identifiers(self, prefix: str) -> frozenset[str]:
        """Those of one authority (`DOI`), folded."""
        start = prefix + ":"
        found = (id[len(start) :] for id in self.ids if id.upper().startswith(start))
        return frozenset(folded_doi(id) if prefix == "DOI" else id.lstrip("0") for id in found)

    @cached_property
    def folded_ids(self) -> frozenset[str]:
        """All of them, as `links` name other papers."""
        return frozenset(map(folded_id, self.ids))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words of the title, however it is spelled; () where it is no title."""
        return title_words(self.title)

    @cached_property
    def main_words(self) -> tuple[str, ...]:
        """Those of the title without its subtitle."""
        return title_words(main_title(self.title))

    @cached_property
    def letters(self) -> str:
        """The title's words joined; digits of neighbouring words stay apart: 10-20 is not 1020."""
        return re.sub(
            r"(?<=\d) (?=\d)|( )", lambda gap: "" if gap[1] else "|", " ".join(self.words)
        )

    @cached_property
    def names(self) -> tuple[AuthorName, ...]:
        """The authors' names, those that have words."""
        return tuple(name for name in map(author_name, _split_names(self.authors)) if name.words)

    @cached_property
    def year_number(self) -> int:
        """The first four digits of the year; 0 where there are none."""
        digits = re.search(r"\d{4}", self.year)
        return int(digits[0]) if digits else 0

    @cached_property
    def abstract_words(self) -> frozenset[str]:
        """Without accents; its spelling is left, as some words of two abstracts may differ."""
        return _words_as_spelled(self.abstract)

    @cached_property
    def spelled_words(self) -> frozenset[str]:
        """The words of the title as those of the abstract are."""
        return _words_as_spelled(self.title)


def _words_as_spelled(text: str) -> frozenset[str]:
    bare = unicodedata.normalize("NFKD", unescape(_TAG.sub("", text)).casefold())
    return frozenset(_WORD.findall("".join(c for c in bare if not unicodedata.combining(c))))


def record_of(
    title: str, ids: Sequence[str], body: Mapping[str, Any], abstract_text: str = ""
) -> PaperRecord:
    """The record of what a project keeps: `body` as of a member of a namespace; the first line of
    an abstract's text (`abstract_text`, "" for other texts) is its title.
    """
    first, _, rest = abstract_text.partition("\n")
    known = {name: str(body.get(name) or "") for name in ("year", "journal", "volume", "pages")}
    return PaperRecord(
        title=title,
        authors=tuple(map(str, body.get("authors") or ())),
        issue=str(body.get("issue") or ""),
        abstract=rest if title and rest else "" if title else first,
        ids=tuple(ids),
        kind=", ".join(map(str, body.get("types") or ())),
        links=tuple((str(link), folded_id(str(id))) for link, id in body.get("links") or ()),
        title_sure=bool(abstract_text) or not title,
        **known,
    )


_TAG = re.compile(r"</?[A-Za-z]{1,6}\s*/?>")
_HYPHEN = re.compile(
    r"(?<=[^\W\d_])[-\u2010-\u2015\u2212](?=\w)|(?<=\w)[-\u2010-\u2015\u2212](?=[^\W\d_])"
)
_WORD = re.compile(r"[^\W_]+")
# British spellings and the American ones beside them
_SPELLINGS = (
    (re.compile(r"(?<=\w\w)is(?=(?:e[drs]?|ing|ations?|able)\b)"), "iz"),
    (re.compile(r"(?<=\w)ys(?=(?:e[ds]?|ing)\b)"), "yz"),
    (re.compile(r"(?<=\w\w)our(?=(?:s|al|ed|ing|ite|able|ful|less)?\b)"), "or"),
    (re.compile(r"(?<=\w\w)tre(?=[sd]?\b)"), "ter"),
    (re.compile(r"(?<=\w)ll(?=(?:ed|ing|er|ers)\b)"), "l"),  # labelled, modelling
    (re.compile(r"(?<=\w\w)ogue(?=s?\b)"), "og"),
    (re.compile(r"(?<=\w)ence(?=\b)(?<=defence|licence|offence)"), "ense"),
    (re.compile(r"\bgrey\b"), "gray"),
    (re.compile(r"\bsulph"), "sulf"),
    (re.compile(r"\bprogramme(?=s?\b)"), "program"),
)
_SMALL = frozenset(["a", "an", "the"])
# What stands where nobody knows the title
_NO_TITLE = re.compile(r"\W*(?:unknown|untitled|no title(?: available)?|n\.?a\.?)?\W*", re.I)
_SUBTITLE = re.compile(r"\s*(?::\s|\s[-\u2010-\u2015]\s|[.?!]\s+(?=[A-Z0-9\[]))\s*")
_ROMAN = {
    "i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8",
    "ix": "9", "x": "10", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5",
}  # fmt: skip
_COUNTED = frozenset(["part", "parts", "phase", "volume", "paper", "chapter", "study", "type"])
# A word of a family name that some sources leave out: von Müller, van der Berg, de la Cruz
_PARTICLES = frozenset(
    re.findall(
        r"\w+",
        "von van vom zu zum zur der den de del della di da dos du la le el al bin ibn ter ten",
    )
)
_TITLES = frozenset(["jr", "sr", "md", "phd", "ii", "iii", "et", "and", "others"])
# Several names that stand in one field: "Li Z. M.Kong C. Y.Zhang S. L.", "B. Roe; P. Doe"
_RUN_ON = re.compile(r"(?<=[A-Z]\.)(?=[A-Z][^\W\d_]+)|\s*;\s*|\s+and\s+")


def folded_doi(doi: str) -> str:
    """A DOI as registrants compare it.

    >>> folded_doi("10.1000/TEST.19."), folded_doi("https://doi.org/10.1000/a%3Cb")
    ('10.1000/test.19', '10.1000/a<b')
    """
    bare = unescape(unquote(doi)).strip().casefold()
    return re.sub(r"^.*?(?=10\.\d)", "", bare).rstrip(".,;:)]} ")


def folded_id(id: str) -> str:
    """The CURIE of a paper as two sources' are compared.

    >>> folded_id("doi:10.1000/TEST.19"), folded_id("PMID:0123")
    ('DOI:10.1000/test.19', 'PMID:123')
    """
    prefix, _, local = id.partition(":")
    match prefix.upper():
        case "DOI":
            return "DOI:" + folded_doi(local)
        case "PMID" | "PMCID":
            return f"{prefix.upper()}:{local.lstrip('0')}"
    return id


@lru_cache(maxsize=4096)
def title_words(title: str) -> tuple[str, ...]:
    """The words of a title without articles, tags, accents and British endings.

    >>> title_words("Tumour &amp; anaemia: a <i>randomised</i> trial, Part II")
    ('tumor', 'and', 'anaemia', 'randomized', 'trial', 'part', '2')
    """
    if _NO_TITLE.fullmatch(title):
        return ()
    words = [word for word in _words(_spelled(title)) if word not in _SMALL]
    return tuple(
        _ROMAN.get(word, word) if before in _COUNTED else word
        for before, word in zip(["", *words], words, strict=False)
    )


def main_title(title: str) -> str:
    """A title as far as its subtitle; whole where it has none, or only its first word before it.

    >>> main_title("Alpha-1 in kidney disease: a randomised trial")
    'Alpha-1 in kidney disease'
    """
    first = _SUBTITLE.split(title.strip(), maxsplit=1)[0]
    return first if len(first.split()) > 2 else title


def _spelled(text: str) -> str:
    """Without tags, entities and British endings; words with hyphens in their parts."""
    text = _TAG.sub("", unescape(unescape(text))).casefold().replace("&", " and ")
    text = re.sub(r"(?<=\w)['’](?=s\b)", "", text)
    text = _HYPHEN.sub(" ", text)
    for british, american in _SPELLINGS:
        text = british.sub(american, text)
    return text


def _words(text: str) -> list[str]:
    return [word for word in map(_folded_word, _WORD.findall(text)) if word]


def _folded_word(word: str) -> str:
    plain = word.replace("æ", "ae").replace("œ", "oe").replace("ø", "o").replace("ł", "l")
    return fold_text(plain)


def spelled_alike(word: str, other: str) -> bool:
    """Whether two folded words are one: `haemoglobin`, `hemoglobin`; `munchen`, `muenchen`."""
    if word == other:
        return True
    if word[:1] != other[:1] and word[:1] + other[:1] not in ("oe", "eo", "ae", "ea"):
        return False
    return _LIGATURE.sub("e", word) == _LIGATURE.sub("e", other) or (
        _UMLAUT.sub("", word) == _UMLAUT.sub("", other)
    )


_LIGATURE, _UMLAUT = re.compile("ae|oe"), re.compile("(?<=[aou])e")


def name_words(name: str) -> frozenset[str]:
    """The words of a name that tell people apart, umlauts and particles folded.

    >>> sorted(name_words("von Müller, Jörg")) == sorted(name_words("Joerg Mueller"))
    True
    """
    words = (
        _UMLAUT.sub("", _folded_word(word))
        for word in re.findall(r"[^\W\d_]+", unescape(name).casefold())
    )
    return frozenset(
        word for word in words if len(word) > 1 and word not in _PARTICLES | _TITLES
    ) - {"unknown", "anonymous"}


# "AB", "A.-B."
_INITIALS = re.compile(r"(?:[A-Z\u00c0-\u00d6\u00d8-\u00de][.-]*){1,3}")
LONGEST_NAME = 200  # characters


def author_name(name: str) -> AuthorName:
    """The parts of a name: the family name stands before a comma, or beside initials.

    >>> sorted(author_name("Doe AB").family), sorted(author_name("Ann Doe").family)
    (['doe'], [])
    """
    before, comma, behind = name[:LONGEST_NAME].partition(",")
    family, given = _without_titles(before), _without_titles(behind)
    if not comma:
        family, given = _beside_initials(family)
    letters = {
        letter
        for piece in given
        for letter in (piece if _INITIALS.fullmatch(piece) else piece[0])
        if letter.isalpha()
    }
    spelled_out = [piece for piece in given if not _INITIALS.fullmatch(piece)]
    return AuthorName(
        name_words(" ".join([*family, *spelled_out])),
        name_words(" ".join(family)) if given else frozenset(),
        frozenset(_folded_word(letter.casefold()) for letter in letters),
    )


def _without_titles(words: str) -> list[str]:
    return [word for word in words.split() if word.strip(".,").casefold() not in _TITLES]


def _beside_initials(words: list[str]) -> tuple[list[str], list[str]]:
    """The family name and the initials behind or before it; no initials where there are none."""
    places = [n for n, word in enumerate(words) if not _INITIALS.fullmatch(word)]
    if places and places[-1] + 1 < len(words):
        return words[: places[-1] + 1], words[places[-1] + 1 :]
    if places and places[0]:
        return words[places[0] :], words[: places[0]]
    return words, []


def _split_names(authors: tuple[str, ...]) -> list[str]:
    """One name each, also of those that stand in one field."""
    return [name for field in authors for name in _RUN_ON.split(field) if name.strip()]
