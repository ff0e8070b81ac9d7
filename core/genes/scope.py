"""What a question must not ask for: words that make it another question than the planner's, however it looks.

A wrong reading is worse than none: what is named here is declined with a reason, and the model is offered.
"""

from __future__ import annotations

import re

_OTHER = (
    (r"\bhow (?:many|long|big|large|much|often|far|old)\b|\bwhy\b|\bwho\b|\bwhen\b", "how many, how long, why or who"),
    (r"\bdiscover\w*|\bcloned by\b|\bpatent\w*", "a discovery"),
    (r"\bexpress(?:ed|es|ion)\b|\btissues?\b|\bcell types?\b", "expression"),
    (
        r"\bsub-?cellular|\bin (?:the |a |which |what )?(?:cells?|nucleus|cytoplasm|cytosol|membrane|organelle)\b"
        r"|\borganelles?\b|\bcompartments?\b",
        "a place in the cell",
    ),
    (r"\binteract\w*|\bregulat\w+|\btranscription factors?\b|\btargets?\b|\btargeted\b", "an interaction"),
    (r"\borthologs?\b|\borthologues?\b|\borthologous\b|\bhomolog\w*|\bparalog\w*", "a relative of a gene"),
    (r"\bdrugs?\b|\btreat(?:s|ed|ment)\b|\binhibitors?\b|\bpathways?\b", "drugs or pathways"),
    (
        r"\bupstream of\b|\bdownstream of\b|\bdistance\b|\bnearest\b|\bnear (?!rs)|\bclosest\b|\bneighbou?r\w*",
        "neighbours",
    ),
    (r"\bcompar\w+|\bdiffer\w*|\bversus\b|\bvs\b|\bsame\b|\b(?:larg|long|small|short|bigg)est\b", "a comparison"),
    (r"\bfrequenc\w+|\bexons?\b|\bintrons?\b|\bisoforms?\b|\btranscripts\b|\bdomains?\b", "another property"),
    (
        r"\bnot (?:associated|related|linked|known|involved|implicated|located|on|cause|a cause)\b|\bunrelated\b"
        r"|\bexcept\b|\bother than\b|\bnone of\b",
        "what is not so",
    ),
)
_IDS = (
    r"\b(?:{}|accession)(?: gene)?[ -](?:ids?|identifiers?|accessions?|numbers?)\b|\bfull name\b|\blong name\b"
    r"|\bstands? for\s*$|\bdoes \S+ stand for\b"
)
_SPECIES = re.compile(
    r"\b(?:dogs?|canine|cats?|feline|cows?|cattle|bovine|pigs?|porcine|sheep|ovine|goats?|horses?|equine|rabbits?"
    r"|frogs?|monkeys?|macaques?|chimpanzees?|gorillas?|hamsters?|bacteri\w+|plants?|rice|maize|wheat|viruse?s?"
    r"|[Xx]enopus|[Aa]rabidopsis|E\. ?coli|Escherichia|S\. ?pombe|Macaca|Bos taurus|Sus scrofa|Canis)\b"
)
_PLURAL = re.compile(
    r"\b(?:which|what|list|name|find|show|all|the)\s+(?:other\s+|human\s+|the\s+)*(?:genes|snps|variants|mutations|"
    r"proteins|diseases?|disorders?|phenotypes?|polymorphisms|enhancers|promoters?|markers)\b",
    re.I,
)


def beyond(rest: str) -> str:
    """Why a question (its disease's name left out) is none of the planner's; nothing when no word says so."""
    for pattern, what in _OTHER:
        if re.search(pattern, rest, re.I):
            return f"It asks for {what}."
    return ""


def beyond_gene(rest: str, named: str) -> str:
    """As `beyond`, for questions on one gene; `named` are the kinds of id that the question may itself name."""
    ids = "|".join(one for one in ("ensembl", "entrez", "uniprot", "refseq", "ncbi", "hgnc", "omim") if one != named)
    if re.search(_IDS.format(ids), rest, re.I):
        return "It asks for another kind of name than the symbol."
    if _SPECIES.search(rest):
        return "It names a species that the planner does not know."
    if re.search(r"\bhumans?\b", rest, re.I) and re.search(r"\b(?:mouse|mice|rats?|zebrafish|chicken)\b", rest, re.I):
        return "It names two species."
    if _PLURAL.search(rest):
        return "It asks for what lies in, or belongs to, the gene."
    return beyond(rest)


def other_genome(rest: str, species: str) -> str:
    """Why a sequence cannot be placed: only GRCh38 of the human genome is aligned to."""
    if species != "human" or _SPECIES.search(rest):
        return "Only the human genome can be aligned to."
    other = other_assembly(rest)
    return f"Only GRCh38 can be aligned to, not {other}." if other else ""


def other_assembly(rest: str) -> str:
    """A human assembly that is asked for and is not GRCh38."""
    other = re.search(r"\b(?:GRCh37|hg1[89]|b37|NCBI ?36|T2T\S*|CHM13)\b", rest, re.I)
    return other[0] if other and not re.search(r"\b(?:GRCh38|hg38|b38)", rest, re.I) else ""


def names_species(rest: str) -> bool:
    """Whether it names a species that the planner does not know."""
    return bool(_SPECIES.search(rest))


def yes_or_no(words: str) -> bool:
    """Whether the question wants a yes or a no (`Is … associated with …?`), not a list."""
    return bool(
        re.match(r"(?:is|are|was|were|does|do|did|has|have|can|could)\b(?! (?:there|you|we|i)\b)", words.strip(), re.I)
    )
