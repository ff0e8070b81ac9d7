"""The gene name in a question: the one word that can be a symbol or alias."""

from __future__ import annotations

import re

ASSEMBLY = (
    r"\b(?:GRCh3[78]|hg(?:19|38)|b3[78]|NCBI ?3[67]|build"
    r" 3[678]|T2T(?:-CHM13)?|CHM13)(?:\.?p?v?\d+(?:\.\d+)?)?\b"
)
BAND = r"(?<![\w.-])(?:\d{1,2}|X|Y)[pq]\d{1,2}(?:\.\d{1,2})?(?![\w-]|\.\d)"  # 7p11.2
_STOP_WORDS = """
    a an the is are was were be of on in at to for from with and or by as it its this that these
    those which what
    where who how does do did can could would you me i please tell give find show list name gene
    genes symbol
    symbols official approved current hgnc human humans homo sapiens genome genomic chromosome
    chromosomes chrom
    chromosomal located location locate lie lies sit sits found reside resides position map maps
    mapped locus
    protein proteins coding code codes encode encodes encoding alias aliases synonym synonyms known
    also called
    another other true false whether non-coding noncoding rna dna snp variant proper right correct
    standard
    preferred nomenclature about locations mouse rat zebrafish chicken yeast worm fly has have
    convert translate
    belong belongs it's what's assigned under id if say determine stand stands actually there
    present chr grch37
    grch38 hg19 hg38 t2t chm13 whereabouts know one then now product type biotype kind any question
    answer
    organism organisms species animal expert many number count exon exons strand orientation band
    bands cytogenetic
    coordinates coordinate start end stop exact range span id ids identifier identifiers accession
    accessions ncbi
    entrez uniprot omim mim hgnc ensembl ontology term terms annotated annotation annotations
    process processes
    biological molecular cellular component components function functions role roles do done summary
    summarise
    summarize describe description full long stand stands paper papers publication publications
    article articles
    pubmed pmid pmids literature disease diseases disorder disorders syndrome syndromes phenotype
    phenotypes condition
    conditions associated linked caused cause causes mutation mutations mutated variants there any
    about on list all
    related involved in their its our we need want looking look up get pull fetch exactly currently
    base pair pairs bp
    assembly build plus minus forward reverse see into which's that's known write written published
    mentioning mention go evidence canonical mane select refseq transcript transcripts intron
    introns boundaries boundary structure short arm mrna mrnas cdna cdnas snp snps snvs most
    carries carry size longest shortest isoform isoforms drosophila fruit entrez same
"""
# a change of a gene: V600E, p.Val600Glu, c.1799T>A. Some genes are called like that (F11R)
AMINO_ACIDS = "ACDEFGHIKLMNPQRSTVWY"
CHANGE = (
    rf"(?<![\w.-])(?:p\.\S+|c\.\S+"
    rf"|[{AMINO_ACIDS}]\d{{2,4}}(?:[{AMINO_ACIDS}*X]|fs\S*|del))(?![\w-])"
)
ARM = r"(?<![\w.-])(?:\d{1,2}|X|Y)[pq](?![\w.-]*\w)"  # 17q
_NO_GENE = re.compile(rf"(?<![\w-])(?:chr ?(?:\d{{1,2}}|[XY]|MT?)|[23]-?D)(?![\w-])|{ARM}")  # chr9
_STOP = frozenset(_STOP_WORDS.split())
_PROTEIN_NAME = re.compile(
    r"(?:in|ase|ogen)$"
)  # huntingtin, dystrophin: the longest names of one word
_NO_PROTEIN = (
    "within|proteins?|origin|contain|explain|obtain|domain|certain|main|vitamin|skin|brain|begin|remain"
    "|strain|chain|again|diseases?|increase|decrease|database|release|phase|base|case|please"
)
_IN_PROTEINS = (
    "receptor|kinase|channel|transporter|inhibitor|synthase|reductase|antigen|(?:heavy|light|alpha|beta|gamma)"
    " (?:chain|subunit)"
)
# `insulin receptor`, `beta globin`, `keratin 5`, `fibrillin-1`
PROTEIN_CALLED = (
    r"(?<![\w-])(?:(?:alpha|beta|gamma|delta|epsilon|kappa|zeta)[ -])?"
    rf"(?!(?:{_NO_PROTEIN})\b)[a-z]{{3,}}(?:in|ase|ogen)(?:[ -]\d{{1,2}})?"
    rf"(?: (?:{_IN_PROTEINS}))?(?:[ -]\d{{1,2}})?(?![\w-])"
)


