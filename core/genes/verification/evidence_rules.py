"""What the records that a model had fetched say in answer to a question: one rule a kind, the
planner's own readings.

A value is an answer only in the right field of the right record: the chromosome of another gene, a
phenotype's symbol or the hit of another sequence is none, however often it stands in the records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.genes.answer import AnswerStep, AnswerValue, RecordProof, StatementEnd, bound_value
from core.genes.kinds.coding import inferred_type, type_in
from core.genes.kinds.disease import band_in, gene_in
from core.genes.kinds.location import chromosomes_of_gene
from core.genes.kinds.phenotype import RANKED, CandidateGene, gene_disease_tie, phenotypes
from core.genes.kinds.resolution import gene_thing, is_gene_of_species, match_name
from core.genes.kinds.sequence import (
    NEAR,
    best_hits,
    coordinates,
    on_chromosome,
    species_in,
    top_score,
)
from core.genes.kinds.sequence_gene import hits_with_genes
from core.genes.kinds.symbol import ALL_NAMES, conversion_in, symbol_of_alias
from core.genes.kinds.variant import exact_places, function_in, genes_in, place_in
from core.genes.session import NcbiSession
from core.ncbi.gene import WITHDRAWN
from core.ncbi.omim import OmimEntryType
from core.ncbi.record import NcbiRecord

RecordOfStep = tuple[NcbiRecord, AnswerStep]


def records_of_database(session: NcbiSession, db: str) -> list[RecordOfStep]:
    return [
        (record, step)
        for step in reversed(session.steps)
        for record in step.records
        if record.db == db
    ]


# ------------------------------------------------------------------ one gene
def subject_records(session: NcbiSession) -> list[RecordOfStep]:
    """The gene records at hand that the question's subject means: those whose name fits best, or
    that NCBI's index ties to its Ensembl id.
    """
    name, fits = session.question.subject, []
    tied = {f"NCBIGene:{uid}" for step in _searches(session) for uid in step.ids}
    for gene, step in _live(session):
        how = match_name(gene, name)
        if how is not None or (name.startswith("ENS") and gene.id in tied):
            fits.append((-1 if how is None else int(how), gene, step))
    least = min((how for how, _, _ in fits), default=0)
    return [(gene, step) for how, gene, step in fits if how == least]


def _live(session: NcbiSession) -> Iterator[RecordOfStep]:
    """Gene records of the question's species that stand and say what they are called."""
    for gene, step in records_of_database(session, "gene"):
        dead = gene.get("replaced_by") or str(gene.get("status")).casefold() in WITHDRAWN
        if gene.get("symbol") and not dead and is_gene_of_species(gene, session.question.species):
            yield gene, step


def _searches(session: NcbiSession) -> list[AnswerStep]:
    """Searches for the question's subject."""
    name = session.question.subject.casefold()
    return [
        step
        for step in session.steps
        if step.tool == "esearch" and name in str(step.arguments.get("term")).casefold()
    ]


def alias(session: NcbiSession) -> Iterator[AnswerValue]:
    name = session.question.subject
    for gene, step in subject_records(session):
        yield symbol_of_alias(gene, name, step.call)
        for other_name in (
            gene.get("aliases", []) if ALL_NAMES.search(session.question.text) else ()
        ):
            yield bound_value(
                gene,
                "aliases",
                other_name,
                step.call,
                subject=gene_thing(gene),
                object=StatementEnd(other_name),
            )


def conversion(session: NcbiSession) -> Iterator[AnswerValue]:
    """A record of Datasets that lists the id goes before one that only the search ties to it."""
    name, values = session.question.subject, []
    for gene, step in subject_records(session):
        values.append(conversion_in(gene, name, step.call))
    yield from sorted(values, key=lambda value: value.relation == "unconfirmed")


def location(session: NcbiSession) -> Iterator[AnswerValue]:
    for gene, step in subject_records(session):
        if gene.get("chromosome"):
            yield from chromosomes_of_gene(gene, step.call)


def coding(session: NcbiSession) -> Iterator[AnswerValue]:
    for gene, step in subject_records(session):
        typed = [
            (record, by.call)
            for record, by in records_of_database(session, "gene")
            if record.id == gene.id and record.get("type")
        ]
        record, call = (typed or [(gene, step.call)])[0]
        if record.get("type") or inferred_type(record)[0]:
            yield type_in(session, gene, record, call)


# ------------------------------------------------------------------ one variant
def _variants(session: NcbiSession) -> list[RecordOfStep]:
    """The dbSNP record of the question, and the one that took its place."""
    variant_ids = {f"DBSNP:{session.question.subject}"}
    variant_ids |= {
        f"DBSNP:rs{record.get('replaced_by')}"
        for record, _ in records_of_database(session, "snp")
        if record.id in variant_ids
    }
    return [
        (record, step)
        for record, step in records_of_database(session, "snp")
        if record.id in variant_ids
    ]


def snp_gene(session: NcbiSession) -> Iterator[AnswerValue]:
    for record, step in _variants(session):
        yield from genes_in(record, step.call)


