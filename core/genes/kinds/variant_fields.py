"""What dbSNP says of a variant: frequency, HGVS names, consequence, alleles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from core.genes.answer import AnswerValue, GeneAnswer, RecordProof, StatementEnd
from core.genes.kinds.gene_record import answer_with_values
from core.genes.kinds.kind import EvidenceRule, GeneKind, Plan, Topic
from core.genes.kinds.variant import variant_record
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import records_of_database
from core.ncbi.record import NcbiRecord

ValueChoice = Callable[[list[AnswerValue], str], list[AnswerValue]]
VariantReader = Callable[[NcbiRecord, str], list[AnswerValue]]


def _variant(record: NcbiRecord) -> StatementEnd:
    return StatementEnd(record.id.partition(":")[2], record.id)


def allele_frequency_values(record: NcbiRecord, call: str) -> list[AnswerValue]:
    """One value a study, as dbSNP writes it: `1000Genomes: A=0.1953/978`."""
    return [
        AnswerValue(
            f"{frequency['study']}: {frequency['freq']}",
            record.id,
            f"{frequency['pointer']}/freq",
            raw=frequency["freq"],
            call=call,
            subject=_variant(record),
            object=StatementEnd(frequency["freq"]),
            ties=(
                RecordProof(call, record.id, f"{frequency['pointer']}/study", frequency["study"]),
            ),
        )
        for frequency in record.get("frequencies", [])
    ]


# Studies of one people, by the names that dbSNP gives them
STUDIES_OF_POPULATIONS = (
    (r"\bjapan\w*", ("TOMMO",)),
    (r"\bkorea\w*", ("KOREAN", "Korea1K")),
    (r"\bvietnam\w*", ("Vietnamese",)),
    (r"\bqatar\w*", ("Qatari",)),
    (r"\bsiberia\w*", ("Siberian",)),
    (r"\bchile\w*", ("Chileans",)),
    (r"\bestonia\w*", ("Estonian",)),
    (r"\bfin(?:land|ns?|nish)\b", ("FINRISK",)),
    (r"\bswed\w+", ("NorthernSweden",)),
    (r"\b(?:dutch|netherlands)\b", ("GoNL",)),
    (r"\b(?:danish|danes?|denmark)\b", ("GENOME_DK",)),
    (r"\b(?:british|uk|britain)\b", ("TWINSUK", "ALSPAC")),
)


def frequencies_of_study_named(values: list[AnswerValue], words: str) -> list[AnswerValue]:
    """Of all frequencies those of the studies that the words name, or of the people that they name;
    all where they name none.
    """
    text = re.sub(r"\W+", "", words).casefold()
    studies = {name.casefold() for name in studies_of_population(words)}
    named = [
        value
        for value in values
        if value.value.partition(":")[0].partition("_")[0].casefold() in text
        or value.value.partition(":")[0].casefold() in studies
    ]
    return named or values


def studies_of_population(words: str) -> tuple[str, ...]:
    """dbSNP's studies of the people that the words name."""
    return tuple(
        study
        for pattern, studies in STUDIES_OF_POPULATIONS
        if re.search(pattern, words, re.I)
        for study in studies
    )


def consequence_values(record: NcbiRecord, call: str) -> list[AnswerValue]:
    """dbSNP's functional classes, over all transcripts: `missense_variant`."""
    return [
        AnswerValue(
            consequence,
            record.id,
            record.pointers.get("fxn_class", ""),
            raw=consequence,
            call=call,
            subject=_variant(record),
            object=StatementEnd(consequence),
        )
        for consequence in record.get("fxn_class", [])
    ]


# The level of an HGVS name that the words of a question ask for: the letter after the colon.
HGVS_LEVELS = (
    (r"\bproteins?\b|\bamino[- ]acids?\b|\bresidues?\b|\bmissense\b", "p"),
    (r"\bcDNA\b|\bcoding (?:DNA|change|name|notation)\b|\btranscript\b", "c"),
    (r"\bgenomic\b", "g"),
)


def hgvs_names_of_level(values: list[AnswerValue], words: str) -> list[AnswerValue]:
    """Of all HGVS names those of the level that is asked for; all where none is."""
    for pattern, level in HGVS_LEVELS:
        if re.search(pattern, words, re.I):
            return [value for value in values if f":{level}." in value.value]
    return values


def hgvs_name_values(record: NcbiRecord, call: str) -> list[AnswerValue]:
    return [
        AnswerValue(
            hgv,
            record.id,
            record.pointers.get("hgvs", ""),
            raw=hgv,
            call=call,
            subject=_variant(record),
            object=StatementEnd(hgv),
            relation="HGVS name",
        )
        for hgv in record.get("hgvs", [])
    ]


