"""Which properties of an ontology give a term further names, and in which languages names are
kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from core.grounding.readers.ledger import Ledger
from core.grounding.readers.record import SynonymScope, TermName

_OBO = "http://purl.obolibrary.org/obo/"
_OIO = "http://www.geneontology.org/formats/oboInOwl#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_NCIT = "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#"
SYNONYM_PROPERTIES = {
    f"{_OIO}hasExactSynonym": SynonymScope.EXACT,
    f"{_OIO}hasNarrowSynonym": SynonymScope.NARROW,
    f"{_OIO}hasBroadSynonym": SynonymScope.BROAD,
    f"{_OIO}hasRelatedSynonym": SynonymScope.RELATED,
    f"{_OIO}hasSynonym": SynonymScope.RELATED,
    f"{_SKOS}altLabel": SynonymScope.EXACT,
    f"{_SKOS}hiddenLabel": SynonymScope.RELATED,
    f"{_OBO}IAO_0000118": SynonymScope.EXACT,  # alternative label
    f"{_OBO}IAO_0000111": SynonymScope.EXACT,  # editor preferred term
    f"{_OBO}IAO_0000589": SynonymScope.EXACT,  # OBO Foundry unique label
    f"{_OBO}OMO_0003008": SynonymScope.PREVIOUS,  # previous name
    f"{_NCIT}P90": SynonymScope.EXACT,  # FULL_SYN
    f"{_NCIT}P108": SynonymScope.EXACT,  # Preferred_Name
    "http://www.ebi.ac.uk/efo/alternative_term": SynonymScope.EXACT,
    "http://schema.org/alternateName": SynonymScope.EXACT,
    "https://schema.org/alternateName": SynonymScope.EXACT,
    "http://purl.org/dc/terms/alternative": SynonymScope.EXACT,
    "http://purl.org/sig/ont/fma/synonym": SynonymScope.EXACT,
}
# No language, several, not said; Latin is written in English texts too (cor, E. coli)
_ALWAYS = frozenset(("", "en", "la", "mul", "und", "zxx"))

WrittenName = tuple[str, str, SynonymScope]  # words, language tag (may be empty), scope


def languages_file(path: Path) -> Path:
    """Where the languages stand in which names of a file are wanted."""
    return path.with_name(f"{path.name}.languages")


def languages_of(path: Path) -> tuple[str, ...]:
    """The languages that a person wants of a file beside English; none where nobody said."""
    place = languages_file(path)
    return tuple(place.read_text(encoding="utf-8").split()) if place.exists() else ()


def names_in_languages(
    names: Sequence[WrittenName], languages: Sequence[str], ledger: Ledger
) -> list[TermName]:
    """A term's names in English, Latin and without a language, and in `languages` (two letters;
    `all`); all of a term that has none of these. Those left out are counted.
    """
    wanted = {language.lower() for language in languages}
    kept = [name for name in names if "all" in wanted or _primary(name[1]) in _ALWAYS | wanted]
    if not kept:
        kept = list(names)
    for _, language, _ in names if len(kept) < len(names) else ():
        if _primary(language) not in _ALWAYS | wanted:
            ledger.leave("language", _primary(language))
    scopes: dict[str, SynonymScope] = {}
    for text, _, scope in kept:
        if words := text.strip():
            scopes.setdefault(words, scope)
    return [TermName(text, scope) for text, scope in scopes.items()]


def label_of(names: Iterable[WrittenName]) -> WrittenName | None:
    """The name to call a term by: in English or without a language, else the first in order."""
    ordered = sorted(names, key=lambda name: (_primary(name[1]) not in ("", "en"), name[0]))
    return next(iter(ordered), None)


def _primary(language: str) -> str:
    return language.replace("_", "-").partition("-")[0].lower()
