"""A change of a gene as people and ClinVar write it, brought to one form.

HGVS names (`NM_007294.4:c.68_69delAG`, `p.(Val600Glu)`) and short protein changes (`V600E`,
`F508del`) are written in many ways that mean the same. Here one-letter amino acids, `*` for a stop,
and no bases after `del` and `dup` stand for all of them (HGVS nomenclature, DNA and protein
recommendations).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ONE_LETTER = {
    "Ala": "A", "Arg": "R", "Asn": "N", "Asp": "D", "Cys": "C", "Gln": "Q", "Glu": "E",
    "Gly": "G", "His": "H", "Ile": "I", "Leu": "L", "Lys": "K", "Met": "M", "Phe": "F",
    "Pro": "P", "Ser": "S", "Thr": "T", "Trp": "W", "Tyr": "Y", "Val": "V", "Ter": "*",
}  # fmt: skip
_RESIDUE = rf"(?:{'|'.join(_ONE_LETTER)}|[ACDEFGHIKLMNPQRSTVWY])"
# Val600Glu, V600E, R213X, Phe508del, Gln1756Profs*74, Glu746_Ala750del, Asp770_Asn771insSerVal
_PROTEIN = (
    rf"(?:{_RESIDUE}|\*)\d{{1,5}}(?:_{_RESIDUE}\d{{1,5}})?"
    rf"(?:(?:{_RESIDUE})?fs(?:(?:Ter|[*X])\d+)?|(?:delins|ins)(?:{_RESIDUE}){{1,20}}|del|dup"
    rf"|{_RESIDUE}|[*X=])"
)
# 68_69delAG, 5266dupC, 1799T>A, -32-13T>G, *12G>A, 316+5G>A, 76_77insT
_POSITION = r"[-*]?\d{1,6}(?:[+-]\d{1,6})?"
_CODING = (
    rf"{_POSITION}(?:_{_POSITION})?(?:[ACGTacgt]>[ACGTacgt]|del[ACGTacgt]*ins[ACGTacgt]{{1,200}}"
    r"|(?:del|dup)[ACGTacgt]{0,200}|ins[ACGTacgt]{1,200}|inv)"
)
CODING_CHANGE = re.compile(rf"(?<![\w.])c\.\s?(?P<coding>{_CODING})(?![\w>])")
PROTEIN_CHANGE = re.compile(
    rf"(?<![\w.])p\.\s?\(?(?P<named>{_PROTEIN})(?![\w*])\)?"
    # without `p.` two digits, three letters or a symbol before it (HBB E6V): H2A is a histone
    rf"|(?<![\w.-])(?P<bare>(?=[A-Z]\d\d|[A-Z][a-z]{{2}}\d|(?<=[A-Z0-9]{{3}} )[A-Z]\d[A-Z*])"
    rf"{_PROTEIN})(?![\w*-])"
)
_TRANSCRIPT = re.compile(r"\b(?P<transcript>[NX][MR]_\d{6,9}(?:\.\d{1,3})?)\b")
_OTHER_REFERENCE = re.compile(
    r"\b(?P<reference>(?:N[CGPTW]_\d{6,9}|ENS[TP]\d{11}|LRG_\d+)[\w.]*)\s*(?:\([\w-]+\))?"
    r"\s*:\s*(?P<level>[cgmnpr])\."
)


@dataclass(frozen=True, slots=True)
class GeneChange:
    """`reference` is a gene's symbol or a transcript's accession; `notation` the change in one form
    (`c.68_69del`, `p.V600E`); `gene` the one that is named beside a transcript.
    """

    reference: str
    notation: str
    gene: str = ""

    @property
    def on_transcript(self) -> bool:
        return bool(_TRANSCRIPT.fullmatch(self.reference))

    @property
    def subject(self) -> str:
        """`BRAF p.V600E`, `NM_007294.4:c.68_69del`: what `read_change` reads again."""
        if not self.on_transcript:
            return f"{self.reference} {self.notation}"
        return f"{self.reference}{f'({self.gene})' if self.gene else ''}:{self.notation}"


def read_change(subject: str) -> GeneChange:
    """The change of a question's subject, as `GeneChange.subject` writes it."""
    named, _, notation = re.sub(r":(?=[cp]\.)", " ", subject).partition(" ")
    reference, _, gene = named.rstrip(")").partition("(")
    return GeneChange(reference, notation, gene)


def notations_in(words: str) -> tuple[str, ...]:
    """Every change that the words name, in one form, coding changes first: `c.1799T>A` and
    `p.V600E` of `NM_004333.6(BRAF):c.1799T>A (p.Val600Glu)`.
    """
    coding = (coding_form(match["coding"]) for match in CODING_CHANGE.finditer(words))
    protein = (
        protein_form(match["named"] or match["bare"]) for match in PROTEIN_CHANGE.finditer(words)
    )
    return tuple(dict.fromkeys((*coding, *protein)))


