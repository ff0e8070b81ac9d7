"""What was recognised in a text, as the things that a schema is filled with: mentions that two
classes claim, mentions inside longer ones, and all mentions of one thing together.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from core.curie import preferred_prefix
from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import Constraint
from core.grounding.match.name_match import is_symbol
from core.grounding.recognise.recogniser import RecognisedMention
from core.model import Candidate, Category, MatchKind, Span, fold_words
from core.support.reading.part_in_sentence import AGENT_IN_NAME

CONDITIONS = frozenset((Category.DISEASE, Category.PHENOTYPE))
MOLECULES = frozenset((Category.CHEMICAL, Category.GENE, Category.PROTEIN))
GENES = frozenset((Category.GENE, Category.PROTEIN))
_ENZYME = re.compile(
    r"(?<!dise)ase(?:\s\w{1,3})?$", re.IGNORECASE
)  # "G6P dehydrogenase", no disease
# "(APC) gene", "APC exon 15", "NF2 mutations"
_GENE_BEHIND = re.compile(
    r"\)?\s(?:tumou?r[- ]suppressor\s)?(?:genes?|loc(?:us|i)|exons?|introns?|promoter|protein"
    r"|m?RNA|cDNA|mutations?|mutants?|variants?|alleles?|transcripts?)\b"
)
CLEARLY = 0.05  # how much better another thing must bear a symbol than a gene that lists it


@dataclass(frozen=True, slots=True)
class MentionGroup:
    """All mentions of one thing of one class: spans in text order. `key` is its CURIE, or its
    folded words.
    """

    key: str
    cls: str
    spans: tuple[Span, ...]
    candidates: tuple[Candidate, ...]

    def within(self, span: Span) -> tuple[Span, ...]:
        return tuple(
            place for place in self.spans if span.start <= place.start and place.end <= span.end
        )


def chosen_annotations(
    text: str, annotations: Sequence[RecognisedMention], constraints: Mapping[str, Constraint]
) -> list[RecognisedMention]:
    """The annotations that a reader would make: one class where two claim the same words, no
    condition inside the name of a molecule or where a gene is meant, and no gene where a symbol
    names a chemical better.
    """
    kept = without_loose_symbols(without_parts_of_molecules(annotations, constraints), constraints)
    kept = without_gene_symbols_of_conditions(text, kept, constraints)
    return own_vocabulary_first(kept, constraints)


def without_gene_symbols_of_conditions(
    text: str, annotations: Sequence[RecognisedMention], constraints: Mapping[str, Constraint]
) -> list[RecognisedMention]:
    """Without the conditions that only list a gene's symbol or its enzyme among their other names:
    "mutations in USH2A" speaks of no Usher syndrome. An abbreviation that the text itself defines
    ("neurofibromatosis 2 (NF2)") was found by its long form, and stays unless the text speaks of it
    as a gene ("the adenomatous polyposis coli (APC) gene").
    """
    genes = {one.span for one in annotations if constraints[one.key].category in GENES}
    as_gene = {
        span.quote(text)
        for span in genes
        if is_symbol(span.quote(text)) and _GENE_BEHIND.match(text, span.end)
    }
    return [
        annotation
        for annotation in annotations
        if constraints[annotation.key].category not in CONDITIONS
        or annotation.span not in genes
        or not (
            annotation.span.quote(text) in as_gene or _names_gene(annotation.candidates[0].surface)
        )
    ]


def _names_gene(name: str) -> bool:
    return is_symbol(name) or _ENZYME.search(name) is not None


def without_loose_symbols(
    annotations: Sequence[RecognisedMention], constraints: Mapping[str, Constraint]
) -> list[RecognisedMention]:
    """Without the genes that only list a symbol among their other names, where it is the name of
    something else that the text may mean: CO2 is no complement factor, LPS no IRF6.
    """
    best: dict[Span, float] = {}
    for annotation in annotations:
        first = annotation.candidates[0]
        if not first.taxon:
            best[annotation.span] = max(best.get(annotation.span, 0.0), first.score)
    return [
        annotation
        for annotation in annotations
        if not (
            constraints[annotation.key].category in GENES
            and (first := annotation.candidates[0]).taxon
            and first.match is not MatchKind.LABEL
            and is_symbol(first.surface)
            and best.get(annotation.span, 0.0) - first.score > CLEARLY
        )
    ]


def without_parts_of_molecules(
    annotations: Sequence[RecognisedMention], constraints: Mapping[str, Constraint]
) -> list[RecognisedMention]:
    """Without the conditions inside a molecule's name: "tumor necrosis factor" names neither."""
    molecules = _LongerSpans(
        annotation.span
        for annotation in annotations
        if constraints[annotation.key].category in MOLECULES
    )
    return [
        annotation
        for annotation in annotations
        if constraints[annotation.key].category not in CONDITIONS
        or not molecules.hold(annotation.span)
    ]


