"""A PubMed record and the full text of the same paper in PMC, as one paper."""

from __future__ import annotations

from dataclasses import replace

from core.documents.paper import FULL_TEXT, Paper


def merge_full_text(paper: Paper, body: Paper) -> Paper:
    """A PubMed record with its full text: the record's data, the body's sections (before them the
    record's abstract, where the body does not hold its words), the flags of both.
    """
    flags = tuple(sorted({*paper.flags, *body.flags}))
    ids = tuple(sorted({*paper.ids, *body.ids}))
    body_words = {word for section in body.sections for word in section.text.split()}
    own = [word for section in paper.sections for word in section.text.split()]
    abstract = () if sum(word in body_words for word in own) >= 0.9 * len(own) else paper.sections
    sections = (
        *(replace(section, name=section.name or "Abstract") for section in abstract),
        *body.sections,
    )
    title = paper.title or body.title
    return replace(paper, sections=sections, kind=FULL_TEXT, ids=ids, flags=flags, title=title)


def pmc_number(paper: Paper) -> str:
    """The number in a paper's PMC id (PMCID:PMC12 → 12), or "" for one that PMC does not hold."""
    return next(
        (id.removeprefix("PMCID:PMC") for id in paper.ids if id.startswith("PMCID:PMC")), ""
    )