# `IL6 receptor` is another gene than IL6
_PARTNER = (
    r"(?:receptors?|ligand|binding protein|interacting protein|associated protein)(?: \d{1,2})?"
)


def symbol_in(bare: str) -> str:
    """The one word that can be a gene symbol, or the name of a partner that is called after it;
    nothing when there is none or several.
    """
    symbols = symbols_in(bare)
    if len(symbols) > 1:
        named_in_question = re.findall(
            r"\b(?:symbols?|names?|alias(?:es)?|synonyms?) (?:of|for) (?:the )?(?:gene"
            r" )?([\w.@/-]+)",
            bare,
            re.I,
        )
        symbols = list(dict.fromkeys(symbol for symbol in named_in_question if symbol in symbols))
    if len(symbols) != 1 or not re.search(r"[A-Za-z]", symbols[0]):
        return ""
    partner = re.search(rf"(?<![\w-]){re.escape(symbols[0])} {_PARTNER}", bare)
    return partner[0] if partner else symbols[0]


def protein_in(bare: str) -> str:
    """A protein that is called by its name (`beta globin`), which NCBI's designations may list;
    nothing where none or several are.
    """
    names = re.findall(PROTEIN_CALLED, bare)
    return names[0] if len(names) == 1 else ""


def symbols_in(bare: str) -> list[str]:
    """Words that can be gene symbols; of a name with another in brackets (`CD274 (alias B7-H1)`)
    the name.
    """
    quoted = re.findall(r"(?<!\w)[\"“'‘`]([A-Za-z0-9][\w.@/-]{0,24})[\"”'’`]", bare)
    if len(quoted) == 1:
        return [str(quoted[0])]
    bare = re.sub(
        r"\((?:alias|aka|a\.k\.a\.?|also|formerly|previously|synonym)\b[^)]*\)",
        " ",
        bare,
        flags=re.I,
    )
    bare = _NO_GENE.sub(" ", re.sub(BAND, " ", bare))
    words = [
        re.sub(r"['’]s$", "", word.strip(",;:?!()'\"“”").rstrip("."))
        for word in re.sub(ASSEMBLY, " ", bare, flags=re.I).split()
    ]
    candidates = [
        word
        for word in words
        if word and word.lower() not in _STOP and re.fullmatch(r"[A-Za-z0-9][\w.@/-]{0,24}", word)
    ]
    long = [word for word in candidates if word.isalpha() and word.islower() and len(word) > 9]
    if len(candidates) > 1 or not _PROTEIN_NAME.search(candidates[0] if candidates else ""):
        candidates = [word for word in candidates if word not in long]  # no symbol is so long
    candidates = [word for word in candidates if not word.isdigit()]
    telling = [word for word in candidates if re.search(r"\d|[A-Z].*[A-Z]|^[A-Z]{2,}$", word)]
    # `GeneReviews` beside `SMN1`: a word with capitals inside and no digit is less a symbol
    if any(re.fullmatch(r"[A-Z0-9.@/-]+", word) for word in telling):
        telling = [word for word in telling if not re.fullmatch(r"[A-Z][a-z]+[A-Z][a-z]+", word)]
    symbols = [
        candidate for candidate in dict.fromkeys(telling or candidates) if not candidate.isdigit()
    ]
    return [symbol for symbol in symbols if not re.fullmatch(CHANGE, symbol)] or symbols
