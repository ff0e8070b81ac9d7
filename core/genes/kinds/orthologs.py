"""The same gene in other species, as NCBI's ortholog groups have it (Datasets)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.errors import RemoteError
from core.genes.answer import AnswerStatus, AnswerValue, Asking, GeneAnswer, RecordProof
from core.genes.kinds.gene_record import the_gene, told
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.symbol import thing
from core.genes.verification.evidence_rules import subject_records, value_is_held
from core.ncbi.call import Orthologs
from core.ncbi.gene import TAXA
from core.ncbi.record import NcbiRecord

MOST_PAGES = 6  # of orthologs that are read of one gene
MORE_SPECIES = {  # whose orthologs can be asked for, beside those whose genes can
    "dog": r"dogs?|canine",
    "cow": r"cows?|cattle|bovine|bos taurus",
    "pig": r"pigs?|porcine|sus scrofa",
    "rhesus macaque": r"(?:rhesus )?macaques?|macaca mulatta|rhesus monkeys?",
    "chimpanzee": r"chimp(?:anzee)?s?",
    "frog": r"(?:western clawed )?frogs?|xenopus(?: tropicalis)?",
    "sheep": r"sheep|ovine",
    "cat": r"cats?|feline",
    "horse": r"horses?|equine",
    "rabbit": r"rabbits?",
}
_TAXA = TAXA | {
    "dog": "9615",
    "cow": "9913",
    "pig": "9823",
    "rhesus macaque": "9544",
    "chimpanzee": "9598",
    "frog": "8364",
    "sheep": "9940",
    "cat": "9685",
    "horse": "9796",
    "rabbit": "9986",
}


def value_of(gene: NcbiRecord, other: NcbiRecord, call: str) -> AnswerValue:
    """`Brca1 (Mus musculus; NCBIGene:12189)`: it rests on the gene's number in NCBI's answer on
    the orthologs of the gene that was asked for, and on its group, where the answer names one.
    """
    species = str(other.get("species") or "species not stated")
    value = f"{other.get('symbol')} ({species}; {other.id})"
    ties = (
        (RecordProof(call, gene.id, other.pointers["group"], str(other.get("group"))),)
        if other.get("group") and f"NCBIGene:{other.get('group')}" == gene.id
        else ()
    )
    own = RecordProof(call, other.id, other.pointers.get("symbol", ""), str(other.get("symbol")))
    at, raw = other.pointers["uid"], str(other.get("uid"))
    return AnswerValue(value, other.id, at, raw, call, thing(gene), thing(other), "", (own,), ties)


def plan(asking: Asking) -> GeneAnswer:
    """Two calls for the gene, one for a page of its orthologs."""
    if not asking.ncbi.addresses.datasets:
        asking.note("NCBI Datasets, which holds the orthologs, is not served here.")
        return asking.answer(AnswerStatus.FAILED)
    resolved = the_gene(asking)
    if isinstance(resolved, GeneAnswer):
        return resolved
    gene, symbol = resolved.gene, resolved.gene.get("symbol")
    other = asking.question.other_species
    taxon = _TAXA.get(other, "")
    answer_values: list[AnswerValue] = []
    page, seen, count = "", 0, 0
    for number in range(MOST_PAGES):
        why = f"The orthologs of {symbol}{f' in {other}' if other else ''}."
        call = Orthologs(gene.id.partition(":")[2], taxon, page)
        try:
            answer = asking.ask(call, why if not number else f"The next page of: {why}")
        except RemoteError:
            if not number:
                raise
            break
        seen, count = seen + len(answer.records), max(count, answer.reading.count)
        answer_values += [
            value_of(gene, one, answer.stored) for one in _others(gene, answer.records, taxon)
        ]
        page = answer.reading.following
        if not page:
            break
    if page or seen < count:
        asking.lack(f"{seen} of {count} orthologs read")
    return told(
        asking,
        answer_values,
        f"NCBI lists no ortholog of {symbol}{f' in {other}' if other else ''}.",
    )


def _others(gene: NcbiRecord, records: tuple[NcbiRecord, ...], taxon: str) -> list[NcbiRecord]:
    """Those of other species, or of the one that was asked for; the gene itself stands among
    them.
    """
    return [
        ncbi_record
        for ncbi_record in records
        if ncbi_record.id != gene.id
        and ncbi_record.get("symbol")
        and taxon in ("", str(ncbi_record.get("taxid")))
    ]


def rule(asking: Asking) -> Iterator[AnswerValue]:
    taxon = _TAXA.get(asking.question.other_species, "")
    for gene, _ in subject_records(asking):
        number = gene.id.partition(":")[2]
        for one, step in value_is_held(asking, "gene"):
            if one.get("ortholog_of") == number and _others(gene, (one,), taxon):
                yield value_of(gene, one, step.call)


RELATIVE = r"(?:orthologu?e?s?|homologu?e?s?|counterparts?|equivalents?)"


def species_of(words: str, named: dict[str, str]) -> tuple[str, str]:
    """The species of the gene and that of the ortholog that is wanted (empty: any), from a
    question; `named` gives the pattern of each species. `the mouse ortholog of TP53`, `TP53 in
    mouse`: of a human gene; `the human ortholog of mouse Trp53`: of a mouse gene.
    """
    for name, pattern in named.items():
        wanted = (
            rf"\b(?:{pattern})(?: gene)? {RELATIVE}\b"
            rf"|\b{RELATIVE}\b[^?]*\b(?:in|from|of) (?:the )?(?:{pattern})\b(?! [A-Za-z]\w*\d"
            rf"|\s[A-Z])"
            rf"|\b(?:orthologous|homologous|equivalent"
            rf"|corresponding)\b[^?]*\bin (?:the )?(?:{pattern})\b"
        )
        if re.search(wanted, words, re.I):
            rest = re.sub(wanted, " ", words, flags=re.I)
            own = next(
                (one for one, other in named.items() if re.search(rf"\b(?:{other})\b", rest, re.I)),
                "",
            )
            return own or ("mouse" if name == "human" else "human"), name
    return "human", ""


KIND = GeneKind(
    "orthologs of a gene",
    Topic.GENE,
    "What is the mouse ortholog of TP53?",
    plan,
    "OrthologClaim",
    ("gene",),
    rule,
    words=(
        rf"\b{RELATIVE}\b(?! of the gene that)|\borthologous\b|\bhomologous genes?\b"
        r"|\b(?:corresponding|equivalent) gene\b"
    ),
    listed=True,
)
