"""What a model may name: the typed tools with their JSON Schemas, and how its words become calls.

Nothing that a model writes is fetched: a tool's name and arguments, or the parts of an address, are
checked and make a call of `ncbi.call`, or an InputError that is told to the model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from urllib.parse import SplitResult, parse_qsl, urlsplit

from core.errors import InputError
from core.llm.completer import Tool
from core.model import Json
from core.ncbi.call import (
    Align,
    Alignment,
    FullRecord,
    GeneProducts,
    GeneType,
    Link,
    NcbiCall,
    NcbiDatabase,
    Orthologs,
    Search,
    Summary,
    database,
    ids_of,
)
from core.ncbi.record import NcbiReading

LAST_RESULT = 10_000  # of a search: NCBI pages no further
RESULT_CHARACTERS = 6000  # of projected records that a model is shown
ADDRESS = "address"  # what a call written as an address is called in the trace
# A call as GeneGPT writes it: "[https://eutils.ncbi.nlm.nih.gov/…]"
_ADDRESS = re.compile(r"\[((?:https?|file)://[^\[\]\n]*)\]?\s*$|\[((?:https?|file)://[^\[\]\n]+)\]")

_DB: Json = {
    "type": "string",
    "enum": [str(database) for database in NcbiDatabase],
    "description": "the NCBI database",
}
_IDS: Json = {"type": "string", "description": "ids separated by commas"}


def _tool(name: str, description: str, required: tuple[str, ...], **properties: Json) -> Tool:
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return Tool(name, description, schema)


TOOLS: tuple[Tool, ...] = (
    _tool(
        "esearch",
        "Find the ids of records. Field tags narrow a search: LMP10[sym] AND human[orgn].",
        ("db", "term"),
        db=_DB,
        term={"type": "string", "description": "search words with field tags"},
        retmax={"type": "integer", "description": "at most this many ids, 1 to 200"},
        retstart={
            "type": "integer",
            "description": "ids before this one are left out: the next page of a search",
        },
    ),
    _tool("esummary", "The fields that matter of records, by id.", ("db", "id"), db=_DB, id=_IDS),
    _tool(
        "efetch",
        "Whole records by id (gene, snp, nuccore, pubmed), projected to the fields that matter.",
        ("db", "id"),
        db=_DB,
        id=_IDS,
    ),
    _tool(
        "elink",
        "Ids of records of one database that records of another point to, such as omim to gene.",
        ("dbfrom", "db", "id"),
        dbfrom=_DB,
        db=_DB,
        id=_IDS,
    ),
    _tool(
        "blast_put",
        "Start a BLAST search of a DNA sequence; it gives a request id (rid). GRCh38 asks for human"
        " coordinates.",
        ("query",),
        query={"type": "string", "description": "bases, ACGTUN; or amino acids"},
        database={
            "type": "string",
            "description": "core_nt unless there is a reason; refseq_rna for transcripts;"
            " refseq_protein or swissprot for amino acids",
        },
        assembly={"type": "string", "description": "GRCh38, or empty"},
        organism={"type": "string", "description": "human, or empty for all"},
    ),
    _tool(
        "blast_get",
        "The report of a BLAST search.",
        ("rid",),
        rid={"type": "string", "description": "the request id"},
    ),
    _tool(
        "datasets_gene", "The type of genes (protein-coding or not), by gene id.", ("id",), id=_IDS
    ),
    _tool("datasets_products", "The RefSeq transcripts and proteins of genes.", ("id",), id=_IDS),
    _tool(
        "datasets_orthologs",
        "The orthologs of one gene, by its gene id.",
        ("id",),
        id={"type": "string", "description": "one gene id"},
        taxon={"type": "string", "description": "taxonomy number of the species wanted, or empty"},
        page={"type": "string", "description": "the token of a further page, or empty"},
    ),
)
KNOWN = {tool.name: tool for tool in TOOLS}


def read_arguments(text: str) -> dict[str, Json]:
    """A model's arguments as an object. Raises InputError when they are not JSON."""
    body = re.sub(r"^\s*```(?:json)?\s*|\s*```\s*$", "", text or "{}")
    try:
        arguments = json.loads(body or "{}")
    except (ValueError, RecursionError) as error:
        raise InputError("The arguments are not JSON.", "Give one JSON object.") from error
    if not isinstance(arguments, dict):
        raise InputError("The arguments are not a JSON object.", "Give one JSON object.")
    return arguments


def call_of(name: str, arguments: Mapping[str, Json]) -> NcbiCall:
    """The typed call that a model named. Arguments it made up are refused. Raises InputError."""
    if name not in KNOWN:
        raise InputError(
            f"There is no tool called {name[:40]!r}.", f"The tools are {', '.join(KNOWN)}."
        )
    unknown = set(arguments) - set(KNOWN[name].parameters["properties"])
    if unknown:
        raise InputError(f"{name} takes no {', '.join(sorted(map(str, unknown)))[:80]}.")
    missing = [
        required for required in KNOWN[name].parameters["required"] if not arguments.get(required)
    ]
    if missing:
        raise InputError(f"{name} needs {', '.join(missing)}.")
    return _typed(
        name,
        {key: value if isinstance(value, int) else str(value) for key, value in arguments.items()},
    )


