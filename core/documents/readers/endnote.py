"""EndNote's tagged records (`.enw`): `%0`, `%T`, `%A`, `%X`, parted by empty lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.documents.ledger import record_pieces
from core.documents.paper import Paper, with_ledger
from core.documents.readers.citation_files import record_paper, told_or_kept
from core.documents.readers.page_range import page_range
from core.documents.readers.xml import decode_xml


def looks_like_endnote(head: bytes) -> bool:
    return re.match(rb"\s*%0 ", head.lstrip(b"\xef\xbb\xbf")) is not None


def read_endnote(raw: bytes, name: str = "") -> Iterator[Paper]:
    """The records of a file; one without a title and an abstract is told."""
    for number, text in enumerate(re.split(r"\n\s*\n(?=%0 )", decode_xml(raw).strip()), start=1):
        fields: dict[str, list[str]] = {}
        last_tag = ""
        for line in text.splitlines():
            if tag := re.match(r"%([0-9A-Z@!?])\s(.*)", line):
                last_tag = tag[1]
                fields.setdefault(last_tag, []).append(tag[2].strip())
            elif last_tag and line.strip():
                fields[last_tag][-1] += " " + line.strip()
        first_values = {tag: values[0] for tag, values in fields.items()}
        paper = told_or_kept(
            record_paper(
                first_values.get("T", ""),
                first_values.get("X", ""),
                first_values.get("R", "") or first_values.get("U", ""),
                first_values.get("M", "")
                if "pubmed" in first_values.get("W", "").casefold()
                else "",
                year=first_values.get("D", ""),
                journal=first_values.get("J", "") or first_values.get("B", ""),
                authors=fields.get("A", ()),
                volume=first_values.get("V", ""),
                issue=first_values.get("N", ""),
                pages=page_range(first_values.get("P", "")),
            ),
            f"record {number} of {name or 'the file'}",
        )
        said = ((tag, value) for tag, values in fields.items() for value in values)
        yield with_ledger(paper, record_pieces(said, ("T", "X"), tuple("0RUMWDJBAVNP")))
