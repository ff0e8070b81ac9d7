"""Where a gene lies: the chromosome in its record, or that of the clone it is named after."""

from __future__ import annotations

import re

from core.genes.answer import (
    AnswerStatus,
    AnswerValue,
    GeneAnswer,
    RecordProof,
    StatementEnd,
    bound_value,
)
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.resolution import NameFit, gene_thing, resolve_gene
from core.genes.question.question import QuestionKind
from core.genes.session import NcbiSession
from core.ncbi.blast_report import chromosome_in_title as title_chromosome
from core.ncbi.call import NcbiDatabase, Search, Summary
from core.ncbi.record import NcbiRecord
from core.ncbi.species import TAXA


def location(session: NcbiSession) -> GeneAnswer:
    """The chromosome of a gene, with coordinates in the notes."""
    name = session.question.subject
    resolved = resolve_gene(session, name)
    if resolved is None:
        return clone_location(session, name)
    placed = [
        gene for gene in resolved.genes if gene.get("chromosome") and gene.get("chromosome") != "Un"
    ]
    if not placed:
        return session.not_found(
            f"The record of {resolved.gene.get('symbol')} states no chromosome."
        )
    answer_values: list[AnswerValue] = []
    for ncbi_record in placed:
        session.note(describe_place(ncbi_record))
        answer_values += chromosomes_of_gene(ncbi_record, resolved.call)
    if resolved.match > NameFit.SYMBOL_CASE:
        session.note(
            f"{name} is another name of"
            f" {', '.join(str(gene.get('symbol')) for gene in resolved.genes)}."
        )
    chromosomes = list(dict.fromkeys(answer_value.value for answer_value in answer_values))
    if arm := claimed_band(session.question.text):
        return _verdict_on_band(session, placed, arm, resolved.call)
    if claimed := claimed_chromosome(session.question.text):
        if len(placed) > 1 and len(chromosomes) > 1:
            return session.answer(AnswerStatus.AMBIGUOUS, chromosomes, tuple(answer_values))
        where = " and ".join(chromosomes)
        verdict = "Yes" if claimed in chromosomes else "No"
        return session.answer(AnswerStatus.ANSWERED, f"{verdict} ({where})", tuple(answer_values))
    if len(chromosomes) == 1:
        return session.answer(AnswerStatus.ANSWERED, chromosomes[0], tuple(answer_values))
    if len(placed) == 1:
        return session.answer(AnswerStatus.ANSWERED, chromosomes, tuple(answer_values))
    session.note(f"{name} is a name of genes on different chromosomes.")
    return session.answer(AnswerStatus.AMBIGUOUS, chromosomes, tuple(answer_values))


# "Is p53 on chromosome 5?", "Is AR on the X chromosome?"
_CLAIM = re.compile(
    r"^(?:is|does|are)\b.*?\b(?:chromosome\s+|chr)(\d{1,2}|X|Y|MT)\b"
    r"|^(?:is|does|are)\b.*?\b(?:the\s+)?(X|Y)[- ]chromosome\b",
    re.I,
)


def claimed_chromosome(words: str) -> str:
    """The chromosome that a question claims: `chr5` of "Is p53 on chromosome 5?"; else nothing."""
    match = _CLAIM.search(words.strip())
    return f"chr{(match[1] or match[2]).upper()}" if match else ""


# "17q21.3", "Xp11", "7q"
_BAND = re.compile(r"(?<![\w.])(\d{1,2}|X|Y)\s?([pq])(\d{1,2}(?:\.\d{1,2})?)?(?![\w.]*\w)", re.I)
_ARM = re.compile(r"\b(?:(short|p)|(long|q))[- ]arm\b", re.I)


def claimed_band(words: str) -> str:
    """The arm or band that a question claims: `17p` of "Is TP53 on the short arm of chromosome
    17?", `7q31` of "Is CFTR in 7q31?"; nothing where no yes or no is wanted.
    """
    if not re.match(r"(?:is|does|are)\b", words.strip(), re.I):
        return ""
    if band := _BAND.search(words):
        return f"{band[1].upper()}{band[2].lower()}{band[3] or ''}"
    arm, chromosome_named = (
        _ARM.search(words),
        re.search(r"\b(?:chromosome\s+|chr)(\d{1,2}|X|Y)\b", words, re.I),
    )
    if arm is None or chromosome_named is None:
        return ""
    return f"{chromosome_named[1].upper()}{'p' if arm[1] else 'q'}"


