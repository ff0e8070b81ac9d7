"""Free paraphrases of each kind: lower case, no question mark, slips of the keyboard, other forms
of ids.
"""

from __future__ import annotations

import pytest

from core.genes.question.normalisation import mend_typos
from core.genes.question.question import QuestionKind
from core.genes.question.understand import understand_question

DNA = "GGCTTACCGATTGCAACGTTAGGCATCCAGTTACGGATTGCCAATCGGAT"
BLOCKS = "ggcttaccga ttgcaacgtt aggcatccag\nttacggattg ccaatcggat"
FASTA = f">clone 7 | unknown\n{DNA[:30]}\n{DNA[30:]}"

SUBJECTS: dict[QuestionKind, list[tuple[str, str]]] = {
    QuestionKind.ALIAS: [
        ("what's the official symbol of b7-h1", "b7-h1"),
        ("What's the official symbol of B7-H1?", "B7-H1"),
        ("CD274 also goes by the alias B7-H1; which one is the official symbol of B7-H1?", "B7-H1"),
        ("official gene symbol for NGAL", "NGAL"),
        ("PGY1 - what is it called officially", "PGY1"),
        ("Which symbol did HGNC approve for the gene once named SKALP?", "SKALP"),
        ("waht is the offical gene symbl of CD20", "CD20"),
        ("Tell me the current HGNC name for TIP60.", "TIP60"),
        ("what gene does the alias hXRCC9 refer to", "hXRCC9"),
        ("Is there an approved symbol for what people call GLUT4?", "GLUT4"),
        ("I know a gene as 'Ku80'. What should I call it?", "Ku80"),
        ("the synonym TNFA stands for which official gene?", "TNFA"),
        ("Normalise the gene name NY-ESO-1 to its official symbol", "NY-ESO-1"),
        ("SLUG is an old name. Give the new symbol.", "SLUG"),
        ("Which gene is also known as Caspase-9L?", "Caspase-9L"),
        ("list all aliases of CD274", "CD274"),
    ],
    QuestionKind.CONVERSION: [
        ("ensg00000120217 to symbol", "ENSG00000120217"),
        ("Convert ENSG00000120217.14 to gene symbol", "ENSG00000120217"),
        ("what is ensg00000120217 called", "ENSG00000120217"),
        ("Which gene hides behind ENSG00000120217?", "ENSG00000120217"),
        ("i have the ensembl id ENSG00000120217, what gene is it", "ENSG00000120217"),
        ("Give me the offical symbol for Ensembl gene ENSG00000120217.", "ENSG00000120217"),
        ("ENSG00000120217 -> HGNC?", "ENSG00000120217"),
        ("Please look up the gene name of ENSG00000120217.5", "ENSG00000120217"),
        ("Trasnlate ENSG00000120217 into a gene symbol", "ENSG00000120217"),
        ("Resolve ENSG00000120217", "ENSG00000120217"),
        ("ENSG00000120217 is the Ensembl identifier of which gene?", "ENSG00000120217"),
        ("mouse ENSMUSG00000016496 to gene symbol", "ENSMUSG00000016496"),
        (
            "What's the symbol of the gene with Ensembl accession ENSG00000120217?",
            "ENSG00000120217",
        ),
    ],
    QuestionKind.SNP_GENE: [
        ("RS1217074595 is in which gene?", "rs1217074595"),
        ("which gene does RS1217074595 hit", "rs1217074595"),
        ("what gene is associated with snp rs1217074595", "rs1217074595"),
        ("Gene for rs 1217074595", "rs1217074595"),
        ("Wich gene harbors the SNP rs1217074595?", "rs1217074595"),
        ("Tell me the gene that rs1217074595 falls into.", "rs1217074595"),
        ("rs1217074595 - gene symbol please", "rs1217074595"),
        ("Name the genes overlapping rs1217074595", "rs1217074595"),
        ("To what gene has dbSNP assigned rs1217074595?", "rs1217074595"),
        ("The variant rs1217074595 sits in what gene?", "rs1217074595"),
        ("What is the gene asociated with the polymorphism rs1217074595", "rs1217074595"),
        ("which genes contain rs1217074595", "rs1217074595"),
        ("Find the gene linked to rs1217074595.", "rs1217074595"),
    ],
    QuestionKind.GENE_LOCATION: [
        ("which chromosome carries brca2", "brca2"),
        ("Which chromosome carries BRCA2?", "BRCA2"),
        ("Where on GRCh38 is BRCA2?", "BRCA2"),
        ("where on grch38 does BRCA2 map", "BRCA2"),
        ("BRCA2 is on what chromosome", "BRCA2"),
        ("chromosome of the gene MT-ND5", "MT-ND5"),
        ("Which chromsome is gene SHOX located on?", "SHOX"),
        ("whereabouts in the genome is FOXP2", "FOXP2"),
        ("Tell me the chromosomal localization of TTN.", "TTN"),
        ("On which chromosomal arm is the RB1 gene found?", "RB1"),
        ("Can you locate DMD for me", "DMD"),
        ("RP11-34P13.7 chromosome?", "RP11-34P13.7"),
        ("HLA-DRB1 lies on which human chromosome?", "HLA-DRB1"),
        ("which chr is EGFR on", "EGFR"),
    ],
    QuestionKind.SNP_LOCATION: [
        ("RS1217074595 is on which chromosome?", "rs1217074595"),
        ("Where on GRCh38 is rs1217074595?", "rs1217074595"),
        ("where is rs1217074595", "rs1217074595"),
        ("chromosome of snp rs1217074595", "rs1217074595"),
        ("Which chromosme does SNP rs1217074595 locate on human genome?", "rs1217074595"),
        ("position of RS 1217074595 in hg38", "rs1217074595"),
        ("What's the chromosomal location of rs1217074595", "rs1217074595"),
        ("Find rs1217074595 in the human genome", "rs1217074595"),
        ("rs1217074595 coordinates please", "rs1217074595"),
        ("On what chr does rs1217074595 sit?", "rs1217074595"),
        ("give the genomic locaton of rs1217074595", "rs1217074595"),
        ("Which human chromosome is home to rs1217074595", "rs1217074595"),
        ("map rs1217074595", "rs1217074595"),
    ],
    QuestionKind.DISEASE_GENES: [
        ("which genes are related to wilson disease", "wilson disease"),
        ("Genes related to Wilson disease", "Wilson disease"),
        ("What's the gene for Wilson disease?", "Wilson disease"),
        ("which gene is defective in wilson disease", "wilson disease"),
        (
            "Which genes are known to cause hereditary spastic paraplegia?",
            "hereditary spastic paraplegia",
        ),
        ("Name every gene implicated in nephronophthisis.", "nephronophthisis"),
        ("mutations in what gene lead to Alagille syndrome", "Alagille syndrome"),
        ("Alagille syndrome: which genes?", "Alagille syndrome"),
        ("Alagille syndrome is caused by which genes?", "Alagille syndrome"),
        ("what genes are asociated with alkaptonuria?", "alkaptonuria"),
        ("Which genes contribute to osteogenesis imperfecta?", "osteogenesis imperfecta"),
        ("I need the disease genes of Bardet-Biedl syndrome", "Bardet-Biedl syndrome"),
        ("Which genes, when mutated, cause Joubert syndrome?", "Joubert syndrome"),
        ("Waht are genes realted to Stickler syndrome?", "Stickler syndrome"),
        ("tell me the genes underlying Usher syndrome type 1", "Usher syndrome type 1"),
    ],
    QuestionKind.CODING: [
        ("is tp53 protein coding", "tp53"),
        ("is HOTAIR a protein coding gene", "HOTAIR"),
        ("Does XIST code for protein?", "XIST"),
        ("Is SNHG1 a proten-coding gene?", "SNHG1"),
        ("GAS5: coding or non-coding?", "GAS5"),
        ("Is the gene MIR21 translated into a protein", "MIR21"),
        ("does the human gene GAPDHP1 make a protein", "GAPDHP1"),
        ("What biotype does RMRP have?", "RMRP"),
        ("Is there a protein product of LINC00115?", "LINC00115"),
        ("Tell me if TERC encodes a protein.", "TERC"),
        ("is PTENP1 a pseudo gene", "PTENP1"),
        ("Would you say AIRN is protein-coding?", "AIRN"),
        ("ATP5F1EP2 genes encode protein, true or false", "ATP5F1EP2"),
        ("Is RPL7AP58 gene a protein-coding gene?", "RPL7AP58"),
    ],
    QuestionKind.HUMAN_ALIGNMENT: [
        (f"where in the human genome is {DNA.lower()}", DNA),
        (f"Align to hg38:\n{FASTA}", DNA),
        (f"map these bases to the human genome\n{BLOCKS}", DNA),
        (f"Align the DNA sequence to the human genome:{DNA}", DNA),
        (f"On which chromosome does this lie?\n{FASTA}", DNA),
        (f"{DNA} - where on GRCh38 is this", DNA),
        (f"Locate the following read in the human reference assembly: {DNA}", DNA),
        (f"What are the human genomic coordinates of\n{BLOCKS}", DNA),
        (f"Alighn this to the human genome {DNA}", DNA),
        (f"BLAST this against human: {DNA}", DNA),
        (f"chromosome and position of {DNA}?", DNA),
        (f"Which part of the human genome matches {DNA}?", DNA),
        (f"Find this sequence in T2T or GRCh38: {DNA}", DNA),
    ],
    QuestionKind.SPECIES_ALIGNMENT: [
        (f"which organism does the dna sequence come from:{DNA.lower()}", DNA),
        (f"What species is this?\n{FASTA}", DNA),
        (f"who does this dna belong to: {DNA}", DNA),
        (f"which animal is this from {DNA}", DNA),
        (f"{DNA} comes from what organism", DNA),
        (f"Which orgnism does the DNA sequence come from: {DNA}", DNA),
        (f"Identify the source species of\n{BLOCKS}", DNA),
        (f"From what creature was this sequenced? {DNA}", DNA),
        (f"Is this DNA human, mouse or something else? {DNA}", DNA),
        (f"Taxonomic origin of {DNA}", DNA),
        (f"Tell me the organism: {DNA}", DNA),
        (f"What living thing has this DNA {DNA}", DNA),
    ],
    QuestionKind.SNP_FUNCTION: [
        ("what does the gene at RS1217074595 do", "rs1217074595"),
        ("What is the function of the gene associated with SNP rs1217074595?", "rs1217074595"),
        ("function of gene near rs1217074595", "rs1217074595"),
        ("Explain what the gene carrying rs1217074595 is for", "rs1217074595"),
        ("what is the funtion of the gene associated with snp rs1217074595", "rs1217074595"),
        ("Which function does the gene affected by rs1217074595 have?", "rs1217074595"),
        ("Summarise the gene of rs1217074595", "rs1217074595"),
        ("rs1217074595 gene function", "rs1217074595"),
        ("What role does the gene of rs1217074595 play?", "rs1217074595"),
        ("Describe the gene in which rs1217074595 lies.", "rs1217074595"),
        ("What is known about what the rs1217074595 gene does?", "rs1217074595"),
        ("tell me the job of the gene that rs1217074595 lies in", "rs1217074595"),
    ],
    QuestionKind.DISEASE_LOCATIONS: [
        ("where are the genes for wilson disease", "wilson disease"),
        ("List chromosome locations of the genes related to Wilson disease", "Wilson disease"),
        ("chromosomal locations of genes associated with alkaptonuria", "alkaptonuria"),
        ("On what chromosomes do the genes behind Usher syndrome lie?", "Usher syndrome"),
        ("Which cytogenetic bands hold the genes that cause Joubert syndrome?", "Joubert syndrome"),
        ("Where in the genome are Stickler syndrome genes located?", "Stickler syndrome"),
        ("list chromsome locations of the genes related to Alagille syndrome", "Alagille syndrome"),
        (
            "genes causing Bardet-Biedl syndrome and their chromosomal location",
            "Bardet-Biedl syndrome",
        ),
        ("Give the loci of all genes known to cause nephronophthisis", "nephronophthisis"),
        ("What is the location of the gene responsible for alkaptonuria?", "alkaptonuria"),
        ("Tell me where the gene mutated in Alagille syndrome maps to", "Alagille syndrome"),
        ("map positions of genes linked to osteogenesis imperfecta", "osteogenesis imperfecta"),
    ],
    QuestionKind.SEQUENCE_ALIASES: [
        (f"what are the aliases of the gene that contains this sequnece: {DNA.lower()}", DNA),
        (f"What are the aliases of the gene that contains this sequence:{DNA}", DNA),
        (f"Other symbols for the gene containing\n{FASTA}", DNA),
        (f"The gene with {DNA} has which synonyms?", DNA),
        (f"{DNA} belongs to a gene. What else is that gene called?", DNA),
        (f"Which alternative names has the gene of this read {DNA}", DNA),
        (f"By what other names is the gene known that includes {DNA}?", DNA),
        (f"alias list of the gene with\n{BLOCKS}", DNA),
        (f"What is the gene that this belongs to also known as? {DNA}", DNA),
        (f"name all alises of the gene which contains {DNA}", DNA),
        (f"Give every name of the gene that holds {DNA}", DNA),
        (f"List symbols and synonyms of the gene from which this comes: {DNA}", DNA),
    ],
}


