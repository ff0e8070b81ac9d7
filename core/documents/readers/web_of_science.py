"""Web of Science's own exports: tagged text (`.ciw`, `savedrecs.txt`), where lines that begin with
blanks go on with the field before, and its table parted by tabs.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.documents.ledger import record_pieces
from core.documents.paper import Paper, with_ledger
from core.documents.readers.citation_files import record_paper, told_or_kept
from core.documents.readers.page_range import page_range
from core.documents.readers.table import read_table
from core.documents.readers.xml import decode_xml

_TABLE = b"PT\tAU\t"
_BIBLIOGRAPHY = ("PT", "DI", "PM", "PY", "EY", "SO", "AU", "DT", "VL", "IS", "BP", "EP", "AR")
Fields = dict[str, list[str]]


def looks_like_web_of_science(head: bytes) -> bool:
    """By the first lines that Web of Science writes; `head` without a byte order mark."""
    if head[1:2] == b"\0":  # UTF-16, in which its table comes for Windows
        head = head.replace(b"\0", b"")
    return head.startswith(
        (b"FN Clarivate", b"FN Thomson", b"FN ISI", b"PT J\n", b"PT J\r", _TABLE)
    )


def read_web_of_science(raw: bytes, name: str = "") -> Iterator[Paper]:
    """The records of a file; one without a title and an abstract is told."""
    text = decode_xml(raw)
    if text.startswith(_TABLE.decode()):
        yield from read_table(text.encode(), name)
        return
    for number, fields in enumerate(_records(text), start=1):
        words = {tag: " ".join(lines) for tag, lines in fields.items()}
        paper = told_or_kept(
            record_paper(
                words.get("TI", ""),
                words.get("AB", ""),
                words.get("DI", ""),
                words.get("PM", ""),
                year=words.get("PY", "") or words.get("EY", ""),
                journal=words.get("SO", ""),
                authors=fields.get("AU", ()),
                types=(kind for line in fields.get("DT", ()) for kind in line.split("; ")),
                volume=words.get("VL", ""),
                issue=words.get("IS", ""),
                pages=page_range(words.get("BP", "") or words.get("AR", ""), words.get("EP", "")),
            ),
            f"record {number} of {name or 'the file'}",
        )
        yield with_ledger(paper, record_pieces(words.items(), ("TI", "AB"), _BIBLIOGRAPHY))


def _records(text: str) -> Iterator[Fields]:
    """A record begins with its `PT` and ends with `ER`."""
    fields: Fields = {}
    last_tag = ""
    for line in text.splitlines():
        tag, words = line[:2], line[3:].strip()
        if tag == "PT":
            fields, last_tag = {}, ""
        elif tag == "ER":
            yield fields
            fields, last_tag = {}, ""
        elif tag.isalnum():
            last_tag = tag
            fields.setdefault(tag, []).append(words)
        elif last_tag and words:
            fields[last_tag].append(words)
    if fields.get("TI"):  # cut off before its end
        yield fields
