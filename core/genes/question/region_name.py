"""The region of the human genome that a question names: a cytogenetic band, or bases of a
chromosome.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.genes.question.gene_name import ASSEMBLY, BAND
from core.ncbi.assembly import GRCH38_CHROMOSOMES, assembly_of

MOST_BASES = 20_000_000  # of one question: what is longer holds more genes than anybody reads
_CHROMOSOME = r"(?:chr(?:omosome)?\.?\s?)(?P<{}>\d{{1,2}}|X|Y|MT?)"
_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_UNIT = r"\s?(?P<{}>[kM]b|bp)?\b"
_SPAN = (
    rf"(?P<low>{_NUMBER}){_UNIT.format('unit')}"
    rf"(?:\s?(?:-|–|\.\.|to|and)\s?(?P<high>{_NUMBER}){_UNIT.format('high_unit')})?"
)
_PLACES = (
    # chr7:55,019,017-55,211,628 and 7:55019017
    re.compile(rf"(?:chr)?(?<![\w.])(?:chr)?(?P<chr>\d{{1,2}}|X|Y|MT?):(?:g\.)?\s?{_SPAN}", re.I),
    # NC_000007.14:55019017-55211628
    re.compile(rf"(?P<accession>NC_\d{{6}}\.\d+)(?:\s*:\s*(?:g\.)?|\s+){_SPAN}", re.I),
    # chromosome 7 between 55 and 56 Mb; chr7 position 55019017
    re.compile(
        rf"\b{_CHROMOSOME.format('chr')}\b,?\s+(?:(?:at|from|between|position|base|bases)\s+)+"
        rf"{_SPAN}",
        re.I,
    ),
    # chrX 153,000,000
    re.compile(rf"\b{_CHROMOSOME.format('chr')}\b,?\s+(?=[\d,]{{6,}}){_SPAN}", re.I),
    # position 55,019,017 of chromosome 7; between 55 and 56 Mb on chromosome 7
    re.compile(
        rf"\b(?:position|base|bases|between|from)\s+(?:position\s+)?{_SPAN}\s+(?:of|on|in)\s+"
        rf"(?:human\s+)?{_CHROMOSOME.format('chr')}\b",
        re.I,
    ),
)
_BASES = {"": 1, "bp": 1, "kb": 1_000, "mb": 1_000_000}


@dataclass(frozen=True, slots=True)
class Region:
    """A band (`17q21.3`), or bases of a chromosome: 1-based and inclusive; `accession` where the
    question names the sequence itself.
    """

    band: str = ""
    chromosome: str = ""
    low: int = 0
    high: int = 0
    accession: str = ""

    def __str__(self) -> str:
        if self.band:
            return self.band
        end = f"-{self.high}" if self.high != self.low else ""
        on = f"chr{self.chromosome}" if self.chromosome else self.accession
        return f"{on}:{self.low}{end}"

    @property
    def length(self) -> int:
        return self.high - self.low + 1

    def assembly_of(self, words: str) -> str:
        """The assembly that the words, or the accession, name; nothing where none is."""
        named = re.search(ASSEMBLY, words, re.I)
        return named[0] if named else assembly_of(self.accession)


def regions_in(words: str) -> list[tuple[str, Region]]:
    """The regions of a question, each with the words that name it; the places before the bands."""
    regions: list[tuple[str, Region]] = []
    left = words
    for pattern in _PLACES:
        for match in pattern.finditer(left):
            if region := _place(match):
                regions.append((match[0], region))
        left = pattern.sub(" ", left)
    bands = (match[0] for match in re.finditer(BAND, left, re.I))
    named_bands = [(band, Region(band=_band(band))) for band in bands]
    return list({str(region): (named, region) for named, region in regions + named_bands}.values())


def region_of(subject: str) -> Region | None:
    """The one region that the words name."""
    regions = regions_in(subject)
    return regions[0][1] if len(regions) == 1 else None


def _band(written: str) -> str:
    """`Xq28` of `xQ28`: the chromosome in capitals, the arm small."""
    return written.upper().replace("P", "p").replace("Q", "q")


def _place(match: re.Match[str]) -> Region | None:
    parts = match.groupdict()
    accession = (parts.get("accession") or "").upper()
    name = (parts.get("chr") or "").upper().removesuffix("T")
    on = GRCH38_CHROMOSOMES.get(accession, "") or ("MT" if name == "M" else name)
    unit = (parts["unit"] or parts["high_unit"] or "").lower()
    low = _bases(parts["low"], unit)
    high = _bases(parts["high"], (parts["high_unit"] or unit).lower()) if parts["high"] else low
    if not (on or accession) or low < 1 or high < low or (on.isdigit() and not 1 <= int(on) <= 22):
        return None
    return Region("", on, low, high=high, accession=accession)


def _bases(number: str, unit: str) -> int:
    return round(float(number.replace(",", "")) * _BASES[unit])
