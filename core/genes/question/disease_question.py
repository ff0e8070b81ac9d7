"""Questions on a disease: its genes, their places, and how it is inherited."""

from __future__ import annotations

import re

from core.genes.kinds.kind import Topic
from core.genes.question.disease_name import inherited_disease
from core.genes.question.kind_words import PLACE, chosen_by_words, species_named_in
from core.genes.question.out_of_scope import (
    asks_negative,
    beyond_disease,
    names_unknown_species,
    yes_or_no,
)
from core.genes.question.question import GeneQuestion, QuestionKind

_SOME_GENES = r"\b(?:(?:X|Y|sex)-linked|autosomal|recessive|dominant|mitochondrial)\b"
# `… and to Ehlers-Danlos syndrome`, `Marfan syndrome and Loeys-Dietz syndrome`; names of one are
# `… abnormalities and with or without seizures`, `… defects and immunodeficiency syndrome`
_TWO_DISEASES = re.compile(
    r"\band (?:to|for|of|by) |\b(?:syndrome|disease) and [\w' -]+ (?:syndrome|disease)$", re.I
)
_GENE_CLASS = r"(?:human )?(?:tumou?r[- ]suppress(?:or|ing|ion)s?|cancer driver|(?:proto-?)?onco)"


def question_on_disease(words: str, bare: str, disease: str) -> GeneQuestion:
    """The question on the genes of `disease`, or on their places; `bare` is without its end."""
    words_left = re.sub(
        r",? when (?:mutated|altered|defective|faulty)\b",
        "",
        bare.replace(disease, " "),
        flags=re.I,
    )
    why = (
        "It is a yes-or-no question; ask for the genes of the disease."
        if yes_or_no(words)
        else beyond_disease(words_left, disease)
    )
    of_animal = re.search(r"\bin (?:the |a )?\w+\W*$|^(?:the )?\w+ [A-Z]\w+$", disease)
    if of_animal and (species_named_in(disease) != "human" or names_unknown_species(disease)):
        why = "OMIM's diseases are human; it names another species."
    if re.fullmatch(
        r"(?:diseases?|disorders?|syndromes?|illness\w*|conditions?|mutations?)\b.{0,12}",
        disease,
        re.I,
    ):
        why = "It names no disease."
    if re.match(r"genes?\s|\S+\s+gene$", disease, re.I) or re.search(r"\bcauses?\b", disease, re.I):
        why = "It names a gene where a disease is expected."
    if re.fullmatch(_GENE_CLASS, disease, re.I):
        why = f"It names a class of genes ({disease}), not a disease."
    some = re.search(_SOME_GENES, words_left, re.I) or re.search(
        r"\bon (?:the )?(?:chr\w*\s?(?:\d{1,2}|[XY])|[XY] chromosome)\b", bare
    )
    if some:
        why = (
            f"It asks for some of the genes of a disease ({some[0]}); you can ask for all of them."
        )
    if re.match(r"both\b", disease, re.I) or _TWO_DISEASES.search(disease):
        why = "It names two diseases; ask for one at a time."
    if re.search(r"\binheritance\b", words_left, re.I):
        why = "It asks for genes and inheritance of a disease; ask for one at a time."
    if why:
        return GeneQuestion(words, QuestionKind.UNKNOWN, disease, why=why)
    return GeneQuestion(
        words,
        QuestionKind.DISEASE_LOCATIONS
        if re.search(PLACE, words_left, re.I)
        else QuestionKind.DISEASE_GENES,
        disease,
    )


def question_on_cause(words: str, bare: str) -> GeneQuestion | None:
    """`what causes cystic fibrosis`: its genes are what can be asked."""
    match = re.match(r"what (?:causes|is the cause of) (?:the )?(?P<disease>.{3,80})$", bare, re.I)
    if match is None:
        return None
    disease = re.sub(r"\s+genetically$", "", match["disease"], flags=re.I)
    why = f"It asks for the cause of {disease}; the genes of a disease can be asked."
    return GeneQuestion(words, QuestionKind.UNKNOWN, disease, why=why)


def question_on_inheritance(words: str, bare: str) -> GeneQuestion | None:
    """A question on how a disease is inherited (`Is Fabry disease X-linked?`)."""
    kind = chosen_by_words(bare, Topic.DISEASE)
    name = inherited_disease(bare) if kind is not None else ""
    if kind is None or not name or asks_negative(bare):
        return None
    return GeneQuestion(words, kind.name, name)
