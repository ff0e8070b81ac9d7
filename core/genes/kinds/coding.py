"""Whether a gene is protein-coding: from its recorded type where one is served, else from its
names, and said so.
"""

from __future__ import annotations

import re

from core.errors import RemoteError
from core.genes.answer import (
    AnswerStatus,
    AnswerValue,
    GeneAnswer,
    StatementEnd,
    bound_value,
    proof_of,
)
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.resolution import ResolvedGenes, gene_thing, resolve_gene
from core.genes.question.normalisation import mend_typos
from core.genes.question.question import QuestionKind
from core.genes.session import NcbiSession
from core.ncbi.call import FullRecord, GeneType, NcbiDatabase
from core.ncbi.record import NcbiRecord
from core.text.phrases import phrases

PSEUDO = re.compile(r"\bpseudogene|\(pseudogene\)", re.I)
# Names of genes whose product is an RNA: "RNA, U1 small nuclear 1", "microRNA 21"
RNA = phrases(
    {
        "non-?protein coding|long (?:intergenic )?non-?coding|non-?coding RNA": "long non-coding",
        r"\bmicroRNA\b|small (?:nuclear|nucleolar|cajal)|vault RNA|Y RNA": "microRNA 21",
        r"\bRNA, (?:U\d|7SK|5S|5-8S|18S|28S|45S|Y\d|small|vault)": "RNA, 7SK",
        r"antisense RNA|ribosomal RNA|transfer RNA|\btRNA-|\blncRNA|\bpiR": "BACE1 antisense RNA",
        r"(?:divergent|intronic|overlapping) transcript|host gene": "SOX2 overlapping transcript",
        r"readthrough \(NMD": "readthrough (NMD candidate)",
    },
    before="",
    after="",
)


def coding(session: NcbiSession) -> GeneAnswer:
    """From the recorded type; from names, and said so, where no type is served."""
    name = session.question.subject
    resolved = resolve_gene(session, name)
    if resolved is None:
        return session.not_found(
            f"No {session.question.species} gene in NCBI Gene has the name {name}."
        )
    if len(resolved.genes) > 1:
        return _several(session, resolved)
    gene = resolved.gene
    typed = gene_type(session, gene)
    if typed is not None:
        answer_value = type_in(session, gene, *typed)
        if answer_value.value == "unknown":
            return session.not_found(f"The type of {gene.get('symbol')} is recorded as unknown.")
        if answer_value.value not in ("protein-coding", "pseudo"):
            session.note(f"The recorded type of {gene.get('symbol')} is {answer_value.value}.")
        return session.answer(
            AnswerStatus.ANSWERED,
            verdict(session.question.text, answer_value.value),
            (answer_value,),
        )
    return _from_names(session, gene, resolved.call)


def type_in(session: NcbiSession, gene: NcbiRecord, record: NcbiRecord, call: str) -> AnswerValue:
    """The type that `record` states of `gene`; one inferred from the names in it where it states
    none.
    """
    inferred = "" if record.get("type") else "inferred"
    kind, field = inferred_type(record) if inferred else (str(record.get("type")), "type")
    term = _type_thing(kind)
    proofs = proof_of(session.steps, record, field, term.id) if term.id else ()
    return bound_value(
        record,
        field,
        kind,
        call,
        subject=gene_thing(gene),
        object=term,
        relation=inferred,
        proofs=proofs,
    )


def _several(session: NcbiSession, resolved: ResolvedGenes) -> GeneAnswer:
    """A name of several genes: an answer only for the one that is meant."""
    symbols = [str(ncbi_record.get("symbol")) for ncbi_record in resolved.genes]
    session.note(
        f"{session.question.subject} is a name of several genes: {', '.join(symbols)}. Ask for one"
        " of them."
    )
    return session.answer(AnswerStatus.AMBIGUOUS)


