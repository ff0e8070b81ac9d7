"""The reasoners that run in a process of their own, and what they write."""

from __future__ import annotations

import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from core.errors import InputError, NotFound, Stopped
from core.kb.owl.form import Iri, OwlForm, OwlLiteral
from core.kb.reasoning.reasoner import (
    ELK_MAIN,
    PYELK,
    Reasoner,
    reason_by,
    reasoner_in,
    reasoner_named,
    usable_reasoners,
)
from core.kb.reasoning.taxonomy import NOTHING, Taxonomy, read_taxonomy, taxonomy_lines

A, B, C, D, E, P = (Iri(f"urn:{name}") for name in "ABCDEP")
AXIOMS = [
    OwlForm("SubClassOf", (A, B)),
    OwlForm("EquivalentClasses", (B, C)),
    OwlForm("DisjointClasses", (B, E)),
    OwlForm("SubClassOf", (D, E)),
    OwlForm("SubClassOf", (D, C)),
    OwlForm("SubClassOf", (E, OwlForm("DataHasValue", (P, OwlLiteral("1", "http://x.org/odd"))))),
]
EXPECTED = {"urn:C": frozenset({"urn:A", "urn:B"}), "urn:E": frozenset()}
HERE = [reasoner.name for reasoner in usable_reasoners()]


@pytest.mark.parametrize("name", ["pyelk", "hermit"])
def test_every_reasoner_finds_the_same_taxonomy(name: str) -> None:
    if name not in HERE:
        pytest.skip("HermiT needs Java and owlready2")
    classification = reason_by(reasoner_named(name), AXIOMS, list(EXPECTED))
    assert {above: below - {above} for above, below in classification.under.items()} == EXPECTED
    assert classification.unsatisfiable == {"urn:D"}


def test_a_taxonomy_is_written_and_read_alike() -> None:
    taxonomy = Taxonomy({"urn:C": frozenset({"urn:A"})}, frozenset({"urn:D"}), ("DataHasValue",))
    assert read_taxonomy(taxonomy_lines(taxonomy), ["urn:C"]) == taxonomy


def test_direct_subclasses_and_equal_classes_are_followed_down() -> None:
    lines = [
        "Ontology(",
        "Declaration(Class(<urn:A>))",
        "EquivalentClasses(<urn:B> <urn:C>)",
        "SubClassOf( <urn:A> <urn:B> )",
        "SubClassOf(<urn:B> owl:Thing)",
        "EquivalentClasses(owl:Nothing <urn:D>)",
        ")",
    ]
    taxonomy = read_taxonomy(lines, ["urn:C", "urn:A"])
    assert taxonomy.under == {"urn:C": {"urn:A", "urn:B"}, "urn:A": frozenset()}
    assert taxonomy.unsatisfiable == {"urn:D"}
    assert NOTHING not in taxonomy.unsatisfiable


def stand_in(code: str) -> Reasoner:
    return Reasoner("own", "A reasoner", lambda *files: [sys.executable, "-c", code])


def test_a_reasoner_is_ended_when_somebody_stops_it() -> None:
    looks = []

    def check() -> None:
        looks.append(1)
        if len(looks) > 2:
            raise Stopped("stopped")

    with pytest.raises(Stopped):
        reason_by(stand_in("import time; time.sleep(600)"), AXIOMS, classes=[], check=check)


def test_a_reasoner_that_takes_too_long_is_ended() -> None:
    with pytest.raises(InputError, match=r"more than 0\.2 seconds"):
        reason_by(stand_in("import time; time.sleep(600)"), AXIOMS, [], seconds=0.2)


def test_reasoners_refusal_is_reported_in_its_own_words() -> None:
    with pytest.raises(InputError, match="these axioms: pear-shaped"):
        reason_by(stand_in("print('pear-shaped')"), AXIOMS, [])
    if "pyelk" in HERE:
        with pytest.raises(InputError, match="pyELK cannot take"):
            reason_by(PYELK, [OwlForm("SubClassOf", (Iri("no iri >"), B))], [])


def jar(path: Path, main: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", f"Main-Class: {main}\n")
    return path


def test_a_jar_is_known_by_its_manifest(tmp_path: Path) -> None:
    elk = reasoner_in(jar(tmp_path / "elk.jar", ELK_MAIN), "java")
    assert elk is not None
    assert elk.name == "elk"
    assert reasoner_in(jar(tmp_path / "other.jar", "org.example.Main"), "java") is None
    (tmp_path / "no.jar").write_bytes(b"no archive")
    assert reasoner_in(tmp_path / "no.jar", "java") is None


def test_a_missing_reasoner_is_named_with_the_available_ones(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="fact"):
        reasoner_named("fact")
    with pytest.raises(NotFound, match="not a JAR"):
        reasoner_named(str(jar(tmp_path / "x.jar", "org.example.Main")))
    assert (
        "elk"
        in [reasoner.name for reasoner in usable_reasoners([jar(tmp_path / "e.jar", ELK_MAIN)])]
    ) == (shutil.which("java") is not None)
