"""Drugs that no vocabulary has, told by the ending of their international name (INN): trastuzumab,
osimertinib. They are mentions without a term, so that what the text says of them is not lost, and
a curator can look for the term or ask for it.

The endings are stems of the WHO's list of 2018 that no common English word has.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from core.extraction.builtin.groups import MentionGroup
from core.grounding.constraint.constraint import Constraint
from core.model import Category, Problem, Severity, Span, fold_words

_INN_STEMS = """
    mab tinib ciclib rafenib metinib zomib parib lisib sidenib gliflozin gliptin glitazone glutide
    prazole sartan vastatin olol cillin oxacin conazole nidazole setron triptan gepant orexant
    navir buvir tegravir asvir ciclovir desivir dipine oxaban gatran grelor lukast coxib azepam
    azolam pitant mycin cycline platin taxel rubicin dronate tidine vaptan fibrate limus
    nercept tacept bercept kinra poetin grastim parinux teplase siran nersen vedotin degib netoclax
    fenacin urapride perone peridone zapine oxetine tadine
"""
_STEMS = tuple(_INN_STEMS.split())
_LEAD = 2  # letters that stand before a stem, at least
LEAST_LETTERS = 7
_WORD = re.compile(rf"(?<![\w-])[^\W\d_]{{{LEAST_LETTERS},}}(?![\w-])")
MOST_NAMED = 6  # names that the message lists


def drugs_without_term(
    text: str, constraints: Mapping[str, Constraint], taken: Collection[Span]
) -> list[MentionGroup]:
    """A group without candidates for each such name outside the `taken` spans, under the first of
    the classes that takes chemicals.
    """
    cls = next(
        (key for key, known in constraints.items() if known.category is Category.CHEMICAL), None
    )
    if cls is None:
        return []
    covered = bytearray(len(text))
    for span in taken:
        covered[span.start : span.end] = b"\1" * (span.end - span.start)
    places: dict[str, list[Span]] = {}
    for match in _WORD.finditer(text):
        if match[0].casefold().endswith(_STEMS, _LEAD) and 1 not in covered[slice(*match.span())]:
            places.setdefault(fold_words(match[0]), []).append(Span(*match.span()))
    return [MentionGroup(words, cls, tuple(spans), ()) for words, spans in places.items()]


def drug_problems(text: str, groups: Collection[MentionGroup]) -> list[Problem]:
    """One problem that names the drugs without a term; none without any."""
    if not groups:
        return []
    names = [group.spans[0].quote(text) for group in groups]
    listed = ", ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")
    return [
        Problem(
            "drug-without-term",
            f"Named like a drug, but in no installed vocabulary: {listed}. Install the current"
            " MeSH, or choose a term by hand.",
            Severity.WARNING,
        )
    ]