def _verdict_on_band(
    session: NcbiSession, placed: list[NcbiRecord], claimed: str, call: str
) -> GeneAnswer:
    """Whether the band of the record lies in the arm or band that was claimed; *partly* where the
    record's band is coarser than the claim, or states none.
    """
    banded = [gene for gene in placed if gene.get("band")]
    if len(placed) != 1 or not banded:
        values = [value for gene in placed for value in chromosomes_of_gene(gene, call)]
        session.note("No band is stated, so only the chromosome is known.")
        where = list(dict.fromkeys(value.value for value in values))
        return session.answer(AnswerStatus.PARTLY, where, tuple(values))
    band = str(banded[0].get("band"))
    value = bound_value(
        banded[0], "band", band, call, subject=gene_thing(banded[0]), object=StatementEnd(band)
    )
    ends = band_ends(band)
    inside = {end.startswith(claimed) for end in ends}
    coarser = any(claimed.startswith(end) and claimed != end for end in ends)
    if coarser or len(inside) > 1 or (len(ends) > 1 and not any(inside)):
        session.note(f"NCBI's record gives {band}, which may lie in {claimed} or outside it.")
        return session.answer(AnswerStatus.PARTLY, band, (value,))
    return session.answer(
        AnswerStatus.ANSWERED, f"{'Yes' if all(inside) else 'No'} ({band})", (value,)
    )


def band_ends(band: str) -> list[str]:
    """`7q31.1` and `7q31.2` of `7q31.1-q31.2`; one for a band that is no range."""
    first_end, *other_ends = (end.strip() for end in band.split("-"))
    chromosome_of = re.match(r"\d{1,2}|X|Y", first_end)
    ahead = chromosome_of[0] if chromosome_of else ""
    return [first_end, *(end if end.startswith(ahead) else ahead + end for end in other_ends)]


def chromosomes_of_gene(gene: NcbiRecord, call: str) -> list[AnswerValue]:
    """The chromosome of a gene record; two for a gene of the pseudoautosomal regions."""
    values = []
    for part in re.split(r"[|,;]\s*| and ", str(gene.get("chromosome"))):
        where = chromosome_with_accession(gene, part)
        proofs = _accession_proof(gene, where, call)
        values.append(
            bound_value(
                gene,
                "chromosome",
                chromosome_name(part),
                call,
                subject=gene_thing(gene),
                object=where,
                proofs=proofs,
            )
        )
    return values


def chromosome_name(name: str) -> str:
    """`chr16` of 16; what is no number or X, Y, MT stays as it is."""
    name = name.strip().removeprefix("chr")
    return f"chr{name}" if re.fullmatch(r"\d{1,2}|X|Y|MT|Un|[IVX]+", name) else name


def chromosome_with_accession(record: NcbiRecord, part: str) -> StatementEnd:
    """The chromosome with its accession, where a place of the record lies on it."""
    accession = str(_on(record, part).get("location", "")).partition(":")[0]
    return StatementEnd(chromosome_name(part), f"RefSeq:{accession}" if accession else "")


def _on(record: NcbiRecord, part: str) -> dict[str, str]:
    """The place of the record on one chromosome; nothing when it has none there."""
    places = record.get("places", [])
    return next(
        (
            place
            for place in places
            if chromosome_name(place["chromosome"]) == chromosome_name(part)
        ),
        {},
    )


def _accession_proof(record: NcbiRecord, where: StatementEnd, call: str) -> tuple[RecordProof, ...]:
    accession, at = where.id.partition(":")[2], _on(record, where.label).get("pointer", "")
    return (RecordProof(call, where.id, f"{at}/chraccver", accession),) if accession else ()


def describe_place(record: NcbiRecord) -> str:
    """Species, band, coordinates (1-based, inclusive) and assembly in one sentence."""
    places = record.get("places", [])
    where = " and ".join(place["location"] for place in places)
    inside = (
        f", {where} ({record.get('assembly') or 'assembly not stated'}, 1-based)"
        if where
        else ", no coordinates given"
    )
    band = f", {record.get('band')}" if record.get("band") else ""
    return (
        f"{record.get('symbol')} ({record.get('species')}): chromosome"
        f" {record.get('chromosome')}{band}{inside}."
    )


