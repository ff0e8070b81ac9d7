"""Wordings of each kind that are understood, and questions that only look like one and are
declined.
"""

from __future__ import annotations

import pytest

from core.genes.question.question import QuestionKind
from core.genes.question.understand import understand_question

SEQUENCE = "ACGTTGCAAGCTTACGGATCCATTGCAGGCTAACGTTAGCTAGGATCCA"
WORDINGS = {
    QuestionKind.ALIAS: [
        "Which gene symbol is current for p53?",
        "What's the approved HGNC symbol for HER2?",
        "Give the official symbol of the gene also known as PARK8.",
        "To which official gene symbol does the synonym FRDA correspond?",
        "Current symbol for SEP15?",
        "Official name of gene OCT4",
        "What is the present-day symbol of the gene formerly called C9orf72?",
        "HER2: official symbol?",
        "Which gene goes by the name of NEMO?",
        "Under what official symbol is p38 listed?",
        "What gene is PD-L1 an alias of?",
        "Please resolve the alias VEGF to its HGNC symbol",
        "MLL has been renamed. What is its symbol now?",
    ],
    QuestionKind.CONVERSION: [
        "Convert ENSG00000146648 to a symbol",
        "What is the HGNC symbol of ENSG00000146648?",
        "Which gene does ENSG00000146648.17 denote?",
        "Map the Ensembl ID ENSG00000146648 to its gene name",
        "ENSG00000146648?",
        "Which gene has the Ensembl identifier ENSG00000146648?",
        "Translate ensg00000146648 into a gene symbol",
        "Name of the gene with the id ENSG00000146648",
        "ENSG00000146648 corresponds to which gene?",
    ],
    QuestionKind.SNP_GENE: [
        "Which gene does rs7412 lie in?",
        "In which gene is rs7412 located?",
        "What gene is rs7412 in?",
        "rs7412 belongs to which gene?",
        "rs7412 gene?",
        "Name the gene that harbours rs7412",
        "Gene affected by the variant rs7412?",
        "What is the gene symbol associated with RS7412?",
        "To which gene does the polymorphism rs7412 map?",
    ],
    QuestionKind.GENE_LOCATION: [
        "On which chromosome lies LRRK2?",
        "Where is the gene CFTR located?",
        "What chromosome carries HBB?",
        "Chromosomal position of APOE?",
        "Where does MYC reside in the human genome?",
        "Which human chromosome holds the gene KRAS?",
        "LRRK2 chromosome",
        "Find the locus of PTEN",
        "In what region of the genome is SOX9?",
        "Locate the IL6 gene",
    ],
    QuestionKind.SNP_LOCATION: [
        "On which chromosome is rs7412?",
        "What is the genomic position of rs7412?",
        "Where does rs7412 lie?",
        "rs7412 chromosome?",
        "Which chromosome carries the SNP rs7412?",
        "Locate rs7412",
        "coordinates of rs 7412",
    ],
    QuestionKind.DISEASE_GENES: [
        "Which genes are implicated in cystic fibrosis?",
        "genes implicated in Parkinson disease",
        "What genes cause Noonan syndrome?",
        "Genes responsible for retinitis pigmentosa?",
        "Mutations in which genes cause Marfan syndrome?",
        "List the genes associated with Long QT syndrome",
        "Which gene is mutated in Huntington disease?",
        "What are the causative genes of Fanconi anemia?",
        "Which genes underlie maple syrup urine disease?",
        "Name genes linked with Alzheimer disease",
        "What is the gene behind phenylketonuria?",
        "Is there a gene for Wilson disease? Which?",
        "Gene for sickle cell anemia?",
        "Genes involved in Leigh syndrome",
        "spina bifida genes",
        "candidate genes autism",
        "genes in Alzheimer disease",
        "genes for cleft lip",
    ],
    QuestionKind.CODING: [
        "Is GAPDH protein coding?",
        "Does HOTAIR encode a protein?",
        "Is XIST a coding gene?",
        "Is MALAT1 a protein-coding gene or not?",
        "Does the gene TTN code for a protein?",
        "Is NEAT1 non-coding?",
        "Is H19 translated into a protein?",
        "What type of gene is MEG3?",
        "Tell me whether HOTAIR is a noncoding RNA",
        "Gene type of GAPDH?",
        "Is PTENP1 a pseudogene?",
    ],
    QuestionKind.HUMAN_ALIGNMENT: [
        "Align this sequence to the human genome: {}",
        "Where in the human genome is {} found?",
        "Which chromosome does {} come from?",
        "BLAST {} against the human genome",
        "Find the genomic coordinates of {}",
        "Map this read to GRCh38: {}",
        "On what human chromosome is this DNA: {}",
    ],
    QuestionKind.SPECIES_ALIGNMENT: [
        "From which organism does {} come?",
        "Which species has this DNA? {}",
        "What is the source organism of {}?",
        "Is {} from a mouse or a human?",
        "Identify the species: {}",
        "Whose DNA is this: {}",
        "What organism is {} derived from?",
        "What creature does {} belong to?",
        "Tell the origin of this sequence {}",
    ],
    QuestionKind.SNP_FUNCTION: [
        "What does the gene of rs7412 do?",
        "What is the role of the gene with rs7412?",
        "Describe the function of the gene in which rs7412 lies",
        "Function of the gene associated with rs7412?",
        "rs7412: what is its gene's function?",
        "Summarise what the gene harbouring rs7412 does",
        "What biological process is the gene of rs7412 involved in?",
    ],
    QuestionKind.DISEASE_LOCATIONS: [
        "Where are the genes that cause Noonan syndrome located?",
        "List chromosome locations of the genes related to cystic fibrosis",
        "On which chromosomes lie the genes of Fanconi anemia?",
        "What are the chromosomal positions of genes associated with Leigh syndrome?",
        "Cytogenetic bands of genes responsible for retinitis pigmentosa",
        "Give me the loci of the genes implicated in Parkinson disease",
        "Genes of Marfan syndrome: where do they lie?",
        "Which genes cause Noonan syndrome and where are they located?",
    ],
    QuestionKind.SEQUENCE_ALIASES: [
        "What are the aliases of the gene that contains this sequence: {}",
        "Other names of the gene with {}?",
        "Give synonyms for the gene {} belongs to",
        "What is the gene with this sequence also called? {}",
        "List alternative symbols of the gene from which {} was taken",
        "Which aliases has the gene of the sequence {}",
        "Let's see: {} - gene aliases please",
    ],
}
DECLINED = [
    "Who discovered BRCA1?",
    "What is the weather in Boston?",
    "What drugs target EGFR?",
    "Is BRCA1 bigger than BRCA2?",
    "Does TP53 interact with MDM2?",
    "Where is the insulin receptor expressed?",
    "Where is TP53 expressed?",
    "How long is chromosome 7?",
    "Which genes are on chromosome 21?",
    "What is the melting temperature of {}?",
    "Translate {} to protein",
    "Is aspirin associated with stomach bleeding?",
    "Which drugs are associated with the gene CYP2D6?",
    "Which SNPs are in APOE?",
    "How many genes are associated with asthma?",
    "Which tissue is ALB located in?",
    "What genes are regulated by MYC?",
    "Which gene is not associated with cystic fibrosis?",
    "Where is my keyboard?",
    "Why is p53 called the guardian of the genome?",
    "Which chromosome pair separates in meiosis?",
    "What is the largest chromosome?",
    "Which transcription factors are located upstream of MYC?",
    "Which genes are associated with rs7412 and rs429358?",
    "Which pathway is linked to the KRAS gene?",
    "Compare rs7412 and rs429358 locations",
    "Are BRCA1 and BRCA2 on the same chromosome?",
    "What is the distance between rs7412 and APOE?",
    "Which genes linked to chromosome 21 cause Down syndrome?",
    "Align this to the mouse genome: {}",
    "Where does TP53 lie in the dog genome?",
    "Where do human and mouse TP53 lie?",
    "Which SNPs are located in APOE?",
    "Which genes are linked to cystic fibrosis except CFTR?",
    "Which gene does not contain rs7412?",
    "rs7412 isn't in which gene?",
    "Which chromosome doesn't carry rs7412?",
    "What chromosome does not contain TP53?",
    "Is TP53 not protein-coding?",
    "Which organism does this not come from: {}",
    "What is the name of the protein encoded by TP53?",
    "What organism is ENSG00000146648 from?",
]


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in WORDINGS.items() for text in texts]
)
def test_wordings_of_each_kind(kind: QuestionKind, text: str):
    assert understand_question(text.replace("{}", SEQUENCE)).kind is kind


