"""How many small faults in a module its tests notice: `python tests/mutation.py FILE [TEST …]`.

Each mutant is the module with one change (a comparison turned round, a condition negated, `and` for
`or`, a constant changed, a statement left out). A mutant is *killed* when some test fails. Without
TEST the tests that mirror the module's folder are run. ../shared is hidden, so that only what a
plain clone holds counts.

`--sample N` draws N mutants (`--seed`, 1 if not given), `--list` names the survivors as
`tests/equivalent_mutants.txt` would. Survivors that no test could kill, because the program does
the same, are written there with their reason and not counted. They are known by file, function, the
words of their line and the change, so that edits elsewhere do not matter; one whose line is gone is
reported as stale.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.util
import os
import random
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Mutant:
    """A module with one change. `change` ends in ` (2)` where the same is done a second time to the
    same words of a line that its function has more than once.
    """

    number: int  # of the line
    function: str
    line: str
    change: str
    source: str

    def key(self, file: Path) -> tuple[str, ...]:
        return str(file), self.function, self.line, self.change

    def entry(self, file: Path) -> str:
        """As `tests/equivalent_mutants.txt` has it, but for the reason."""
        return f"{file} in {self.function}\n  line: {self.line}\n  change: {self.change}"


ROOT = Path(__file__).resolve().parents[1]
EQUIVALENT = ROOT / "tests" / "equivalent_mutants.txt"
TIMEOUT = 180  # seconds of work, or ten times as long on the clock: one that never ends is killed
COMPARISONS = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
SUMS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.BitAnd: ast.BitOr}


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What may stand in the place of a node, each with its name."""
    if isinstance(node, ast.Compare):
        other = copy.deepcopy(node)
        other.ops[0] = COMPARISONS[type(node.ops[0])]()
        yield "comparison turned round", other
    elif isinstance(node, ast.BoolOp):
        turned = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and ↔ or", ast.BoolOp(turned, node.values)
        for place in range(len(node.values)):
            rest = [value for n, value in enumerate(node.values) if n != place]
            yield (
                f"part {place + 1} left out",
                copy.deepcopy(rest[0]) if len(rest) == 1 else ast.BoolOp(node.op, rest),
            )
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not left out", node.operand
    elif isinstance(node, ast.IfExp):
        yield (
            "condition negated",
            ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse),
        )
    elif isinstance(node, ast.If | ast.While):
        other = copy.deepcopy(node)
        other.test = ast.UnaryOp(ast.Not(), node.test)
        yield "condition negated", other
    elif isinstance(node, ast.BinOp) and type(node.op) in SUMS:
        yield "operator changed", ast.BinOp(node.left, SUMS[type(node.op)](), node.right)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "constant changed", ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield "constant changed", ast.Constant(node.value + 1)
    elif isinstance(node, ast.Return) and node.value is not None and not _is_nothing(node.value):
        yield "returns None", ast.Return(ast.Constant(None))
    elif isinstance(node, ast.Continue | ast.Raise | ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom)
    ):
        yield "left out", ast.Pass()