def coding_form(change: str) -> str:
    """`c.68_69del` of `68_69delAG`, `c.1799T>A` of `1799t>a`."""
    upper = re.sub(r"[acgt](?=>)|(?<=>)[acgt]|(?<=ins)[acgt]+", lambda m: m[0].upper(), change)
    return "c." + re.sub(r"(del|dup)[ACGTacgt]+", r"\1", upper)


def protein_form(change: str) -> str:
    """`p.V600E` of `Val600Glu`, `p.R213*` of `R213X`, `p.Q1756fs` of `Gln1756Profs*74`."""
    short = re.sub("|".join(_ONE_LETTER), lambda match: _ONE_LETTER[match[0]], change)
    short = re.sub(rf"(?<=\d){_RESIDUE}?fs.*$", "fs", short)
    return "p." + re.sub(r"(?<=\d)X$", "*", short)


# Names of before HGVS: they do not count from its start codon
_OLD_NAME = re.compile(
    # `185delAG`, `5382insC`
    r"(?<![\w.:])(?P<name>\d{2,5}(?:_\d{2,5})?(?:del|ins|dup)[ACGTacgt]{1,12}"
    # `IVS2+1G>A`
    r"|IVS ?\d+\s?[+-]\s?\d+\s?[ACGTacgt]>[ACGTacgt])(?![\w>])"
    r"|\b(?P<nickname>(?:factor V )?Leiden)\b"
)
_EVENT = "deletion|duplication|insertion|skipping|loss"
_EXONS = re.compile(
    rf"\bexons? \d[\d, -]*(?:to \d+ )?(?:{_EVENT}|del|dup|ins)s?\b"
    rf"|\b(?:{_EVENT})s? (?:of|in) exons?\b",
    re.I,
)
_SMALL = re.compile(
    r"(?<=\w{2} )(?P<change>[acdefghiklmnpqrstvwy]\d{2,4}"
    r"(?:[acdefghiklmnpqrstvwy*]|fs|del))(?![\w-])"
)


def spelled_out(words: str) -> str:
    """`BRAF v600e` as `BRAF V600E`, `CFTR ΔF508` as `CFTR F508del`."""
    words = re.sub(r"(?:Δ|\bdelta[ -]?)(?P<at>[A-Z]\d{2,4})\b", r"\g<at>del", words)
    return _SMALL.sub(_capitals, words)


def _capitals(match: re.Match[str]) -> str:
    change = match["change"]
    return change[0].upper() + (
        change[1:] if change.endswith(("fs", "del")) else change[1:].upper()
    )


def unreadable_change(words: str) -> str:
    """Why a change that the words name cannot be matched with ClinVar's records, which are named
    by HGVS; nothing where none such stands there.
    """
    hgvs = "write it in HGVS (BRCA1 c.68_69del) or give the rs number."
    if old := _OLD_NAME.search(words):
        return f"{old[0]} is an older name of a change, from before HGVS; {hgvs}"
    if bases := re.search(r"(?<![\w.:>+-])\d{1,5}[ACGT]>[ACGT](?![\w>])", words):
        return (
            f"{bases[0]} does not say where it counts from: write c.{bases[0]} if from HGVS's start"
            " codon, or give the rs number."
        )
    if star := re.search(r"\b[A-Z][A-Z0-9-]{2,}\*\d+(?::\d+)*\b", words):
        return f"{star[0]} is a star allele, which no record of NCBI names; give an rs number."
    if exons := _EXONS.search(words):
        return f"It asks about a change of whole exons ({exons[0]}), which no rule can find."
    return ""


def without_unreadable(words: str) -> str:
    """The words around a change that cannot be read: of which gene it is."""
    words = re.sub(r"(?<![\w.:>+-])\d{1,5}[ACGT]>[ACGT]\b", " ", words)
    return _EXONS.sub(" ", _OLD_NAME.sub(" ", words))


def may_be_bases(notation: str) -> bool:
    """Whether a protein change could as well be an old name of a change of bases: `G1691A`. Below
    100 changes of amino acids are meant (`KRAS G12C`).
    """
    match = re.fullmatch(r"p\.[ACGT](?P<at>\d+)[ACGT]", notation)
    return match is not None and int(match["at"]) >= 100


def without_change(words: str) -> str:
    """The words around the change and its transcript: what is asked about it, of which gene."""
    for pattern in (CODING_CHANGE, PROTEIN_CHANGE, _TRANSCRIPT):
        words = pattern.sub(" ", words)
    return re.sub(r"\s*[:(]\s*(?=\s|$)|\(\s*\)|(?<=\s)\)", " ", words)


def transcript_in(words: str) -> str:
    """The transcript's accession that the words name; nothing where they name none."""
    match = _TRANSCRIPT.search(words)
    return match["transcript"] if match else ""


def other_reference(words: str) -> str:
    """A name on a sequence that ClinVar's titles do not use: `NC_000007.14:g.`, `ENST00000357654`;
    nothing where none stands there.
    """
    match = _OTHER_REFERENCE.search(words)
    return match["reference"] if match else ""
