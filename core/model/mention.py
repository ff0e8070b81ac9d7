"""Words in a text, and the terms that they may mean."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.model.term import Category, Term
from core.model.text import Span


class MatchKind(StrEnum):
    """How the words of a mention met a name of a term, best first."""

    PROJECT = "project"  # a curator chose it before
    LABEL = "label"
    EXACT = "exact synonym"
    NORMALISED = "normalised"  # case, hyphen, plural, Greek, word order, …
    NARROW = "narrow synonym"
    BROAD = "broad synonym"
    RELATED = "related synonym"
    ABBREVIATION = "abbreviation"
    PARTIAL = "partial"
    FUZZY = "fuzzy"
    CURATOR = "curator"  # typed by hand
    ENUM = "value set"  # a permissible value of the schema
    REMOTE = "remote"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A term that may be meant. `surface` is the name that matched, `differed` says what was folded
    to match it.
    """

    term: Term
    match: MatchKind
    score: float
    surface: str = ""
    differed: str = ""
    vocabulary: str = ""
    version: str = ""
    obsolete: bool = False
    replaced_by: str = ""
    taxon: str = ""  # a NCBITaxon CURIE, where the vocabulary says of which species the term is


class Outcome(StrEnum):
    """The outcome of a mention's grounding."""

    GROUNDED = "grounded"
    AMBIGUOUS = "ambiguous"
    UNGROUNDED = "ungrounded"
    NO_TERM_FITS = "no term fits"


@dataclass(frozen=True, slots=True)
class Mention:
    """Words in a text and what they may mean.

    `slot` is the place in the tree (`triples[0].subject`), `cls` the schema class of that place,
    `spans` every occurrence with the primary one first (empty: not in the text). `chosen_by` is an
    ORCID, or `engine`, `project`. `taxon` is the species that a gene is of, a NCBITaxon CURIE;
    `taxon_by` says whence: `text` (the organism named nearest), `document` (the run's default), or
    the ORCID of who set it.
    """

    text: str
    slot: str
    cls: str
    category: Category = Category.THING
    spans: tuple[Span, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    chosen: Term | None = None
    chosen_by: str = ""
    outcome: Outcome = Outcome.UNGROUNDED
    flags: tuple[str, ...] = ()  # "not in text", "echo", "paraphrase"
    taxon: str = ""
    taxon_by: str = ""
