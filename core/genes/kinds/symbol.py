"""Questions for the symbol of a gene: by another name, and by an Ensembl id."""

from __future__ import annotations

import re

from core.errors import RemoteError
from core.genes.answer import (
    AnswerStatus,
    AnswerValue,
    GeneAnswer,
    RecordProof,
    StatementEnd,
    bound_value,
)
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.resolution import (
    NameFit,
    ResolvedGenes,
    gene_summaries,
    gene_thing,
    ids_of,
    match_name,
    resolve_gene,
    tied_gene_ids,
)
from core.genes.question.normalisation import mend_typos
from core.genes.question.question import QuestionKind
from core.genes.session import NcbiSession
from core.ncbi.call import GeneType, NcbiDatabase, Search
from core.ncbi.record import NcbiRecord
from core.ncbi.species import species_search_term

# Asked for a list: "all aliases", "other names"
ALL_NAMES = re.compile(
    r"\b(?:aliases|synonyms|(?:alias|synonym) lists?"
    r"|(?:other|alternative|all|previous) (?:names?|symbols?))\b",
    re.I,
)
PREVIOUS = re.compile(r"\b(?:previous|former|old|earlier|withdrawn)\b", re.I)
ONE_NAME = (
    r"\b(?:official|approved|current|correct|preferred|resolve|convert|translate|map|which|one"
    r" of)\b"
)


def alias(session: NcbiSession) -> GeneAnswer:
    """The official symbol of a gene known by another name."""
    name = session.question.subject
    resolved = resolve_gene(session, name)
    if resolved is None:
        return session.not_found(
            f"No {session.question.species} gene in NCBI Gene has the name {name}."
        )
    if session.question.claim:
        return _verdict_on_names(session, resolved)
    question_text = mend_typos(session.question.text)
    if ALL_NAMES.search(question_text) and not re.search(ONE_NAME, question_text, re.I):
        return _all_names(session, resolved)
    if resolved.match <= NameFit.SYMBOL_CASE:
        session.note(f"{resolved.gene.get('symbol')} is an official symbol itself.")
    if resolved.others:
        session.note(
            "Less exactly, the name also fits "
            + ", ".join(str(ncbi_record.get("symbol")) for ncbi_record in resolved.others[:8])
            + "."
        )
    if resolved.gene.get("official") != "Official":
        session.note(
            f"The symbol's nomenclature status is {resolved.gene.get('official') or 'not given'}."
        )
    answer_values = tuple(
        symbol_of_alias(ncbi_record, name, resolved.call) for ncbi_record in resolved.genes
    )
    return _one_of(session, answer_values, f"{name} is a name of several genes")


def _verdict_on_names(session: NcbiSession, resolved: ResolvedGenes) -> GeneAnswer:
    """Whether the name that a question claims is one of the same gene. A record that does not list
    it shows nothing.
    """
    name, claimed = session.question.subject, session.question.claim
    called = [gene for gene in resolved.genes if match_name(gene, claimed) is not None]
    if called:
        symbol = str(called[0].get("symbol"))
        other = claimed if name.casefold() == symbol.casefold() else name
        value = symbol_of_alias(called[0], other, resolved.call)
        return session.answer(AnswerStatus.ANSWERED, f"Yes ({symbol})", (value,))
    symbols = ", ".join(str(gene.get("symbol")) for gene in resolved.genes)
    return session.not_found(
        f"{name} is a name of {symbols}, whose record does not list {claimed}. That does not show"
        " that it is not a name of it."
    )


def symbol_of_alias(gene: NcbiRecord, name: str, call: str) -> AnswerValue:
    """The symbol of a gene that bears `name`: it rests on the field that lists the name. The
    symbol itself is no alias, and what only NCBI's index ties to the gene is unconfirmed.
    """
    symbol = str(gene.get("symbol"))
    own = RecordProof(
        call,
        gene.id,
        gene.pointers.get("symbol", "symbol"),
        gene.raw.get("symbol") or gene.text("symbol"),
    )
    for field in ("aliases", "designations"):
        if listed := _listed_as(gene, field, name):
            return AnswerValue(
                symbol,
                gene.id,
                gene.pointers.get(field, field),
                raw=listed,
                call=call,
                subject=gene_thing(gene),
                object=StatementEnd(listed),
                relation="inferred" if field == "designations" else "",
                proofs=(own,),
            )
    itself = symbol.casefold() == name.casefold() or name in ids_of(gene)
    return AnswerValue(
        symbol,
        own.record,
        own.field,
        raw=own.raw,
        call=call,
        subject=gene_thing(gene),
        object=StatementEnd(name),
        relation="itself" if itself else "unconfirmed",
    )


def _listed_as(gene: NcbiRecord, field: str, name: str) -> str:
    """The name as a list of the record writes it; nothing where it is the symbol or not listed."""
    if str(gene.get("symbol")).casefold() == name.casefold():
        return ""
    names = [str(listed_name) for listed_name in gene.get(field, [])]
    if name in names:
        return name
    return next(
        (listed_name for listed_name in names if listed_name.casefold() == name.casefold()), ""
    )


