"""The names of one vocabulary that a mention may mean: as it stands, written out, without brackets;
and, for want of better, parts of it and misspellings.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.grounding.index.lexicon import Lexicon, LexiconTerm
from core.grounding.index.name_lookup import NameHit
from core.grounding.match import mention_wording
from core.grounding.match.misspelling import misspelt_names
from core.grounding.match.name_match import EQUAL_WORD, FORMS, NameMatch, exact_names, scale_match
from core.grounding.match.rare_words import NARROWER, near_names
from core.grounding.readers.record import SynonymScope, identifier
from core.model import MatchKind

GOOD = 0.75  # with a match this good, parts and misspellings are not looked for
# Words that name a thing as well as this mean no other by another form of the word:
# "vaccination" is a procedure, and no vaccinia.
NAMED = 0.9
# Characters: beyond it a phrase is no mention, and its parts, one for each word, are not tried.
LONGEST_PHRASE = 600
LATER_NAMED = 0.01  # what a name said together with others loses by standing behind another
OTHERWISE = 0.7  # the share of its score that a name keeps where the text says what it is short for


def written_out_here(words: str, context: str, lexicons: Iterable[Lexicon]) -> str:
    """What the text says that the words are short for; empty where it does not say."""
    if long := mention_wording.written_out(words, context):
        return long
    before = mention_wording.said_before(words, context)
    known = list(lexicons) if before else []
    return next((name for name in before if any(_is_named(lexicon, name) for lexicon in known)), "")


def _is_named(lexicon: Lexicon, name: str) -> bool:
    matches = exact_names(lexicon, name)
    # "26 gene" of "connexin 26 gene (GJB2)" is no gene 26
    return bool(matches) and matches[0].score >= GOOD and "word order" not in matches[0].differed


def exact_matches(lexicon: Lexicon, words: str, long: str) -> list[NameMatch]:
    """Names that equal the words, the words without brackets, or `long`, what the text says they
    abbreviate.
    """
    by_words = exact_names(lexicon, words)
    for part in mention_wording.other_words(words):
        by_words += [
            scale_match(match, MatchKind.ABBREVIATION, part.score_share, part.note)
            for match in exact_names(lexicon, part.text)
        ]
    if bare := mention_wording.without_brackets(words):
        by_words += [
            scale_match(match, MatchKind.NORMALISED, 0.97, "brackets")
            for match in exact_names(lexicon, bare)
        ]
    if not long:
        return by_words
    written = [
        scale_match(match, MatchKind.ABBREVIATION, 0.97, f"short for “{long}”")
        for match in exact_names(lexicon, long)
    ]
    written_ids = {match.hit.id for match in written}
    return written + [
        match if match.hit.id in written_ids else replace(match, score=match.score * OTHERWISE)
        for match in by_words
    ]


def matches_by_id(lexicon: Lexicon, words: str) -> list[NameMatch]:
    """The term whose id the words are: models answer with ids at times."""
    curie = identifier(words) if ":" in words else ""
    term = lexicon.term(curie) if curie else None
    return [NameMatch(hit_of_term(term), MatchKind.EXACT, 0.98, ("id",))] if term else []


def is_as_written(match: NameMatch) -> bool:
    """Whether words are a name as they stand, but for case, spelling and number."""
    return match.score >= NAMED and FORMS.isdisjoint(match.differed) and not match.hit.obsolete


def loose_matches_of(lexicon: Lexicon, words: str, long: str, context: str) -> list[NameMatch]:
    """Parts of the phrase and misspellings, for want of better."""
    loose_matches: list[NameMatch] = []
    for form in dict.fromkeys((words, mention_wording.without_brackets(words), long)):
        first_named = 1.0
        if 0 < len(form) <= LONGEST_PHRASE:
            loose_matches += misspelt_names(lexicon, form)
            for part in (*mention_wording.phrase_parts(form), *mention_wording.longer_names(form)):
                matches = exact_names(lexicon, part.text) or misspelt_names(lexicon, part.text)
                part_matches = [_part_match(part, match) for match in matches[:3]]
                if part.note == mention_wording.ONE_OF_SEVERAL and part_matches:
                    part_matches = [_after(match, first_named) for match in part_matches]
                    first_named = part_matches[0].score - LATER_NAMED
                loose_matches += part_matches
            near = near_names(lexicon, form, context)
            # Words that are a name, however loosely met, mean no narrower thing.
            named = bool(exact_names(lexicon, form))
            loose_matches += [m for m in near if not (named and NARROWER in m.differed)]
    return loose_matches


def _after(match: NameMatch, most: float) -> NameMatch:
    """A name said together with others, behind those that were said before it."""
    return replace(match, score=min(match.score, most))


def _part_match(part: mention_wording.PhrasePart, match: NameMatch) -> NameMatch:
    """A name met by a piece of the phrase. A piece in other words that is met by an equal word is
    only offered: "skin lesions" is no abnormality of the skin. Of such answers 58 % were right on
    BC5CDR and NCBI Disease train.
    """
    again = part.reworded and EQUAL_WORD in match.differed
    return scale_match(
        match,
        MatchKind.PARTIAL,
        min(part.score_share, mention_wording.VAGUE) if again else part.score_share,
        part.note,
    )


def hit_of_term(term: LexiconTerm) -> NameHit:
    return NameHit(
        term.id,
        term.label,
        term.label,
        scope=SynonymScope.LABEL,
        obsolete=term.obsolete,
        replaced_by=term.replaced_by,
        taxon=term.taxon,
    )