def gene_type(session: NcbiSession, gene: NcbiRecord) -> tuple[NcbiRecord, str] | None:
    """The record with `type`, from Datasets where it is reachable, else from efetch; None where
    neither serves it.
    """
    ids = (gene.id.partition(":")[2],)
    calls = ((GeneType(ids),) if session.ncbi.addresses.datasets else ()) + (
        FullRecord(NcbiDatabase.GENE, ids),
    )
    for call in calls:
        try:
            answer = session.ask(call, "The recorded type of the gene.")
        except RemoteError:
            continue
        if record := next(
            (
                candidate
                for candidate in answer.records
                if candidate.id == gene.id and candidate.get("type")
            ),
            None,
        ):
            return record, answer.stored
    session.note("No recorded gene type is available here.")
    return None


def _type_thing(kind: str) -> StatementEnd:
    terms = {
        "protein-coding": ("protein_coding_gene", "SO:0001217"),
        "pseudo": ("pseudogene", "SO:0000336"),
        "pseudogene": ("pseudogene", "SO:0000336"),
    }
    label, curie = terms.get(
        kind, ("ncRNA_gene", "SO:0001263") if "rna" in kind.lower() else (kind, "")
    )
    return StatementEnd(label, curie)


def verdict(words: str, kind: str) -> str:
    """Yes or no to what was asked of a gene of this type (coding, pseudogene or non-coding); else
    the type itself.
    """
    words, coding, pseudo = mend_typos(words), kind == "protein-coding", kind.startswith("pseudo")
    if re.search(r"\b(?:type|kind|sort) of (?:a )?gene|\bgene type|\bbiotype", words, re.I):
        return kind
    if re.search(r"\bpseudo-?\s?gene", words, re.I):
        return kind if re.search(r"coding", words, re.I) else _yes(pseudo)
    if re.search(r"\bnon-?\s?(?:protein[- ])?coding", words, re.I):
        if re.search(
            r"(?<!non-)(?<!non)(?<!non )\bcoding\b.*\bor\b|\bor\b.*(?<!non-)(?<!non"
            r" )\b(?:protein-?)?coding",
            words,
            re.I,
        ):
            return kind
        return _yes("rna" in kind.lower() if re.search(r"\bRNA", words) else not coding)
    return _yes(coding)


def _yes(is_true: bool) -> str:
    return "Yes" if is_true else "No"


def inferred_type(gene: NcbiRecord) -> tuple[str, str]:
    """A type read from names, and the field it was read from. Coding records list protein names as
    designations.
    """
    words = {name: gene.text(name) for name in ("name", "designations")}
    for kind, pattern in (("pseudogene", PSEUDO), ("ncRNA", RNA)):
        if hit := next((name for name, text in words.items() if pattern.search(text)), ""):
            return kind, hit
    if not gene.get("designations") and re.match(r"uncharacterized\b", str(gene.get("name"))):
        return "ncRNA", "name"
    if not gene.get("designations") and str(gene.get("symbol")).startswith(
        ("LINC", "MIR", "SNOR", "RNU")
    ):
        return "ncRNA", "symbol"
    if gene.get("designations"):
        return "protein-coding", "designations"
    return "", ""


def _from_names(session: NcbiSession, gene: NcbiRecord, call: str) -> GeneAnswer:
    kind, where = inferred_type(gene)
    if not kind:
        return session.not_found(
            f"Neither a type nor an informative name of {gene.get('symbol')} is in its record."
        )
    session.note(
        f"The type of {gene.get('symbol')} is inferred from its {where} ({kind}), not read from a"
        " recorded gene type."
    )
    return session.answer(
        AnswerStatus.ANSWERED,
        verdict(session.question.text, kind),
        (type_in(session, gene, gene, call),),
    )


KINDS = (
    GeneKind(
        QuestionKind.CODING,
        Topic.GENE,
        "Is TP53 a protein-coding gene?",
        plan=coding,
        claim="GeneTypeClaim",
        needs=("gene",),
    ),
)
