"""What a question must not ask for: words that make it another question than the planner's, however
it looks.

A wrong reading is worse than none: what is named here is declined with a reason, and the model is
offered.
"""

from __future__ import annotations

import re

from core.text.phrases import one_of, phrases

_GENE_PART = (
    r"\b(?:start|stop|initiation|termination) codons?\b|\b[35]['’]? ?UTRs?\b|\bTSS\b"
    r"|\btranscription(?:al)? start\b|\bpromoters?\b|\benhancers?\b"
)
# what is asked for, in words that follow "It asks for"; the pattern may stand anywhere
_OTHER = (
    (
        r"\b(?:more|fewer|less|long|large|bigg|small|short)(?:er)?\b.*\bthan\b"
        r"|\bwhich (?:one |gene )?(?:is|has|have) (?:the )?(?:more|fewer|longer|larger"
        r"|bigger|smaller|shorter)\b",
        "a comparison; you can ask for each",
    ),
    (
        r"\bprimers?\b|\bcrispr\b|\b(?:sg|g|si|sh)RNAs?\b|\bantibod\w+|\bplasmids?\b|\bprobes?\b",
        "what an experiment needs, which no record of NCBI states",
    ),
    (r"\bhow many\b", "a number of things"),
    (
        r"\bhow (?:long|big|large)\b|\blength of\b|\bsize of\b|\bmolecular weight\b|\bhow heavy\b",
        "a length or size",
    ),
    (
        r"\bgenes?\b.*\b(?:GO|gene ontology) terms?\b|\bGO:\d{7}\b",
        "the genes of a GO term, which QuickGO knows (Other APIs)",
    ),
    (
        r"\b(?:which|what|list|all|find|show) (?:\w+ )?(?:variants|snps|snvs|polymorphisms)\b"
        r"|\b(?:pathogenic|benign|known|common|frequent|recurrent|reported|founder)"
        r" (?:variants|mutations|snps|changes)\b|^(?:variants|mutations|snps) (?:of|in|for)\b"
        r"(?! (?:which|what) genes?\b)",
        "a list of variants; you can ask about one by its rs number",
    ),
    (r"\bhow (?:much|often|far|old)\b|\bhalf[- ]li(?:fe|ves)\b", "an amount"),
    (r"\bwhy\b", "a reason"),
    (
        r"\bwho\b|\bdiscover\w*|\bcloned by\b|\bpatent\w*|^when\b|\bwhen (?:was|were|did)\b",
        "a person, a time or a discovery",
    ),
    (r"\bexpress(?:ed|es|ion)\b|\btissues?\b|\bcell types?\b", "expression"),
    (
        r"\bsub-?cellular|\bin (?:the |a |which |what"
        r" )?(?:cells?|nucleus|cytoplasm|cytosol|membrane|organelle)\b"
        r"|\borganelles?\b|\bcompartments?\b"
        r"|^(?!.*(?:chromosom|\bgenes?\b|genom|\bbands?\b))"
        r".*(?:\bproteins?\b.{0,30}\b(?:locat|locali[sz]|found\b|resid)"
        r"|\b(?:locat\w+|locali[sz]\w+|position) of (?:the )?\S+ proteins?\b)",
        "a place in the cell",
    ),
    (
        r"\bdrugs?\b|\btreat(?:s|ed|ing|ments?)?\b|\binhibitors?\b|\btherap\w+|\bcures?\b",
        "drugs or treatments, which DGIdb and ChEMBL know (Other APIs)",
    ),
    (
        r"\binteract\w*|\bregulat\w+|\btranscription factors?\b|\btargets?\b|\btargeted\b"
        r"|\bpartners?\b|\bbinds?\b",
        "an interaction",
    ),
    (
        r"\bparalog\w*|\bgene famil\w+",
        "paralogs, which no record of NCBI names; Ensembl does (Other APIs)",
    ),
    (
        r"\borthologu?e?s?\b|\borthologous\b|\bhomolog\w*|\bparalog\w*",
        "a relative of a gene",
    ),
    (
        r"\bsequences? of\b|\b(?:promoter|protein|gene|cdna|mrna) sequence\b",
        "a sequence; you can ask about its record by accession",
    ),
    (_GENE_PART, "a part of a gene whose position no record of NCBI Gene states"),
    (r"\bpathways?\b", "pathways, which Reactome knows (Other APIs)"),
    (
        (
            r"\bupstream of\b|\bdownstream of\b|\bdistance\b|\bnearest\b|\bnear"
            r" (?!rs)|\bclosest\b|\bneighbou?r\w*"
        ),
        "neighbours",
    ),
    (
        r"\bcompar\w+|\bdiffer\w*|\bversus\b|\bvs\b|\bsame\b|\b(?:larg|long|small|short|bigg)est\b",
        "a comparison",
    ),
    (r"\bfrequenc\w+", "a frequency"),
    (r"\bexons?\b|\bintrons?\b", "exons or introns"),
    (r"\bisoforms?\b|\btranscripts\b", "transcripts"),
    (r"\bdomains?\b|\bmotifs?\b|\bstructures?\b", "the structure of a protein"),
    (
        r"\bnot\b|\bneither\b|\b(?:ca|do|does|did|is|are|was|were|wo)n['’]?t\b|\bnever\b|\bunrelated\b|\bnone"
        r" of\b"
        r"|\b(?:except|besides|excluding|apart from|other than|nothing to do)\b",
        "something that is not the case",
    ),
)
_NO_DENIAL = phrases(  # a `not` that denies nothing
    {
        r"(?:whether )?(?:or|if) not\b": "whether or not it is",
        r"(?:do|does|did|could|can)\s?(?:not|n['’]t) (?:know|remember|recall|understand)\b": (
            "I don't know"
        ),
        r"(?:could|can)\s?(?:not|n['’]t|['’]t) (?:find|tell)\b": "I can't find it",
        r"not (?:sure|certain)\b": "I am not sure",
    },
    after="",
    also={
        r"^is(?:n['’]t)(?= [A-Za-z][\w-]* (?:located |found |mapped )?(?:on|at|in)\b)": (
            "Isn't TP53 on chromosome 17?"
        )
    },
)
_OF_VARIANT = phrases(
    {
        "alleles?|amino[- ]acids?|codons?|bases?|nucleotides?(?! position)": "What codon",
        "significance|consequences?": "What is the significance",
        "(?:diseases?|traits?|disorders?|phenotypes?)(?!-| genes?)": "Which diseases",
    },
    before=r"\b(?:which|what)(?:['’]s)?(?: is| are)?(?: the)?(?: \w+){0,2} ",
)
_DISEASES = phrases(
    {
        "diseases?|disorders?|syndromes?": "Which rare disorders",
        r"conditions?|phenotypes?|illness\w*|traits?": "What traits",
    },
    before=r"\b(?:which|what)\s+(?:(?:human|genetic|inherited|hereditary|rare|other)\s+)*",
    after=r"\b(?!-|\s+(?:genes?|loci|mutations?)\b)",
)
_OTHER_THING = phrases(
    {
        r"(?:which|what)\s+(?:transcript|organism|species|exon|protein(?![- ]coding))": "what exon",
        "names? of (?:the|its) (?:protein|enzyme|product)s?"
        " (?:that|which|encoded|coded|of|it|made|produced)": "name of the protein it makes",
    }
)
_IDS = (
    r"\b(?:{}|accession)(?: gene)?[ -](?:ids?|identifiers?|accessions?|numbers?)\b|\bfull"
    r" name\b|\blong name\b"
    r"|\bstands? for\s*$|\bdoes \S+ stand for\b"
    r"|\b(?:convert|translate|map|turn)\b.*\b(?:to|into) (?:an? |its |the )?(?:{})\W*$"
)
_ANIMALS = one_of(r"""
    dogs? canine cats? feline cows? cattle bovine pigs? porcine sheep ovine goats? horses? equine
    rabbits? frogs? monkeys? macaques? chimpanzees? gorillas? hamsters? bacteri\w+ plants? rice
    maize wheat viruse?s? [Xx]enopus [Aa]rabidopsis Escherichia Macaca Canis
""")
_KNOWN = "sapiens|musculus|norvegicus|rerio|gallus|elegans|cerevisiae|melanog"
_SPECIES = phrases(
    {
        rf"{_ANIMALS}\b": "genes of the dog",
        r"(?:E\. ?coli|S\. ?pombe|Bos taurus|Sus scrofa)\b": "in Bos taurus",
        rf"[A-Z]\. ?(?!{_KNOWN})[a-z]{{4,}}": "in P. falciparum",
    },
    after="",
    flags=re.NOFLAG,
)
_PLURAL = phrases(
    {
        "genes|proteins|enhancers|promoters?|markers": "which genes",
        "snps|variants|mutations|polymorphisms": "all other variants",
        "diseases?|disorders?|phenotypes?": "the disease",
    },
    before=r"\b(?:which|what|list|name|find|show|all|the)\s+(?:other\s+|human\s+|the\s+)*",
)


