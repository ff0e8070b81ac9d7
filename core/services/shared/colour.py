"""One colour a category, the same in texts, tables and pictures.

Colours were chosen for colour-blind eyes (after Okabe and Ito, and Paul Tol): neighbours in hue
differ in lightness.
"""

from __future__ import annotations

from typing import NamedTuple

from core.model import Category


class Colour(NamedTuple):
    """Hex colours on a light and on a dark background."""

    light: str
    dark: str


CATEGORY_COLOURS: dict[Category, Colour] = {
    Category.CHEMICAL: Colour("#0072B2", "#56B4E9"),
    Category.DISEASE: Colour("#C44E00", "#FF9B57"),
    Category.GENE: Colour("#00785A", "#2FC99A"),
    Category.VARIANT: Colour("#2B6E63", "#8FE0D0"),
    Category.PROTEIN: Colour("#5B3FA0", "#B8A6F0"),
    Category.PHENOTYPE: Colour("#B0457B", "#EE9DC6"),
    Category.ANATOMY: Colour("#7A1D4C", "#D67BA8"),
    Category.CELL: Colour("#99409A", "#E2A0E6"),
    Category.PROCESS: Colour("#806300", "#E6C229"),
    Category.PATHWAY: Colour("#A35F00", "#F0B04A"),
    Category.ORGANISM: Colour("#1B6B2A", "#7BD389"),
    Category.FOOD: Colour("#8F4524", "#E0A582"),
    Category.ENVIRONMENT: Colour("#1F7585", "#7FD1DD"),
    Category.PROCEDURE: Colour("#4A5A8A", "#A8B6E6"),
    Category.DEVICE: Colour("#55606B", "#B4BEC8"),
    Category.QUALITY: Colour("#6E6E1F", "#D2D272"),
    Category.UNIT: Colour("#6B6B6B", "#BDBDBD"),
    Category.RELATION: Colour("#332288", "#A79BEA"),
    Category.PUBLICATION: Colour("#4D5358", "#C3C9CE"),
    Category.THING: Colour("#556060", "#A7B3B3"),
}
