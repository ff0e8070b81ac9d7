"""When two records are one paper: they share a PMID, a PMCID or a DOI; or, where one of them lacks
these, title, year and first author.
"""

from __future__ import annotations

from hashlib import sha256

from core.documents.paper import Paper

SHORTEST_TITLE = 25  # letters: "Editorial" and "Reply" name many papers of one author


def fold_letters(text: str) -> str:
    """Letters and digits alone, case-folded."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def same_paper_ids(paper: Paper) -> tuple[str, ...]:
    """`doc:` and a digest of title, year and first author's family name, where all three are known
    and the title is long enough to be a paper's own.
    """
    title, year = fold_letters(paper.title), paper.year[:4]
    family = fold_letters(family_name(paper.authors[0])) if paper.authors else ""
    if len(title) < SHORTEST_TITLE or not year or not family:
        return ()
    return (digest_id(title, year, family),)


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
