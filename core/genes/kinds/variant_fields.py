"""What dbSNP and ClinVar say of a variant: frequency, HGVS names, alleles, clinical
significance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from core.genes.answer import AnswerValue, Asking, GeneAnswer, RecordProof, Thing
from core.genes.kinds.gene_record import told
from core.genes.kinds.kind import EvidenceRule, GeneKind, Plan, Topic
from core.genes.kinds.variant import snp
from core.genes.verification.evidence_rules import value_is_held
from core.ncbi.call import NcbiDatabase, Search, Summary
from core.ncbi.record import NcbiRecord

VariantReader = Callable[[NcbiRecord, str], list[AnswerValue]]


def _variant(record: NcbiRecord) -> Thing:
    return Thing(record.id.partition(":")[2], record.id)


def frequencies(record: NcbiRecord, call: str) -> list[AnswerValue]:
    """One value a study, as dbSNP writes it: `1000Genomes: A=0.1953/978`."""
    return [
        AnswerValue(
            f"{frequency['study']}: {frequency['freq']}",
            record.id,
            f"{frequency['pointer']}/freq",
            frequency["freq"],
            call,
            _variant(record),
            Thing(frequency["freq"]),
            "",
            (),
            (RecordProof(call, record.id, f"{frequency['pointer']}/study", frequency["study"]),),
        )
        for frequency in record.get("frequencies", [])
    ]


def hgvs(record: NcbiRecord, call: str) -> list[AnswerValue]:
    return [
        AnswerValue(
            hgv,
            record.id,
            record.pointers.get("hgvs", ""),
            hgv,
            call,
            _variant(record),
            Thing(hgv),
            "HGVS name",
        )
        for hgv in record.get("hgvs", [])
    ]


def alleles(record: NcbiRecord, call: str) -> list[AnswerValue]:
    """The change in SPDI notation (accession, 0-based position, deleted, inserted)."""
    return [
        AnswerValue(
            one,
            record.id,
            record.pointers.get("spdi", ""),
            one,
            call,
            _variant(record),
            Thing(one),
            "SPDI allele",
        )
        for one in record.get("spdi", [])
    ]


def from_dbsnp(read: VariantReader, what: str) -> Plan:
    def plan(asking: Asking) -> GeneAnswer:
        record, call = snp(asking)
        if record is None:
            return asking.not_found(f"dbSNP has no record of {asking.question.subject}.")
        nothing = f"dbSNP's record of {asking.question.subject} states no {what}."
        return told(asking, read(record, call), nothing)

    return plan


def rule_of(read: VariantReader) -> EvidenceRule:
    def rule(asking: Asking) -> Iterator[AnswerValue]:
        asked = {f"DBSNP:{asking.question.subject}"}
        for record, step in value_is_held(asking, "snp"):
            if record.id in asked:
                yield from read(record, step.call)

    return rule


# ------------------------------------------------------------------ ClinVar
# What ClinVar says, and which predicate of the claim that is. Conflicting and other classifications
# are no statement on a condition.
PREDICATES = {
    "pathogenic": "pathogenic for condition",
    "likely pathogenic": "likely pathogenic for condition",
    "benign": "benign for condition",
    "likely benign": "likely benign for condition",
    "uncertain significance": "uncertain significance for condition",
}


def significance(record: NcbiRecord, call: str, rs: str) -> list[AnswerValue]:
    """The classification of a ClinVar record that names this rs number, with its review status and
    the conditions it is for: a value a condition, in the same words. Its subject is the variation
    itself: an rs number may stand for several alleles.
    """
    named = next((one for one in record.get("dbsnp", []) if f"rs{one['id']}" == rs), None)
    said = str(record.get("classification"))
    if named is None or not said:
        return []
    conditions = record.get("conditions", [])
    names = ", ".join(one["name"] for one in conditions) or "no condition named"
    status = record.get("review_status") or "no review status"
    value = f"{said} ({status}; {names}; {record.get('accession')})"
    variation = Thing(str(record.get("title") or record.id), record.id)
    at = record.pointers.get("classification", "")
    ties = [RecordProof(call, f"DBSNP:{rs}", named["pointer"], named["id"])]
    own = RecordProof(call, record.id, record.pointers.get("uid", ""), record.id.partition(":")[2])
    germline = record.get("classified") == "germline"
    predicate = PREDICATES.get(said.casefold(), "") if germline else ""
    found = []
    for condition in conditions:
        if condition["id"]:
            field = RecordProof(call, condition["id"], condition["pointer"], condition["raw"])
            relation = predicate or "other classification"
            found.append(
                AnswerValue(
                    value, record.id, at, said, call, variation,
                    Thing(condition["name"], condition["id"]), relation, (own,), (*ties, field),
                )
            )  # fmt: skip
    return found or [
        AnswerValue(
            value, record.id, at, said, call, variation, Thing(value), "no id", (own,), tuple(ties)
        )
    ]


def plan_significance(asking: Asking) -> GeneAnswer:
    """Two calls: ClinVar's records that mention the rs number, and their summaries."""
    rs = asking.question.subject
    search = asking.ask(Search(NcbiDatabase.CLINVAR, rs, 100), f"ClinVar's records of {rs}.")
    reading = search.reading
    if not reading.ids:
        return asking.not_found(f"ClinVar has no record of {rs}.")
    if reading.count > len(reading.ids):
        asking.lack(f"{len(reading.ids)} of {reading.count} ClinVar records read")
    answer = asking.ask(Summary(NcbiDatabase.CLINVAR, reading.ids), "What ClinVar says of it.")
    asking.gaps += [one.record for one in answer.reading.dropped]
    answer_values = [
        value for record in answer.records for value in significance(record, answer.stored, rs)
    ]
    return told(
        asking, answer_values, f"No classified ClinVar record names {rs} as its dbSNP number."
    )