def _typed(name: str, arguments: Mapping[str, Json]) -> NcbiCall:
    match name:
        case "esearch":
            return Search(
                database(str(arguments["db"])),
                str(arguments["term"]).replace("+", " "),
                _retmax(arguments.get("retmax", 20)),
                _retstart(arguments.get("retstart", 0)),
            )
        case "esummary":
            db = database(str(arguments["db"]))
            return Summary(db, ids_of(db, str(arguments["id"])))
        case "efetch":
            db = database(str(arguments["db"]))
            has_summary = db in (
                NcbiDatabase.GENE,
                NcbiDatabase.SNP,
                NcbiDatabase.OMIM,
                NcbiDatabase.CLINVAR,
            )
            return (
                Summary(db, ids_of(db, str(arguments["id"])))
                if has_summary
                else FullRecord(db, ids_of(db, str(arguments["id"])))
            )
        case "elink":
            source = database(str(arguments["dbfrom"]))
            return Link(
                source, database(str(arguments["db"])), ids_of(source, str(arguments["id"]))
            )
        case "blast_put":
            return Align(
                str(arguments["query"]),
                str(arguments.get("database") or "core_nt"),
                str(arguments.get("assembly") or ""),
                str(arguments.get("organism") or ""),
            )
        case "blast_get":
            return Alignment(str(arguments["rid"]))
        case "datasets_products":
            return GeneProducts(ids_of(NcbiDatabase.GENE, str(arguments["id"])))
        case "datasets_orthologs":
            return Orthologs(
                *(str(arguments.get(argument) or "") for argument in ("id", "taxon", "page"))
            )
        case _:
            return GeneType(ids_of(NcbiDatabase.GENE, str(arguments["id"])))


def _retmax(value: Json) -> int:
    if not str(value).isdigit():
        raise InputError("retmax is a number between 1 and 200.")
    return max(1, min(int(str(value)), 200))


def _retstart(value: Json) -> int:
    if not str(value).isdigit() or int(str(value)) >= LAST_RESULT:
        raise InputError(f"retstart is a number between 0 and {LAST_RESULT - 1:,}.")
    return int(str(value))


def call_of_address(address: str) -> NcbiCall:
    """The typed call that a model's address means; the address itself is never used. Raises
    InputError.
    """
    name = tool_of_address(address)
    if name == ADDRESS:
        raise InputError("That address is not one of NCBI's tools.")
    parameters = {
        key.lower(): value.strip()
        for key, value in parse_qsl(_parts(address).query, keep_blank_values=False)
    }
    if name == "blast_get":
        return call_of(name, {"rid": parameters.get("rid", "")})
    if name == "blast_put":
        return call_of(
            name,
            {
                "query": parameters.get("query", ""),
                "database": parameters.get("database", "core_nt"),
            },
        )
    return call_of(
        name,
        {
            key: value
            for key, value in parameters.items()
            if key in KNOWN[name].parameters["properties"]
        },
    )


def tool_of_address(address: str) -> str:
    """The tool that an address of NCBI's is; ADDRESS for any other."""
    try:
        parts = _parts(address)
        host, user = (parts.hostname or "").lower(), parts.username
    except ValueError:
        return ADDRESS
    if parts.scheme not in ("http", "https") or user or not host.endswith(".ncbi.nlm.nih.gov"):
        return ADDRESS
    if match := re.search(r"/eutils/(esearch|esummary|efetch|elink)\.fcgi$", parts.path):
        return match[1]
    if parts.path.lower().endswith("/blast.cgi"):
        return "blast_get" if re.search(r"(?i)(?:^|&)cmd=get\b", parts.query) else "blast_put"
    return ADDRESS


def _parts(address: str) -> SplitResult:
    return urlsplit(address.strip().replace(" ", "+"))


def last_address(written: str, *, cut_short: bool = False) -> str:
    """The last address in square brackets, or nothing. With `cut_short`, one that lacks its last
    bracket is none.
    """
    if cut_short and not written.rstrip().endswith("]"):
        written = written[: written.rfind("]") + 1]
    addresses = [address for pair in _ADDRESS.findall(written) for address in pair if address]
    return addresses[-1] if addresses else ""


def result_text(reading: NcbiReading, cap: int = RESULT_CHARACTERS) -> str:
    """What an answer says, for a model: JSON of projected records as data, whole records only, and
    a mark when cut.
    """
    if reading.pending and reading.rid:
        return json.dumps({"rid": reading.rid})
    head: dict[str, Json] = {"count": reading.count}
    if reading.ids:
        head["ids"] = list(reading.ids)
    if reading.warnings:
        head["warnings"] = list(reading.warnings)
    record_list: list[Json] = []
    room = cap - len(json.dumps(head))
    for record in reading.records:
        record_json = {
            "record": record.id,
            **{name: value for name, value in record.values.items() if name != "gene_records"},
        }
        size = len(json.dumps(record_json, ensure_ascii=False))
        if size > room:
            head["cut"] = f"{len(reading.records) - len(record_list)} records are left out"
            break
        record_list.append(record_json)
        room -= size
    if record_list:
        head["records"] = record_list
    return json.dumps(head, ensure_ascii=False)
