"""Whether two records are one paper: *same*, *ask* a curator, or *different*; with a score and the
reasons in words.

The rules, in their order. Other PMIDs are other papers, whatever else agrees, for an erratum or a
chapter may bear the DOI of another; so are other DOIs, other first pages and other abstracts. A
PMID or a PMCID in common is one paper; so is a DOI, unless the titles name two papers (a congress
gives one DOI to all its abstracts). Without such ids a title is compared word by word; what else
agrees must outweigh what it leaves open: a subtitle, a misspelled word, a title that many papers
bear, another year, names that one source does not give.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz.distance import Levenshtein

from core.identity.journal import Venue, compare_journals, is_preprint_server
from core.identity.record import AuthorName, PaperRecord, spelled_alike, title_words
from core.identity.relation import NOTICE_WORDS, PaperRelation, RelationKind, relation_between
from core.text.title import SHORTEST_TITLE, titles_differ

SAME_ABSTRACT, OTHER_ABSTRACT = 0.8, 0.5  # of the words of the shorter one, in the longer
FEWEST_WORDS = 2  # of an abstract that tell it from others
TELLING_WORDS = 8  # of an abstract that two papers do not share by chance
MISSPELLED = 5  # letters of a word that may be misspelled; shorter ones name other things
# Titles that many papers of one author and year bear
_COMMON_TITLE = re.compile(
    rf"\W*(?:{NOTICE_WORDS[RelationKind.CORRECTION]}|{NOTICE_WORDS[RelationKind.COMMENT]}"
    r"|editorial|response|comments?|letters?|in reply|introduction|preface|foreword|abstracts?"
    r"|news|obituary|annual (?:report|meeting)|proceedings|book review|case report"
    r"|in this issue)\b",
    re.IGNORECASE,
)


class Identity(StrEnum):
    """What is said of two records."""

    SAME = "same"
    ASK = "ask"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class IdentityJudgement:
    """`score`, 0 to 1: the weight of the fields that agree among those that both records have; an
    order for a curator, not a probability. `relation` says how two papers belong together that are
    not one.
    """

    outcome: Identity
    score: float
    reasons: tuple[str, ...]
    relation: PaperRelation | None = None
    by_id: bool = False  # an id of both says it


class Fit(StrEnum):
    """How a field of two records compares; SPELLED: equal but for a letter of a word, by which
    other things are named, too (nitrite, nitrate); SILENT: one of them does not have it.
    """

    EQUAL = "equal"
    NEAR = "near"
    SPELLED = "spelled otherwise"
    SILENT = "silent"
    OTHER = "other"


WEIGHTS = {
    "title": 4.0,
    "authors": 2.0,
    "year": 1.0,
    "journal": 1.0,
    "volume": 1.0,
    "pages": 2.0,
    "abstract": 3.0,
    "id": 5.0,
}
_WORTH = {Fit.EQUAL: 1.0, Fit.NEAR: 0.7, Fit.SPELLED: 0.7, Fit.OTHER: 0.0}
Fits = dict[str, tuple[Fit, str]]


def judge_identity(one: PaperRecord, other: PaperRecord) -> IdentityJudgement:
    """Whether two records are one paper; the order of the two makes no difference. Of those that
    other ids tell apart and that do not belong together no other field is compared: score 0.

    >>> trial = PaperRecord("Aspirin in acute stroke: a randomised trial", ("Roe, Ann",), "2019")
    >>> other = PaperRecord("Aspirin in acute stroke: a randomized trial", ("Roe A",), "2019")
    >>> str(judge_identity(trial, other).outcome)
    'same'
    """
    relation, ids = relation_between(one, other), _ids(one, other)
    if relation is None and ids[0] == Fit.OTHER:
        return IdentityJudgement(Identity.DIFFERENT, 0.0, (ids[1],))
    fits = {"id": ids} | _fits(one, other)
    outcome, reason = _outcome(one, other, fits, relation)
    said = [words for fit, words in fits.values() if words and fit != Fit.SILENT]
    reasons = dict.fromkeys([reason, *said] if reason else said)
    return IdentityJudgement(
        outcome,
        _score(fits),
        tuple(reasons),
        relation if outcome != Identity.SAME else None,
        by_id=outcome == Identity.SAME and fits["id"][0] == Fit.EQUAL,
    )


def _score(fits: Fits) -> float:
    compared = {name: fit for name, (fit, _) in fits.items() if fit != Fit.SILENT}
    whole = sum(WEIGHTS[name] for name in compared)
    agreed = sum(WEIGHTS[name] * _WORTH[fit] for name, fit in compared.items())
    return round(agreed / whole, 3) if whole else 0.0


def _outcome(
    one: PaperRecord, other: PaperRecord, fits: Fits, relation: PaperRelation | None
) -> tuple[Identity, str]:
    """The outcome, and the reason that settled it where no field says so itself."""
    fit = {name: said for name, (said, _) in fits.items()}
    if fit["id"] == Fit.OTHER:
        return Identity.DIFFERENT, relation.words if relation else ""
    if fit["id"] == Fit.EQUAL:
        if relation is not None and relation.by_title:
            return Identity.DIFFERENT, relation.words
        named_twice = one.title_sure and other.title_sure and titles_differ(one.title, other.title)
        if not named_twice or _share(one, other, "PMID") or _share(one, other, "PMCID"):
            return Identity.SAME, ""
        return (
            (Identity.ASK, "one DOI, but the titles differ")
            if fit["authors"] == Fit.EQUAL and fit["abstract"] != Fit.OTHER
            else (Identity.DIFFERENT, "one DOI, but the titles name two papers")
        )
    if relation is not None:
        return Identity.DIFFERENT, relation.words
    veto = next((name for name in ("pages", "abstract") if fit[name] == Fit.OTHER), "")
    if veto or fit["authors"] == Fit.OTHER:
        return Identity.DIFFERENT, ""
    elsewhere = Fit.OTHER in (fit["journal"], fit["volume"])
    if fit["id"] == Fit.NEAR and not elsewhere:
        return Identity.SAME, ""
    if fit["title"] in (Fit.OTHER, Fit.SILENT):
        return _by_place(fit)
    return _by_title(one, other, fit)


def _by_place(fit: dict[str, Fit]) -> tuple[Identity, str]:
    """Two titles that differ, as a translation does, at one place of a journal."""
    same_place = all(fit[name] == Fit.EQUAL for name in ("pages", "volume", "journal", "authors"))
    if same_place and fit["year"] == Fit.EQUAL:
        return Identity.ASK, "the same place in the same journal, under another title"
    return Identity.DIFFERENT, ""


def _by_title(one: PaperRecord, other: PaperRecord, fit: dict[str, Fit]) -> tuple[Identity, str]:
    """One title, or nearly, and no field that forbids: enough, or for a curator?"""
    at_one_place = fit["pages"] == Fit.EQUAL and Fit.EQUAL in (fit["volume"], fit["journal"])
    telling = fit["abstract"] == Fit.EQUAL and _tells(one, other)
    if fit["title"] == Fit.SPELLED:
        telling = telling and not (_names_its_own(one, other) or _names_its_own(other, one))
    proof = at_one_place or telling
    against = [name for name in ("journal", "volume", "year") if fit[name] == Fit.OTHER]
    if against:
        if proof and len(against) == 1:
            return Identity.ASK, ""
        alone = against == ["journal"] and fit["year"] == Fit.EQUAL and _venues_alike(one, other)
        asked = alone and not is_common(one)
        return (Identity.ASK, "") if asked else (Identity.DIFFERENT, "")
    if proof or (fit["year"] == Fit.NEAR and _ahead_of_issue(one, other, fit)):
        return Identity.SAME, ""
    open_questions = [
        words
        for name, expected, words in (
            ("title", Fit.EQUAL, "the titles are alike, not equal"),
            ("authors", Fit.EQUAL, "one of them names no author"),
            ("year", Fit.EQUAL, "the years differ by one, or one is missing"),
        )
        if fit[name] != expected
    ]
    if is_common(one) or is_common(other):
        open_questions.append("a title that many papers bear")
    supported = Fit.EQUAL in (fit["pages"], fit["abstract"]) or (
        fit["journal"] == Fit.EQUAL and fit["volume"] == Fit.EQUAL
    )
    if fit["title"] == Fit.SPELLED:
        supported = fit["pages"] == Fit.EQUAL  # a journal has many papers of one kind in a volume
    if len(open_questions) <= int(supported):
        return Identity.SAME, ""
    return Identity.ASK, ", ".join(open_questions)


def _ahead_of_issue(one: PaperRecord, other: PaperRecord, fit: dict[str, Fit]) -> bool:
    """Whether the one was published before the issue that the other stands in: all of title,
    authors and journal agree, and it alone has no volume and no pages, or pages that begin at 1.
    """
    early = (one, other) if one.year_number < other.year_number else (other, one)
    unplaced = not early[0].volume and re.match(r"1\b|$", early[0].pages.strip())
    agree = all(fit[name] == Fit.EQUAL for name in ("title", "authors", "journal"))
    return bool(unplaced and early[1].volume and agree and not is_common(one))


def is_common(record: PaperRecord) -> bool:
    """Whether many papers bear its title."""
    return len(record.letters) < SHORTEST_TITLE or bool(_COMMON_TITLE.match(record.title))


def _tells(one: PaperRecord, other: PaperRecord) -> bool:
    return min(len(one.abstract_words), len(other.abstract_words)) >= TELLING_WORDS


def _names_its_own(one: PaperRecord, other: PaperRecord) -> bool:
    """Whether an abstract alone says the word by which its title differs: nitrite in the one,
    nitrate in the other. A misspelled title has the abstract of the right one.
    """
    return bool(
        (one.spelled_words - other.spelled_words) & one.abstract_words - other.abstract_words
    )


def _venues_alike(one: PaperRecord, other: PaperRecord) -> bool:
    """Whether both are journals (a paper of a congress is not that of a journal)."""
    return compare_journals(one.journal, other.journal) != Venue.OTHER_KIND


# ------------------------------------------------------------------ fields


def _fits(one: PaperRecord, other: PaperRecord) -> Fits:
    return {
        "title": _titles(one, other),
        "authors": _authors(one, other),
        "year": _years(one, other),
        "journal": _journals(one, other),
        "volume": _volumes(one, other),
        "pages": _pages(one, other),
        "abstract": _abstracts(one, other),
    }


def _share(one: PaperRecord, other: PaperRecord, prefix: str) -> bool:
    return bool(one.identifiers(prefix) & other.identifiers(prefix))


def _ids(one: PaperRecord, other: PaperRecord) -> tuple[Fit, str]:
    """The first authority that both name: PubMed before the DOI, PMC for both."""
    for prefix in ("PMID", "DOI", "PMCID"):
        mine, others = one.identifiers(prefix), other.identifiers(prefix)
        if mine and others:
            if shared := sorted(mine & others):
                return Fit.EQUAL, f"the same {prefix} {shared[0]}"
            if prefix == "DOI" and _share(one, other, "PMCID"):
                continue
            return Fit.OTHER, f"other {prefix}s: {min(mine)}, {min(others)}"
    if shared := sorted({*one.ids} & {*other.ids}):
        by_content = all(id.startswith("doc:") for id in shared)
        return Fit.NEAR if by_content else Fit.EQUAL, f"the same id {shared[-1]}"
    return Fit.SILENT, ""


def _titles(one: PaperRecord, other: PaperRecord) -> tuple[Fit, str]:
    words, others = one.words, other.words
    if not words or not others:
        return Fit.SILENT, ""
    if one.letters == other.letters or _alike(words, others, misspelled=0):
        return Fit.EQUAL, "the same title"
    if numbers_differ(words, others):
        return Fit.OTHER, "the titles count otherwise"
    if _alike(words, others, misspelled=2) or _one_letter(one.letters, other.letters):
        return Fit.SPELLED, "the titles differ in their spelling"
    for misspelled, fit in ((0, Fit.NEAR), (1, Fit.SPELLED)):
        if _is_beginning(one, other, misspelled) or _is_beginning(other, one, misspelled):
            return fit, "one title is the other without its subtitle"
    return Fit.OTHER, "the titles differ"


def _alike(words: tuple[str, ...], others: tuple[str, ...], misspelled: int) -> bool:
    """Whether titles are equal word for word but for so many that are one letter apart."""
    if len(words) != len(others):
        return False
    pairs = [pair for pair in zip(words, others, strict=True) if not spelled_alike(*pair)]
    return len(pairs) <= misspelled and all(_misspelled(*pair) for pair in pairs)


def _misspelled(word: str, other: str) -> bool:
    """One letter apart inside or at the end; another beginning is another word (in-, un-, hypo-
    and hyper-, afferent and efferent).
    """
    if min(len(word), len(other)) < MISSPELLED or not (word.isalpha() and other.isalpha()):
        return False
    return word[0] == other[0] and Levenshtein.distance(word, other, score_cutoff=1) <= 1


def _one_letter(letters: str, others: str) -> bool:
    """Whether long titles are equal but for blanks and two letters, no digit among them."""
    if min(len(letters), len(others)) < 2 * SHORTEST_TITLE:
        return False
    if re.sub(r"\D", "", letters) != re.sub(r"\D", "", others):
        return False
    return Levenshtein.distance(letters, others, score_cutoff=1) <= 1


def _is_beginning(short: PaperRecord, long: PaperRecord, misspelled: int) -> bool:
    """Whether a title is another's without its subtitle, but for so many misspelled words."""
    if len(short.letters) < SHORTEST_TITLE or len(short.words) >= len(long.words):
        return False
    return _alike(short.words, long.main_words, misspelled) or any(
        _alike(short.words, title_words(part), misspelled) for part in _parts(long.title)
    )


