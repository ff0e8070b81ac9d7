"""One line of a model's answer: its bullet, the field it names, and what sort of line it is when it
names none.
"""

from __future__ import annotations

import re

from core.extraction.spires.item import tidy_item
from core.extraction.spires.null_values import is_refusal, is_stated

DRESS = re.compile(r"(\s*)((?:(?:[-*+•●▪◦‣–—>]|\(?\d{1,3}[.)]|#{1,6})\s+)*)")
# "subject: aspirin", "**Symptoms:** fever"; the colon of "http://" is none
LABEL = re.compile(
    r"[\"'`*_<\[{]*([^\s:：\"'`*<>\[\]{};,.][^:：\n;]{0,88}?)[\"'`*>\]]*\s*[:：](?!//)\s*(.*)", re.S
)
HEADED = re.compile(
    r"(?:entity|triple|relation(?:ship)?|block|item|statement|record|pair|association|example)\s*#?\d{1,4}\s*[:.)]?",
    re.I,
)
TABLE = re.compile(r"\s*\|\s*([^|\n]{1,90}?)\s*\|\s*([^|\n]*?)\s*\|?\s*")
EQUALS = re.compile(r"([^=→:\n]{1,90}?)\s*(?:=>?|→)\s*(.*)")
FENCES = re.compile(r"^\s*(?:```|~~~)[\w+-]*\s*$", re.M)
DASHED = re.compile(r"([^:\n]{1,90}?)\s+[-–—]\s+(.*)")
NAMED = re.compile(r"[\"'`*]*(?:name|label)[\"'`*]*\s*:\s+(\S.*)", re.I)
TITLE = re.compile(r"\s*(?:#{1,6}\s+|\*\*|__)([^\n:]{1,90}?)(?:\*\*|__)?\s*")
# Words between the fields: "Here are the triples", "Extracted entities"
HEADING = re.compile(
    r"(?:entit|triple|relation|block|item|statement|record|pair|association|example|answer|output|result|extract|"
    r"here|sure|certainly|the following|below|response)",
    re.I,
)


def split_label(line: str) -> tuple[str, str]:
    """The name before the colon and what comes after it; two empty strings where there is none."""
    body = strip_decoration(line)
    match = LABEL.match(body)
    if not match:
        return "", ""
    label, value = match[1].strip(" *_\"'`"), match[2]
    if body.startswith(("**", "__")) and value.startswith(("**", "__")):
        value = value[2:].lstrip()
    if body.startswith('"'):
        value = value.strip().rstrip(",")
    return label, value


def otherwise_labelled(line: str) -> tuple[str, str]:
    """A name without a colon: a row of a table, `name = value`, `name → value`, `name - value`, or
    a heading.
    """
    body = strip_decoration(line)
    match = (
        TABLE.fullmatch(line) or EQUALS.match(body) or TITLE.fullmatch(line) or DASHED.match(body)
    )
    if not match:
        return "", ""
    label, value, *_ = (*match.groups(""), "")
    return label.strip(" *_`"), value


def strip_decoration(line: str) -> str:
    """A line without its indentation, bullet, number and quote marks at the front."""
    return line[DRESS.match(line).end() :].rstrip()  # type: ignore[union-attr]


def sort_of(line: str) -> str:
    label, value = split_label(line)
    body = strip_decoration(line)
    if HEADED.fullmatch(body.strip("*_# ")):
        return "heading"
    if (body.rstrip("*_ ").endswith(":") or (label and not value)) and HEADING.match(
        body.lstrip("*_#( ")
    ):
        return "heading"
    if is_field_like(label):  # a field that was not asked for, and nothing in it
        return "unplaced" if value and is_stated(value) else "not-stated"
    return "not-stated" if is_refusal(body) else "unplaced"


def is_field_like(label: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z][A-Za-z_]*(?:[ _][A-Za-z_]+){0,3}", label))


def indentation(line: str) -> int:
    """How many characters of white space a line begins with."""
    return len(line) - len(line.lstrip())


def is_bulleted(line: str) -> bool:
    return bool(DRESS.match(line)[2])  # type: ignore[index]


def is_prose(row: str, *, listed: bool) -> bool:
    """A sentence, or markup, rather than an item or a list of items (`listed`: it has a bullet or a
    number).
    """
    bare = tidy_item(row)
    sentence = not listed and ";" not in row and row.endswith((".", "!")) and len(bare.split()) > 2
    return (
        sentence
        or bare.startswith("<")
        or (len(bare.split()) > 12 and ";" not in bare)
        or bare.endswith("?")
    )