def _all_names(session: NcbiSession, resolved: ResolvedGenes) -> GeneAnswer:
    """Every other name that the gene's record lists."""
    gene = resolved.gene
    if len(resolved.genes) > 1:
        session.note(
            "The name fits"
            f" {', '.join(str(gene_record.get('symbol')) for gene_record in resolved.genes)}."
        )
        return session.answer(AnswerStatus.AMBIGUOUS)
    names = [str(alias) for alias in gene.get("aliases", [])]
    if not names:
        return session.not_found(f"The record of {gene.get('symbol')} lists no other name.")
    session.note(
        f"{gene.get('symbol')} ({gene.get('species')}) is the official symbol; these are its other"
        " names."
    )
    answer_values = tuple(
        bound_value(
            gene,
            "aliases",
            name,
            resolved.call,
            subject=gene_thing(gene),
            object=StatementEnd(name),
        )
        for name in names
    )
    if PREVIOUS.search(session.question.text):
        session.note("NCBI's record lists former symbols among its other names, unmarked.")
        return session.answer(AnswerStatus.PARTLY, names, answer_values)
    return session.answer(AnswerStatus.ANSWERED, names, answer_values)


def conversion(session: NcbiSession) -> GeneAnswer:
    """The symbol of an Ensembl gene id. NCBI's index finds the gene; that its record lists the id
    is read from Datasets, where that is served. Without it the tie is unconfirmed.
    """
    name = session.question.subject
    search = session.ask(
        Search(
            NcbiDatabase.GENE, f"{name} AND {species_search_term(session.question.species)}[orgn]"
        ),
        f"Genes of {session.question.species} with the id {name}.",
    )
    ids = tied_gene_ids(search.reading, name)
    records, call = listing_ensembl(session, ids, name) if ids else ([], "")
    if ids and not records:
        records, call = gene_summaries(session, ids, "What these genes are called.")
    if not records:
        return session.not_found(
            f"No {session.question.species} gene in NCBI Gene is linked to {name}."
        )
    if len(records) > 1:
        session.note(f"NCBI links {name} to {len(records)} genes.")
    answer_values = tuple(conversion_in(record, name, call) for record in records)
    if any(answer_value.relation == "unconfirmed" for answer_value in answer_values):
        session.note(f"NCBI's search finds the gene by {name}; no record here lists the id.")
    return _one_of(session, answer_values, f"{name} is linked to several genes")


def listing_ensembl(
    session: NcbiSession, ids: tuple[str, ...], name: str
) -> tuple[list[NcbiRecord], str]:
    """Records of Datasets that list the Ensembl id; none where Datasets is not served."""
    if not session.ncbi.addresses.datasets:
        return [], ""
    try:
        answer = session.ask(GeneType(ids), f"Whether their records list {name}.")
    except RemoteError:
        return [], ""
    return [record for record in answer.records if name in record.get("ensembl", [])], answer.stored


def conversion_in(gene: NcbiRecord, name: str, call: str) -> AnswerValue:
    """The symbol of a gene as the value of a conversion: it rests on the list of Ensembl ids."""
    symbol, target = str(gene.get("symbol")), StatementEnd(name, f"ENSEMBL:{name}")
    own = RecordProof(call, gene.id, gene.pointers.get("symbol", "symbol"), symbol)
    listed = [str(ensembl_id) for ensembl_id in gene.get("ensembl", [])]
    if name not in listed:
        return AnswerValue(
            symbol,
            own.record,
            own.field,
            raw=symbol,
            call=call,
            subject=gene_thing(gene),
            object=target,
            relation="unconfirmed",
        )
    field = f"{gene.pointers['ensembl']}/{listed.index(name)}"
    ensembl_proof = RecordProof(call, target.id, field, name)
    return AnswerValue(
        symbol,
        gene.id,
        field,
        raw=name,
        call=call,
        subject=gene_thing(gene),
        object=target,
        proofs=(own,),
        ties=(ensembl_proof,),
    )


def _one_of(session: NcbiSession, answer_values: tuple[AnswerValue, ...], why: str) -> GeneAnswer:
    values = list(dict.fromkeys(answer_value.value for answer_value in answer_values))
    if len(values) == 1:
        return session.answer(AnswerStatus.ANSWERED, values[0], answer_values)
    session.note(f"{why}: {', '.join(values)}.")
    return session.answer(AnswerStatus.AMBIGUOUS, values, answer_values)


KINDS = (
    GeneKind(
        QuestionKind.ALIAS,
        Topic.GENE,
        "What is the official gene symbol of LMP10?",
        plan=alias,
        claim="AliasClaim",
        needs=("gene",),
        one_value=True,
    ),
    GeneKind(
        QuestionKind.CONVERSION,
        Topic.GENE,
        "Convert ENSG00000141510 to official gene symbol.",
        plan=conversion,
        claim="ConversionClaim",
        needs=("gene",),
        one_value=True,
    ),
)