@pytest.mark.parametrize(
    ("text", "kind", "subject"),
    [(text, kind, subject) for kind, rows in SUBJECTS.items() for text, subject in rows],
)
def test_paraphrases_of_each_kind(text: str, kind: QuestionKind, subject: str):
    understood = understand_question(text)
    assert (understood.kind, understood.subject) == (kind, subject), understood.why


@pytest.mark.parametrize(
    "text",
    [
        "how do genes cause disease",
        "which genes cause cancer in dogs?",
        "Is rs4988235 associated with lactase persistence?",
        "What is the official language of Brazil?",
        f"Align {DNA} to GRCh37",
        f"Align to the human genome:\n>a\n{DNA}\n>b\n{DNA[::-1]}",
    ],
)
def test_paraphrase_that_changes_the_question_is_declined(text: str):
    understood = understand_question(text)
    assert understood.kind == QuestionKind.UNKNOWN and understood.why.endswith(".")


@pytest.mark.parametrize(
    ("text", "sequence"),
    [
        (f"Align to the human genome the contact {DNA}", DNA),
        (f"Align to the human genome {DNA[:10]} {DNA[10:20]} {DNA[20:30]} AC", DNA[:30] + "AC"),
        (f"Align to the human genome 1 {DNA[:10]} {DNA[10:20]}\n21 {DNA[20:30]}\n", DNA[:30]),
        (f"Align to the human genome\n{DNA}\nAC", DNA + "AC"),
        (f"Is {DNA} a part of the human genome? Align it.", DNA),
        (f"Align to the human genome: {DNA[:20]}RYN{DNA[20:]}", f"{DNA[:20]}RYN{DNA[20:]}"),
    ],
)
def test_all_of_a_sequence_and_nothing_else_is_taken(text: str, sequence: str):
    assert understand_question(text).subject == sequence


