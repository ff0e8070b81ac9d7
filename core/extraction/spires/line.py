"""One line of a model's answer: its bullet, the field it names, and what sort of line it is when it
names none.
"""

from __future__ import annotations

import re

from core.extraction.spires.item import tidy_item
from core.extraction.spires.null_values import is_refusal, is_stated
from core.text.phrases import one_of, phrases

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
FENCES = re.compile(r"^[^\S\n]*(?:```|~~~)[\w+-]*[^\S\n]*$", re.M)
DASHED = re.compile(r"([^:\n]{1,90}?)\s+[-–—]\s+(.*)")
NAMED = re.compile(r"[\"'`*]*(?:name|label)[\"'`*]*\s*:\s+(\S.*)", re.I)
TITLE = re.compile(r"\s*(?:#{1,6}\s+|\*\*|__)([^\n:]{1,90}?)(?:\*\*|__)?\s*")
# Words between the fields: "Here are the triples", "Extracted entities"
HEADING = re.compile(
    r"(?:entit|triple|relation|block|item|statement|record|pair|association|example|answer|output|result|extract|"
    r"here|the following|below|response)",
    re.I,
)
ASSENT = re.compile(
    r"(?:(?:sure(?: thing)?|of course|certainly|absolutely|ok(?:ay)?)\b[,.!]*\s*)+", re.I
)
# What a model says out of politeness: "Sure!", "Here is the JSON you need.", "I hope this helps!"
# Closed phrases: a tail of any words could hide a fact.
_THINGS = one_of(
    "json object answer output results? extraction information data fields entities relations"
    " triples statements"
)
_SUCH = one_of("extracted requested complete final filled structured")
_AS_ASKED = (
    "(?: (?:you (?:need|want|asked for|requested)|(?:from|for) the text|as requested|below))*"
)
_ASK = "(?:please )?(?:let me know|feel free to ask)"
COURTESY = phrases(
    {
        "here you (?:go|are)": "Sure! Here you go:",
        f"(?:here|below) (?:is|are) (?:the|your)(?: {_SUCH})*(?: {_THINGS})+{_AS_ASKED}": (
            "Here is the extracted JSON you asked for:"
        ),
        "i hope (?:this|that) helps(?: you)?": "I hope this helps!",
        f"{_ASK} if you (?:need|have|want) "
        "(?:anything else|further help|more help|any (?:other |further |more )?questions)": (
            "Let me know if you have any other questions."
        ),
        f"{_ASK} if anything (?:is|else is) "
        "(?:unclear|needed|missing)": "Let me know if anything is unclear.",
    },
    # "Sure!", which may also stand alone
    before=r"^(?:(?:sure(?: thing)?|of course|certainly|absolutely|ok(?:ay)?|done|thanks?(?: you)?)"
    r"[,.!]*\s*)*",
    after="?[.!:]*$",
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
    if HEADED.fullmatch(body.strip("*_# ")) or COURTESY.fullmatch(body.strip("*_# ")):
        return "heading"
    if (body.rstrip("*_ ").endswith(":") or (label and not value)) and _is_heading(body):
        return "heading"
    if is_field_like(label):  # a field that was not asked for, and nothing in it
        return "unplaced" if value and is_stated(value) else "not-stated"
    return "not-stated" if is_refusal(body) else "unplaced"


def _is_heading(body: str) -> bool:
    """Words that lead to fields, with or without an assent before: "Sure! Here are the triples"."""
    words = body.lstrip("*_#( ")
    assent = ASSENT.match(words)
    rest = words[assent.end() :] if assent else words
    return bool(HEADING.match(rest)) and not re.search(r"[.!]\s", rest)


def is_courtesy(line: str) -> bool:
    """Whether a line begins with a sentence that a model says out of politeness."""
    return bool(COURTESY.fullmatch(re.split(r"(?<=[.!])\s", strip_decoration(line).strip())[0]))


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
