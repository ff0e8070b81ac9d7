"""The same gene in other species, as NCBI's ortholog groups have it (Datasets)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.errors import RemoteError
from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer, RecordProof
from core.genes.kinds.gene_record import answer_with_values, the_gene
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.resolution import gene_thing
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import records_of_database, subject_records
from core.ncbi.call import Orthologs
from core.ncbi.record import NcbiRecord
from core.ncbi.species import TAXA

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

_FAR = ("yeast", "worm", "fly")


def value_of(gene: NcbiRecord, ortholog: NcbiRecord, call: str) -> AnswerValue:
    """`Brca1 (Mus musculus; NCBIGene:12189)`: it rests on the gene's number in NCBI's answer on
    the orthologs of the gene that was asked for, and on its group, where the answer names one.
    """
    species = str(ortholog.get("species") or "species not stated")
    value = f"{ortholog.get('symbol')} ({species}; {ortholog.id})"
    ties = (
        (RecordProof(call, gene.id, ortholog.pointers["group"], str(ortholog.get("group"))),)
        if ortholog.get("group") and f"NCBIGene:{ortholog.get('group')}" == gene.id
        else ()
    )
    own = RecordProof(
        call, ortholog.id, ortholog.pointers.get("symbol", ""), str(ortholog.get("symbol"))
    )
    at, raw = ortholog.pointers["uid"], str(ortholog.get("uid"))
    return AnswerValue(
        value,
        ortholog.id,
        at,
        raw=raw,
        call=call,
        subject=gene_thing(gene),
        object=gene_thing(ortholog),
        proofs=(own,),
        ties=ties,
    )


def plan(session: NcbiSession) -> GeneAnswer:
    """Two calls for the gene, one for a page of its orthologs."""
    if not session.ncbi.addresses.datasets:
        session.note(
            "NCBI Datasets, which holds the orthologs, is not available at this NCBI address."
        )
        return session.answer(AnswerStatus.FAILED)
    resolved = the_gene(session)
    if isinstance(resolved, GeneAnswer):
        return resolved
    gene, symbol = resolved.gene, resolved.gene.get("symbol")
    other_species = session.question.other_species
    taxon = _TAXA.get(other_species, "")
    answer_values: list[AnswerValue] = []
    page, read_count, count = "", 0, 0
    for number in range(MOST_PAGES):
        why = f"The orthologs of {symbol}{f' in {other_species}' if other_species else ''}."
        call = Orthologs(gene.id.partition(":")[2], taxon, page)
        try:
            answer = session.ask(call, why if not number else f"The next page of: {why}")
        except RemoteError:
            if not number:
                raise
            break
        read_count, count = read_count + len(answer.records), max(count, answer.reading.count)
        answer_values += [
            value_of(gene, ortholog, answer.stored)
            for ortholog in _others(gene, answer.records, taxon)
        ]
        page = answer.reading.following
        if not page:
            break
    if page or read_count < count:
        session.lack(f"{read_count} of {count} orthologs read")
    if not answer_values and other_species in _FAR:
        session.note(
            "NCBI's ortholog groups hold mostly vertebrates: that none is listed does not show that"
            " there is none."
        )
    return answer_with_values(
        session,
        answer_values,
        f"NCBI lists no ortholog of {symbol}{f' in {other_species}' if other_species else ''}.",
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


def rule(session: NcbiSession) -> Iterator[AnswerValue]:
    taxon = _TAXA.get(session.question.other_species, "")
    for gene, _ in subject_records(session):
        number = gene.id.partition(":")[2]
        for ortholog, step in records_of_database(session, "gene"):
            if ortholog.get("ortholog_of") == number and _others(gene, (ortholog,), taxon):
                yield value_of(gene, ortholog, step.call)


RELATIVE = r"(?:orthologu?e?s?|homologu?e?s?|counterparts?|equivalents?)"


def species_of(words: str, species_patterns: dict[str, str]) -> tuple[str, str]:
    """The species of the gene and that of the ortholog that is wanted (empty: any), from a
    question; `species_patterns` gives the pattern of each species. `the mouse ortholog of TP53`,
    `TP53 in mouse`: of a human gene; `the human ortholog of mouse Trp53`: of a mouse gene.
    """
    for name, pattern in species_patterns.items():
        relative_pattern = (
            rf"\b(?:{pattern})(?: gene)? {RELATIVE}\b"
            rf"|\b{RELATIVE}\b[^?]*\b(?:in|from|of) (?:the )?(?:{pattern})\b(?! [A-Za-z][\w-]*\d"
            rf"|(?-i:\s[A-Z])|(?: and|,| or) (?:{'|'.join(species_patterns.values())})\b)"
            rf"|\b(?:{pattern}) gene corresponds to\b"
            rf"|^(?:does|do|has|have) (?:the )?(?:{pattern})\b[^?]*\b{RELATIVE}\b"
            rf"|\b(?:orthologous|homologous|equivalent"
            rf"|corresponding)\b[^?]*\bin (?:the )?(?:{pattern})\b"
        )
        if re.search(relative_pattern, words, re.I):
            words_left = re.sub(relative_pattern, " ", words, flags=re.I)
            own = next(
                (
                    species_name
                    for species_name, species_pattern in species_patterns.items()
                    if re.search(rf"\b(?:{species_pattern})\b", words_left, re.I)
                ),
                "",
            )
            return own or ("mouse" if name == "human" else "human"), name
    return "human", ""


KIND = GeneKind(
    "orthologs of a gene",
    Topic.GENE,
    "What is the mouse ortholog of TP53?",
    plan=plan,
    claim="OrthologClaim",
    needs=("gene",),
    rule=rule,
    words=(
        rf"\b{RELATIVE}\b(?! of the gene that)|\borthologous\b|\bhomologous genes?\b"
        r"|\b(?:corresponding|equivalent) gene\b|\bgene corresponds to\b"
    ),
    listed=True,
)
