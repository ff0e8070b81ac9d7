"""Questions on a sequence record by its accession, and on an organism of NCBI's taxonomy.

The organism that a question on NCBI's taxonomy names.
"""

from __future__ import annotations

import re

from core.genes.kinds import accession_gene
from core.genes.kinds.kind import Topic
from core.genes.question.kind_words import UNIPROT_ACCESSION, chosen_by_words
from core.genes.question.out_of_scope import asks_negative
from core.genes.question.question import GeneQuestion, QuestionKind
from core.text.phrases import one_of, phrases

# "taxid 9606", "NCBITaxon:9606"
_NUMBER = re.compile(
    r"\b(?:taxid|tax(?:on(?:omy)?)?[ -]?id|taxon)\D{0,12}?(\d{1,8})\b|\bNCBITaxon:(\d{1,8})\b", re.I
)
_AFTER = (
    r"\btax\w*(?:\s+id)?\s*:\s*(?P<name>[^,:;?]+)$",
    r"\b(?:of|for|belongs? to|called|named)\s+(?:the\s+|an?\s+)?(?P<name>[^,:;?]+)$",
    r"\b(?:does|do|is|are)\s{1,5}(?:the\s{1,5})?(?P<name>[^,:;?]+?)\s{1,5}(?:have|belongs?|classified|placed|in)\b",
    r"^(?:(?:ncbi|the)\s+)*(?:tax(?:on)?[ -]?ids?|taxonomy(?:\s+ids?)?|lineage)"
    r"\s+(?P<name>[^,:;?]+)$",
    r"^(?:what|which)\b[^?]*?\b(?:is|has)\s+(?:the\s+)?(?P<name>[^,:;?]+)$",
    r"^(?:the\s{1,5})?(?P<name>[^,:;?]+?)(?:'s|’s)?\s{0,5}[:,–-]?\s{1,5}(?:ncbi\s{1,5})?(?:tax\w*|scientific|common|latin|lineage)\b",
)
# What follows the name: "… in NCBI Taxonomy", "… belongs to"
_TAIL = re.compile(
    r"\s+(?:in|from|at|according to)\s+(?:the\s+)?(?:ncbi\b.*|tax\w*\b.*)$|\s+belongs?\b.*$"
    r"|\s+(?:organism|species)$",
    re.I,
)
# Words of the question that are no part of an organism's name
_NO_NAME = re.compile(
    r"\b(?:tax\w*|rank|lineage|famil\w+|orthologs?|names?|genes?|id|ncbi|number|which|what|organism|species)\b",
    re.I,
)


def organism_of(bare: str) -> str:
    """`zebrafish` of `the taxonomy ID of zebrafish`, `9606` of `taxid 9606`; nothing where no name
    is found.
    """
    if match := _NUMBER.search(bare):
        return match[1] or match[2]
    for pattern in _AFTER:
        if match := re.search(pattern, bare, re.I):
            name = _TAIL.sub("", match["name"].strip(" \"'“”.")).strip()
            if 2 < len(name) <= 80 and len(name.split()) <= 6 and not _NO_NAME.search(name):
                return name
    return ""