# Names that sequencing centres gave: "AC018712.2", "RP11-17A4.3"
CLONE = re.compile(
    r"(?P<accession>[A-Z]{2}\d{6})\.\d+|(?P<clone>(?:RP\d+|CT[ABCD]|KB|GS1|XX\w*|LA16c|CH\d+|LL\w*)-[A-Z0-9]+)\.\d+",
    re.I,
)


def clone_location(session: NcbiSession, name: str) -> GeneAnswer:
    """A gene named after the clone it was found on (`AC018712.2`, `RP11-17A4.3`) lies on the
    clone's chromosome.
    """
    nothing = f"No {session.question.species} gene in NCBI Gene has the name {name}."
    match = CLONE.fullmatch(name)
    if match is None or session.question.species != "human":
        return session.not_found(nothing)
    session.note(nothing)
    records, call = _clone_records(session, match["accession"], match["clone"])
    located = [
        (record, where)
        for record in records
        if (where := record.get("chromosome") or title_chromosome(str(record.get("title"))))
    ]
    places = {where for _, where in located}
    if len(places) != 1:
        return session.not_found(
            "Its name is that of a clone, whose chromosome no record states."
            if not places
            else f"The clone's records name chromosomes {', '.join(sorted(places))}."
        )
    record, where = located[0]
    clone = match["accession"] or match["clone"]
    session.note(
        f"{name} is named after the clone {clone}, which lies on chromosome {where} ({record.id});"
        " the gene itself has no record."
    )
    field = "chromosome" if record.get("chromosome") else "title"
    value = bound_value(
        record,
        field,
        chromosome_name(str(where)),
        call,
        subject=StatementEnd(name),
        object=StatementEnd(chromosome_name(str(where))),
        relation="clone",
    )
    return session.answer(AnswerStatus.ANSWERED, chromosome_name(str(where)), (value,))


def _clone_records(
    session: NcbiSession, accession: str | None, clone: str | None
) -> tuple[list[NcbiRecord], str]:
    """Nucleotide records of the clone; failing that, the human genes whose records cite its
    accession.
    """
    term = f"{accession}[accn]" if accession else f'"{clone}" AND human[orgn]'
    search = session.ask(
        Search(NcbiDatabase.NUCCORE, term), f"The sequence of the clone {accession or clone}."
    )
    if search.reading.ids:
        if search.reading.count > len(search.reading.ids):
            count = search.reading.count
            session.lack(f"{len(search.reading.ids)} of {count} records of the clone read")
        answer = session.ask(
            Summary(NcbiDatabase.NUCCORE, search.reading.ids),
            "Which chromosome the clone is from.",
        )
        clone_pattern = re.compile(
            rf"(?<![\w-]){re.escape(accession or clone or '')}(?![\w-])", re.I
        )
        fits = [
            record
            for record in answer.records
            if accession or clone_pattern.search(str(record.get("title")))
        ]
        return [fit for fit in fits if fit.get("taxid") in ("", "9606")], answer.stored
    if accession:
        return _citing_genes(session, session.question.subject)
    return [], ""


def _citing_genes(session: NcbiSession, name: str) -> tuple[list[NcbiRecord], str]:
    """Genes whose records cite the accession: three at least, or they say nothing."""
    ids = next((step.ids for step in session.steps if step.tool == "esearch" and step.ids), ())
    summary_step = next(
        (
            step
            for step in session.steps
            if step.tool == "esummary" and step.arguments.get("db") == "gene"
        ),
        None,
    )
    if not ids or summary_step is None:
        return [], ""
    human = [
        record
        for record in summary_step.records
        if record.get("taxid") == TAXA["human"] and record.get("chromosome")
    ]
    return (human, summary_step.call) if len(human) >= 3 else ([], "")


KINDS = (
    GeneKind(
        QuestionKind.GENE_LOCATION,
        Topic.GENE,
        "Which chromosome is BRCA1 on?",
        plan=location,
        claim="GenePlaceClaim",
        needs=("gene",),
        one_value=True,
    ),
)