def _is_nothing(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def mutants(source: str) -> Iterator[Mutant]:
    """Each change of a module. Imports, annotations, decorators and words put together are left
    alone.
    """
    tree = ast.parse(source)
    lines = source.splitlines()
    skipped = _left_alone(tree)
    functions = dict(_functions(tree))
    times: Counter[tuple[str, str, str]] = Counter()
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            places = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
            for place, node in places:
                if not isinstance(node, ast.AST) or id(node) in skipped:
                    continue
                for name, other in changes(node):
                    function = functions.get(id(node), "the module")
                    line = lines[node.lineno - 1].strip()
                    change = f"{name}: {_shown(source, node)}"
                    times[function, line, change] += 1
                    if (count := times[function, line, change]) > 1:
                        change = f"{change} ({count})"
                    ast.copy_location(other, node)
                    _put(parent, field, place, other)
                    mutated = ast.unparse(ast.fix_missing_locations(tree))
                    _put(parent, field, place, node)
                    yield Mutant(node.lineno, function, line, change, mutated)


def _left_alone(tree: ast.AST) -> set[int]:
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for part in [node.returns, *(arg.annotation for arg in node.args.args)]:
                skipped |= {id(inner) for inner in ast.walk(part)} if part else set()
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            skipped |= {id(inner) for part in node.decorator_list for inner in ast.walk(part)}
        elif isinstance(node, ast.AnnAssign):
            skipped |= {id(inner) for inner in ast.walk(node.annotation)}
        elif isinstance(node, ast.JoinedStr | ast.ImportFrom) or _is_typing_block(node):
            skipped |= {id(inner) for inner in ast.walk(node)}
    return skipped


def _functions(tree: ast.AST, outer: str = "") -> Iterator[tuple[int, str]]:
    """Of each node that stands in a class or a function, the name of the innermost."""
    for node in ast.iter_child_nodes(tree):
        name = outer
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = f"{outer}.{node.name}".lstrip(".")
        if name:
            yield id(node), name
        yield from _functions(node, name)


def _is_typing_block(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _put(parent: ast.AST, field: str, place: int | None, node: ast.AST) -> None:
    if place is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[place] = node


def _shown(source: str, node: ast.AST) -> str:
    return " ".join((ast.get_source_segment(source, node) or "").split())[:70]


class Mutated:
    """Finds one module with other source than its file has."""

    def __init__(self, name: str, path: Path, source: str):
        self.name, self.path, self.source = name, path, source

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        if name != self.name:
            return None
        return importlib.util.spec_from_loader(name, self, origin=str(self.path))

    def create_module(self, spec: object) -> None:
        return None

    def exec_module(self, module: object) -> None:
        exec(compile(self.source, str(self.path), "exec"), vars(module))


def equivalents(text: str) -> dict[tuple[str, ...], str]:
    """The listed mutants, each with its reason. Raises ValueError where an entry is not whole."""
    listed = {}
    blocks = "\n".join(row for row in text.splitlines() if not row.startswith("#")).split("\n\n")
    for block in filter(None, map(str.strip, blocks)):
        head, *rows = block.splitlines()
        file, _, function = head.partition(" in ")
        told = dict(row.strip().partition(": ")[::2] for row in rows)
        if not function or set(told) != {"line", "change", "reason"} or not all(told.values()):
            raise ValueError(f"An equivalent mutant lacks its function or a row: {block}")
        listed[file, function, told["line"], told["change"]] = told["reason"]
    return listed


def stale(listed: dict[tuple[str, ...], str], file: Path, root: Path = ROOT) -> list[str]:
    """The listed mutants of a file that it no longer has."""
    own = [key for key in listed if key[0] == str(file)]
    path = root / file
    source = path.read_text(encoding="utf-8") if path.is_file() else ""
    made = {mutant.key(file) for mutant in mutants(source)} if own else set()
    return [f"{key[0]} in {key[1]}: {key[2]}: {key[3]}" for key in own if key not in made]


def survives(name: str, path: Path, source: str, tests: list[str]) -> bool:
    """Whether all tests pass with this source in the module's place. Runs in a child process."""
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_PROF, TIMEOUT)
        signal.alarm(10 * TIMEOUT)
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1), os.dup2(nothing, 2)
        sys.meta_path.insert(0, Mutated(name, path, source))  # type: ignore[arg-type]
        import pytest

        quiet = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-m", "not browser"]
        os._exit(int(pytest.main([*quiet, *tests])))
    return os.waitpid(child, 0)[1] == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("tests", nargs="*")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    os.environ["GROUNDWORK_TESTS_WITHOUT_SHARED"] = "1"
    path = args.file.resolve().relative_to(ROOT)
    name = ".".join(path.with_suffix("").parts)
    tests = args.tests or [str(Path("tests") / path.parent)]
    import pandas  # noqa: F401  heavy packages are imported once, for all children
    import pytest  # noqa: F401
    import rdflib  # noqa: F401
    import sqlalchemy  # noqa: F401

    source = path.read_text(encoding="utf-8")
    if not survives(name, path, ast.unparse(ast.parse(source)), tests):
        print(f"The tests fail without any change: {' '.join(tests)}", file=sys.stderr)
        return 1
    listed = equivalents(EQUIVALENT.read_text(encoding="utf-8") if EQUIVALENT.is_file() else "")
    for entry in stale(listed, path):
        print(f"Stale in {EQUIVALENT.relative_to(ROOT)}, no such mutant: {entry}", file=sys.stderr)
    every = list(mutants(source))
    if args.sample and args.sample < len(every):
        every = random.Random(args.seed).sample(every, args.sample)
    counted = [mutant for mutant in every if mutant.key(path) not in listed]
    alive = [mutant for mutant in counted if survives(name, path, mutant.source, tests)]
    killed = len(counted) - len(alive)
    print(f"{path}: {killed} of {len(counted)} killed ({killed / max(1, len(counted)):.0%}), "
          f"{len(every) - len(counted)} equivalent")  # fmt: skip
    for mutant in alive if args.list else ():
        print(f"\n# line {mutant.number}\n{mutant.entry(path)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