def test_the_words_of_a_fasta_header_are_not_the_question():
    assert (
        understand_question(f"Which organism?\n>chromosome 7 aliases\n{DNA}").kind
        == QuestionKind.SPECIES_ALIGNMENT
    )


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("chromsome", "chromosome"),
        ("waht", "what"),
        ("Wich", "Which"),
        ("funtion", "function"),
        ("genus", "genus"),
        ("junction", "junction"),
        ("proteins", "proteins"),
        ("encoded", "encoded"),
        ("LOCATD", "LOCATD"),
        ("tuskin", "tuskin"),
    ],
)
def test_slips_in_carrier_words_are_mended_and_other_words_left(word: str, meant: str):
    assert mend_typos(f"a {word} b") == f"a {meant} b"


@pytest.mark.parametrize(
    ("text", "kind", "subject"),
    [
        (
            (
                "What is the official gene symbol of LMP10? Answer only with the symbol, such as"
                " BRCA1."
            ),
            QuestionKind.ALIAS,
            "LMP10",
        ),
        ("Which chromosome is TTTY7 on (e.g. chr1)?", QuestionKind.GENE_LOCATION, "TTTY7"),
        (
            "Genes related to Brody myopathy. Answer with gene symbols.",
            QuestionKind.DISEASE_GENES,
            "Brody myopathy",
        ),
        (
            "Genes related to Brody myopathy; list them with commas.",
            QuestionKind.DISEASE_GENES,
            "Brody myopathy",
        ),
        (
            "Question: Is ATP5F1EP2 a protein-coding gene? Answer: yes or no.",
            QuestionKind.CODING,
            "ATP5F1EP2",
        ),
        (
            f"Align to the human genome: {DNA}. Return chrN:start-end and the species.",
            QuestionKind.HUMAN_ALIGNMENT,
            DNA,
        ),
    ],
)
def test_instructions_on_the_answer_are_not_read_as_the_question(
    text: str, kind: QuestionKind, subject: str
):
    understood = understand_question(text)
    assert (understood.kind, understood.subject) == (kind, subject)


@pytest.mark.parametrize("word", ["organism", "polymorphism"])
def test_words_with_the_ending_of_a_disease_are_not_diseases(word: str):
    assert understand_question(f"Where are {word} genes located?").kind == QuestionKind.UNKNOWN
