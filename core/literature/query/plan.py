"""What a search is about to do, made once and passed on: the question as it is taken, its keywords,
the concepts that are weighed, and what the corpus says of them.

Every ranking mode gets the same plan and changes only what is its own. Words that no chunk holds
stay in the plan: they count in the coverage, and `missing` names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.literature.index.cluster import Spread
from core.literature.index.reader import ChunkIndex
from core.literature.index.statistics import CorpusStatistics, Pair, add_up, measure_index
from core.literature.index.tokens import ASKING_WORDS, Rows, fold_token, symbol_parts, text_units
from core.literature.query.abbreviation import AbbreviationExpansion, expansions
from core.literature.query.concept import (
    Concept,
    concepts,
    content_words,
    extract_keywords,
    neighbouring_units,
)
from core.literature.query.keyword import Keyword, LiteratureQuery
from core.literature.query.named_thing import FindNames, NamedThing
from core.literature.query.spelling import SpellingRepair, suggested_spellings
from core.literature.triage.paper_filter import PassageFilter


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """`synonyms`: keyword (case-folded) → other names. `included`, `excluded`: documents the
    curator marked.

    `names`: things that the question names are also looked for by their other names in the
    vocabularies. `marks` lets included documents broaden the question and leaves excluded ones out.
    `expand`: keywords are also looked for by the abbreviations and long forms that the corpus
    defines.
    `only`: the passages that are shown.

    A page tells requests apart by their hash, which a mapping has none of: two that differ only in
    `synonyms` are still not equal.
    """

    repair: bool = True
    expand: bool = True
    names: bool = True
    synonyms: Mapping[str, Sequence[str]] = field(default_factory=dict, hash=False)
    marks: bool = False
    included: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()
    only: PassageFilter | None = None

    @property
    def without(self) -> frozenset[str]:
        """Documents that are left out."""
        return self.excluded if self.marks else frozenset()


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """`question` after repairs; `keywords` are its chips; `missing` those that no chunk holds.

    `named_things` are the things that vocabularies know.

    `apart`: a symbol's unit → its letters and digits, which may stand apart (`IL 10`).
    `coverage`: whether the score is multiplied with it. `extra`: weights of units that only add to
    the score (broadening).
    """

    question: LiteratureQuery
    keywords: tuple[Keyword, ...]
    concepts: tuple[Concept, ...]
    pairs: tuple[Pair, ...]
    statistics: CorpusStatistics
    options: SearchOptions = SearchOptions()
    apart: Mapping[str, Rows] = field(default_factory=dict)
    repairs: tuple[SpellingRepair, ...] = ()
    expanded: tuple[AbbreviationExpansion, ...] = ()
    missing: tuple[str, ...] = ()
    named_things: tuple[NamedThing, ...] = ()
    coverage: bool = True
    extra: Mapping[str, float] = field(default_factory=dict)


def make_plan(
    question: LiteratureQuery,
    parts: Sequence[ChunkIndex],
    spread: Spread = map,
    options: SearchOptions | None = None,
    *,
    words_alone: bool = False,
    expands: bool = True,
    find_names: FindNames | None = None,
) -> QueryPlan:
    """The plan of a question. `words_alone`: keywords found by rules are single words; `expands`:
    the mode looks for abbreviations by their long forms; `find_names`: what vocabularies know.
    """
    options = options or SearchOptions()
    repaired, question = _repaired(question, parts, options)
    names = [name for keyword in question.keywords for name in keyword.names]
    apart = dict(symbol_parts(" , ".join([question.text, *names])))
    statistics = measured_plan(question.text, parts, spread=spread, more=names, apart=apart)
    named_things = _named_things(question, find_names) if find_names else ()
    phrases = extract_keywords(question.text, statistics, named_things)
    expanded = (
        expansions(question.keywords or phrases, parts, spread)
        if expands and options.expand and not words_alone
        else ()
    )
    more = _other_names(question.keywords or phrases, options, expanded)
    if expands and options.names:
        for thing in named_things:
            more.get(thing.keyword.casefold(), []).extend(thing.names)
    asked_concepts = tuple(
        concepts(question.text, question.keywords, phrases, statistics=statistics, more=more)
    )
    if words_alone and not question.keywords:
        keywords = _single_words(question.text, options)
    elif words_alone:
        keywords = tuple(_with_names(keyword, options) for keyword in question.keywords)
    else:
        keywords = _chips(asked_concepts)
    return QueryPlan(
        question,
        keywords,
        asked_concepts,
        pairs=tuple(neighbouring_units(question.text)),
        statistics=statistics,
        options=options,
        apart=_all_apart(apart, asked_concepts),
        repairs=repaired,
        expanded=expanded,
        missing=tuple(_missing(asked_concepts, statistics, parts)),
        named_things=named_things,
    )


def _named_things(question: LiteratureQuery, find_names: FindNames) -> tuple[NamedThing, ...]:
    """The things that a question names; only those that are keywords, where these are given."""
    keyword_keys = {keyword.text.casefold() for keyword in question.keywords if not keyword.case}
    things = find_names(question.text)
    return tuple(t for t in things if not question.keywords or t.keyword.casefold() in keyword_keys)


def measured_plan(
    text: str,
    parts: Sequence[ChunkIndex],
    *,
    spread: Spread = map,
    more: Iterable[str] = (),
    apart: Mapping[str, Rows] | None = None,
) -> CorpusStatistics:
    """What the corpus says of the units of a question and of `more` names."""
    pairs = tuple(neighbouring_units(text))
    units = set(text_units(text)) | {
        unit for words in more for unit in text_units(words) or fold_token(words).split()
    }
    symbols = dict(apart or {})
    return add_up(spread(lambda part: measure_index(part, units, pairs, symbols), parts))


def _chips(asked_concepts: Sequence[Concept]) -> tuple[Keyword, ...]:
    """The keywords that count; words that only ask are chips when there is nothing else."""
    counted = [concept for concept in asked_concepts if concept.counted]
    telling = [concept for concept in counted if not concept.only_asks]
    return tuple(concept.keyword for concept in telling or counted)


def _single_words(text: str, options: SearchOptions) -> tuple[Keyword, ...]:
    """The words that say something; those that only ask (`role`) when there are no others."""
    words = dict.fromkeys(content_words(text))
    telling = [word for word in words if not ASKING_WORDS.issuperset(text_units(word))]
    words = dict.fromkeys(telling) or words
    return tuple(_with_names(Keyword(word, by_rules=True), options) for word in words)


def _with_names(keyword: Keyword, options: SearchOptions) -> Keyword:
    more = options.synonyms.get(keyword.text.casefold(), ())
    return replace(keyword, synonyms=tuple(dict.fromkeys((*keyword.synonyms, *more))))


def _other_names(
    keywords: Sequence[Keyword],
    options: SearchOptions,
    expanded: Sequence[AbbreviationExpansion],
) -> dict[str, list[str]]:
    more = {
        keyword.text.casefold(): list(options.synonyms.get(keyword.text.casefold(), ()))
        for keyword in keywords
    }
    for abbreviation_expansion in expanded:
        more[abbreviation_expansion.keyword.casefold()].append(abbreviation_expansion.instead)
    return more


def _all_apart(apart: Mapping[str, Rows], asked_concepts: Sequence[Concept]) -> dict[str, Rows]:
    """The symbols of a question with those among the other names of its keywords."""
    names = [name for concept in asked_concepts for name in concept.keyword.synonyms]
    return {**dict(symbol_parts(" , ".join(names))), **apart}


def _missing(
    asked_concepts: Sequence[Concept], statistics: CorpusStatistics, parts: Sequence[ChunkIndex]
) -> Iterator[str]:
    """Keywords with a word that no chunk holds, and with no other name whose words are held; words
    that only ask (`cause`) are no keywords.
    """

    def corpus_holds(form: Sequence[str]) -> bool:
        return all(
            statistics.spread.get(unit, 0) or any(part.unit(unit) >= 0 for part in parts)
            for unit in form
        )

    for concept in asked_concepts:
        telling = concept.counted and not concept.only_asks
        if telling and not any(map(corpus_holds, (concept.units, *concept.names))):
            yield concept.keyword.text


# ------------------------------------------------------------------ typing errors


def _repaired(
    question: LiteratureQuery, parts: Sequence[ChunkIndex], options: SearchOptions
) -> tuple[tuple[SpellingRepair, ...], LiteratureQuery]:
    if not options.repair:
        return (), question
    texts = [question.text, *(keyword.text for keyword in question.keywords)]
    spelling_repairs = suggested_spellings(" ".join(texts), parts)
    for repair in (
        spelling_repair for spelling_repair in spelling_repairs if not spelling_repair.offered
    ):
        swapped = tuple(replace(k, text=_swap(k.text, repair)) for k in question.keywords)
        question = replace(question, text=_swap(question.text, repair), keywords=swapped)
    return tuple(spelling_repairs), question


def _swap(text: str, repair: SpellingRepair) -> str:
    """The text with a mistyped word replaced, whatever its case."""
    return " ".join(_swapped(word, repair) for word in text.split(" "))


def _swapped(word: str, repair: SpellingRepair) -> str:
    place = fold_token(word).find(repair.word)
    if place < 0 or len(fold_token(word)) != len(word):
        return word
    after = place + len(repair.word)
    if word[after : after + 1].isalpha() or (place and word[place - 1].isalpha()):
        return word
    return word[:place] + repair.instead + word[after:]
