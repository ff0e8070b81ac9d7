"""bio.tools: software for the life sciences, by words, topic or operation
(https://biotools.readthedocs.io).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field, create_model

from core.apis.agent import Api, ApiExample, Interpretation, Parameters
from core.apis.json_records import list_hits, list_items, single_record
from core.errors import InputError
from core.model import Json
from core.text.phrases import one_of
from core.web import Fetch, Fetched

BASE = "https://bio.tools/api"
FIELDS = {
    "name": "/name",
    "id": "/biotoolsID",
    "description": "/description",
    "homepage": "/homepage",
    "topic": "/topic/0/term",
}


# What may be asked (https://biotools.readthedocs.io, API usage): the name, what it means, and
# whether bio.tools wants it in quotes, as an exact phrase
SEARCHED: tuple[tuple[str, str, bool], ...] = (
    ("biotoolsID", "tool id, such as signalp", False),
    ("name", "tool name", False),
    ("homepage", "address of the tool's home page", True),
    ("description", "words of the description", False),
    ("version", "tool version", True),
    ("topic", "EDAM topic, such as Proteomics", False),
    ("topicID", "id of an EDAM topic, such as topic_3510", True),
    ("function", "words of input, operation, output, note and command", False),
    ("operation", "EDAM operation, such as Sequence alignment", False),
    ("operationID", "id of an EDAM operation, such as operation_2403", True),
    ("dataType", "EDAM data of input and output, such as Protein sequence", False),
    ("dataTypeID", "id of EDAM data, such as data_2976", True),
    ("dataFormat", "EDAM format of input and output, such as FASTA", False),
    ("dataFormatID", "id of an EDAM format, such as format_1929", True),
    ("input", "EDAM data or format of the input", False),
    ("inputID", "id of the input's data or format", True),
    ("inputDataType", "EDAM data of the input", False),
    ("inputDataTypeID", "id of the input's data", True),
    ("inputDataFormat", "EDAM format of the input", False),
    ("inputDataFormatID", "id of the input's format", True),
    ("output", "EDAM data or format of the output", False),
    ("outputID", "id of the output's data or format", True),
    ("outputDataType", "EDAM data of the output", False),
    ("outputDataTypeID", "id of the output's data", True),
    ("outputDataFormat", "EDAM format of the output", False),
    ("outputDataFormatID", "id of the output's format", True),
    ("toolType", "such as Command-line tool", False),
    ("collectionID", "collection, such as Rare Disease", False),
    ("maturity", "such as Mature", False),
    ("operatingSystem", "such as Linux", False),
    ("language", "programming language, such as Java", False),
    ("cost", "such as Free of charge", False),
    ("license", "such as GPL-3.0", False),
    ("accessibility", "such as Open access", False),
    ("credit", "name, e-mail, ORCID iD or role of who is credited", False),
    ("creditName", "name of who is credited", False),
    ("creditTypeRole", "role of who is credited, such as Developer", False),
    ("creditTypeEntity", "kind of who is credited, such as Funding agency", False),
    ("creditOrcidID", "ORCID iD of who is credited", True),
    ("publication", "DOI, PMID or PMCID, type or version of a publication", False),
    ("publicationID", "DOI, PMID or PMCID, exactly", True),
    ("publicationType", "such as Primary", False),
    ("publicationVersion", "tool version of a publication", True),
    ("link", "address, type or note of a link", False),
    ("linkType", "such as Issue tracker", False),
    ("documentation", "address, type or note of documentation", False),
    ("documentationType", "such as User manual", False),
    ("download", "address, type, version or note of a download", False),
    ("downloadType", "such as Binaries", False),
    ("downloadVersion", "tool version of a download", True),
    ("otherID", "another id of the tool, such as rrid:SCR_015644", False),
    ("otherIDValue", "another id, exactly", True),
    ("otherIDType", "such as RRID", False),
    ("otherIDVersion", "tool version of another id", True),
)
EXACT = frozenset(name for name, _, exact in SEARCHED if exact)


class _Page(Parameters):
    q: str = Field("", description="search words in names and descriptions", max_length=200)
    page: int = Field(1, description="page of results", ge=1, le=100)


_FIELDS: dict[str, Any] = {
    name: (str, Field("", description=about, max_length=200)) for name, about, _ in SEARCHED
}
BiotoolsQuery = create_model("BiotoolsQuery", __base__=_Page, **_FIELDS)


def first(parameters: BaseModel) -> Fetch:
    query = [
        (name, f'"{value}"' if name in EXACT and '"' not in str(value) else str(value))
        for name, value in parameters.model_dump().items()
        if value
    ]
    return Fetch(f"{BASE}/t/", params=(*query, ("format", "json")))


def interpret(parameters: BaseModel, answers: Sequence[Fetched]) -> Interpretation:
    api_records = list_hits(
        list_items(answers[0], "/list", "bio.tools"), "/list", FIELDS, "id", prefix="biotools"
    )
    count = single_record(answers[0], "bio.tools").get("count", len(api_records))
    return Interpretation(api_records, "name", f"{count} tools in all; {len(api_records)} shown")


# ------------------------------------------------------------------ questions without a model
_LANGUAGE = r"Python|Java(?!Script)|JavaScript|Perl|Ruby|MATLAB|Fortran|Scala|PHP|C\+\+|C#|R|C"
_FORMAT = r"[A-Z][A-Za-z0-9]*[A-Z][A-Za-z0-9]*"  # FASTQ, BAM, mzML
_TOOL_TYPES = (  # how it is said, and what bio.tools calls it
    (r"\bcommand[- ]line\b(?: tools?(?= \w+ tools?\b))?", "Command-line tool"),
    (r"\bweb[- ](?=(?:servers?|applications?|apps?|tools?)\b)", "Web application"),
    (r"\bweb[- ](?=services?\b)", "Web service"),
    (r"\bSPARQL (?=(?:endpoints?|services?)\b)", "SPARQL endpoint"),
    (r"\bdesktop\b(?: (?=applications?|apps?))?", "Desktop application"),
    (r"\bworkflow (?=tools?\b)", "Workflow"),
)
_LICENSE = r"A?GPL\S*|LGPL\S*|MIT|Apache-?\S*|BSD\S*"
_SAID = (  # the parameter, and how a question gives it
    (
        "language",
        rf"\b(?:written |implemented |coded )?in (?-i:(?P<value>{_LANGUAGE}))(?![\w+#-])",
    ),
    (
        "language",
        rf"\b(?-i:(?P<value>{_LANGUAGE})) (?=(?:packages?|tools?|programs?|software)\b)",
    ),
    (
        "operatingSystem",
        r"\b(?:running |that runs? )?(?:on|under|for) (?P<value>Linux|Windows|Mac)"
        r"(?: ?OS(?: ?X)?)?\b",
    ),
    (
        "license",
        rf"\b(?:under|with|licensed under)(?: the| an?)? (?P<value>{_LICENSE})(?: licen[sc]e)?",
    ),
    (
        "input",
        rf"\b(?:that )?(?:tak|accept|read)(?:es?|s|ing)? (?-i:(?P<value>{_FORMAT}))(?: files?)?"
        r"(?: as (?:an )?input)?",
    ),
    (
        "output",
        r"\b(?:and )?(?:that )?(?:giv|writ|output|return|produc)(?:es?|s|ing)?"
        rf" (?-i:(?P<value>{_FORMAT}))(?: files?)?(?: as (?:an )?output)?",
    ),
    (
        "credit",
        r"\b(?:maintained |developed |written |made )?by"
        r" (?-i:(?P<value>[A-Z][\w.-]*(?: [A-Z][\w.-]*)+))",
    ),
    (
        "name",
        r"^(?:find|show|look up|what is)(?: me)? the (?:tool|software|program) (?:called )?"
        r"(?P<value>[\w.+-]+)$",
    ),
)
_TOOLS = (
    r"\b(?:tools?|software|programs?|packages?|servers?|services?|endpoints?|applications?"
    r"|apps?)\b"
)
_CARRIERS = one_of(r"""
    which what find list show all any me the a an are is there can could i we you use used be do
    does know recommended good available please in bio\.tools have exist and tools? software
    programs? packages? servers? services? endpoints? applications? apps?
