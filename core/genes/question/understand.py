"""Understanding a question by rules: what kind it is and what it asks about. What is not understood
says so.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.errors import InputError
from core.genes.kinds import band, coordinates, strand
from core.genes.kinds.kind import Topic
from core.genes.kinds.registry import KINDS
from core.genes.question.change_name import notations_in, spelled_out
from core.genes.question.change_question import question_on_change
from core.genes.question.claim_question import question_with_claim
from core.genes.question.disease_name import disease_of, names_disease
from core.genes.question.disease_question import (
    question_on_cause,
    question_on_disease,
    question_on_inheritance,
)
from core.genes.question.gene_kind_question import by_gene_words
from core.genes.question.gene_name import protein_in, symbol_in, symbols_in
from core.genes.question.gene_question import (
    question_on_ensembl_id,
    question_on_gene,
    question_on_product,
)
from core.genes.question.kind_words import (
    ENSEMBL_ID,
    PLACE,
    RS_NUMBER,
    chosen_by_words,
    gene_number_in,
    species_named_in,
)
from core.genes.question.normalisation import mend_typos, without_answer_instructions
from core.genes.question.question import MAX_QUESTION, GeneQuestion, QuestionKind
from core.genes.question.record_question import (
    question_on_accession,
    question_on_accession_gene,
    question_on_organism,
)
from core.genes.question.region_name import region_of
from core.genes.question.region_question import question_on_region
from core.genes.question.sequence_question import (
    find_residues,
    find_sequence,
    question_on_residues,
    question_on_sequence,
)
from core.genes.question.variant_question import question_on_variant

MAX_WORDS = 2_000  # characters of a question without a sequence
MOST_NAMES = 20  # names that one question may hold


def understand_question(text: str) -> GeneQuestion:
    """The question as kind and subject. Raises InputError when it is empty or too long
    (`MAX_QUESTION`).
    """
    words = " ".join(text.split())
    if not words:
        raise InputError("The question is empty.", "Type a question, or choose an example.")
    if len(words) > MAX_QUESTION:
        raise InputError(
            f"The question has {len(words):,} characters; at most {MAX_QUESTION:,} are taken."
        )
    if len(words) > MAX_WORDS and not (find_sequence(text) or find_residues(text)):
        why = (
            f"It has {len(words):,} characters and no sequence; a question has at most"
            f" {MAX_WORDS:,}."
        )
        return GeneQuestion(words, QuestionKind.UNKNOWN, why=why)
    bare = spelled_out(without_answer_instructions(mend_typos(words)))
    gene_question = (
        question_with_claim(words, bare.rstrip("?.! "), species_named_in(words))
        or _of_several(_spaced(bare))
        or _of_two_things(_question_of_words(text, bare), bare)
    )
    return replace(gene_question, text=words)


def _spaced(words: str) -> str:
    """`KRAS; NRAS; HRAS` of `KRAS;NRAS;HRAS`."""
    return re.sub(r"(?<=[A-Za-z0-9])([;,])(?=[A-Za-z])", r"\1 ", words)


def _of_two_things(question: GeneQuestion, words: str) -> GeneQuestion:
    """A question on one gene or variant that asks for two things (`band and UniProt id of KRT12`)
    is declined: one of them alone would be half an answer. A strand is part of coordinates.
    """
    kind = KINDS.get(question.kind)
    if kind is None or kind.topic not in (Topic.GENE, Topic.VARIANT, Topic.CHANGE) or question.more:
        return question
    others = _each_asked(words, kind.topic, question.subject) - {kind.name}
    if not others:
        return question
    if {kind.name, *others} - {QuestionKind.GENE_LOCATION, coordinates.KIND.name} == {
        strand.KIND.name
    }:
        return replace(question, kind=coordinates.KIND.name)
    kinds_asked = ", ".join(sorted({kind.name, *others}))
    why = f"It asks for several things at once ({kinds_asked}); ask for one at a time."
    return replace(question, kind=QuestionKind.UNKNOWN, why=why)


# what the values of a list come with: `GO terms with evidence codes and PMIDs`
_WITH_PROOF = re.compile(
    r"\bwith (?:(?:their|its|the|all) )*(?:(?:evidence(?: codes?)?|pmids?|references|papers"
    r"|citations|sources)(?:,? and |, )?)+",
    re.I,
)


def _each_asked(words: str, topic: Topic, subject: str) -> set[str]:
    """The kinds that the parts of a question joined by `and` select each by itself; none where a
    part selects no kind.
    """
    words = _WITH_PROOF.sub("", words.replace(subject, "SUBJECT"))
    parts = re.split(r",? and (?:the |its )?|, ", words)
    chosen = [_asked_in(part, topic) for part in parts]
    if len(parts) < 2 or not all(chosen):
        return set()
    finer = {band.KIND.name, coordinates.KIND.name} & set(chosen)
    return set(chosen) - ({QuestionKind.GENE_LOCATION} if finer else set())


def _asked_in(part: str, topic: Topic) -> str:
    """The kind that a part of a question selects; nothing where it selects none."""
    if kind := chosen_by_words(part, topic):
        return kind.name
    if topic is Topic.GENE and re.search(rf"\b(?:{PLACE})", part, re.I):
        return QuestionKind.GENE_LOCATION
    if topic is Topic.GENE and re.search(r"\b(?:alias\w*|synonyms?|symbol)\b", part, re.I):
        return QuestionKind.ALIAS
    return ""


def topic_of(question: GeneQuestion) -> Topic | None:
    """What a question that was not understood is about; None where it names nothing that is
    known.
    """
    subject = question.subject
    if not subject:
        return None
    if RS_NUMBER.fullmatch(subject):
        return Topic.VARIANT
    if notations_in(subject):
        return Topic.CHANGE
    if re.fullmatch(r"[A-Z]{2}_\d+(?:\.\d+)?", subject):
        return Topic.ACCESSION
    if region_of(subject):
        return Topic.REGION
    if find_sequence(subject) or find_residues(subject):
        return Topic.SEQUENCE
    disease_named = re.search(r"\s", subject) or names_disease(subject)
    return Topic.DISEASE if disease_named else Topic.GENE


def _of_several(words: str) -> GeneQuestion | None:
    """A question on several genes that are named side by side (`LMP10, CD20 and HER2`): what is
    asked of the first is asked of each.
    """
    names = [
        symbol
        for symbol in symbols_in(words.rstrip("?.! "))
        if re.search(r"\d|[A-Z].*[A-Z]", symbol)
    ]
    if not 2 <= len(names) <= MOST_NAMES or RS_NUMBER.search(words):
        return None
    between = r"\s*(?:,\s*and\s|,\s*or\s|,|;|&|/|\band\b|\bor\b)\s*(?:the\s+)?"
    listed = between.join(re.escape(name) for name in names)
    words = re.sub(rf"\bgenes\b(?=\W+{re.escape(names[0])})", "gene", words, flags=re.I)
    single, count = re.subn(rf"(?<![\w-]){listed}(?![\w-])", names[0], words, flags=re.I)
    if count != 1:
        return None
    question = _question_of_words(single, single)
    kind = KINDS.get(question.kind)
    if kind is None or kind.topic is not Topic.GENE or question.subject != names[0]:
        return None
    return replace(question, more=tuple(names[1:]))


def _question_of_words(text: str, words: str) -> GeneQuestion:
    """`words` is the text on one line, with slips in carrier words mended."""
    if sequence := find_sequence(text):
        return question_on_sequence(text, words, sequence)
    if residues := find_residues(text):
        return question_on_residues(words, residues)
    species = species_named_in(words)
    if match := RS_NUMBER.search(words):
        return question_on_variant(words, f"rs{match[1]}")
    bare = re.sub(r"\s*Let'?s (?:decompose|think).*$", "", words, flags=re.I).rstrip("?.! ")
    if question := (
        question_on_change(words, bare, species)
        or question_on_region(words, bare)
        or question_on_accession_gene(words, bare)
        or question_on_accession(words)
        or question_on_organism(words, bare)
        or question_on_inheritance(words, bare)
    ):
        return question
    if question := by_gene_words(words, bare, species):
        return question
    if match := ENSEMBL_ID.search(bare):
        return question_on_ensembl_id(words, bare, match[0].upper().partition(".")[0])
    if number := gene_number_in(bare):
        return question_on_gene(words, bare, number, species, default=QuestionKind.ALIAS)
    if question := question_on_product(words, bare, species):
        return question
    if disease := disease_of(bare):
        return question_on_disease(words, bare, disease)
    if question := question_on_cause(words, bare):
        return question
    name = symbol_in(bare) or protein_in(bare)
    return question_on_gene(words, bare, name, species, default=QuestionKind.ALIAS)