_BEYOND_RECORD = phrases(
    {
        r"genes?\b|exons?\b|chromosom\w*|domains?\b|structure\b": "its chromosome",
        r"align\w*|homolog\w*|ortholog\w*": "its orthologs",
        r"express\w*|diseases?\b|functions?\b|encod\w+|translat\w+": "where is it expressed",
        r"molecular (?:weight|mass)\b": "its molecular weight",
        r"fasta\b|sequence (?:of|for)\b|(?:its|the|full) sequence$": "give the FASTA",
    },
    after="",
)
# genes are called like GenBank's proteins too: the alias FLJ10539, the protein AAA59172
_CLONE_LIKE = re.compile(r"[A-Z]{3}\d{5,7}")
# … and like GenBank's sequences, with their versions too: AC018712.2, BC040587
_GENBANK = re.compile(r"[A-Z]{2}\d{6,8}(?:\.\d{1,3})?")
_RECORD_WORDS = one_of("""
    the ncbi genbank refseq embl ddbj insdc nucleotide sequence record entry accession organism
    species title length of for with in number how long is it does belong to from
""")
_THE_RECORD = re.compile(  # "What is the length of the record?"
    r"^\W*(?:(?:what(?:['’]s| is| are)|which|describe|show|find)\b)?"
    rf"(?: ?{_RECORD_WORDS}\b)*\W*$",
    re.I,
)
_ITS_GENE = phrases(
    {
        r"(?:which|what|its|the|whose|find|official|approved)\b.{0,20}\b(?:genes?|symbol)\b": (
            "which exact symbol is it"
        ),
        r"genes?\b.{0,12}(?:of|for|encod\w+|with)\b": "gene with this sequence",
        r"(?:to|into) (?:an? |the |its )?(?:\w+ ){0,2}(?:genes?|symbol)\b": "convert to a symbol",
        r"genes?$": "NM_000546 gene",
        r"gene (?:symbol|name|id)\b": "gene symbol, please",
    },
    after="",
)
# the pattern that UniProt publishes for its accessions
_UNIPROT = r"(?:[OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){1,2})"
_OWN_GENE = (  # genes have names like C1ORF9 too: the second form only where UniProt is named
    (
        re.compile(rf"(?i:\buni-?prot\w*|\bswiss-?prot)\b.*?\b(?P<id>{_UNIPROT})\b"),
        accession_gene.UNIPROT,
    ),
    (re.compile(rf"\b(?P<id>{UNIPROT_ACCESSION})\b"), accession_gene.UNIPROT),
    (re.compile(r"\b(?P<id>[NX]P_\d{6,9}(?:\.\d{1,3})?)\b"), accession_gene.PROTEIN),
    (re.compile(r"\b(?P<id>[NX][MR]_\d{6,9}(?:\.\d{1,3})?)\b"), accession_gene.TRANSCRIPT),
)
_BEYOND_GENE = phrases(
    {
        r"exons?\b|chromosom\w*|locat\w+|domains?\b|structure\b": "its chromosome",
        r"align\w*|homolog\w*|ortholog\w*|alias\w*": "its orthologs",
        r"express\w*|diseases?\b|functions?\b|translat\w+ the\b": "where is it expressed",
    },
    after="",
)
_OF_GENE = re.compile(r"\bgenes?\b|\balias\w*|\bsynonyms?|\bsymbols?|\bofficial\b", re.I)


def question_on_accession_gene(words: str, bare: str) -> GeneQuestion | None:
    """The question which gene a protein or transcript belongs to (`gene for UniProt P04637`)."""
    named = [(match["id"], kind) for pattern, kind in _OWN_GENE for match in pattern.finditer(bare)]
    if len({id for id, _ in named}) != 1 or _BEYOND_GENE.search(bare) or asks_negative(bare):
        return None
    id, kind = named[0]
    around = bare.replace(id, " ")
    what_is = kind is accession_gene.UNIPROT and re.fullmatch(
        r"(?:what(?:['’]s| is) )?(?:the )?(?:uni-?prot(?:kb)?(?: (?:accession|entry|id))?)?[ :]*",
        around.strip() + " ",
        re.I,
    )
    asks_gene = what_is or _ITS_GENE.search(around.strip())
    return GeneQuestion(words, kind.name, id) if asks_gene else None


def question_on_accession(words: str) -> GeneQuestion | None:
    """A question on a sequence record by its accession (`NP_000537.3`)."""
    kind = chosen_by_words(words, Topic.ACCESSION)
    if kind is None:
        return None
    accessions = list(dict.fromkeys(re.findall(kind.words, words)))
    if all(_CLONE_LIKE.fullmatch(id) for id in accessions) and _OF_GENE.search(words):
        return None
    around = " ".join(re.sub(kind.words, " ", words).split())
    if any(_GENBANK.fullmatch(id) for id in accessions) and not _THE_RECORD.match(around):
        return None
    if len(accessions) > 1:
        why = "It names several sequence records; ask for one at a time."
        return GeneQuestion(words, QuestionKind.UNKNOWN, accessions[0], why=why)
    if _BEYOND_RECORD.search(words) or asks_negative(words):
        why = f"It names the sequence record {accessions[0]}; you can only ask what that record is."
        return GeneQuestion(words, QuestionKind.UNKNOWN, accessions[0], why=why)
    return GeneQuestion(words, kind.name, accessions[0])


def question_on_organism(words: str, bare: str) -> GeneQuestion | None:
    """A question on number, names, rank or lineage of an organism."""
    kind = chosen_by_words(bare, Topic.ORGANISM)
    name = organism_of(bare) if kind is not None else ""
    if kind is None or not name:
        return None
    symbol = re.fullmatch(r"\S*(?:[A-Z].*[A-Z]|[A-Za-z]\d)\S*", name)
    if symbol and not re.search(r"\b(?:lineage|ancest\w+|tax\w+|ranks?|names?)\b", bare, re.I):
        return None  # the family of a gene, not of an organism
    if match := re.search(r"\b(?:children|descendants?|subspecies|strains|genomes?)\b", bare, re.I):
        why = (
            f"It asks for the {match[0]} of an organism; you can ask for its number, names, rank "
            "and lineage."
        )
        return GeneQuestion(words, QuestionKind.UNKNOWN, name, why=why)
    return GeneQuestion(words, kind.name, name)