def rule_significance(asking: Asking) -> Iterator[AnswerValue]:
    for record, step in value_is_held(asking, "clinvar"):
        yield from significance(record, step.call, asking.question.subject)


SIGNIFICANCE = GeneKind(
    "clinical significance of a variant",
    Topic.VARIANT,
    "What is the clinical significance of rs80357906?",
    plan_significance,
    "SignificanceClaim",
    ("clinvar",),
    rule_significance,
    words=(
        r"\bclin(?:ical|var)\w*\b|\b(?:pathogenic|benign|harmful|disease-causing|deleterious)\w*\b"
        r"|\bsignificance\b|\bVUS\b"
    ),
    whole_text=True,
)
FREQUENCY = GeneKind(
    "allele frequency of a variant",
    Topic.VARIANT,
    "What is the allele frequency of rs1217074595?",
    from_dbsnp(frequencies, "allele frequency"),
    "FrequencyClaim",
    ("snp",),
    rule_of(frequencies),
    words=r"\bfrequenc\w+\b|\bMAF\b|\bhow (?:common|rare|frequent)\b|\bprevalen\w+\b",
    listed=True,
)
HGVS = GeneKind(
    "HGVS names of a variant",
    Topic.VARIANT,
    "What are the HGVS names of rs1217074595?",
    from_dbsnp(hgvs, "HGVS name"),
    "VariantNameClaim",
    ("snp",),
    rule_of(hgvs),
    words=r"\bHGVS\b|\b(?:protein|cDNA|coding|genomic) (?:change|notation|name)s?\b",
    listed=True,
)
ALLELES = GeneKind(
    "alleles of a variant",
    Topic.VARIANT,
    "Which alleles does rs1217074595 have?",
    from_dbsnp(alleles, "alleles"),
    "VariantNameClaim",
    ("snp",),
    rule_of(alleles),
    words=(
        r"^(?!.*\bgenes?\b).*\balleles?\b|\bSPDI\b|\b(?:base|nucleotide)"
        r" (?:changes?|substitutions?)\b"
    ),
    listed=True,
)
