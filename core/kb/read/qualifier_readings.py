"""The ways in which written qualifiers can be meant: a file keeps of a quantity its words only, and
the id of a statement of ours says which it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.model import Literal, Qualifier, Statement, Term

MOST = 200  # ways to read the qualifiers of one statement
NUMBERS = ("xsd:decimal", "xsd:integer", "xsd:double", "xsd:float")


def readings(ways: Sequence[Sequence[Qualifier]]) -> Iterator[tuple[Qualifier, ...]]:
    """Each choice of one way for every qualifier, the first ways first.

    >>> text, number = Literal("81"), Literal("81", "xsd:decimal")
    >>> ways = [Qualifier("dose", value) for value in (text, number)]
    >>> [dose.value.datatype for (dose,) in readings([ways])]
    ['xsd:string', 'xsd:decimal']
    """
    chosen: list[tuple[Qualifier, ...]] = [()]
    for ways_of_one in ways:
        chosen = [(*before, way) for before in chosen for way in ways_of_one][:MOST]
    yield from chosen


def statement_with_id(
    wanted_id: str,
    ways: Sequence[Sequence[Qualifier]],
    build: Callable[[tuple[Qualifier, ...]], Statement],
) -> Statement | None:
    """The statement of this id, if some reading of its qualifiers gives it."""
    statements = (build(qualifiers) for qualifiers in readings(ways))
    return next((statement for statement in statements if statement.id == wanted_id), None)


def other_ways(value: Term | Literal) -> Iterator[Term | Literal]:
    """A value as it was read, and the other values that would be written the same."""
    yield value
    if not isinstance(value, Literal):
        return
    if not value.unit:
        yield Literal(value.value, "")
    words = f"{value.value} {value.unit}".split(" ")
    for at in range(1, len(words)):
        for datatype in (*NUMBERS, "xsd:string", ""):
            yield Literal(" ".join(words[:at]), datatype, " ".join(words[at:]))
