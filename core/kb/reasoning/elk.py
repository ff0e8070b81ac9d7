"""pyELK, an EL reasoner in the manner of ELK (Kazakov, Krötzsch, Simančík 2014).

It says itself when an axiom is outside OWL 2 EL; what it finds all the same is right, but there may
be more. `python -m core.kb.reasoning.elk AXIOMS TAXONOMY ASKED` does it in a process of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.kb.owl.form import OwlForm
from core.kb.reasoning.taxonomy import NOTHING, Taxonomy, document, taxonomy_lines


def reason_by_elk(axioms: Iterable[OwlForm], classes: Sequence[str]) -> Taxonomy:
    """What pyELK finds. Raises InputError for axioms that it cannot read."""
    return classify_with_elk(document(axioms).encode("utf-8", "replace"), classes)


def classify_with_elk(content: bytes, classes: Sequence[str]) -> Taxonomy:
    """What pyELK finds in a document of functional syntax. Raises InputError."""
    import pyowl_core as owl
    from pyelk import Reasoner

    options = owl.LoadOptions(format=owl.DocumentFormat.FUNCTIONAL, imports=owl.ImportPolicy.IGNORE)
    try:
        with Reasoner(content, load_options=options) as reasoner:
            taxonomy = reasoner.classify()
            bottom = {str(member.iri.value) for member in taxonomy.value.bottom.members}
            all_classes = {str(member.iri.value) for member in reasoner.all_classes()}
            under = {
                iri: _below(reasoner, iri) if iri in all_classes else frozenset() for iri in classes
            }
    except (ValueError, TypeError, RuntimeError) as error:
        raise InputError(
            f"The reasoner cannot take these axioms: {str(error)[:200]}",
            "Export OWL and look at it in another tool.",
        ) from error
    outside = {name for reason in taxonomy.reasons for name in reason.constructors}
    return Taxonomy(under, frozenset(bottom - {NOTHING}), tuple(sorted(outside)))


def _below(reasoner: Any, iri: str) -> frozenset[str]:
    """The classes under one, and those that mean the same."""
    import pyowl_core as owl

    owl_class = owl.Class(owl.IRI(iri))
    nodes = reasoner.subclasses(owl_class, direct=False).value
    below = {str(member.iri.value) for node in nodes for member in node.members}
    below |= {
        str(member.iri.value)
        for node in reasoner.equivalent_classes(owl_class).value
        for member in node.members
    }
    return frozenset(below - {NOTHING, iri})


def main(axioms: Path, taxonomy: Path, classes: Path) -> None:
    try:
        classified_taxonomy = classify_with_elk(
            axioms.read_bytes(), classes.read_text("utf-8").split("\n")
        )
    except InputError as error:
        sys.exit(str(error))
    taxonomy.write_text(
        "".join(f"{line}\n" for line in taxonomy_lines(classified_taxonomy)), "utf-8"
    )


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
