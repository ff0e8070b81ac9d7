"""Where the exons and introns of a gene lie, and how many a transcript has.

NCBI Datasets' product report gives the exons of each transcript on the reference genome, as
`genomic_locations[].exons[]` with `begin`, `end` (1-based, inclusive) and `order` (its OpenAPI
document: v2reportsGenomicLocation, v2reportsRange). Introns are what lies between two of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from core.errors import RemoteError
from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer, RecordProof, StatementEnd
from core.genes.kinds.coordinates import GRCH37
from core.genes.kinds.gene_record import answer_with_values, the_gene
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.resolution import gene_thing
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import records_of_database, subject_records
from core.model import Json
from core.ncbi.assembly import GRCH38_CHROMOSOMES
from core.ncbi.call import GeneProducts
from core.ncbi.record import NcbiRecord

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
LAST = -1
CHOICE = ("MANE Select", "RefSeq Select")


@dataclass(frozen=True, slots=True)
class ExonsAsked:
    """What of a transcript is asked for: exons or introns, one of them by its number (`LAST` for
    the last, 0 for all), or only how many there are. `more` are the further numbers of `exons 4 to
    8` and of `exons 2 and 5`.
    """

    introns: bool
    number: int
    count: bool
    more: tuple[int, ...] = ()

    def includes(self, number: int, total: int) -> bool:
        """Whether the exon or intron with this number, of so many, is asked for."""
        if self.number == LAST:
            return number == total
        return self.number in (0, number) or number in self.more


_MORE = r"((?:\s?(?:-|–|to|through|until|and|or|,|&)\s?(?:(?:exon|intron)s? )?\d{1,3}\b)*)"


def _further(first: int, written: str) -> tuple[int, ...]:
    """5 to 8 of `exons 4 to 8`; 5 and 7 of `exons 4, 5 and 7`."""
    numbers: list[int] = []
    for joint, number_text in re.findall(r"(\D+?)(\d{1,3})", written):
        number = int(number_text)
        start = (numbers or [first])[-1] + 1
        is_range = re.search(r"-|–|\bto\b|through|until", joint)
        numbers += range(start, number + 1) if is_range else [number]
    return tuple(numbers)


def requested_part(words: str) -> ExonsAsked:
    introns = bool(re.search(r"\bintrons?\b", words, re.I))
    count = bool(re.search(r"\b(?:how many|number of|count)\b", words, re.I))
    kind = r"(?:coding )?(?:exon|intron)"
    by_number = re.search(rf"\b{kind}s? (?:number |no\. ?)?(\d{{1,3}})\b{_MORE}", words, re.I)
    counted = re.search(rf"\b(\d{{1,3}})(?:st|nd|rd|th) {kind}\b", words, re.I)
    if by_number:
        first, more = int(by_number[1]), _further(int(by_number[1]), by_number[2] or "")
        return ExonsAsked(introns, first, count=False, more=more)
    if counted:
        return ExonsAsked(introns, int(counted[1]), count=False)
    if ordinal := re.search(rf"\b({'|'.join(ORDINALS)}) {kind}\b", words, re.I):
        return ExonsAsked(introns, ORDINALS.index(ordinal[1].lower()) + 1, count=False)
    if re.search(rf"\b(?:last|final|terminal) {kind}\b", words, re.I):
        return ExonsAsked(introns, LAST, count=False)
    return ExonsAsked(introns, 0, count)


def chosen_transcripts(record: NcbiRecord, words: str) -> list[dict[str, Json]]:
    """The transcript that the question names, or the longest (shortest) where it asks for that;
    else the one that NCBI and Ensembl chose, else the only one; else all of RefSeq's curated ones.
    """
    placed = [transcript for transcript in record.get("transcripts", []) if transcript["places"]]
    if accession_named := re.search(r"\b[NX][MR]_\d{6,9}(?:\.\d+)?", words):
        return [
            transcript
            for transcript in placed
            if f"{transcript['accession']}.".startswith(f"{accession_named[0]}.")
        ]
    if (extreme := _EXTREME.search(words)) and placed:
        curated = [transcript for transcript in placed if _is_curated(transcript)] or placed
        wanted = (max if extreme[1].lower() == "long" else min)(map(_length, curated))
        return [transcript for transcript in curated if _length(transcript) == wanted]
    for choice in CHOICE:
        if chosen := [transcript for transcript in placed if transcript["selected"] == choice]:
            return chosen
    return [transcript for transcript in placed if _is_curated(transcript)] or placed


_EXTREME = re.compile(
    r"\b(long|short)est (?:transcript|isoform|mrna|splice (?:form|variant))", re.I
)


def _is_curated(transcript: dict[str, Json]) -> bool:
    return str(transcript["accession"]).startswith(("NM_", "NR_"))


def _length(transcript: dict[str, Json]) -> int:
    """As NCBI states it, in bases; else the sum of its exons."""
    if stated := str(transcript.get("length") or ""):
        return int(stated)
    exons = _reference(transcript["places"])["exons"]
    return sum(abs(int(exon["end"]) - int(exon["begin"])) + 1 for exon in exons)


def values_of(gene: NcbiRecord, record: NcbiRecord, call: str, words: str) -> list[AnswerValue]:
    """The exons or introns that are asked for, of each transcript that is meant."""
    part_wanted = requested_part(words)
    return [
        value
        for transcript in chosen_transcripts(record, words)
        for value in _of_transcript(gene, record, call, part_wanted, transcript=transcript)
    ]


def _of_transcript(
    gene: NcbiRecord,
    record: NcbiRecord,
    call: str,
    part_wanted: ExonsAsked,
    *,
    transcript: dict[str, Json],
) -> list[AnswerValue]:
    place = _reference(transcript["places"])
    exons, accession = place["exons"], str(transcript["accession"])
    own = RecordProof(
        call, f"RefSeq:{accession}", f"{transcript['pointer']}/accession_version", accession
    )
    spans = _introns(exons) if part_wanted.introns else _exons(exons)
    part_name = "intron" if part_wanted.introns else "exon"
    if part_wanted.count:
        last_exon = exons[-1]
        total = f"{len(spans)} {part_name}{'' if len(spans) == 1 else 's'} ({accession})"
        ties = (own, *_ends(call, record, last_exon))
        return [
            AnswerValue(
                total,
                record.id,
                f"{last_exon['pointer']}/begin",
                raw=str(last_exon["begin"]),
                call=call,
                subject=gene_thing(gene),
                object=StatementEnd(total),
                ties=ties,
            )
        ]
    values = []
    for number, (low, high, sides) in enumerate(spans, 1):
        if not part_wanted.includes(number, len(spans)):
            continue
        strand = f"({place['strand']})" if place["strand"] else ""
        value = f"{part_name} {number} of {accession}: {place['accession']}:{low}-{high}{strand}"
        own_proof, *others = (proof for side in sides for proof in _ends(call, record, side))
        values.append(
            AnswerValue(
                value, record.id, own_proof.field, raw=own_proof.raw, call=call,
                subject=gene_thing(gene), object=StatementEnd(value), ties=(own, *others),
            )
        )  # fmt: skip
    return values


Sides = tuple[dict[str, Json], ...]


def _exons(exons: list[dict[str, Json]]) -> list[tuple[int, int, Sides]]:
    return [(int(exon["begin"]), int(exon["end"]), (exon,)) for exon in exons]


def _introns(exons: list[dict[str, Json]]) -> list[tuple[int, int, Sides]]:
    """What lies between an exon and the next one, on either strand; exons that touch (a gap of the
    genome's sequence) leave none.
    """
    introns: list[tuple[int, int, Sides]] = []
    for before, after in pairwise(exons):
        low, high = sorted((before, after), key=lambda exon: int(exon["begin"]))
        start, end = int(low["end"]) + 1, int(high["begin"]) - 1
        if start <= end:
            introns.append((start, end, (before, after)))
    return introns


def _ends(call: str, record: NcbiRecord, exon: dict[str, Json]) -> tuple[RecordProof, ...]:
    return tuple(
        RecordProof(call, record.id, f"{exon['pointer']}/{end}", str(exon[end]))
        for end in ("begin", "end")
    )


def _reference(places: list[dict[str, Json]]) -> dict[str, Json]:
    """The place on a chromosome of GRCh38 where there is one; alternate loci come after."""
    on_chromosome = [place for place in places if place["accession"] in GRCH38_CHROMOSOMES]
    return (on_chromosome or places)[0]


def plan(session: NcbiSession) -> GeneAnswer:
    """Three calls: the gene's number, its summary, its products."""
    words = session.question.text
    if not session.ncbi.addresses.datasets:
        session.note("NCBI Datasets, which lists the exons, is not available at this NCBI address.")
        return session.answer(AnswerStatus.FAILED)
    if re.search(GRCH37, words, re.I):
        session.note("NCBI's product report gives exon positions on GRCh38 only.")
        return session.answer(AnswerStatus.NOT_FOUND)
    resolved = the_gene(session)
    if isinstance(resolved, GeneAnswer):
        return resolved
    gene = resolved.gene
    symbol = gene.get("symbol")
    try:
        answer = session.ask(
            GeneProducts((gene.id.partition(":")[2],)), f"The transcripts of {symbol}."
        )
    except RemoteError as error:
        session.note(str(error))
        return session.answer(AnswerStatus.FAILED)
    for warning in answer.reading.warnings:
        session.lack(warning.rstrip("."))
    records = [record for record in answer.records if record.id == gene.id]
    for record in records:
        _say_which(session, record, words)
    values = [
        value for record in records for value in values_of(gene, record, answer.stored, words)
    ]
    part = "intron" if requested_part(words).introns else "exon"
    return answer_with_values(
        session, values, f"NCBI's report of {symbol} gives the position of no such {part}."
    )


def _say_which(session: NcbiSession, record: NcbiRecord, words: str) -> None:
    """Of which transcript the answer is, and how many more there are."""
    transcripts = chosen_transcripts(record, words)
    total = len(record.get("transcripts", []))
    if len(transcripts) == 1:
        chosen = f", {transcripts[0]['selected']}," if transcripts[0]["selected"] else ""
        if extreme := _EXTREME.search(words):
            length = f"{extreme[1].lower()}est of RefSeq's curated ones"
            chosen = f", the {length} ({_length(transcripts[0])} bases),"
        session.note(f"Of {transcripts[0]['accession']}{chosen} one of {total} transcripts.")
    elif transcripts:
        session.note(f"NCBI chose none of its {total} transcripts: {len(transcripts)} are given.")


def rule(session: NcbiSession) -> Iterator[AnswerValue]:
    for gene, _ in subject_records(session):
        for record, step in records_of_database(session, "gene"):
            if record.id == gene.id and record.get("transcripts"):
                yield from values_of(gene, record, step.call, session.question.text)


KIND = GeneKind(
    "exons and introns of a transcript",
    Topic.GENE,
    "What are the coordinates of the exons of TP53?",
    plan=plan,
    claim="",
    needs=("gene",),
    rule=rule,
    words=(
        r"^\W*(?:(?:list|show|give|what are|all|me|the) )*exons (?:of|in|for)\b"
        r"|^\W*[A-Z][\w-]+ exons\W*$"
        r"|\bintrons?\b|\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|last|final"
        r"|terminal|\d{1,3}(?:st|nd|rd|th)) (?:coding )?exon\b|\bexons? (?:number |no\. ?)?\d"
        r"|\bexons?(?: and intron)? (?:co-?ordinates?|boundar\w+|positions?|locations?|starts?"
        r"|structure|junctions?|borders?)\b"
        r"|\b(?:co-?ordinates?|boundar\w+|positions?|start and (?:end|stop))"
        r" of (?:all |each |every |the )*exons?\b|\bwhere\b.{0,40}\bexons?\b"
        r"|\b(?:MANE|canonical|select|representative|[NX][MR]_\d+(?:\.\d+)?)\b.{0,40}\bexons?\b"
        r"|\bexons?\b.{0,40}\b(?:MANE|canonical|representative|[NX][MR]_\d+"
        r"|(?:long|short)est (?:transcript|isoform|mrna|splice))"
        r"|\b(?:long|short)est (?:transcript|isoform|mrna|splice)\b.{0,40}\bexons?\b"
    ),
    listed=True,
)
