"""How two papers belong together that are not one: a preprint and what was published, versions, a
correction or a retraction and its paper, a translation, a paper published anew, a comment, a reply,
or parts of one work.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from core.identity.journal import is_preprint_server
from core.identity.record import PaperRecord, spelled_alike, title_words


class RelationKind(StrEnum):
    """What the one is to the other."""

    PREPRINT = "preprint"
    VERSION = "version"
    CORRECTION = "correction"
    RETRACTION = "retraction"
    CONCERN = "expression of concern"
    TRANSLATION = "translation"
    REPUBLISHED = "republished"
    COMMENT = "comment"
    SUMMARY = "summary for patients"
    PART = "part"


@dataclass(frozen=True, slots=True)
class PaperRelation:
    """`words` say it for a curator; `by_title`: a title says it, so that one DOI of both is no
    proof that they are one.
    """

    kind: RelationKind
    words: str
    by_title: bool = False


# What PubMed's CommentsCorrections say of two papers, from either side, and what that makes them
# https://www.nlm.nih.gov/bsd/licensee/elements_descriptions.html#commentscorrections
LINKS = {
    "RetractionIn": RelationKind.RETRACTION,
    "RetractionOf": RelationKind.RETRACTION,
    "PartialRetractionIn": RelationKind.RETRACTION,
    "PartialRetractionOf": RelationKind.RETRACTION,
    "ErratumIn": RelationKind.CORRECTION,
    "ErratumFor": RelationKind.CORRECTION,
    "ExpressionOfConcernIn": RelationKind.CONCERN,
    "ExpressionOfConcernFor": RelationKind.CONCERN,
    "CorrectedandRepublishedIn": RelationKind.REPUBLISHED,
    "CorrectedandRepublishedFrom": RelationKind.REPUBLISHED,
    "RetractedandRepublishedIn": RelationKind.REPUBLISHED,
    "RetractedandRepublishedFrom": RelationKind.REPUBLISHED,
    "RepublishedIn": RelationKind.REPUBLISHED,
    "RepublishedFrom": RelationKind.REPUBLISHED,
    "ReprintIn": RelationKind.REPUBLISHED,
    "ReprintOf": RelationKind.REPUBLISHED,
    "UpdateIn": RelationKind.VERSION,
    "UpdateOf": RelationKind.VERSION,
    "CommentIn": RelationKind.COMMENT,
    "CommentOn": RelationKind.COMMENT,
    "SummaryForPatientsIn": RelationKind.SUMMARY,
    "OriginalReportIn": RelationKind.SUMMARY,
    "TranslationIn": RelationKind.TRANSLATION,  # JATS alone says so
    "TranslationOf": RelationKind.TRANSLATION,
}
# What a title begins with that is about another paper, whose title follows
NOTICE_WORDS = {
    RelationKind.RETRACTION: r"retraction(?: note| notice)?|retracted(?: article)?"
    r"|withdrawn(?: article)?|withdrawal",
    RelationKind.CONCERN: r"(?:editorial )?expression of concern",
    RelationKind.REPUBLISHED: r"(?:(?:retracted|corrected) and )?republished(?: article| from)?"
    r"|reprint(?:ed)?(?: article| of| from)?",
    RelationKind.CORRECTION: r"(?:author |publisher )?"
    r"(?:correction|corrigend(?:um|a)|errat(?:um|a))|addendum",
    RelationKind.COMMENT: r"comments? on|commentary on|(?:authors?['’]? )?reply(?: to)?"
    r"|response to|re|letter",
}
_PREFIXES = tuple(
    (kind, re.compile(rf"\W*(?:{words})\b\s*(?:to|of|for|on)?\s*[:.\-\u2013\u2014\]]*\s*", re.I))
    for kind, words in NOTICE_WORDS.items()
)
# RETRACTED: …, [Retracted] …: the paper itself, marked by its publisher
_MARK = re.compile(r"\W*(?:retracted(?: article)?|withdrawn(?: article)?)\W+", re.IGNORECASE)
_PREPRINT_DOI = re.compile(
    r"10\.(?:1101|21203|2139|20944|26434|31234|31219|36227|48550|22541|31222|64898)/"
)
FEWEST_TITLE_WORDS = 4  # that no two works have in common by chance
_PARTS = frozenset(["part", "parts"])
_VERSION = re.compile(r"(?:[./]v?\d{1,2}|v\d{1,2})$")


def after_notice(title: str) -> str:
    """A title without the words that say what it is to another paper.

    >>> after_notice("Correction to: Tau in mice"), after_notice("Tau in mice")
    ('Tau in mice', 'Tau in mice')
    """
    begun = (prefix.match(title) for _, prefix in _PREFIXES)
    return title[max((match.end() for match in begun if match), default=0) :]


def may_belong(record: PaperRecord) -> bool:
    """Whether it is of those that belong to another paper: a notice or a comment by its title, a
    preprint, a version or a translation, or a part. Of two papers that are none of these, neither
    belongs to the other, unless a source links them.
    """
    if _in_brackets(record.title) or _PARTS & {*record.words}:
        return True
    if after_notice(record.title) != record.title or _is_preprint(record):
        return True
    return any(map(_is_versioned, record.identifiers("DOI")))


def relation_between(one: PaperRecord, other: PaperRecord) -> PaperRelation | None:
    """How two papers belong together, the order of the two making no difference; None where nothing
    says so.
    """
    for record, counterpart in ((one, other), (other, one)):
        if linked := _link(record, counterpart):
            return linked
    for record, counterpart in ((one, other), (other, one)):
        if notice := _notice(record.title, counterpart):
            return notice
    versions = _versions(one, other)
    if versions is not None:
        return versions
    if _is_preprint(one) != _is_preprint(other) and _titles_close(one, other):
        return PaperRelation(RelationKind.PREPRINT, "a preprint and the published paper")
    return _translation(one, other) or _part(one, other)


def _link(record: PaperRecord, of: PaperRecord) -> PaperRelation | None:
    """What the source of a record says that it is to the other paper, by an id of that."""
    for link, id in record.links:
        if id not in of.folded_ids or id in record.folded_ids or link not in LINKS:
            continue
        kind = LINKS[link]
        if kind is RelationKind.VERSION and _is_preprint(record) != _is_preprint(of):
            return PaperRelation(RelationKind.PREPRINT, "a preprint and the published paper")
        if kind in _NOTICES:
            return PaperRelation(kind, f"a {kind} and its paper")
        return PaperRelation(kind, _LINKED[kind])
    return None


_NOTICES = (RelationKind.RETRACTION, RelationKind.CORRECTION, RelationKind.CONCERN,
            RelationKind.COMMENT)  # fmt: skip
_LINKED = {
    RelationKind.REPUBLISHED: "a paper and the one that was published anew",
    RelationKind.VERSION: "a paper and the one that updates it",
    RelationKind.SUMMARY: "a paper and its summary for patients",
    RelationKind.TRANSLATION: "a paper and its translation",
}


def _in_brackets(title: str) -> bool:
    """Whether a title is one that PubMed translated: `[Alpha in children].`"""
    return bool(re.fullmatch(r"\s*\[[^\[\]]+\]\W*", title))


def _translation(one: PaperRecord, other: PaperRecord) -> PaperRelation | None:
    """Two papers, each with a PMID or DOI of its own, of one title, which PubMed translated for one
    of them.
    """
    if _in_brackets(one.title) == _in_brackets(other.title):
        return None
    if len(one.words) < FEWEST_TITLE_WORDS:
        return None
    named = any(one.identifiers(prefix) and other.identifiers(prefix) for prefix in ("PMID", "DOI"))
    if not named or not one.folded_ids.isdisjoint(other.folded_ids):
        return None
    if not _same_words(one.words, other.words):
        return None
    return PaperRelation(RelationKind.TRANSLATION, "a paper and its translation")


def _part(one: PaperRecord, other: PaperRecord) -> PaperRelation | None:
    """Two parts of one work, by the words before their numbers and a first author: "…. Part I.
    Design", "…. Part II. Results".
    """
    for place, word in enumerate(one.words[:-1]):
        stem = one.words[: place + 1]
        if word not in _PARTS or place < FEWEST_TITLE_WORDS or stem != other.words[: place + 1]:
            continue
        numbers = {one.words[place + 1], *other.words[place + 1 : place + 2]}
        people = [record.names[0].words for record in (one, other) if record.names]
        if len(numbers) == 2 and all(map(str.isdigit, numbers)):
            alike = len(people) < 2 or people[0] & people[1]
            return PaperRelation(RelationKind.PART, "parts of one work") if alike else None
    return None


def _notice(title: str, of: PaperRecord) -> PaperRelation | None:
    """What a title says to be about the other paper."""
    if not of.words or (_MARK.match(title) and not re.match(r"\W*retraction", title, re.I)):
        return None
    for kind, prefix in _PREFIXES:
        begun = prefix.match(title)
        if not begun or prefix.match(of.title):
            continue
        rest = title_words(title[begun.end() :])
        if len(rest) > 3 and _same_words(rest[: len(of.words)], of.words[: len(rest)]):
            return PaperRelation(kind, f"a {kind} and its paper", by_title=True)
    return None


def _versions(one: PaperRecord, other: PaperRecord) -> PaperRelation | None:
    """DOIs that differ in their version alone: 10.1101/x.v1, 10.12688/f1000research.1.2."""
    for doi in one.identifiers("DOI"):
        for counterpart in other.identifiers("DOI"):
            if doi == counterpart:
                continue
            stem, other_stem = _VERSION.sub("", doi), _VERSION.sub("", counterpart)
            if _is_versioned(doi) and stem == other_stem:
                return PaperRelation(RelationKind.VERSION, "two versions of one paper")
    return None


def _is_versioned(doi: str) -> bool:
    """Whether its registrant gives each version of a paper a DOI."""
    return bool(_PREPRINT_DOI.match(doi)) or "f1000" in doi or "research." in doi


def _is_preprint(record: PaperRecord) -> bool:
    """By its server, its kind or the registrant of its DOI."""
    if is_preprint_server(record.journal) or "preprint" in record.kind.casefold():
        return True
    return not record.journal and any(map(_PREPRINT_DOI.match, record.identifiers("DOI")))


def _titles_close(one: PaperRecord, other: PaperRecord) -> bool:
    """Whether most words of the titles are the same: a title may change before it is printed."""
    words, others = set(one.words), set(other.words)
    if min(len(words), len(others)) < 4:
        return one.letters == other.letters != ""
    return len(words & others) >= 0.7 * min(len(words), len(others))


def _same_words(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    return len(words) == len(others) and all(map(spelled_alike, words, others))
