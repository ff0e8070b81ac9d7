"""Drugs told by the ending of their international name (INN), also those that no vocabulary has:
trastuzumab, osimertinib.

The endings are stems of the WHO's list of 2018 that no common English word has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.model import Span

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


def drug_spans(text: str) -> Iterator[Span]:
    """Where a text writes such a name, known or not."""
    for match in _WORD.finditer(text):
        if match[0].casefold().endswith(_STEMS, _LEAD):
            yield Span(*match.span())