""")
_CARRIER = re.compile(rf"\b{_CARRIERS}(?![\w.])", re.I)


def guess(question: str) -> Mapping[str, Json] | None:
    """What a question asks of tools, each part in its own parameter. Raises InputError for words
    that have none: they are asked for, never left out.
    """
    words_left = " ".join(question.split()).rstrip("?.! ")
    query: dict[str, Json] = {}
    for pattern, value in _TOOL_TYPES:
        shorter = re.sub(pattern, " ", words_left, flags=re.I)
        if shorter != words_left:
            query["toolType"], words_left = value, shorter
    for name, pattern in _SAID:
        if name not in query and (match := re.search(pattern, words_left, re.I)):
            query[name] = match["value"]
            words_left = f"{words_left[: match.start()]} {words_left[match.end() :]}"
    words_left = " ".join(words_left.split())
    match = re.search(
        rf"{_TOOLS}(?P<between>.*?)\b(?:for|to|that) (?P<topic>.+)$", words_left, re.I
    )
    if match is None and not query:
        return None
    around = words_left[: match.start()] + match["between"] if match else words_left
    if unplaced := " ".join(_CARRIER.sub(" ", around).split()).strip(" ,"):
        raise InputError(
            f"Which parameter of bio.tools is meant by “{unplaced}”?",
            'Write name=value, such as: operation="Variant calling" language=Python',
        )
    if match is None:
        return query
    topic = re.sub(r"^(?:the )?(?:field|topic|area) of ", "", match["topic"][:200])
    field_of_study = re.fullmatch(r"[A-Za-z]+(?:omics|ology|etics|matics)", topic)
    return query | ({"topic": topic} if field_of_study else {"q": topic})


API = Api(
    "biotools",
    "bio.tools",
    "Software for the life sciences",
    base=BASE,
    parameters=BiotoolsQuery,
    first=first,
    interpret=interpret,
    guess=guess,
    documentation=(
        "GET /t/?q=…&topic=…&operation=…&language=…: tools that match all that is given. A value in"
        " quotes is an exact phrase, others are fuzzy."
    ),
    examples=(
        ApiExample("Which tools are there for variant calling?", {"operation": "Variant calling"}),
        ApiExample("Which tools can I use for metabolomics?", {"topic": "metabolomics"}),
    ),
)
