"""Whether words that are a name stand within a longer name that no vocabulary here has: a part of
an unknown name is no mention.

"TAK" in "TAK-788", "SARS" in "SARS-CoV-2", "glucose" in "glucose-6-phosphatase": what follows a
hyphen with a number makes another name. Of 125 such mentions in BC5CDR train and BioRED 15 were
annotated as they stand. "glucagon" in "glucagon receptor agonist": the word behind makes another
molecule (of 93 chemicals and genes before such words 20 were annotated). "lung" in "lung cancer" is
the disease's, not the place of what is found in its cells. "infection" in "C. difficile infection"
is one that no vocabulary here has, not any infectious disease. "MS" in "LC-MS" is the end of a
method's short form. Enzymes are left alone: people annotate "creatine" in "creatine kinase".
"""

from __future__ import annotations

import re

from core.grounding.index.lexicon import Lexicon
from core.grounding.index.name_lookup import NameHit
from core.grounding.match.name_match import is_symbol
from core.grounding.recognise.text_words import Place

_HYPHENS = "‐‑-"
_GREEK = re.compile("[α-ωΑ-ΓΕ-Ω]")  # but Δ: what is missing of a protein
# Behind the mention: "-788", "-CoV-2", "-MB-231"
_NUMBERED = re.compile(rf"(?:[{_HYPHENS}][A-Z][A-Za-z]{{0,4}}){{0,2}}[{_HYPHENS}]\d")
_ISOTOPE = re.compile(rf"[{_HYPHENS}]\d{{3}}(?![\w{_HYPHENS}])")  # "thallium-201" is thallium
# "dopamine receptor", "glucose transporter": another molecule; a symbol before it is its own name
_CARRIERS = re.compile(
    rf"[ {_HYPHENS}](?:(?:co)?receptors?|transporters?|exchangers?|symporters?|binding protein)\b"
)
# "lung cancer", "kidney disease": what is wrong with a place, where no vocabulary here has it
_ILLS = re.compile(
    rf"[ {_HYPHENS}](?:cancers?|carcinomas?|tumou?rs?|\w*sarcomas?|lymphomas?|metastas[ei]s|disease"
    r"|diseases|failure|injur(?:y|ies)|fibrosis|infections?|inflammation|disorders?)\b"
)
# "infection" behind what it is of: "H. pylori", "HBV", "mycotic"; not behind "a chronic"
_INFECTION = re.compile(r"infections?", re.IGNORECASE)
_OF_WHAT = re.compile(
    r"(?:\b[A-Z]\. [a-z]+|\b[A-Z][\w-]*[A-Z\d][\w-]*"
    r"|\b(?!(?:clinical|critical|additional|general|initial|typical|historical|local|total|usual|several"
    r"|chronic|systemic|specific|symptomatic|asymptomatic|endemic|epidemic|previous|serious|various"
    r"|numerous|particular|similar|regular|virus|status|plus|versus|thus|via|simultaneous)\b)"
    r"[\w-]+(?:al|ic|ar|ous|us|ia|ae))[ \n]$",
)
_BEFORE = 40  # characters that are looked at
_PLACES = ("UBERON:", "CL:", "BTO:")
_MOLECULES = ("CHEBI:", "MESH:", "DRUGBANK:", "UNII:")
# "MS" behind "LC-": capitals alone
_CAPITALS_BEFORE = re.compile(rf"(?<![\w{_HYPHENS}])[A-Z]{{2,5}}[{_HYPHENS}]$")
_LETTERS = 4


def is_within_code(text: str, place: Place) -> bool:
    """Whether a number behind a hyphen, or a Greek letter, goes on with the name that ends here.

    >>> is_within_code("TAK-788 helps", (0, 3)), is_within_code("thallium-201 scans", (0, 8))
    (True, False)
    >>> is_within_code("PDGFRα falls", (0, 5))
    True
    """
    start, end = place
    if _GREEK.match(text, end):
        return True
    if text[end : end + 1] not in tuple(_HYPHENS) or not _NUMBERED.match(text, end):
        return False
    if any(map(str.isdigit, text[start:end])):
        return text[end + 1].isalpha()  # "IL1B-511C" is of IL1B, "SIK1-3" a range
    return not (text[end - 1].islower() and _ISOTOPE.match(text, end))


def names_left(
    text: str, end: int, names: tuple[tuple[Lexicon, NameHit], ...]
) -> tuple[tuple[Lexicon, NameHit], ...]:
    """The names of some words that the word behind leaves them: a molecule before "receptor" is
    another molecule's name; a gene's symbol is not.
    """
    if text[end : end + 1] not in (" ", *_HYPHENS):
        return names
    if _CARRIERS.match(text, end):
        return tuple(pair for pair in names if _is_gene_symbol(pair[1]))
    if _ILLS.match(text, end):
        return tuple(pair for pair in names if not pair[1].id.startswith(_PLACES))
    return names


def is_of_something(text: str, place: Place) -> bool:
    """Whether the word is "infection", and what it is an infection of stands before it.

    >>> [is_of_something(text, (len(text) - 9, len(text))) for text in (
    ...     "HCV infection", "a genital infection", "a chronic infection", "after an infection")]
    [True, True, False, False]
    """
    start, end = place
    if not _INFECTION.fullmatch(text, start, end):
        return False
    return _OF_WHAT.search(text, max(0, start - _BEFORE), start) is not None


def _is_gene_symbol(hit: NameHit) -> bool:
    return is_symbol(hit.text) and not _is_molecule(hit)


def _is_molecule(hit: NameHit) -> bool:
    return hit.id.startswith(_MOLECULES)


def ends_short_form(text: str, place: Place) -> bool:
    """Whether a few capitals stand behind others and a hyphen: "LC-MS".

    >>> ends_short_form("by LC-MS alone", (6, 8))
    True
    """
    start, end = place
    return (
        end - start <= _LETTERS
        and text[start - 1 : start] in tuple(_HYPHENS)
        and text[start:end].isalpha()
        and text[start:end].isupper()
        and _CAPITALS_BEFORE.search(text, max(0, start - 6), start) is not None
    )