def snp_location(session: NcbiSession) -> Iterator[AnswerValue]:
    for record, step in _variants(session):
        if record.get("chromosome") and "," not in str(record.get("chromosome")):
            yield place_in(record, step.call)
            yield from exact_places(record, step.call)


def snp_function(session: NcbiSession) -> Iterator[AnswerValue]:
    gene_ids = {
        gene["gene"] for record, _ in _variants(session) for gene in record.get("gene_records", [])
    }
    for gene, step in _live(session):
        if gene.id in gene_ids and (answer_value := function_in(gene, step.call)):
            yield answer_value


# ------------------------------------------------------------------ one disease
def _cases(session: NcbiSession) -> Iterator[CandidateGene]:
    """Genes at hand, with what ties them to the disease; what a model only chose, from a search or
    among OMIM's entries for genes, is unconfirmed.
    """
    name, entries = session.question.subject, records_of_database(session, "omim")
    chosen = phenotypes([record for record, _ in entries], name)
    title_call = next((step.call for record, step in entries if record in chosen[:1]), "")
    first_phenotype = chosen[0] if chosen else None
    for gene, step in _live(session):
        linked = list(_linked(session, gene, step.call, chosen))
        if linked:
            yield from linked
        elif case := gene_disease_tie(gene, step.call, name, chosen, title_call=title_call):
            yield case
        else:
            yield CandidateGene(gene, step.call, RANKED, first_phenotype)
    for entry, step in entries:
        kind = entry.get("kind")
        if kind in (OmimEntryType.GENE, OmimEntryType.GENE_AND_PHENOTYPE) and entry.get("symbol"):
            yield CandidateGene(entry, step.call, RANKED, first_phenotype)


def _linked(
    session: NcbiSession, gene: NcbiRecord, call: str, chosen: Sequence[NcbiRecord]
) -> Iterator[CandidateGene]:
    """One case a form from which NCBI links to the gene."""
    uid = gene.id.partition(":")[2]
    for step in session.steps:
        if step.tool != "elink" or step.arguments.get("dbfrom") != "omim":
            continue
        for ncbi_record in chosen:
            if place := step.places.get(f"{ncbi_record.id.partition(':')[2]}>{uid}"):
                field = RecordProof(step.call, gene.id, place, uid)
                yield CandidateGene(gene, call, "linked by NCBI", phenotype=ncbi_record, tie=field)


def disease_genes(session: NcbiSession) -> Iterator[AnswerValue]:
    return (gene_in(session, case) for case in _cases(session))


def disease_locations(session: NcbiSession) -> Iterator[AnswerValue]:
    return (band_in(case) for case in _cases(session) if case.gene.get("band"))


# ------------------------------------------------------------------ one sequence
def _hits(session: NcbiSession) -> list[RecordOfStep]:
    """The hits of a search for this very sequence."""
    sequence = session.question.subject
    request_ids = {
        step.rid
        for step in session.steps
        if step.tool == "blast_put" and step.arguments.get("query") == sequence
    }
    return [
        (hit, step)
        for step in reversed(session.steps)
        if step.tool == "blast_get" and step.arguments.get("rid") in request_ids
        for hit in step.records
    ]


def _top(hits: list[RecordOfStep]) -> list[RecordOfStep]:
    top_hits = best_hits([hit for hit, _ in hits])
    return [(hit, step) for hit, step in hits if hit in top_hits]


def human_alignment(session: NcbiSession) -> Iterator[AnswerValue]:
    human = [
        (hit, step)
        for hit, step in _hits(session)
        if hit.get("organism") == "Homo sapiens" or hit.get("kind") == "GRCh38 chromosome"
    ]
    placed = [
        (hit, step)
        for hit, step in human
        if hit.get("kind") == "GRCh38 chromosome" and hit.get("subject")
    ]
    if top_score([hit for hit, _ in placed]) >= NEAR * top_score([hit for hit, _ in human]):
        yield from (
            coordinates(hit, step.call, session.question.subject) for hit, step in _top(placed)
        )
    else:
        with_chromosome = [(hit, step) for hit, step in _top(human) if hit.get("chromosome")]
        yield from (
            on_chromosome(hit, step.call, session.question.subject) for hit, step in with_chromosome
        )


def species_alignment(session: NcbiSession) -> Iterator[AnswerValue]:
    hits = [(hit, step) for hit, step in _hits(session) if hit.get("organism")]
    return (species_in(hit, step.call, session.question.subject) for hit, step in _top(hits))


def sequence_aliases(session: NcbiSession) -> Iterator[AnswerValue]:
    named_hits = hits_with_genes([hit for hit, _ in _hits(session)])
    symbols = {
        named_hit.symbol for named_hit in named_hits if named_hit.witness is named_hits[0].witness
    }
    for gene, step in _live(session):
        if any(match_name(gene, symbol) is not None for symbol in symbols):
            for name in (str(gene.get("symbol")), *gene.get("aliases", [])):
                field = "symbol" if name == gene.get("symbol") else "aliases"
                yield bound_value(
                    gene,
                    field,
                    name,
                    step.call,
                    subject=gene_thing(gene),
                    object=StatementEnd(name),
                )
