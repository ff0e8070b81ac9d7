"""Every table of patterns in the code: each row finds its example, and no other row does."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

import pytest

from core.text.phrases import one_of, phrases
from tests.core.test_patterns import TABLE, modules, tables_in, value_of

LONGEST = 150  # characters of a row as written: what is longer hides its branches again
LEAST = 50  # tables: fewer means that the search below does not find them


@dataclass(frozen=True)
class Table:
    """The arguments of a call of `phrases`."""

    rows: dict[str, str]
    options: dict[str, object]

    def without(self, pattern: str) -> re.Pattern[str] | None:
        """The table without a row, None where nothing is left."""
        also = dict(self.options.get("also") or {})
        rows = {key: value for key, value in self.rows.items() if key != pattern}
        also.pop(pattern, None)
        if not rows:
            return re.compile("|".join(also), self.options.get("flags", re.I)) if also else None
        return phrases(rows, **(self.options | {"also": also}))

    def alone(self, pattern: str) -> re.Pattern[str]:
        if pattern in self.rows:
            return phrases({pattern: ""}, **(self.options | {"also": {}}))
        return re.compile(pattern, self.options.get("flags", re.I))

    def examples(self) -> list[tuple[str, str]]:
        return [*self.rows.items(), *(self.options.get("also") or {}).items()]


def tables() -> list:
    found = []
    for place, nodes, names in modules(TABLE):
        names = names | {"phrases": lambda rows, **options: Table(rows, options)}
        for call in tables_in(nodes):
            table = value_of(call, names)
            assert isinstance(table, Table), f"{place}:{call.lineno} is not known before it runs"
            found.append(pytest.param(table, id=f"{place}:{call.lineno}"))
    return found


TABLES = tables()


def test_tables_are_found():
    assert len(TABLES) >= LEAST


def test_rows_are_short():
    long = [
        f"{place}:{key.lineno}"
        for place, nodes, _ in modules(TABLE)
        for call in tables_in(nodes)
        for table in ast.walk(call)
        if isinstance(table, ast.Dict)
        for key in table.keys
        if len(ast.unparse(key)) > LONGEST
    ]
    assert not long, "make two rows of each, or name a part: " + ", ".join(long)


@pytest.mark.parametrize("table", TABLES)
def test_each_row_earns_its_place(table):
    for pattern, example in table.examples():
        assert table.alone(pattern).search(example), f"{pattern} does not find {example!r}"
        others = table.without(pattern)
        assert others is None or not others.search(example), f"{example!r} needs no {pattern}"


def test_first_row_that_matches_wins_and_rows_beside_stand_unbound():
    table = phrases({"gene": "a gene", "genes?": "genes"}, after="", also={r"\?$": "so?"})
    assert [match[0] for match in table.finditer("the genes, the oncogene?")] == ["gene", "?"]


def test_words_are_alternatives():
    assert re.fullmatch(one_of("is are\n was"), "was")
    assert not re.fullmatch(one_of("is are"), "is are")


def test_a_row_that_another_covers_is_noticed():
    table = Table({"genes?": "a gene", "gene": "the gene"}, {})
    with pytest.raises(AssertionError, match="needs no"):
        test_each_row_earns_its_place(table)
