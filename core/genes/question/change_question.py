"""Questions on a change of a gene (`BRAF V600E`, `NM_007294.4:c.5266dup`)."""

from __future__ import annotations

import re

from core.genes.kinds.kind import Topic
from core.genes.question.change_name import (
    PROTEIN_CHANGE,
    GeneChange,
    notations_in,
    other_reference,
    transcript_in,
    unreadable_change,
    without_change,
    without_unreadable,
)
from core.genes.question.gene_name import symbol_in
from core.genes.question.kind_words import chosen_by_words
from core.genes.question.out_of_scope import asks_negative, out_of_scope_reason
from core.genes.question.question import GeneQuestion, QuestionKind

_ONCOLOGY = re.compile(r"\boncogen\w*|\bdrugs?\b|\btreat\w*|\btherap\w*|\binhibit\w*", re.I)


def question_on_change(words: str, bare: str, species: str) -> GeneQuestion | None:
    """The question on the change that the words name; None where they name no change, or no gene
    beside it: genes are called like changes too (S100P).
    """
    notations = notations_in(bare)
    if reference := other_reference(bare):
        why = (
            f"It names a change on {reference}; name the gene or a RefSeq transcript (NM_…:c.…),"
            " or the rs number."
        )
        return GeneQuestion(words, QuestionKind.UNKNOWN, why=why)
    if (why := unreadable_change(bare)) and not notations:
        gene = symbol_in(without_unreadable(bare))
        subject = gene if re.search(r"\d|[A-Z].*[A-Z]", gene) else ""
        return GeneQuestion(words, QuestionKind.UNKNOWN, subject, species, why=why)
    around = without_change(bare)
    kind = chosen_by_words(around, Topic.CHANGE)
    gene = symbol_in(re.sub(kind.words, " ", around, flags=re.I) if kind else around)
    transcript = transcript_in(bare)
    written_out = re.search(r"\b[cp]\.", bare)  # then the gene may be in small letters
    beside = kind is not None and bool(gene) and _is_beside_change(gene, bare)
    if not re.search(r"\d|[A-Z].*[A-Z]", gene) and not written_out and not beside:
        gene = ""
    if not notations or not (transcript or gene):
        return None
    coding = [notation for notation in notations if notation.startswith("c.")]
    named = coding if len(coding) == 1 else notations
    shown = ", ".join(notations)
    if len(named) > 1:
        why = f"It names several changes ({shown}); ask for one at a time."
        return GeneQuestion(words, QuestionKind.UNKNOWN, gene or transcript, species, why=why)
    change = GeneChange(transcript or gene, named[0], gene if transcript else "")
    beyond = out_of_scope_reason(re.sub(kind.words, " ", around, flags=re.I)) if kind else ""
    if beyond:
        why = f"{beyond} That is more than one thing; ask for one at a time."
        return GeneQuestion(words, QuestionKind.UNKNOWN, change.subject, why=why)
    if kind is not None and species == "human" and not asks_negative(around):
        return GeneQuestion(words, kind.name, change.subject)
    asked = out_of_scope_reason(around) or (
        f"It names {change.subject}, but not what to find: its clinical significance or its rs"
        " number."
    )
    if species != "human":
        asked = "ClinVar holds human variants only."
    elif _ONCOLOGY.search(around):
        asked = f"OncoKB (Other APIs) knows what {change.subject} means for a treatment."
    return GeneQuestion(words, QuestionKind.UNKNOWN, change.subject, species, why=asked)


def _is_beside_change(gene: str, bare: str) -> bool:
    """Whether the word stands next to a change (`braf V600E`, `V600E in braf`): it is a gene's name
    in small letters too.
    """
    name = re.escape(gene)
    return any(
        re.search(rf"(?<![\w-]){name}(?: gene)?\s*$", bare[: match.start()])
        or re.match(rf"\s+(?:in|of) (?:the )?(?:gene )?{name}(?![\w-])", bare[match.end() :])
        for match in PROTEIN_CHANGE.finditer(bare)
    )
