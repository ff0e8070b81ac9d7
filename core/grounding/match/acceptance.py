"""Whether words in a text that fold to a name are meant as that name: case of symbols, short names,
common words.
"""

from __future__ import annotations

import re

from core.grounding.index.name_lookup import NameHit
from core.grounding.match.name_match import is_symbol
from core.grounding.match.word_forms import BODY, COMMON, PARTICLES
from core.grounding.readers.record import SynonymScope
from core.grounding.recognise.species import HUMAN

# Names that end so are diseases whatever their first word is
_DISEASE = re.compile(
    r"(?:syndromes?|diseases?|disorders?|deficiency|dystrophy|an?emia|carcinoma|cancer|ataxia)$",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(r"[a-z]+i[sz]ed")  # "localized" says where, and names nothing
# "thrombocytopenia in 4": how many had it, and not its fourth type
_COUNTED = re.compile(r"\b(?:in|of|on|at|for|after|by|with|from)\s\d+$", re.IGNORECASE)
# "thrombin in human plasma" says where it is, and is not the name "thrombin, human"
_IN_SPECIES = re.compile(
    r"\b(?:in|of|from|for|with|by|on)\s(?:humans?|mouse|mice|rats?|bovine)$", re.IGNORECASE
)
# Written small these are English, not amino acids or a genus of crabs
_ENGLISH = frozenset(("met", "his", "pro", "gly", "ser", "val", "asp", "ala", "cancer"))
_MOLECULES = ("CHEBI:",)
_WRITTEN_LARGE = ("CHEBI:", "NCBITaxon:")
# "16S" is a ribosome's RNA, although ChEBI writes sulfur so, by its atomic number
_ATOMIC_NUMBER = re.compile(r"\d{1,3}[A-Z][a-z]?")
_ELEMENT = re.compile(r"[a-z]+ atom")
_APART = re.compile(r"[\s.]")  # "Part 1" is no PART1
# Written so these are a method, proteins with sugar or of other chains, a mutagen of fried meat, a
# prophylaxis, a test of memory and a lipoprotein's cholesterol
_NO_PROTEIN = frozenset(("ChIP", "HbA1", "HbA2", "PhIP", "PrEP", "MoCA", "LDLc"))
# "NETs" are several, "PstI" cuts DNA, "CCl4" is a formula, "Fig4" is a picture
_NO_SYMBOL = re.compile(
    r"[A-Z\d]+s|[A-Z][a-z]{2}I{1,3}"
    r"|(?:(?:Cl|Br|Na|Ca|Mg|Fe|Zn|Cu|Mn|Co|Ni|Cd|Hg|Pb|Al|Si|Se|Li|Ag|Au|Ti|Cr|Ba|[CHNOPSFKI])\d*){2,}"
    r"|(?:Fig|Tab|Part|Aim|Arm|Day|Step|Wave|Task|Test|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
    r"|March|June|July|April)\d+"
)
_DESIGNS = (" study", " studies", " trial", " trials")
SHORT = 4  # letters; names up to this length must be written in the vocabulary's case


def acceptable(surface: str, hit: NameHit, column: str = "ordered") -> bool:
    """Whether `surface` may be taken as the name `hit`, as a careful reader would.

    >>> acceptable("WAS", NameHit("HGNC:12731", "WAS", "WAS", SynonymScope.LABEL))
    True
    >>> acceptable("was", NameHit("HGNC:12731", "WAS", "WAS", SynonymScope.LABEL))
    False
    """
    folded = surface.casefold()
    if surface in _ENGLISH and hit.id.startswith(_WRITTEN_LARGE):
        return False
    if _IN_SPECIES.search(surface) and not _IN_SPECIES.search(hit.text):
        return False
    if surface[-1:].isdigit() and _COUNTED.search(surface) and not _COUNTED.search(hit.text):
        return False
    is_label = hit.scope is SynonymScope.LABEL
    # "Brain" is also a trade name, and a gland is no preparation of it
    if folded in BODY and (not is_label or hit.id.startswith(_MOLECULES)):
        return False
    if hit.taxon and _DISEASE.search(surface):
        return False  # a gene is listed under the disease that it causes
    if hit.taxon and surface.islower() and surface.endswith("s") and hit.text[-1:] not in "sS":
        return False  # "statins" are drugs, and no gene that is called statin
    if _ATOMIC_NUMBER.fullmatch(surface) and _ELEMENT.fullmatch(hit.label):
        return False
    if folded.endswith(_DESIGNS):
        return False  # how a text came about, not what it is about
    written_so = _is_written_so(
        surface, folded, hit.text, is_label=is_label and not hit.obsolete, column=column
    )
    return written_so or (hit.taxon == HUMAN and _is_protein_of(surface, hit.text))


def _is_written_so(surface: str, folded: str, name: str, *, is_label: bool, column: str) -> bool:
    if len(surface) < 2 or surface.isdigit() or ("," in surface and "," not in name):
        return False
    if not any(map(str.isalpha, surface)) and surface != name:
        return False  # "10-6" is a number, and not 10^[6]
    first = surface.partition(" ")[0]
    if first in PARTICLES and first != surface and not name.startswith(first):
        return False  # "at 10" is a time, and no drug called AT 10
    if folded in PARTICLES and (len(surface) < 3 or surface != name or not surface.isupper()):
        return False
    if (
        column == "solid"
        and (len(surface) < 4 or not any(c.isdigit() for c in surface))
        and not is_symbol(name)
    ):
        return len(surface) > 6
    if len(surface) <= 2:
        return surface == name and (name.isupper() or any(c.isdigit() for c in name)) and is_label
    if _acronym(name) or is_symbol(name):
        return _same_case(surface, name)
    if folded in COMMON or _PARTICIPLE.fullmatch(surface):
        return False
    return len(name) > SHORT or (folded == name.casefold() and not _acronym(surface))


def _acronym(name: str) -> bool:
    return name.isupper() and len(name) <= 6 and name.isalnum()


def _same_case(surface: str, name: str) -> bool:
    """Equal but for hyphens and a plural s."""
    surface_letters, name_letters = (_bare(surface), _bare(name))
    return surface_letters == name_letters or (
        surface_letters.endswith("s") and surface_letters[:-1] == name_letters
    )


def _is_protein_of(surface: str, symbol: str) -> bool:
    """Whether a human gene's symbol is written as papers write its protein: the first letter large
    and a digit or another large letter behind it. What begins small may be another thing (eGFR is a
    filtration rate, cAMP no cathelicidin).

    >>> _is_protein_of("Smad3", "SMAD3"), _is_protein_of("RhoA", "RHOA")
    (True, True)
    >>> _is_protein_of("Rest", "REST"), _is_protein_of("eGFR", "EGFR")
    (False, False)
    """
    letters = _bare(surface)
    return (
        len(letters) >= SHORT
        and not _APART.search(surface)
        and symbol.isupper()
        and is_symbol(symbol)
        and letters.casefold() == _bare(symbol).casefold()
        and letters[0].isupper()
        and not letters.isupper()
        and any(c.isdigit() or c.isupper() for c in letters[1:])
        and letters not in _NO_PROTEIN
        and not _NO_SYMBOL.fullmatch(letters)
    )


def _bare(text: str) -> str:
    return "".join(c for c in text if c.isalnum())