def _parts(title: str) -> Iterator[str]:
    """What stands before each sign that may begin a subtitle."""
    for sign in re.finditer(r":|\s[-\u2010-\u2015]\s|[.?!;](?=\s)|\((?=[^()]*\)\W*$)", title):
        yield title[: sign.start()]


def numbers_differ(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether titles of one wording count otherwise: parts, volumes, years.

    >>> numbers_differ(("annual", "report", "2019"), ("annual", "report", "2020"))
    True
    """
    if len(words) != len(others):
        return False
    pairs = [pair for pair in zip(words, others, strict=True) if not spelled_alike(*pair)]
    return bool(pairs) and any(
        re.sub(r"\D", "", word) != re.sub(r"\D", "", counterpart) for word, counterpart in pairs
    )


def _authors(one: PaperRecord, other: PaperRecord) -> tuple[Fit, str]:
    names, others = one.names, other.names
    if not names or not others:
        return Fit.SILENT, ""
    if _one_person(names[0], others[0]):
        return Fit.EQUAL, "the same first author"
    shared = sum(any(_one_person(name, person) for person in others) for name in names)
    if shared >= 2 or (shared and min(len(names), len(others)) == 1):
        return Fit.NEAR, "authors in common"
    told = all(name.family for name in (*names, *others))
    everyone, everyone_else = (
        frozenset().union(*(name.family if told else name.words for name in people))
        for people in (names, others)
    )
    if everyone & everyone_else:
        return Fit.NEAR, "some names in common"
    return Fit.OTHER, "other authors"


def _one_person(name: AuthorName, other: AuthorName) -> bool:
    """Whether two names may be one person's: the family name and an initial agree. Where a name
    does not say which of its words is the family name, all words of the shorter one agree.
    """
    if name.family and other.family:
        given = name.initials & other.initials or not (name.initials and other.initials)
        return bool(given) and _agreeing(name.family, other.family) > 0
    for told, untold in ((name, other), (other, name)):
        if told.family and not _agreeing(told.family, untold.words):
            return False
    fewer, more = sorted((name.words, other.words), key=len)
    return _agreeing(fewer, more) == len(fewer)


def _agreeing(words: frozenset[str], others: frozenset[str]) -> int:
    """How many of the words the others have, long ones also a letter apart."""
    return sum(
        word in others
        or any(
            min(len(word), len(other)) > MISSPELLED
            and Levenshtein.distance(word, other, score_cutoff=1) <= 1
            for other in others
        )
        for word in words
    )


def _years(one: PaperRecord, other: PaperRecord) -> tuple[Fit, str]:
    if not one.year_number or not other.year_number:
        return Fit.SILENT, ""
    apart = abs(one.year_number - other.year_number)
    if not apart:
        return Fit.EQUAL, "the same year"
    years = f"{one.year_number}, {other.year_number}"
    if apart == 1:
        return Fit.NEAR, f"a year apart: {years}"
    return Fit.OTHER, f"other years: {years}"


def _journals(one: PaperRecord, other: PaperRecord) -> tuple[Fit, str]:
    match compare_journals(one.journal, other.journal):
        case Venue.SILENT:
            return Fit.SILENT, ""
        case Venue.SAME:
            return Fit.EQUAL, "the same journal"
    if is_preprint_server(one.journal) or is_preprint_server(other.journal):
        return Fit.SILENT, ""
    return Fit.OTHER, f"other journals: {one.journal}, {other.journal}"


_NUMBER = re.compile(r"\d+")


def _volumes(one: PaperRecord, other: PaperRecord) -> tuple[Fit, str]:
    volume, other_volume = _NUMBER.search(one.volume), _NUMBER.search(other.volume)
    if not volume or not other_volume:
        return Fit.SILENT, ""
    if volume[0].lstrip("0") == other_volume[0].lstrip("0"):
        return Fit.EQUAL, "the same volume"
    return Fit.OTHER, f"other volumes: {one.volume}, {other.volume}"


_FIRST_PAGE = re.compile(r"([A-Za-z]*)[\s.]*0*(\d+)")


def _pages(one: PaperRecord, other: PaperRecord) -> tuple[Fit, str]:
    """First pages. Those that begin at 1 without a volume are of an article published ahead of its
    issue and say nothing; the number of an article beside pages says nothing either.
    """
    page, other_page = _FIRST_PAGE.match(one.pages.strip()), _FIRST_PAGE.match(other.pages.strip())
    if not page or not other_page:
        return Fit.SILENT, ""
    if page[2] == other_page[2]:
        same = page[1].casefold() == other_page[1].casefold()
        return (Fit.EQUAL, "the same pages") if same else (Fit.SILENT, "")
    if page[1].casefold() != other_page[1].casefold() or _is_number(one) != _is_number(other):
        return Fit.SILENT, ""
    if (page[2] == "1" and not one.volume and other.volume) or (
        other_page[2] == "1" and not other.volume and one.volume
    ):
        return Fit.SILENT, ""
    return Fit.OTHER, f"other pages: {one.pages}, {other.pages}"


def _is_number(record: PaperRecord) -> bool:
    """Whether its place is the long number of an article (e0123456, 104312)."""
    return bool(re.fullmatch(r"[A-Za-z]{0,4}\d{5,}", record.pages.strip()))


_FUNCTION_WORDS = frozenset(re.findall(r"\w+", "of and in to was were with for by that is"))


def _abstracts(one: PaperRecord, other: PaperRecord) -> tuple[Fit, str]:
    """How many words of the shorter abstract the longer has; one that is cut is the same, one in
    another language says nothing.
    """
    words, others = one.abstract_words, other.abstract_words
    fewer, more = sorted((words, others), key=len)
    if len(fewer) < FEWEST_WORDS:
        return Fit.SILENT, ""
    shared = len(fewer & more) / len(fewer)
    if shared >= SAME_ABSTRACT:
        return Fit.EQUAL, "the same abstract"
    if shared > OTHER_ABSTRACT:
        return Fit.NEAR, "the abstracts are alike"
    languages = {bool(text & _FUNCTION_WORDS) for text in (words, others)}
    if len(languages) == 2 and len(fewer) >= TELLING_WORDS:
        return Fit.SILENT, ""
    return Fit.OTHER, "another abstract"
