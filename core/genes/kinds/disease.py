"""Questions about a disease: its genes, and where they lie.

OMIM's `locus` is used only for a gene without a gene record, only where a second entry agrees and
no gene record of the answer contradicts it, and it is said.
"""

from __future__ import annotations

import re
from collections import Counter

from core.genes.answer import (
    AnswerStatus,
    AnswerValue,
    GeneAnswer,
    StatementEnd,
    bound_value,
    proof_of,
)
from core.genes.kinds.disease_search import LINKS_NOT_SERVED, genes_of_disease
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.location import chromosome_name
from core.genes.kinds.phenotype import CandidateGene
from core.genes.kinds.resolution import gene_thing
from core.genes.question.question import QuestionKind
from core.genes.session import NcbiSession
from core.ncbi.omim import OmimEntryType
from core.ncbi.species import TAXA


def genes_of(session: NcbiSession) -> GeneAnswer:
    """One value a gene."""
    name = session.question.subject
    disease_cases = genes_of_disease(session)
    if not disease_cases:
        return _nothing_tied(session, f"No gene record is linked to {name}.")
    gene_values = []
    for case in disease_cases:
        session.note(f"{case.gene.get('symbol')}: {case.how}.")
        gene_values.append(gene_in(session, case))
    values = list(dict.fromkeys(value.value for value in gene_values))
    return session.answer(AnswerStatus.ANSWERED, values, tuple(gene_values))


def _nothing_tied(session: NcbiSession, why: str) -> GeneAnswer:
    """Nothing was found; or, where the links that tell could not be asked for, nothing can be
    said.
    """
    if LINKS_NOT_SERVED in session.notes:
        session.lack("links of OMIM entries to genes not looked at")
    return session.not_found(why)


def gene_in(session: NcbiSession, case: CandidateGene) -> AnswerValue:
    """The gene of a case, as a value of the answer: it rests on the field that ties gene and
    disease; that both have records is proven besides. Without such a field it is unconfirmed.
    """
    symbol, subject = str(case.gene.get("symbol")), gene_thing(case.gene)
    target = _disease(case, session.question.subject)
    ends = (
        *proof_of(session.steps, case.gene, "symbol"),
        *(proof_of(session.steps, case.phenotype, "title") if case.phenotype else ()),
    )
    if case.tie is None or case.gene.db != "gene":
        return bound_value(
            case.gene,
            "symbol",
            symbol,
            case.call,
            subject=subject,
            object=target,
            relation="unconfirmed",
            proofs=ends,
        )
    at = case.tie
    return AnswerValue(
        symbol,
        at.record,
        at.field,
        raw=at.raw,
        call=at.call,
        subject=subject,
        object=target,
        proofs=ends,
        ties=case.ties,
    )


def band_in(
    case: CandidateGene, field: str = "band", relation: str = "", value: str = ""
) -> AnswerValue:
    """Where the gene of a case lies, as a value of the answer: all of the field, or `value` of
    it.
    """
    band, ranked = value or str(case.gene.get(field)), "" if case.tie else "unconfirmed"
    ends = {
        "subject": gene_thing(case.gene),
        "object": StatementEnd(band),
        "relation": relation or ranked,
    }
    return bound_value(case.gene, field, band, case.call, **ends)


def _disease(case: CandidateGene, name: str) -> StatementEnd:
    return (
        StatementEnd(str(case.phenotype.get("title")), case.phenotype.id)
        if case.phenotype
        else StatementEnd(name)
    )


