"""The tool that counts which small faults the tests notice (tests/mutation.py)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import mutation

ROOT = Path(__file__).resolve().parents[1]
FILE = Path("core/tiny.py")
TINY = """
def is_adult(age: int) -> bool:
    return age >= 18


def price(age: int) -> int:
    if is_adult(age):
        return 10
    return 5
"""
TESTS = """
from core.tiny import is_adult, price


def test_adults_begin_at_eighteen():
    assert is_adult(18) and not is_adult(17)


def test_a_child_pays_less():
    assert price(3) < price(30)
"""
LISTED = "tests/equivalent_mutants.txt"
UNNOTICED = """core/tiny.py in price
  line: return 10
  change: constant changed: 10"""
GONE = UNNOTICED.replace("10", "11")
KNOWN = f"# a remark\n\n{UNNOTICED}\n  reason: made up\n\n{GONE}\n  reason: made up\n"


def changes_of(source: str) -> set[tuple[int, str, str]]:
    return {(m.number, m.function, m.change) for m in mutation.mutants(source)}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout that holds the tool, and one module with its tests."""
    folder = tmp_path_factory.mktemp("checkout")
    for place, text in ((FILE, TINY), ("tests/test_tiny.py", TESTS), (LISTED, KNOWN)):
        (folder / place).parent.mkdir(exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "tests" / "mutation.py", folder / "tests")
    return folder


def run(checkout: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "tests/mutation.py", str(FILE), "tests/test_tiny.py", "--list"]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=checkout)


@pytest.fixture(scope="module")
def done(checkout: Path) -> subprocess.CompletedProcess[str]:
    return run(checkout)


def test_every_change_of_a_small_module_is_made() -> None:
    assert changes_of(TINY) == {
        (3, "is_adult", "returns None: return age >= 18"),
        (3, "is_adult", "comparison turned round: age >= 18"),
        (3, "is_adult", "constant changed: 18"),
        (7, "price", "condition negated: if is_adult(age): return 10"),
        (8, "price", "returns None: return 10"),
        (8, "price", "constant changed: 10"),
        (9, "price", "returns None: return 5"),
        (9, "price", "constant changed: 5"),
    }


def test_mutants_that_a_test_notices_are_killed(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stderr
    assert "core/tiny.py: 6 of 7 killed (86%), 1 equivalent" in done.stdout


def test_survivors_are_listed_with_their_line(done: subprocess.CompletedProcess[str]) -> None:
    survivor = "core/tiny.py in price\n  line: return 5\n  change: constant changed: 5"
    assert done.stdout.endswith(f"\n# line 9\n{survivor}\n")


def test_an_equivalent_mutant_is_not_listed(done: subprocess.CompletedProcess[str]) -> None:
    assert "return 10" not in done.stdout


def test_a_mutant_whose_line_is_gone_is_stale(done: subprocess.CompletedProcess[str]) -> None:
    assert "no such mutant: core/tiny.py in price: return 11: constant changed: 11" in done.stderr
    assert done.stderr.count("Stale") == 1


def test_tests_that_fail_without_a_change_are_named(checkout: Path) -> None:
    (checkout / FILE).write_text(TINY.replace("18", "21"), encoding="utf-8")
    failed = run(checkout)
    assert failed.returncode == 1
    assert "fail without any change: tests/test_tiny.py" in failed.stderr


def test_a_mutant_is_known_after_edits_elsewhere_in_its_file() -> None:
    before = {mutant.key(FILE) for mutant in mutation.mutants(TINY)}
    edited = f"AGE = 1\n\n\ndef young(age: int) -> bool:\n    return age < AGE\n\n{TINY}"
    assert before < {mutant.key(FILE) for mutant in mutation.mutants(edited)}


def test_the_same_words_in_another_function_or_twice_in_one_are_other_mutants() -> None:
    twice = "def f(x):\n    return x(1)\n\n\ndef g(x):\n    x(1)\n    x(1)\n    return x(1)\n"
    keys = [mutant.key(FILE) for mutant in mutation.mutants(twice)]
    assert len(set(keys)) == len(keys)
    assert (str(FILE), "g", "x(1)", "left out: x(1) (2)") in keys


@pytest.mark.parametrize(
    "entry",
    [
        UNNOTICED,
        f"{UNNOTICED}\n  reason: ",
        "core/tiny.py\n  line: return 10\n  change: constant changed: 10\n  reason: none",
    ],
)
def test_an_entry_without_function_or_reason_is_refused(entry: str) -> None:
    with pytest.raises(ValueError, match="lacks its function or a row"):
        mutation.equivalents(entry)


def test_no_equivalent_mutant_of_this_checkout_is_stale() -> None:
    listed = mutation.equivalents(mutation.EQUIVALENT.read_text(encoding="utf-8"))
    assert listed
    assert [
        s for file in {key[0] for key in listed} for s in mutation.stale(listed, Path(file))
    ] == []
