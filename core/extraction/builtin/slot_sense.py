"""What a list of the thing that a text is about asks for, by the words of its slot: drugs that
treat it, genes that cause it, organisms that were found.

A thing fills such a list only where a sentence says so (see `slot_statement`); that the text names
it is not enough.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum, auto

from core.model import Category
from core.schema.definition import ClassDefinition, Slot


class SlotSense(StrEnum):
    """What a sentence must say for a thing to fill a list."""

    TREATED_WITH = auto()  # the thing treats what the text is about
    TREATED = auto()  # what the text is about treats the thing
    TARGET = auto()  # what the text is about acts on the thing
    FEATURE = auto()  # what the text is about has the thing as a symptom or sign
    CAUSAL_GENE = auto()
    GROUP = auto()  # the thing is what it belongs to
    MEMBER = auto()  # the thing is a part of the pathway
    PROCESS = auto()  # the pathway takes part in the thing
    SPECIES = auto()  # in which something was studied
    INHERITED = auto()  # how or when a disease comes
    FOUND = auto()  # in the samples of a study
    SAMPLED = auto()  # what or where a study took samples of
    NAMED = auto()  # any other list: that the text names it


@dataclass(frozen=True, slots=True)
class _Clue:
    """A sense, and what tells it: the words of the slot, and what the class with the slot is."""

    sense: SlotSense
    words: re.Pattern[str]
    owners: frozenset[Category] = frozenset()


_DRUG = frozenset((Category.CHEMICAL,))
_DISEASE = frozenset((Category.DISEASE, Category.PHENOTYPE))
_PATHWAY = frozenset((Category.PATHWAY, Category.PROCESS))
# In this order: "the genes whose variants cause the disease" before "the symptoms of the disease".
_CLUES = (
    _Clue(SlotSense.GROUP, re.compile(r"subclassof|\bgroups? of\b|\bbelongs to\b")),
    _Clue(SlotSense.TARGET, re.compile(r"\bacts? on\b|\btargets?\b"), _DRUG),
    _Clue(SlotSense.TREATED, re.compile(r"\btreats?\b"), _DRUG),
    _Clue(SlotSense.TREATED_WITH, re.compile(r"\btreat|\btherap"), _DISEASE),
    _Clue(SlotSense.CAUSAL_GENE, re.compile(r"\bgenes?\b"), _DISEASE),
    _Clue(SlotSense.FEATURE, re.compile(r"\b(?:symptom|sign|phenotype|feature)s?\b"), _DISEASE),
    _Clue(SlotSense.INHERITED, re.compile(r"\binherit|\bonsets?\b|\bages? at\b"), _DISEASE),
    _Clue(SlotSense.MEMBER, re.compile(r"\b(?:genes?|proteins?|molecules?)\b"), _PATHWAY),
    _Clue(SlotSense.SPECIES, re.compile(r"\b(?:organisms?|species|taxa)\b"), _PATHWAY),
    _Clue(SlotSense.PROCESS, re.compile(r"\bprocess"), _PATHWAY),
    _Clue(SlotSense.SAMPLED, re.compile(r"\bsampled\b|\bsampling\b")),
    _Clue(SlotSense.FOUND, re.compile(r"\b(?:were|was|are) found\b")),
)  # fmt: skip


def slot_sense(cls: ClassDefinition, slot: Slot) -> SlotSense:
    """The sense of a slot of the class that the whole text is about."""
    words = f"{slot.name.replace('_', ' ')} {slot.description} {slot.uri}".casefold()
    for clue in _CLUES:
        if (not clue.owners or cls.category in clue.owners) and clue.words.search(words):
            return clue.sense
    return SlotSense.NAMED
