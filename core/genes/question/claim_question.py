"""Yes-or-no questions that a record can settle: whether a gene is linked to a disease, and whether
two names are of one gene. What a record cannot settle (a cause, an absence) is no such question.
"""

from __future__ import annotations

import re

from core.genes.kinds import gene_ontology, linked_records
from core.genes.question.disease_name import names_disease
from core.genes.question.gene_name import symbols_in
from core.genes.question.out_of_scope import asks_negative, names_unknown_species
from core.genes.question.question import GeneQuestion, QuestionKind
from core.text.phrases import phrases

_SYMBOL = r"(?:gene )?(?P<gene>(?!rs ?\d)(?-i:(?=\S*(?:\d|[A-Z]\S*[A-Z])))[A-Za-z][\w-]+)(?: gene)?"
_LINKED = (
    r"(?:associated|linked|related|tied|connected) (?:with|to)|(?:implicated|involved|mutated) in"
)
_ASSOCIATION = (
    # `Is CFTR associated with cystic fibrosis?`
    re.compile(rf"^(?:is|are|was|were) (?:the )?(?:mutations in )?{_SYMBOL} (?:{_LINKED})"
               r" (?:the )?(?P<disease>.{3,80})$", re.I),
    # `Is there evidence linking LRRK2 to Parkinson disease?`
    re.compile(rf"^is there (?:an? |any )?(?:evidence (?:linking|associating|connecting)"
               rf"|link between|association (?:of|between)) (?:the )?{_SYMBOL} (?:to|with|and)"
               r" (?:the )?(?P<disease>.{3,80})$", re.I),
    # `Is BRCA1 a gene of cystic fibrosis?`
    re.compile(rf"^is (?:the )?{_SYMBOL} (?:a|the|one of the)(?: known)?"
               r" (?:(?:risk|disease|causal|causative|susceptibility) )?genes? (?:of|for|behind)"
               r" (?P<disease>.{3,80})$", re.I),
    # `Is cystic fibrosis linked to CFTR?`
    re.compile(rf"^(?:is|are|was|were) (?P<disease>.{{3,80}}?) (?:{_LINKED})"
               rf" (?:the |mutations in )*{_SYMBOL}$", re.I),
    # `link between SNCA and Parkinson disease`
    re.compile(r"^(?:an? |any |is there (?:an? |any )?)?"
               r"(?:link|association|relation(?:ship)?|connection) (?:between|of) (?:the )?"
               rf"{_SYMBOL} (?:and|with|to) (?:the )?(?P<disease>.{{3,80}})$", re.I),
    # `SNCA Parkinson disease link`, `SNCA and Parkinson disease: associated`
    re.compile(rf"^{_SYMBOL} (?:and |with )?(?:the )?(?P<disease>.{{3,80}}?),?:?"
               r" (?:link|association|connection|associated|linked)$", re.I),
)  # fmt: skip
# `is snca linked to …`: a gene in small letters, where a disease follows
_SMALL_GENE = re.compile(
    r"^(?:is there (?:an? |any )?)?"  # "Is there a …"
    r"(?:(?:is|are|was|were) |(?:link|association|relation(?:ship)?|connection) (?:between|of) )?"
    r"(?P<gene>[a-z]{3,6})(?= )"
)
_OF_ORGAN = re.compile(  # `colon cancer link` names no gene
    r" (?:cancer|carcinoma|tumou?r|disease|disorder|failure|genes?|dystrophy|atrophy)s?\b", re.I
)
# what a gene takes part in, not what it causes: `Is TP53 involved in apoptosis?`
_PROCESS = phrases(
    {
        "apoptosis|necroptosis|pyroptosis|ferroptosis|autophagy|chemotaxis": "apoptosis",
        "mitosis|meiosis|angiogenesis|senescence|homeostasis": "meiosis",
        "(?:endo|exo|phago|pino|macropino|trans)cytosis": "endocytosis",
        "(?:glyco|lipo|proteo|hydro)lysis": "glycolysis",
        "(?:gluconeo|neuro|osteo|spermato|oo|embryo|morpho)genesis": "gluconeogenesis",
        "(?:organo|adipo|myo|haemato|hemato)genesis": "adipogenesis",
        "(?:de)?(?:phosphoryl|methyl|acetyl|ubiquitin|sumoyl|glycosyl)ation": "histone acetylation",
        r"signal\w*|transport|secretion|folding": "Wnt signalling",
        "splicing|repair|replication|recombination|transcription": "DNA repair",
        r"translation|biosynthesis|chromatin remodel\w+": "chromatin remodelling",
        "(?:cell|nuclear) (?:cycle|division|death|growth|migration|adhesion)": "the cell cycle",
        "proliferation|differentiation": "T cell proliferation",
        "(?:immune|inflammatory|stress|damage) response": "the immune response",
        "(?:fatty acid )?oxidation": "fatty acid oxidation",
    },
    after="$",
)
_PER_GO = re.compile(
    r",?\s+(?:(?:per|in|by|from|according to) (?:the )?(?:GO\b|gene ontology)(?: terms?)?)"
    r"(?:,?\s+with (?:the )?(?:pmids?|evidence|references|papers).*)?$",
    re.I,
)
_NAME = r"(?:the )?(?:gene )?(?P<{}>(?!(?:there|it|this|that)\b)[A-Za-z][\w.-]*)(?: gene)?"
_TWO_NAMES = (
    # `Is MLL an alias of KMT2A?`
    re.compile(
        rf"^(?:is|was) {_NAME.format('other')} (?:just |only )?(?:an? |the |another )?(?:\w+ )?"
        rf"(?:alias|synonym|name|symbol) (?:of|for) {_NAME.format('own')}$", re.I),
    # `Was KMT2A formerly called MLL?`
    re.compile(
        rf"^(?:is|was) {_NAME.format('own')} (?:(?:also|formerly|previously|once|sometimes) )?"
        rf"(?:called|named|known as|the same (?:gene )?as) {_NAME.format('other')}$", re.I),
    # `Are p53 and TP53 the same gene?`
    re.compile(
        rf"^are {_NAME.format('other')} and {_NAME.format('own')} (?:the same(?: gene)?|synonyms|"
        r"one gene|names of (?:the same|one) gene)$", re.I),
)  # fmt: skip


def question_with_claim(words: str, bare: str, species: str) -> GeneQuestion | None:
    """The question with what it claims; None where it claims neither of the two."""
    if asks_negative(bare) or names_unknown_species(bare):
        return None
    for pattern in _TWO_NAMES:
        if match := pattern.match(bare):
            own, other = match["own"], match["other"]
            return GeneQuestion(words, QuestionKind.ALIAS, other, species, claim=own)
    said = _PER_GO.sub("", _with_capitals(bare))
    for pattern in _ASSOCIATION:
        if match := pattern.match(said):
            of_process = _PER_GO.search(bare) or _PROCESS.search(match["disease"])
            kind = (gene_ontology.KIND if of_process else linked_records.DISEASES).name
            return GeneQuestion(words, kind, match["gene"], species, claim=match["disease"])
    return None


def _with_capitals(bare: str) -> str:
    """`is SNCA linked to …` of `is snca linked to …`, where the words after it name a disease."""
    match = _SMALL_GENE.match(bare)
    if match is None or not symbols_in(match["gene"]) or names_disease(match["gene"]):
        return bare
    rest = bare[match.end("gene") :]
    if not (names_disease(rest) or _PROCESS.search(rest)) or _OF_ORGAN.match(rest):
        return bare
    return f"{bare[: match.start('gene')]}{match['gene'].upper()}{rest}"
