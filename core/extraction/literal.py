"""Literals and permissible values: words of an answer in the form that the schema asks for."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from core.extraction.quantity import FRACTIONS, UCUM, WORDS
from core.model import fold_words
from core.schema.definition import EnumDefinition, PermissibleValue

NUMBER = re.compile(r"[-+−]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?|[-+−]?\.\d+")
FRACTION = re.compile(r"(?:(?<!\d)(\d+)\s+)?(?<!\d)(\d+)\s*/\s*(\d+)")
INTEGERS = frozenset(
    {"xsd:integer", "xsd:int", "xsd:long", "xsd:nonNegativeInteger", "xsd:positiveInteger"}
)
DECIMALS = frozenset({"xsd:decimal", "xsd:float", "xsd:double"})
TRUE, FALSE = frozenset({"true", "yes", "y", "1"}), frozenset({"false", "no", "n", "0"})
DATES = ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d %b %Y", "%Y/%m/%d", "%d.%m.%Y", "%B %d %Y")


def canonical_literal(words: str, datatype: str) -> str | None:
    """`words` as a value of an xsd datatype; None if they are none. Text is kept as it is."""
    bare = words.strip()
    if datatype in INTEGERS or datatype in DECIMALS:
        number = read_number(bare)
        is_whole = number is not None and number == number.to_integral_value()
        if number is None or (datatype in INTEGERS and not is_whole):
            return None
        return str(int(number)) if is_whole else format(number.normalize(), "f")
    if datatype == "xsd:boolean":
        folded = bare.casefold().rstrip(".")
        return "true" if folded in TRUE else "false" if folded in FALSE else None
    if datatype == "xsd:date":
        return read_date(bare)
    return words


def read_number(words: str) -> Decimal | None:
    """The one number in `words`: digits, a fraction (½, 1 1/2) or a word (two); None if there is
    none or several.
    """
    for sign, decimal in FRACTIONS.items():
        words = words.replace(sign, f" {decimal}")
    if match := FRACTION.search(words):
        if any(len(digits or "") > 12 for digits in match.groups()) or int(match[3]) == 0:
            return None
        total = Fraction(int(match[1] or 0)) + Fraction(int(match[2]), int(match[3]))
        return (
            (Decimal(total.numerator) / Decimal(total.denominator))
            .quantize(Decimal("0.0001"))
            .normalize()
        )
    numbers = NUMBER.findall(words)
    if not numbers:
        first_words = words.casefold().split()[:1]
        return Decimal(WORDS[first_words[0]]) if first_words and first_words[0] in WORDS else None
    if len(numbers) > 1 or len(numbers[0]) > 60:
        return None
    try:
        return Decimal(numbers[0].replace(",", "").replace("−", "-"))
    except InvalidOperation:
        return None


def read_date(words: str) -> str | None:
    for form in DATES:
        try:
            return datetime.strptime(words.rstrip("."), form).date().isoformat()
        except ValueError:
            continue
    return None


def permissible_value(words: str, enum: EnumDefinition) -> PermissibleValue | None:
    """The value meant: by name, alias, meaning or description, whatever the case, spaces and
    hyphens.
    """
    plain_wanted = plain_words(words)
    for names in (
        lambda value: (value.name, value.meaning),
        lambda value: value.aliases,
        lambda value: (value.description,),
    ):
        for value in enum.values:
            if plain_wanted and plain_wanted in (
                plain_words(name) for name in names(value) if name
            ):
                return value
    return None


def plain_words(words: str) -> str:
    return re.sub(r"[\W_]+", "", words.casefold())


def ucum_code(unit: str) -> str:
    """The UCUM code of a unit's words, id (`UCUM:g`) or code; "" if it is not known."""
    if unit.startswith("UCUM:"):
        return unit.removeprefix("UCUM:")
    folded = fold_words(unit).rstrip(".")
    return UCUM.get(folded, unit if unit in UCUM.values() else "")
