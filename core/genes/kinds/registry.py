"""The kinds of gene question that the planner answers: a new one is one file and one line
here, or comes with another package."""

from __future__ import annotations

from dataclasses import replace

from core.genes.kinds import (
    accession_gene,
    band,
    clinical_significance,
    coding,
    coordinates,
    disease,
    exon_count,
    exon_places,
    gene_ontology,
    gene_summary,
    identifiers,
    inheritance,
    lineage,
    linked_records,
    location,
    orthologs,
    products,
    protein_sequence,
    region,
    rs_number,
    sequence,
    sequence_gene,
    sequence_record,
    sequence_symbol,
    strand,
    symbol,
    taxonomy,
    variant,
    variant_fields,
)
from core.genes.kinds.kind import EvidenceRule, GeneKind
from core.genes.question.question import QuestionKind
from core.genes.verification import evidence_rules as rules
from core.plugins import Registry

# The kinds of GeneTuring and GeneHop have their evidence rules together, in one module that is
# tested by mutation; every later kind brings its own.
_PUBLISHED: dict[str, EvidenceRule] = {
    QuestionKind.ALIAS: rules.alias,
    QuestionKind.CONVERSION: rules.conversion,
    QuestionKind.SNP_GENE: rules.snp_gene,
    QuestionKind.GENE_LOCATION: rules.location,
    QuestionKind.SNP_LOCATION: rules.snp_location,
    QuestionKind.DISEASE_GENES: rules.disease_genes,
    QuestionKind.CODING: rules.coding,
    QuestionKind.HUMAN_ALIGNMENT: rules.human_alignment,
    QuestionKind.SPECIES_ALIGNMENT: rules.species_alignment,
    QuestionKind.SNP_FUNCTION: rules.snp_function,
    QuestionKind.DISEASE_LOCATIONS: rules.disease_locations,
    QuestionKind.SEQUENCE_ALIASES: rules.sequence_aliases,
}


OWN = (
    *symbol.KINDS,
    *location.KINDS,
    *coding.KINDS,
    *variant.KINDS,
    *disease.KINDS,
    *sequence.KINDS,
    sequence_gene.KIND,
    sequence_symbol.KIND,
    protein_sequence.KIND,
    # what curators ask besides; of two whose words fit, the first is taken
    strand.KIND,
    exon_places.KIND,
    exon_count.KIND,
    orthologs.KIND,
    gene_ontology.KIND,
    identifiers.PROTEIN,
    products.TRANSCRIPTS,
    products.PROTEINS,
    identifiers.KIND,
    gene_summary.NAME,
    linked_records.PAPERS,
    linked_records.DISEASES,
    coordinates.KIND,
    band.KIND,
    gene_summary.KIND,
    clinical_significance.OF_RS,
    rs_number.KIND,
    clinical_significance.OF_CHANGE,
    variant_fields.FREQUENCY,
    variant_fields.HGVS,
    variant_fields.CONSEQUENCE,
    variant_fields.ALLELES,
    inheritance.KIND,
    lineage.KIND,
    taxonomy.KIND,
    sequence_record.PROTEIN,
    sequence_record.NUCLEOTIDE,
    region.KIND,
    accession_gene.UNIPROT,
    accession_gene.PROTEIN,
    accession_gene.TRANSCRIPT,
)
KINDS = Registry(
    "groundwork.question_kinds",
    GeneKind,
    (replace(kind, rule=_PUBLISHED.get(kind.name, kind.rule)) for kind in OWN),
)
