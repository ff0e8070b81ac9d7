"""The sentences that say that a thing fills a list of what a text is about: "mutations in ABC1
cause Orlan disease" gives the disease a gene, "CD4 cells were counted in it" does not.

What is said as a relation (a drug treats it, a sign of it) is read by the rules of relations; the
rest by the rows below. A row names what its sentence must hold beside the thing, with an example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Any

from core.extraction.builtin.slot_sense import SlotSense
from core.extraction.tree import RelationEvidence
from core.model import Span
from core.support.reading.stance_patterns import NEGATION, NO_NEGATION
from core.text.sentence import sentence_at


@dataclass(frozen=True, slots=True)
class SlotPlace:
    """A thing at `span` and the sentence that says that it fills a list; `score` from 0 to 1 says
    how often such a sentence is right. `plain`: it is asserted in the plainest form.
    """

    span: Span
    sentence: Span
    rule: str
    cue: Span
    score: float
    plain: bool = False


class _Where(StrEnum):
    """Where the words of a row stand: next to the thing, or anywhere in its sentence."""

    BEFORE = auto()
    BEHIND = auto()
    BESIDE = auto()


@dataclass(frozen=True, slots=True)
class _Row:
    """One way to say it; `names_root`: the sentence also names what the text is about."""

    name: str
    sense: SlotSense
    weight: float
    where: _Where
    pattern: re.Pattern[str]
    names_root: bool = True


def _row(name: str, sense: SlotSense, weight: float, where: _Where, *, pattern: str) -> _Row:
    alone = sense in (SlotSense.SPECIES, SlotSense.FOUND, SlotSense.SAMPLED)
    return _Row(
        name,
        sense,
        weight,
        where=where,
        pattern=re.compile(pattern, re.IGNORECASE),
        names_root=not alone,
    )


_GENETIC = r"(?:mutat\w*|variants?|deletions?|allel\w*|haploinsufficiency|defects?|genes?|locus)"
_BRINGS = r"(?:caus(?:es?|ed)|leads? to|results? in|underl(?:ies?|ay)|(?:is|are) responsible for)"
_ROWS = (
    # "Orlan disease is caused by variants in (ABC1)"
    _row("caused by mutations in T", SlotSense.CAUSAL_GENE, weight=0.85, where=_Where.BEFORE,
         pattern=rf"\b(?:caused by|due to|result\w* from|attributable to)\s(?:[\w-]+,?\s){{0,5}}"
         rf"{_GENETIC}\s(?:in|of|affecting)\s(?:[\w'-]+[\s,(]+){{0,3}}$"),
    # "Orlan disease is caused by (ABC1)"
    _row("caused by T", SlotSense.CAUSAL_GENE, weight=0.8, where=_Where.BEFORE,
         pattern=r"\b(?:caused by|due to|result\w* from)\s(?:[\w-]+\s){0,5}$"),
    # "(ABC1) mutations cause Orlan disease"
    _row("T mutations cause S", SlotSense.CAUSAL_GENE, weight=0.8, where=_Where.BEHIND,
         pattern=rf"[\s)]*(?:genes?\s)?(?:{_GENETIC}\s)?(?:can\s)?{_BRINGS}\b"),
    # "Mutations in the gene (ABC1) cause Orlan disease"
    _row("mutations in T", SlotSense.CAUSAL_GENE, weight=0.6, where=_Where.BEFORE,
         pattern=rf"\b{_GENETIC}\s(?:[\w-]+\s){{0,2}}(?:in|of|at|within|affecting|encoding)\s"
         r"(?:[\w'-]+[\s,(]+){0,6}$"),
    # "(ABC1) variants were found in Orlan disease"
    _row("T mutations", SlotSense.CAUSAL_GENE, weight=0.6, where=_Where.BEHIND,
         pattern=rf"[\s)]*(?:[-\w]+\s){{0,2}}{_GENETIC}\b"),
    # "(ABC1) is responsible for Orlan disease"
    _row("T causes S", SlotSense.CAUSAL_GENE, weight=0.5, where=_Where.BEHIND,
         pattern=r"[\s)]*(?:[\w-]+\s){0,3}(?:caus\w+|responsible for|associated with|linked to"
         r"|implicated in)\b"),
    # "the gene for Orlan disease, (ABC1), was cloned"
    _row("gene for S, T", SlotSense.CAUSAL_GENE, weight=0.7, where=_Where.BEFORE,
         pattern=r"\bgenes?\s(?:for|of|causing|underlying|responsible for|mutated in|defective in)"
         r"\s[^.;:,]{2,50},\s$"),
    # "Orlan disease was mapped to (ABC1)"
    _row("linked to T", SlotSense.CAUSAL_GENE, weight=0.6, where=_Where.BEFORE,
         pattern=r"\b(?:linked to|associated with|mapped to)\s(?:[\w-]+\s){0,5}$"),
    # "Orlan disease is a rare (bone disorder)"
    _row("S is a T", SlotSense.GROUP, weight=0.5, where=_Where.BEFORE,
         pattern=r"(?:^|[\s)])(?:is|are|was)\s(?:an?|one of the|the most common)\s"
         r"(?:[\w-]+,?\s){0,4}$"),
    # "an (autosomal recessive) form of Orlan disease"
    _row("T, named with S", SlotSense.INHERITED, weight=0.7, where=_Where.BESIDE, pattern=r"\w"),
    # "(TCF3), a component of the Wnt pathway"
    _row("T is a part of S", SlotSense.MEMBER, weight=0.5, where=_Where.BESIDE,
         pattern=r"\b(?:components?|members?|mediators?|effectors?|ligands?|receptors?"
         r"|transcription factors?|target genes?|targets?|regulat\w+"
         r"|upstream|downstream|part of)\b"),
    # "the Wnt pathway controls (cell division)"
    _row("S takes part in T", SlotSense.PROCESS, weight=0.45, where=_Where.BESIDE,
         pattern=r"\b(?:control\w*|regulat\w*|involv\w*|roles?|requir\w*|mediat\w*|influenc\w*|essential"
         r"|critical|driv\w+|govern\w*|modulat\w*|important|necessary|serve\w*)\b"),
    # "in cultured (mouse) cells"
    _row("in T", SlotSense.SPECIES, weight=0.55, where=_Where.BEFORE,
         pattern=r"\b(?:in|from|of|using|for)\s(?:(?:the|an?)\s)?(?:[\w-]+\s){0,3}$"),
    _row("T cells", SlotSense.SPECIES, weight=0.55, where=_Where.BEHIND,
         pattern=r"\s(?:[\w-]+\s){0,2}(?:cells?|models?|embryos?|neurons?|larvae|tissues?|lines?|strains?"
         r"|xenografts?|hearts?|livers?|brains?)\b"),
    # "(Firmicutes) were the most abundant phyla"
    _row("T was found", SlotSense.FOUND, weight=0.85, where=_Where.BESIDE,
         pattern=r"\b(?:dominat\w*|dominant|predomina\w*|abundan\w*|prevail\w*|found|detected|identified"
         r"|most (?:common|frequent|numerous)|observed|present|recovered|isolated|compris\w*"
         r"|consist\w*|account\w* for|harbou?r\w*|contain\w*|genera|phyla|phylum|genus|species"
         r"|favou?r\w*|capable of|enriched|inhabit\w*|lives?|living|thriv\w+)\b"),
    # "sediment samples were collected from the (lake)"
    _row("samples of T", SlotSense.SAMPLED, weight=0.8, where=_Where.BESIDE,
         pattern=r"\b(?:sampl\w*|collect\w*|taken from|obtained|isolat\w*|sequenced|investigated"
         r"|studied|surveyed)\b"),
)  # fmt: skip
IN_NAME, IN_TITLE = "T in the name of S", "T in the title"
_IN_NAME = {SlotSense.CAUSAL_GENE: 0.85, SlotSense.MEMBER: 0.6}
_LACKS_OR_HAS = re.compile(r"[-\s](?:deficien\w+|related|associated|linked)\b", re.IGNORECASE)
_REACH = 80  # characters beside a thing in which words next to it are looked for
_WHEREAS = re.compile(r",?\s(?:whereas|while)\s", re.IGNORECASE)
# A sentence that begins with what the one before it names: "It is caused by (ABC1)"
_IT = re.compile(r"(?:it|(?:this|the) (?:disease|disorder|syndrome|condition))\s", re.IGNORECASE)
_CLAUSE = re.compile(r"[;:]\s|,?\s(?:but|whereas|although|while)\s|,\s(?=not\s)", re.IGNORECASE)


def slot_places(
    text: str,
    sense: SlotSense,
    spans: Sequence[Span],
    *,
    root: Sequence[Span],
    title: Span,
) -> Iterator[SlotPlace]:
    """Where a sentence says that the thing named at `spans` fills a list of this sense; `root` is
    where the text names what it is about. Denials are left out.
    """
    for span in spans:
        sentence = sentence_at(text, span)
        place = _in_name(text, sense, span, sentence, root=root)
        if place is None and not is_denied(text, sentence, span):
            place = _by_rows(text, sense, span, sentence, root=root)
            if place is None and sense is SlotSense.SAMPLED and title.overlaps(span):
                place = SlotPlace(span, sentence, IN_TITLE, cue=span, score=0.85)
        if place is not None:
            yield place


def is_denied(text: str, sentence: Span, span: Span) -> bool:
    """Whether the clause of a mention holds a word of denial: "archaea were not detected"."""
    words = sentence.quote(text)
    ends = [match.end() for match in _CLAUSE.finditer(words, 0, span.start - sentence.start)]
    nexts = _CLAUSE.search(words, span.end - sentence.start)
    clause = words[ends[-1] if ends else 0 : nexts.start() if nexts else len(words)]
    return NEGATION.search(NO_NEGATION.sub(" ", clause.casefold())) is not None


def _in_name(
    text: str, sense: SlotSense, span: Span, sentence: Span, *, root: Sequence[Span]
) -> SlotPlace | None:
    """A gene that names its disease ("ABC1 deficiency") or its pathway ("ABC1/DEF2 signaling")."""
    weight = _IN_NAME.get(sense)
    if weight is None:
        return None
    for name in root:
        inside = name.start <= span.start and span.end <= name.end and span != name
        leads = 0 <= name.start - span.end <= 1 and text[span.end : name.start] in ("/", "-", "-")
        if inside and sense is SlotSense.CAUSAL_GENE and not _LACKS_OR_HAS.match(text, span.end):
            continue
        if inside or leads:
            return SlotPlace(span, sentence, IN_NAME, cue=name, score=weight)
    return None


def _by_rows(
    text: str, sense: SlotSense, span: Span, sentence: Span, *, root: Sequence[Span]
) -> SlotPlace | None:
    """The first row that joins a thing with what the text is about; none joins a part of its
    name.
    """
    named = [
        name
        for name in root
        if sentence.overlaps(name)
        and not _WHEREAS.search(text, min(name.end, span.end), max(name.start, span.start))
    ]
    if any(name.start <= span.start and span.end <= name.end for name in named):
        return None
    if not named and sense is SlotSense.CAUSAL_GENE and _IT.match(text, sentence.start):
        before = sentence_at(text, Span(max(sentence.start - 2, 0), sentence.start))
        named = [name for name in root if before.overlaps(name)]
    for row in _ROWS:
        fits = row.sense is sense and (named or not row.names_root)
        if fits and (cue := _cue(text, row, span, sentence)):
            return SlotPlace(span, sentence, row.name, cue=cue, score=row.weight)
    return None


def _cue(text: str, row: _Row, span: Span, sentence: Span) -> Span | None:
    match row.where:
        case _Where.BEFORE:
            start = max(sentence.start, span.start - _REACH)
            met = row.pattern.search(text[start : span.start])
            return Span(start + met.start(), start + met.end()) if met else None
        case _Where.BEHIND:
            met = row.pattern.match(text, span.end, min(sentence.end, span.end + _REACH))
            return Span(*met.span()) if met else None
    met = row.pattern.search(text, sentence.start, sentence.end)
    return Span(*met.span()) if met else None


def stated_by(places: Sequence[SlotPlace], text: str, chance: float) -> dict[str, Any]:
    """What a leaf says of the places that state it; `chance` is the probability by the best of
    them, of which the others have their share.
    """
    if not places:
        return {}
    best = sorted(places, key=lambda place: -place.score)
    share = chance / best[0].score
    return {
        "score": chance,
        "spans": tuple(dict.fromkeys(place.span for place in best)),
        "stated": tuple(
            RelationEvidence(
                place.sentence,
                place.rule,
                place.cue.quote(text).strip(),
                round(place.score * share, 3),
            )
            for place in best
        ),
    }