def out_of_scope_reason(words: str) -> str:
    """Why a question (its disease's name left out) is none of the planner's; nothing when no word
    says so.
    """
    words = _NO_DENIAL.sub(" ", words)
    for pattern, topic in _OTHER:
        if re.search(pattern, words, re.I):
            return f"It asks for {topic}."
    return ""


def names_gene_part(words: str) -> bool:
    """Whether it names a part of a gene that no record places (`the TP53 promoter`)."""
    return bool(re.search(_GENE_PART, words, re.I))


def beyond_gene(words: str, id_kind: str) -> str:
    """As `out_of_scope_reason`, for questions on one gene; `id_kind` are the kinds of id that the
    question may itself name.
    """
    ids = "|".join(
        id_name
        for id_name in ("ensembl", "entrez", "uniprot", "refseq", "ncbi", "hgnc", "omim")
        if id_name != id_kind
    )
    if re.search(_IDS.format(ids, ids.replace("|hgnc", "")), words, re.I):
        return "It asks for another kind of name than the symbol."
    if _OTHER_THING.search(words):
        return "It asks for a product, a transcript or a species of the gene."
    if _SPECIES.search(words):
        return "It names a species that the planner does not know."
    if re.search(r"\bhumans?\b", words, re.I) and re.search(
        r"\b(?:mouse|mice|rats?|zebrafish|chicken)\b", words, re.I
    ):
        return "It names two species."
    if _PLURAL.search(words):
        return "It asks for what lies in, or belongs to, the gene."
    return out_of_scope_reason(words)