def places_of(session: NcbiSession) -> GeneAnswer:
    """The cytogenetic band of each gene, from its gene record; the chromosome of one without a band
    (mitochondrial).
    """
    name = session.question.subject
    # a gene of several forms has one place: the case that has a tie speaks for it
    gene_cases = _one_a_gene(genes_of_disease(session))
    answer_values: list[AnswerValue] = []
    trusted = loci_agree(session)
    for case in gene_cases:
        symbol = case.gene.get("symbol")
        if places := places_in(case):
            session.note(
                f"{symbol}: {', '.join(place_value.value for place_value in places)}; {case.how}."
            )
            answer_values += places
        elif trusted and _confirmed(
            locus := str(case.gene.get("unconfirmed_locus")), case, session
        ):
            session.note(f"{symbol}: {locus} is OMIM's locus, not that of a gene record.")
            session.note(f"{symbol}: {locus}; {case.how}.")
            answer_values.append(band_in(case, "unconfirmed_locus", "unconfirmed"))
        else:
            session.note(f"{symbol}: no gene record states its position.")
    if not answer_values:
        return _nothing_tied(session, f"No gene record with a position is linked to {name}.")
    return session.answer(
        AnswerStatus.ANSWERED,
        list(dict.fromkeys(answer_value.value for answer_value in answer_values)),
        tuple(answer_values),
    )


def _one_a_gene(cases: list[CandidateGene]) -> list[CandidateGene]:
    case_by_gene: dict[str, CandidateGene] = {}
    for case in cases:
        if case.gene.id not in case_by_gene or (case.tie and not case_by_gene[case.gene.id].tie):
            case_by_gene[case.gene.id] = case
    return list(case_by_gene.values())


def places_in(case: CandidateGene) -> list[AnswerValue]:
    """The bands in a gene record (two for a gene of the pseudoautosomal regions), else its
    chromosome.
    """
    if band := str(case.gene.get("band")):
        return [band_in(case, value=part) for part in re.split(r"\s+and\s+|\s*;\s*", band)]
    where = str(case.gene.get("chromosome"))
    return (
        [band_in(case, "chromosome", value=chromosome_name(where))]
        if case.gene.db == "gene" and where
        else []
    )


def loci_agree(session: NcbiSession) -> bool:
    """Whether OMIM's loci may be looked at: no gene record contradicts one, and no locus stands
    with most genes.
    """
    records = [record for step in session.steps for record in step.records]
    entries = [
        record for record in records if record.db == "omim" and record.get("unconfirmed_locus")
    ]
    genes = Counter(
        str(entry.get("unconfirmed_locus"))
        for entry in entries
        if entry.get("kind") == OmimEntryType.GENE
    )
    if genes and genes.most_common(1)[0][1] > max(1, genes.total() / 2):
        return False
    loci = {entry.id.partition(":")[2]: str(entry.get("unconfirmed_locus")) for entry in entries}
    for gene in (
        record
        for record in records
        if record.db == "gene" and record.get("taxid") == TAXA["human"] and record.get("band")
    ):
        for number in gene.get("mim", []):
            if number in loci and gene.get("band") not in re.split(r",\s*", loci[number]):
                session.note(
                    f"OMIM's loci are not used: {loci[number]} for OMIM:{number} contradicts"
                    f" {gene.id} ({gene.get('band')})."
                )
                return False
    return True


def _confirmed(locus: str, case: CandidateGene, session: NcbiSession) -> bool:
    """Whether a form of the disease has the same locus, and no entry of another gene has."""
    others = [
        record
        for step in session.steps
        for record in step.records
        if record.db == "omim" and record.id != case.gene.id
    ]
    same = [
        record
        for record in others
        if locus in re.split(r",\s*", str(record.get("unconfirmed_locus")))
    ]
    forms = [record for record in same if record.get("kind") == OmimEntryType.PHENOTYPE]
    genes = [
        record
        for record in same
        if record.get("kind") == OmimEntryType.GENE
        and record.get("symbol") != case.gene.get("symbol")
    ]
    return bool(locus) and "," not in locus and bool(forms) and not genes


KINDS = (
    GeneKind(
        QuestionKind.DISEASE_GENES,
        Topic.DISEASE,
        "What are genes related to Meesmann corneal dystrophy?",
        plan=genes_of,
        claim="DiseaseClaim",
        needs=("omim", "gene"),
        listed=True,
    ),
    GeneKind(
        QuestionKind.DISEASE_LOCATIONS,
        Topic.DISEASE,
        "List chromosome locations of the genes related to Meesmann corneal dystrophy.",
        plan=places_of,
        claim="GenePlaceClaim",
        needs=("omim", "gene"),
        listed=True,
        hops=True,
    ),
)