@pytest.mark.parametrize("text", DECLINED)
def test_question_that_only_resembles_a_known_kind_is_declined(text: str):
    understood = understand_question(text.replace("{}", SEQUENCE))
    assert understood.kind == QuestionKind.UNKNOWN and understood.why.endswith(".")


@pytest.mark.parametrize(
    "text",
    [
        "Which genes cause Marfan syndrome and where are they located?",
        "Genes of Marfan syndrome: where do they lie?",
    ],
)
def test_the_disease_ends_where_the_second_question_begins(text: str):
    assert understand_question(text).subject == "Marfan syndrome"


@pytest.mark.parametrize(
    ("text", "kind", "subject"),
    [
        ("Is HOTAIR protein-coding or not?", QuestionKind.CODING, "HOTAIR"),
        ("I do not know what HER2 is officially called.", QuestionKind.ALIAS, "HER2"),
        (
            "Which chromosome are the genes for Marfan syndrome on?",
            QuestionKind.DISEASE_LOCATIONS,
            "Marfan syndrome",
        ),
        (
            "Which gene causes disease type 2 diabetes?",
            QuestionKind.DISEASE_GENES,
            "type 2 diabetes",
        ),
        (
            "Which disease genes are associated with Marfan syndrome?",
            QuestionKind.DISEASE_GENES,
            "Marfan syndrome",
        ),
        ("What is TP53's location?", QuestionKind.GENE_LOCATION, "TP53"),
        ("Which gene was formerly named SEP15?", QuestionKind.ALIAS, "SEP15"),
        ("Which gene carries the T allele of rs7412?", QuestionKind.SNP_GENE, "rs7412"),
        ("Is rs7412 in a gene or not?", QuestionKind.SNP_GENE, "rs7412"),
    ],
)
def test_small_words_do_not_change_the_kind(text: str, kind: QuestionKind, subject: str):
    understood = understand_question(text)
    assert (understood.kind, understood.subject) == (kind, subject)