_NO_LIMIT = one_of(r"""
    humans? man mouse mice rats? zebrafish chicken worm yeast fly fruit drosophila species genomes?
    ncbi\w* entrez pubmed omim clinvar dbsnp refseq go genes? uniprot\w* hgnc ensembl ontology
    database records? taxonomy grch3[78] hg\d\d build assembly brief short detail full total all
    which what words? english one two order table list paragraph sentence summary particular general
    it them this that my me gnomad\w* exac topmed alfa hapmap
""")
_ITS = "(?:the |a |an |its |our |your )*"
_FEW_WORDS = r"(?:the |a |an )?[A-Za-z][\w'’-]*(?: [\w'’-]+){0,4}"
_LIMIT = phrases(
    {
        r"(?:in|during|among|within|after|before|under|against)\s+"
        rf"(?!{_ITS}(?:{_NO_LIMIT}|gene ontology|a few)\b){_FEW_WORDS}": "found during puberty",
        "(?:in|of) (?:the |its )?(?:longest|shortest) (?:transcript|isoform)": (
            "exons of the longest transcript"
        ),
    },
    after="",
)


def why_restricted(words: str, symbol: str) -> str:
    """Why a part of an answer is asked for that no rule can choose (`papers on TREM2 in dementia`):
    the whole would be coarser than the question. Nothing where no such words stand there.
    """
    limit = limit_in(words, symbol)
    return f"It asks about {symbol} only {limit}; you can ask without that limit." if limit else ""


def limit_in(words: str, subject: str) -> str:
    """The words that ask for a part of what a record says (`in the liver`, `of the longest
    transcript`); nothing where none stand there.
    """
    match = _LIMIT.search(re.sub(rf"\s+of (?:the )?(?:gene )?{re.escape(subject)}\b", "", words))
    return "" if match is None or subject in match[0].split() else match[0].strip()


def beyond_orthologs(words: str) -> str:
    """As `out_of_scope_reason`, for questions on the orthologs of a gene: what their records do not
    say.
    """
    match = re.search(
        r"\bparalog\w*|\bhow (?:similar|conserved|many)\b|\bidentit\w+|\bconserv\w+|\bexpress\w*"
        r"|\bfunctions?\b|\bdiffer\w*",
        words,
        re.I,
    )
    return f"It asks for more than which genes are orthologs ({match[0]})." if match else ""


def beyond_variant(words: str) -> str:
    """As `out_of_scope_reason`, for questions on one variant."""
    return (
        "It asks for what the variant is or does."
        if _OF_VARIANT.search(words)
        else out_of_scope_reason(words)
    )


def beyond_disease(words: str, name: str) -> str:
    """As `out_of_scope_reason`, for questions on the genes of the disease `name`."""
    if _DISEASES.search(words):
        return "It asks for the diseases of a gene."
    return out_of_scope_reason(words) or (
        "It asks for something that is not the case."
        if re.search(r"\b(?:neither|except|excluding|other than|apart from|but not)\b", name, re.I)
        else ""
    )


def asks_negative(words: str) -> bool:
    """Whether it asks for something that is not the case."""
    return bool(re.search(_OTHER[-1][0], _NO_DENIAL.sub(" ", words), re.I))


def other_genome(words: str, species: str) -> str:
    """Why a sequence cannot be placed: only GRCh38 of the human genome is aligned to."""
    if species != "human" or _SPECIES.search(words):
        return "Sequences can only be aligned to the human genome."
    assembly = other_assembly(words)
    return f"Sequences can only be aligned to GRCh38, not to {assembly}." if assembly else ""


def other_assembly(words: str) -> str:
    """A human assembly that is asked for and is not GRCh38."""
    assembly = re.search(r"\b(?:GRCh37|hg1[89]|b37|NCBI ?36|T2T\S*|CHM13)\b", words, re.I)
    return assembly[0] if assembly and not re.search(r"\b(?:GRCh38|hg38|b38)", words, re.I) else ""


def names_unknown_species(words: str) -> bool:
    """Whether it names a species that the planner does not know."""
    return bool(_SPECIES.search(words))


def yes_or_no(words: str) -> bool:
    """Whether the question wants a yes or a no (`Is … associated with …?`), not a list."""
    return bool(
        re.match(
            r"(?:is|are|was|were|does|do|did|has|have|can|could)\b(?! (?:there|you|we|i)\b)",
            words.strip(),
            re.I,
        )
    )
