"""What a study of samples says of itself in plain words: the place they come from, the methods of
sequencing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.extraction.builtin.slot_statement import is_denied
from core.model import Span
from core.schema.definition import Slot
from core.text.phrases import one_of, phrases
from core.text.sentence import sentence_at

_PLACE_SLOT = re.compile(
    r"\bplaces?\b.*\bsamples? (?:was|were) taken\b|^(?:sampling[ _])?(?:location|site)$"
)
_METHOD_SLOT = re.compile(r"\bsequencing\b")
_NAME = r"[A-Z][\w'’-]+"
_PARTICLE = r"(?:of|da|de|do|del|di|la|van|von|al)"
_FEATURE = (
    r"(?:lakes?|rivers?|seas?|bay|gulf|oceans?|estuary|delta|basin|springs?|watershed|fjord|island|islands"
    r"|reservoir|mountains?|valley|desert|forest|province|region|county|coast|lagoon|wetland|cave|mine)"
)
# "Sayram Lake, China", "the Gulf of Riga", "Ourense, Spain"
_PLACE_NAME = (
    rf"{_NAME}(?:\s(?:{_PARTICLE}\s)?{_NAME})*(?:\s{_FEATURE}\b)?"
    rf"(?:,\s{_NAME}(?:\s{_NAME})*)?"
)
_AT_PLACE = re.compile(
    rf"\b(?:of|in|from|at|near|along|off|across|around)\s(?:the\s)?(?P<place>{_PLACE_NAME})(?![\w-])"
)
# "Chukotka lies in the Arctic"
_LIES = re.compile(
    rf"(?:^|\.\s)(?P<place>{_PLACE_NAME})\s(?:lies|is located|is situated)\s(?:in|on|at|near)\b"
)
_SAMPLED = re.compile(
    r"\b(?:sampl\w+|collect\w+|taken|obtained|isolated|surveyed)\b", re.IGNORECASE
)
# What begins with a capital and is no place: "16S rRNA", "DNA", "Illumina"
_MONTH = one_of(
    "January February March April May June July August September October November December"
)
_NO_PLACE = phrases(
    {
        r"[A-Z]{2,}\w*|[^\WA-Z]*[A-Z][^\WA-Z]*[A-Z]\w*": "DNA",
        r"(?:Illumina|Roche|Mantel|Bray|Sanger|Bayesian)\b.*": "Illumina platform",
        rf"{_MONTH}\b.*": "March 2019",
    },
    before="^",
    after="$",
    flags=re.NOFLAG,
)
_PLATFORM = (
    r"(?:Illumina(?:\s(?:MiSeq|HiSeq|NovaSeq|NextSeq)(?:\s\d+)?)?|MiSeq|HiSeq|NovaSeq|NextSeq|PacBio"
    r"|Nanopore|MinION|Ion\sTorrent|454)"
)
_KIND = (
    r"(?:16S|18S|23S|ITS\d?|rRNA|rDNA|RNA|DNA|gene|genes|amplicon|high-throughput|next-generation"
    r"|shotgun|metagenom\w+|metatranscriptom\w+|whole[- ]genome|deep|paired-end|long-read"
    r"|short-read|targeted|Roche|Sanger|tag|single-cell|massively|parallel|" + _PLATFORM + ")"
)
_METHOD = re.compile(
    rf"\b(?:{_KIND}[\s-])+(?:pyro)?sequencing\b|\bpyrosequencing\b|\b{_PLATFORM}\b", re.IGNORECASE
)


def study_values(
    text: str, slot: Slot, title: Span, sentences: Sequence[Span], *, named: Sequence[Span]
) -> Iterator[Span]:
    """The words for a slot that asks for the place of a study, or its methods; nothing for another
    slot. `named` are the words that have another role (a taxon is no place).
    """
    words = f"{slot.name.replace('_', ' ')} {slot.description}".casefold()
    if _METHOD_SLOT.search(words) and slot.multivalued:
        yield from _methods(text)
    elif _PLACE_SLOT.search(slot.description.casefold()) or _PLACE_SLOT.search(slot.name):
        place = _place(text, title, sentences, named)
        if place is not None:
            yield place


def _methods(text: str) -> Iterator[Span]:
    seen: set[str] = set()
    for match in _METHOD.finditer(text):
        span, words = Span(*match.span()), match[0].casefold()
        if words not in seen and not is_denied(text, sentence_at(text, span), span):
            seen.add(words)
            yield span


def _place(text: str, title: Span, sentences: Sequence[Span], named: Sequence[Span]) -> Span | None:
    """The place that the title names; else that of a sentence on sampling, or of which one says
    where it lies.
    """
    on_samples = [part for part in sentences if _SAMPLED.search(part.quote(text))]
    for part, pattern in (
        (title, _AT_PLACE),
        *((part, _AT_PLACE) for part in on_samples),
        (Span(0, len(text)), _LIES),
    ):
        for match in pattern.finditer(text, part.start, part.end):
            place = Span(*match.span("place"))
            if place not in named and not _NO_PLACE.fullmatch(place.quote(text)):
                return place
    return None
