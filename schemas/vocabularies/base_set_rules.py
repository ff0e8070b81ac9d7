"""Which terms and names of a published vocabulary the base set takes in, by rule: what papers can
name, not what only a database lists.

A rule is given the terms of the vocabulary and what stands in the texts at hand (see
`WordsOfPapers`), and says which ids stay; broader terms of those that stay are kept too, so that
branches can be checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

# "pemigatinib", "guanidine isothiocyanate": a name in one or two words of letters alone
PLAIN = re.compile(r"[A-Za-z][a-z]{3,}(?:[ -][A-Za-z]?[a-z]{2,}){0,2}")
# stock numbers of collections ("GM12345", "ND06339"), of induced stem cells ("UCSFi001-A"), clones
_STOCK = re.compile(
    r"(?:[A-Z]\d{1,2}|\d+[A-Z]?\d*|[A-Z]{1,5}\d{4,}[A-Z]?"
    r"|.*i\d{3}-[A-Z].*|.*iPS.*|.*\[.*|.*\bKO\b.*)"
)
_LINE = re.compile(r"(?=.*[A-Z])(?=.*\d)[A-Za-z0-9][\w/.-]{2,9}")
_TOLD = re.compile(r"^(?=.{4}).+(?:[A-Z]|\d)")
_LINES_OF_WORDS = frozenset(("Vero", "Vero 76", "Vero C1008", "COS-7", "Neuro-2a", "CHO", "MDCK"))
_NO_GENE = re.compile(
    r"(?:Gm\d+|LOC\d+|RGD\d+|AABR\d+.*|A[CL]\d{6}.*|ENS[A-Z]+\d+|Tg\(.*|.*-ps\d*|.*Rik\d*)$"
)
_LONGEST = 36  # letters of a substance that is known by its label alone
_PEPTIDE = re.compile(r"(?:[A-Z][a-z]{2}-){2,}[A-Z][a-z]{2}")
_TOGETHER = re.compile(r" drug combination$")
_UNNAMED = re.compile(r"environmental samples|unclassified| sp\. | phage |uncultured|<")
_MICROBES = ("NCBITaxon:2", "NCBITaxon:2157", "NCBITaxon:10239")
_LEAST = 2  # characters of a name
TOKEN = re.compile(r"[^\W_]+")


@dataclass(slots=True)
class BaseTerm:
    """A term while the set is built: names as text → scope, in order."""

    label: str
    names: dict[str, str] = field(default_factory=dict)
    parents: list[str] = field(default_factory=list)
    taxon: str = ""
    replaced_by: str = ""
    obsolete: bool = False
    unspoken: bool = False

    def all_names(self) -> tuple[str, ...]:
        return (self.label, *self.names)


Terms = dict[str, BaseTerm]


def name_key(name: str) -> str:
    """Words of a name in lower case: "MCF-7" and "MCF 7" are one."""
    return " ".join(TOKEN.findall(name.lower()))


def squeezed(name: str) -> str:
    """Letters and digits of a name in lower case: "HT-29" and "HT29" are one."""
    return "".join(TOKEN.findall(name.lower()))


@dataclass(frozen=True, slots=True)
class WordsOfPapers:
    """Which names occur in the texts at hand: by `name_key`, and those of them as they are
    written.
    """

    keys: frozenset[str]
    written: frozenset[str]
    linked: dict[str, frozenset[str]]  # name of a mapping file → ids on either side
    genes: frozenset[str] = frozenset()  # symbols and short names of human genes

    def name(self, term: BaseTerm) -> bool:
        return any(name_key(name) in self.keys for name in term.all_names())

    def write(self, term: BaseTerm) -> bool:
        """Whether some name, three characters or more, stands in a text letter by letter."""
        return any(name in self.written and len(name) > _LEAST for name in term.all_names())

    def write_label(self, term: BaseTerm) -> bool:
        """Whether the label stands in a text: letter by letter if it is one word, else by words."""
        label = term.label
        return label in self.written if " " not in label else name_key(label) in self.keys


Rule = Callable[[Terms, WordsOfPapers], Iterable[str]]


def substances(terms: Terms, papers: WordsOfPapers) -> Iterable[str]:
    """ChEBI: with a label that can be said, further names, or in a text."""
    for id, term in terms.items():
        says = len(term.label) <= _LONGEST and not _PEPTIDE.fullmatch(term.label)
        if says or term.names or papers.name(term):
            yield id


def supplementary(terms: Terms, papers: WordsOfPapers) -> Iterable[str]:
    """MeSH's supplementary records: all diseases; substances with a plain name, combinations of
    drugs, or what is in a text; no organisms, which NCBI Taxonomy has, and no proteins by gene,
    which HGNC, MGI and RGD have.
    """
    for id, term in terms.items():
        kinds = set(term.parents)
        if "MESH:category-C" in kinds:
            yield id
        elif "MESH:category-B" not in kinds and " protein, " not in term.label:
            plain = PLAIN.fullmatch(term.label) or _TOGETHER.search(term.label)
            if (plain and "MESH:category-D" in kinds) or papers.name(term):
                yield id
        elif papers.name(term) and "MESH:category-B" not in kinds:
            yield id


def cell_lines(terms: Terms, papers: WordsOfPapers) -> Iterable[str]:
    """Cellosaurus: the lines of DepMap, others with a short name of capitals and digits that no
    gene bears, and those that a text writes with a capital behind the first letter or a digit
    ("LNCaP", "RAW 264.7"); no stock numbers, stem cells of banks, hybridomas, knock-outs and
    embryonic days.
    """
    depmap = papers.linked["cellosaurus_depmap"]
    known = {squeezed(terms[id].label) for id in depmap if id in terms}
    for id, term in terms.items():
        if id not in depmap and squeezed(term.label) in known:
            continue  # "HT29" of papers is HT-29
        label = term.label
        short = _LINE.fullmatch(label) and not _STOCK.fullmatch(label)
        told = _TOLD.search(label) and not _STOCK.fullmatch(label) and papers.write_label(term)
        of_paper = (short or told) and label not in papers.genes
        if id in depmap or label in _LINES_OF_WORDS or of_paper:
            yield id


def organisms(terms: Terms, papers: WordsOfPapers) -> Iterable[str]:
    """NCBI Taxonomy: what MeSH names, or a text; all named bacteria, archaea and viruses (phages
    only from texts); of all else what has a common name.
    """
    microbes, mesh = below(terms, _MICROBES), papers.linked["mesh_ncbitaxon"]
    for id, term in terms.items():
        unnamed = _UNNAMED.search(term.label) is not None
        common = any(scope == "EXACT" and name.islower() for name, scope in term.names.items())
        if id in mesh or (not unnamed and (id in microbes or common or papers.name(term))):
            yield id


def rodent_genes(terms: Terms, papers: WordsOfPapers) -> Iterable[str]:
    """MGI and RGD: genes with a human orthologue, and those in a text as they are written."""
    orthologous = papers.linked["hgnc_orthologs"]
    for id, term in terms.items():
        if not _NO_GENE.match(term.label) and (id in orthologous or term.label in papers.written):
            yield id


def approved_genes(terms: Terms, papers: WordsOfPapers) -> Iterable[str]:
    """NCBI Gene: the genes that HGNC has."""
    return terms.keys() & papers.linked["hgnc_genes"]


def unlinked_drugs(terms: Terms, papers: WordsOfPapers) -> Iterable[str]:
    """UNII: what neither ChEBI nor DrugBank holds, by the mappings."""
    return terms.keys() - papers.linked["unii_by_name"]


def human_hairpins(terms: Terms, papers: WordsOfPapers) -> Iterable[str]:
    """miRBase: human ones."""
    return (id for id, term in terms.items() if term.label.startswith("hsa-"))


def below(terms: Terms, tops: Iterable[str]) -> set[str]:
    """The terms under some others, these included."""
    children: dict[str, list[str]] = {}
    for id, term in terms.items():
        for parent in term.parents:
            children.setdefault(parent, []).append(id)
    reached, waiting = set(tops), list(tops)
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in reached:
                reached.add(child)
                waiting.append(child)
    return reached


def with_broader(terms: Terms, ids: Iterable[str]) -> Terms:
    """Those terms and all that stand above them."""
    kept: set[str] = set()
    waiting = [id for id in ids if id in terms]
    while waiting:
        id = waiting.pop()
        if id not in kept:
            kept.add(id)
            waiting += [parent for parent in terms[id].parents if parent in terms]
    return {id: term for id, term in terms.items() if id in kept or term.obsolete}