def spdi_allele_values(record: NcbiRecord, call: str) -> list[AnswerValue]:
    """The change in SPDI notation (accession, 0-based position, deleted, inserted)."""
    return [
        AnswerValue(
            allele,
            record.id,
            record.pointers.get("spdi", ""),
            raw=allele,
            call=call,
            subject=_variant(record),
            object=StatementEnd(allele),
            relation="SPDI allele",
        )
        for allele in record.get("spdi", [])
    ]


def _all(values: list[AnswerValue], words: str) -> list[AnswerValue]:
    return values


def dbsnp_plan(read_variant: VariantReader, field_title: str, choose: ValueChoice = _all) -> Plan:
    """A plan that reads dbSNP's record; of several values `choose` keeps those that the words of
    the question ask for.
    """

    def plan(session: NcbiSession) -> GeneAnswer:
        record, call = variant_record(session)
        if record is None:
            return session.not_found(f"dbSNP has no record of {session.question.subject}.")
        all_values = read_variant(record, call)
        wanted = choose(all_values, session.question.text)
        if len(wanted) < len(all_values):
            part = f"{len(wanted)} of the {len(all_values)} values in dbSNP's record"
            session.note(f"{part} are of the kind asked for.")
            session.question = replace(session.question, limit="")
        kind = " of the kind asked for" if all_values else ""
        nothing = f"dbSNP's record of {session.question.subject} states no {field_title}{kind}."
        return answer_with_values(session, wanted, nothing)

    return plan


def dbsnp_evidence_rule(read_variant: VariantReader) -> EvidenceRule:
    def rule(session: NcbiSession) -> Iterator[AnswerValue]:
        subject_ids = {f"DBSNP:{session.question.subject}"}
        for record, step in records_of_database(session, "snp"):
            if record.id in subject_ids:
                yield from read_variant(record, step.call)

    return rule


FREQUENCY = GeneKind(
    "allele frequency of a variant",
    Topic.VARIANT,
    "What is the allele frequency of rs1217074595?",
    plan=dbsnp_plan(allele_frequency_values, "allele frequency", frequencies_of_study_named),
    claim="FrequencyClaim",
    needs=("snp",),
    rule=dbsnp_evidence_rule(allele_frequency_values),
    words=r"\bfrequenc\w+\b|\bMAF\b|\b(?:common|rare|frequent)\b|\bprevalen\w+\b",
    listed=True,
)
HGVS = GeneKind(
    "HGVS names of a variant",
    Topic.VARIANT,
    "What are the HGVS names of rs1217074595?",
    plan=dbsnp_plan(hgvs_name_values, "HGVS name", hgvs_names_of_level),
    claim="VariantNameClaim",
    needs=("snp",),
    rule=dbsnp_evidence_rule(hgvs_name_values),
    words=(
        r"\bHGVS\b|\b(?:protein|cDNA|coding|genomic) (?:change|notation|name)s?\b"
        r"|\bamino[- ]acids?\b|\b(?:residue|codon)s?\b|\bmissense (?:change|substitution)\b"
        r"|\b(?:change|effect)s? (?:in|on|to|at) (?:the )?protein\b"
    ),
    listed=True,
)
CONSEQUENCE = GeneKind(
    "consequence of a variant",
    Topic.VARIANT,
    "What is the molecular consequence of rs1217074595?",
    plan=dbsnp_plan(consequence_values, "consequence"),
    claim="",
    needs=("snp",),
    rule=dbsnp_evidence_rule(consequence_values),
    words=(
        r"\bconsequences?\b|\b(?:missense|synonymous|nonsense|frame-?shift|intronic|intergenic"
        r"|splice|stop[- ]gain\w*)\b|\b(?:functional|variant) (?:class|type)\b"
    ),
    listed=True,
)
ALLELES = GeneKind(
    "alleles of a variant",
    Topic.VARIANT,
    "Which alleles does rs1217074595 have?",
    plan=dbsnp_plan(spdi_allele_values, "alleles"),
    claim="VariantNameClaim",
    needs=("snp",),
    rule=dbsnp_evidence_rule(spdi_allele_values),
    words=(
        r"^(?!.*\bgenes?\b).*\balleles?\b|\bSPDI\b|\b(?:base|nucleotide)"
        r" (?:changes?|substitutions?)\b"
    ),
    listed=True,
)
