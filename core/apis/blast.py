"""NCBI BLAST as an API agent: submit a sequence, wait, read the list of hits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from core.apis.agent import Api, ApiExample, Interpretation, Parameters
from core.apis.json_records import ApiRecord
from core.errors import BadAnswer
from core.model import Json
from core.web import Fetch, Fetched

BASE = "https://blast.ncbi.nlm.nih.gov/Blast.cgi"
NAMES = ("accession", "title", "bits", "expect", "identity")
_READY = re.compile(r"Status=READY|^BLASTN ", re.M)
# A line of BLAST's table: "NM_000546.6  Homo sapiens tumor protein p53  745  0.0  100%"
_LINE = re.compile(
    r"^([A-Z]{1,6}_?\d{3,12}\.\d{1,3}) +(\S(?:.*?\S)?) {2,}([\d.e+]+) +(\S+) +(\d+)%", re.M
)


class BlastQuery(Parameters):
    query: str = Field(
        description="a nucleotide sequence, ACGTUN",
        pattern=r"^[ACGTUNacgtun\s]+$",
        min_length=20,
        max_length=20_000,
    )
    database: Literal["core_nt", "refseq_rna"] = Field(
        "core_nt",
        description="core_nt: all organisms, with genomes; refseq_rna: curated transcripts",
    )
    hits: int = Field(10, description="at most this many hits", ge=1, le=50)


def first(blast_query: BlastQuery) -> Fetch:
    command = (
        ("CMD", "Put"),
        ("PROGRAM", "blastn"),
        ("MEGABLAST", "on"),
        ("DATABASE", blast_query.database),
    )
    sequence = "".join(blast_query.query.split()).upper()
    return Fetch(
        BASE,
        method="POST",
        data=(*command, ("HITLIST_SIZE", str(blast_query.hits)), ("QUERY", sequence)),
        fresh=True,
    )


def second(blast_query: BlastQuery, answer: Fetched) -> Fetch:
    match = re.search(r"RID\s*=\s*([A-Z0-9]{8,16})", answer.text)
    if not match:
        raise BadAnswer("BLAST returned no request id.", "Try again later.")
    return Fetch(
        BASE, params=(("CMD", "Get"), ("RID", match[1]), ("FORMAT_TYPE", "Text")), fresh=True
    )


def pending(answer: Fetched) -> float:
    """BLAST asks for at most one look a minute."""
    return 60.0 if re.search(r"Status=WAITING", answer.text[:5000]) else 0.0


def estimated_wait(answer: Fetched) -> float:
    """BLAST's own estimate of the seconds it needs."""
    match = re.search(r"RTOE\s*=\s*(\d{1,4})", answer.text)
    return float(match[1]) if match else 0.0


def interpret(blast_query: BlastQuery, answers: Sequence[Fetched]) -> Interpretation:
    """The table of hits. Raises BadAnswer for what is no finished report: it must not read as "no
    hits".
    """
    text = answers[-1].text
    if not _READY.search(text[:5000]):
        raise BadAnswer(
            "BLAST gave no report.", "The search failed or is no longer kept: ask again."
        )
    api_records = tuple(
        ApiRecord(
            f"INSDC:{match[1]}",
            dict(zip(NAMES, (*match.groups()[:4], match[5] + " %"), strict=True)),
            dict.fromkeys(NAMES, f"line {match[1]}"),
        )
        for match in _LINE.finditer(text)
    )
    return Interpretation(api_records, "title")


def guess(question: str) -> Mapping[str, Json] | None:
    match = re.search(r"[ACGTUNacgtun]{20,}", question)
    return {"query": match[0]} if match else None


API = Api(
    "blast",
    "NCBI BLAST",
    "Sequences like this one",
    base=BASE,
    parameters=BlastQuery,
    first=first,
    interpret=interpret,
    second=second,
    pending=pending,
    before=estimated_wait,
    guess=guess,
    kind="ncbi",
    documentation=(
        "A sequence is submitted once; its report is looked at once a minute until it is ready."
    ),
    examples=(
        ApiExample(
            "Which sequences are like GATTACAGATTACAGATTACAGATTACA?",
            {"query": "GATTACAGATTACAGATTACAGATTACA"},
        ),
    ),
)