def own_vocabulary_first(
    annotations: Sequence[RecognisedMention], constraints: Mapping[str, Constraint]
) -> list[RecognisedMention]:
    """Words that two classes of different things claim go to the one that has a vocabulary of its
    own for them: a term of a vocabulary that both share (MeSH holds chemicals and diseases) does
    not say of which class it is. A symptom stays one where a class takes diseases and symptoms.
    """
    sources: dict[Span, dict[str, set[str]]] = {}
    for annotation in annotations:
        names = {
            preferred_prefix(candidate.term.id.partition(":")[0]).casefold()
            for candidate in annotation.candidates
        }
        sources.setdefault(annotation.span, {})[annotation.key] = names
    annotations_left = []
    for annotation in annotations:
        rivals = {
            key: names
            for key, names in sources[annotation.span].items()
            if not _of_one_kind(constraints[key].category, constraints[annotation.key].category)
        }
        mine = {name.casefold() for name in constraints[annotation.key].vocabularies}
        if not any(
            _shared(sources[annotation.span][annotation.key], constraints[key]) and names - mine
            for key, names in rivals.items()
        ):
            annotations_left.append(annotation)
    return annotations_left


def _of_one_kind(category: Category, other: Category) -> bool:
    return (
        category == other
        or CONDITIONS.issuperset((category, other))
        or Category.THING in (category, other)  # what takes anything rivals no class
    )


def _shared(names: set[str], rival: Constraint) -> bool:
    return names <= {name.casefold() for name in rival.vocabularies}


def group_by_term(annotations: Iterable[RecognisedMention]) -> list[MentionGroup]:
    """Annotations of one class and one term together, in the order of their first mention."""
    groups: dict[tuple[str, str], list[RecognisedMention]] = {}
    for annotation in sorted(
        annotations, key=lambda annotation: (annotation.span.start, -annotation.span.end)
    ):
        term, _ = choose_candidate(annotation.candidates)
        key = term.id if term else " ".join(sorted(c.term.id for c in annotation.candidates))
        groups.setdefault((annotation.key, key), []).append(annotation)
    return [
        MentionGroup(key, cls, tuple(a.span for a in same), same[0].candidates)
        for (cls, key), same in groups.items()
    ]


def are_one_thing(group: MentionGroup, other: MentionGroup, text: str) -> bool:
    """Whether two things are one by two vocabularies, or one condition is the other in general:
    equal terms, one place where both are named, or two names of which one ends with the other
    ("cancer" in "breast cancer").
    """
    if group.key == other.key or set(group.spans) & set(other.spans):
        return True
    if not all(_is_condition(one) for one in (group, other)):
        return False
    ours, theirs = _own_names(group, text), _own_names(other, text)
    return any(a.endswith(b) or b.endswith(a) for a in ours for b in theirs)


def _is_condition(group: MentionGroup) -> bool:
    return bool(group.candidates) and group.candidates[0].term.category in CONDITIONS


def _own_names(group: MentionGroup, text: str) -> set[str]:
    """Every name that the text or the vocabulary gives to a thing, each after a blank."""
    words = {candidate.term.label for candidate in group.candidates[:1]}
    words |= {span.quote(text) for span in group.spans}
    return {f" {fold_words(word).removesuffix('s')}" for word in words}


def listed_once(
    named: Sequence[tuple[MentionGroup, tuple[Span, ...]]], text: str
) -> list[tuple[MentionGroup, tuple[Span, ...]]]:
    """The things of a list, each with where it is named, without those that have no term where
    another one of the same words has: of a mouse's gene that no vocabulary here holds, a list need
    not say the symbol again.
    """
    meant = [bool(choose_candidate(group.candidates)[0]) for group, _ in named]
    words = {
        span.quote(text)
        for (_, spans), has_term in zip(named, meant, strict=True)
        if has_term
        for span in spans
    }
    return [
        (group, spans)
        for (group, spans), has_term in zip(named, meant, strict=True)
        if has_term or words.isdisjoint(span.quote(text) for span in spans)
    ]


def outside_names(
    groups: Sequence[MentionGroup], others: Sequence[MentionGroup], text: str
) -> list[MentionGroup]:
    """Groups without the mentions that are only a part of another thing's longer name: the insulin
    of "insulin resistance" does nothing. That of "heparin-induced thrombocytopenia" does.
    """
    longer = _LongerSpans(span for group in others for span in group.spans)
    kept = (
        replace(group, spans=tuple(s for s in group.spans if not _only_part(s, longer, text)))
        for group in groups
    )
    return [group for group in kept if group.spans]


def _only_part(span: Span, longer: _LongerSpans, text: str) -> bool:
    return longer.hold(span) and not AGENT_IN_NAME.match(text, span.end)


class _LongerSpans:
    """Many spans, asked whether one of them is longer than another span and holds it: a text of
    2 MB has 60,000 mentions.
    """

    def __init__(self, spans: Iterable[Span]):
        in_order = sorted((span.start, span.end) for span in spans)
        self._starts = [start for start, _ in in_order]
        self._furthest = list(accumulate((end for _, end in in_order), max))

    def hold(self, span: Span) -> bool:
        earlier = bisect_left(self._starts, span.start)
        if earlier and self._furthest[earlier - 1] >= span.end:
            return True
        not_later = bisect_right(self._starts, span.start)
        return not_later > 0 and self._furthest[not_later - 1] > span.end
