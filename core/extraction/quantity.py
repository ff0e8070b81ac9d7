"""Numbers with units, as people write them in recipes and methods, and the UCUM codes of the
units.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from core.model import Span

UCUM: dict[str, str] = {
    "g": "g", "gram": "g", "grams": "g", "kg": "kg", "kilogram": "kg", "kilograms": "kg",
    "mg": "mg", "µg": "ug", "μg": "ug", "ug": "ug", "mcg": "ug", "microgram": "ug",
    "micrograms": "ug", "ng": "ng", "ml": "mL", "millilitre": "mL", "millilitres": "mL",
    "milliliter": "mL", "milliliters": "mL", "cl": "cL", "dl": "dL", "l": "L", "litre": "L",
    "litres": "L", "liter": "L", "liters": "L", "µl": "uL", "cup": "[cup_us]", "cups": "[cup_us]",
    "tbsp": "[tbs_us]", "tablespoon": "[tbs_us]", "tablespoons": "[tbs_us]", "tsp": "[tsp_us]",
    "teaspoon": "[tsp_us]", "teaspoons": "[tsp_us]", "oz": "[oz_av]", "ounce": "[oz_av]",
    "ounces": "[oz_av]", "lb": "[lb_av]", "lbs": "[lb_av]", "pound": "[lb_av]",
    "pounds": "[lb_av]", "pint": "[pt_us]", "pints": "[pt_us]", "quart": "[qt_us]",
    "quarts": "[qt_us]", "s": "s", "sec": "s", "second": "s", "seconds": "s", "min": "min",
    "mins": "min", "minute": "min", "minutes": "min", "h": "h", "hr": "h", "hrs": "h", "hour": "h",
    "hours": "h", "d": "d", "day": "d", "days": "d", "week": "wk", "weeks": "wk", "month": "mo",
    "months": "mo", "year": "a", "years": "a", "°c": "Cel", "celsius": "Cel",
    "degrees celsius": "Cel", "ºc": "Cel", "°f": "[degF]", "fahrenheit": "[degF]", "k": "K",
    "mm": "mm", "cm": "cm", "m": "m", "metre": "m", "metres": "m", "meter": "m", "meters": "m",
    "km": "km", "µm": "um", "nm": "nm", "ha": "har", "%": "%", "percent": "%", "mol": "mol",
    "mmol": "mmol", "µmol": "umol", "nmol": "nmol", "mm/l": "mmol/L", "mmol/l": "mmol/L",
    "mg/l": "mg/L", "mg/kg": "mg/kg", "µg/kg": "ug/kg", "mg/ml": "mg/mL", "mg/m2": "mg/m2",
    "g/l": "g/L", "mg/day": "mg/d", "psu": "[psu]", "iu": "[iU]", "ppm": "[ppm]", "pa": "Pa",
    "kpa": "kPa", "mbar": "mbar", "hpa": "hPa", "mmhg": "mm[Hg]", "v": "V",
}  # fmt: skip
FRACTIONS = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅛": "1/8"}
COUNTED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
WORDS = {word: str(number) for number, word in enumerate(COUNTED, 1)}

_NUMBER = (
    rf"(?:\d+\s+\d+/\d+|\d+/\d+|\d*\s?[{''.join(FRACTIONS)}]|[-−]?\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|[-−]?\d+(?:\.\d+)?"
    rf"|\b(?:{'|'.join(WORDS)})\b)"
)
_UNITS = "|".join(re.escape(unit) for unit in sorted(UCUM, key=len, reverse=True))
# "5 mg", "2–3 hours", "10-20%"; the unit may be absent
QUANTITY = re.compile(
    rf"(?<![\w.])(?P<number>{_NUMBER}(?:\s?(?:-|–|to)\s?{_NUMBER})?)(?:[\s-]?(?P<unit>{_UNITS})(?![\w/]))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """`value` is a decimal number, or a range as written; `ucum` is empty for things that are
    counted.
    """

    span: Span
    value: str
    number: Span
    ucum: str = ""
    unit: Span | None = None


def find_quantities(text: str, within: Span) -> Iterator[Quantity]:
    """Every number in a part of a text, with the unit that follows it."""
    for match in QUANTITY.finditer(text, within.start, within.end):
        unit = Span(*match.span("unit")) if match["unit"] else None
        ucum = UCUM.get((match["unit"] or "").casefold(), "")
        yield Quantity(
            Span(*match.span()),
            decimal_value(match["number"]),
            Span(*match.span("number")),
            ucum=ucum,
            unit=unit,
        )


def decimal_value(words: str) -> str:
    """`1 1/2` is 1.5, `½` is 0.5, `two` is 2, `1,000` is 1000; a range stays as it is written."""
    text = WORDS.get(words.strip().casefold(), words.strip().replace("−", "-"))
    for sign, decimal in FRACTIONS.items():
        text = text.replace(sign, f" {decimal}")
    parts = text.replace(",", "").split()
    try:
        total = sum((Fraction(part) for part in parts), Fraction(0))
    except (ValueError, ZeroDivisionError):
        return words.strip()
    return str(total.numerator) if total.denominator == 1 else f"{float(total):.4g}"
