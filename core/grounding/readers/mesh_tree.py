"""MeSH's tree numbers as a hierarchy, shared by the readers of its XML, its N-Triples and the base
set.

A descriptor at C14.907.514 lies under the one at C14.907. The 16 categories (letters) are no
descriptors; they are given ids of their own (`MESH:category-C`), so that a supplementary record,
which has no tree number, can be placed under its kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

MESH_CATEGORIES: dict[str, str] = {
    "A": "Anatomy Category",
    "B": "Organisms Category",
    "C": "Diseases Category",
    "D": "Chemicals and Drugs Category",
    "E": "Analytical, Diagnostic and Therapeutic Techniques and Equipment Category",
    "F": "Psychiatry and Psychology Category",
    "G": "Phenomena and Processes Category",
    "H": "Disciplines and Occupations Category",
    "I": "Anthropology, Education, Sociology and Social Phenomena Category",
    "J": "Technology, Industry, Agriculture Category",
    "K": "Humanities Category",
    "L": "Information Science Category",
    "M": "Named Groups Category",
    "N": "Health Care Category",
    "V": "Publication Characteristics Category",
    "Z": "Geographical Locations Category",
}
# NLM's class of a supplementary record → its category: 1 chemical, 2 protocol, 3 disease,
# 4 organism, 5 and 6 population groups and anatomy.
SUPPLEMENTARY: dict[str, str] = {"1": "D", "2": "D", "3": "C", "4": "B", "5": "M", "6": "A"}


def category_id(letter: str) -> str:
    """`C` → MESH:category-C."""
    return f"MESH:category-{letter}"


def parents_by_tree(numbers: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Id → sorted ids of the parents, from id → tree numbers.

    A number whose parent is missing is placed under the nearest one above it that is there.

    >>> parents_by_tree({"MESH:D009369": ["C04"], "MESH:D001943": ["C04.588.180"]})
    {'MESH:D009369': ('MESH:category-C',), 'MESH:D001943': ('MESH:D009369',)}
    """
    owner = {number: id for id, several in numbers.items() for number in several}
    parents: dict[str, tuple[str, ...]] = {}
    for id, several in numbers.items():
        above = {_above(number, owner) for number in several}
        parents[id] = tuple(sorted(above - {id}))
    return parents


def _above(number: str, owner: Mapping[str, str]) -> str:
    while "." in number:
        number = number.rsplit(".", 1)[0]
        if number in owner:
            return owner[number]
    return category_id(number[:1])
