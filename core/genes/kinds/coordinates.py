"""The coordinates of a gene, with accession, assembly and strand."""

from __future__ import annotations

import re

from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer, RecordProof, StatementEnd
from core.genes.kinds.gene_record import answer_with_values, from_summary, rule_of, the_gene
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.location import chromosomes_of_gene
from core.genes.kinds.resolution import gene_thing
from core.genes.session import NcbiSession
from core.ncbi.record import NcbiRecord

GRCH38 = r"\b(?:GRCh38|hg38|b38|build 38)\b"
GRCH37 = r"\b(?:GRCh37|hg19|b37|build 37)\b"


def coordinate_values(record: NcbiRecord, call: str, field: str) -> list[AnswerValue]:
    """Places in `field` (`places`: GRCh38 where there is one; `previous`: GRCh37), 1-based and
    inclusive.
    """
    values = []
    for place in record.get(field, []):
        value = f"{place['assembly'] or 'assembly not stated'} {place['location']}"
        parts = tuple(
            RecordProof(call, record.id, f"{place['pointer']}/{name}", place[name])
            for name in ("chraccver", "chrstart", "chrstop")
        )
        own, *others = parts
        values.append(
            AnswerValue(
                value,
                record.id,
                own.field,
                raw=own.raw,
                call=call,
                subject=gene_thing(record),
                object=StatementEnd(value),
                ties=tuple(others),
            )
        )
    return values


def read(record: NcbiRecord, call: str) -> list[AnswerValue]:
    return coordinate_values(record, call, "places") + coordinate_values(record, call, "previous")


def plan(session: NcbiSession) -> GeneAnswer:
    """On the assembly that was asked for, or on both; GRCh38 where none was."""
    if re.search(GRCH37, session.question.text, re.I) and re.search(
        GRCH38, session.question.text, re.I
    ):
        return from_summary(read, "coordinates")(session)
    if not re.search(GRCH37, session.question.text, re.I):
        return from_summary(
            lambda record, call: coordinate_values(record, call, "places"), "coordinates"
        )(session)
    gene = the_gene(session)
    if isinstance(gene, GeneAnswer):
        return gene
    nothing = f"NCBI's record of {gene.gene.get('symbol')} states no position on GRCh37"
    exact = coordinate_values(gene.gene, gene.call, "previous")
    if exact or not gene.gene.get("chromosome"):
        return answer_with_values(session, exact, f"{nothing}.")
    session.note(f"{nothing}; only the chromosome is known.")
    values = chromosomes_of_gene(gene.gene, gene.call)
    return session.answer(AnswerStatus.PARTLY, [value.value for value in values], tuple(values))


KIND = GeneKind(
    "coordinates of a gene",
    Topic.GENE,
    "What are the genomic coordinates of BRCA1?",
    plan=plan,
    claim="GenePlaceClaim",
    needs=("gene",),
    rule=rule_of(read),
    words=(
        r"\bco-?ord(?:inate)?s?\b|\bstart(?: and |, ?| ?/ ?| to | )(?:end|stop)\b"
        r"|\b(?:start|end|exact|base[- ]pair|bp) positions?\b"
        r"|\bgenomic (?:position|range|interval|span)\b"
        r"|\b(?:GRCh3[78]|hg(?:19|38)|b3[78])\b.{0,40}\bpositions?\b"
        r"|\bpositions?\b.{0,60}\b(?:GRCh3[78]|hg(?:19|38)|b3[78])\b"
    ),
)
