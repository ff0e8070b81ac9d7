"""A bundle (RO-Crate) back into statements, evidence and decisions, checked by its manifest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from core.codec import from_json
from core.errors import InputError
from core.kb.entry import LoggedStatement
from core.kb.formats.bundle import CURATORS, DOCUMENTS, LOG, MANIFEST, PROJECT
from core.kb.rdf.iri import normalised_base
from core.kb.read.archive import unpacked
from core.kb.read.rdf import ReadStatements
from core.kb.read.storable import check_storable
from core.model import (
    Curator,
    Decision,
    Document,
    Evidence,
    Json,
    Problem,
    Severity,
    State,
    Statement,
)
from core.text.clean import HALF_CHARACTER

MOST_VERSIONS = 1 << 31  # of one statement


@dataclass(frozen=True, slots=True)
class ReadBundle:
    """What a bundle held. `base_iri` says whose it is."""

    base_iri: str
    logged: tuple[LoggedStatement, ...]
    documents: tuple[Document, ...] = ()
    curators: tuple[Curator, ...] = ()
    problems: tuple[Problem, ...] = ()

    def proposals(self) -> ReadStatements:
        """Its statements as proposals: what was rejected is not proposed again."""
        undecided = (State.REJECTED, State.SUPERSEDED)
        logged_statements = [
            logged_statement
            for logged_statement in self.logged
            if logged_statement.state not in undecided
        ]
        return ReadStatements(
            tuple(
                (logged_statement.statement, logged_statement.evidence)
                for logged_statement in logged_statements
            ),
            self.problems,
        )


def read_bundle(content: bytes) -> ReadBundle:
    """Raises InputError where the manifest does not fit the files, or a file is missing."""
    bundle_files = (PROJECT, LOG, DOCUMENTS, CURATORS, MANIFEST)
    files = unpacked(content, bundle_files)
    missing = [name for name in bundle_files if name not in files]
    if missing:
        raise InputError(f"This bundle lacks {', '.join(missing)}.", "Export it again.")
    digests = _manifest(files[MANIFEST])
    for name in bundle_files[:-1]:
        if hashlib.sha256(files[name]).hexdigest() != digests.get(name):
            raise InputError(
                f"{name} does not match the bundle's manifest: it was changed or damaged.",
                "Download the bundle again.",
            )
    base_iri = _base_iri(_json(files[PROJECT]))
    logged, problems = _logged(files[LOG])
    people = _json(files[CURATORS])
    return ReadBundle(
        base_iri,
        tuple(logged),
        tuple(from_json(Document, row) for row in _lines(files[DOCUMENTS])),
        tuple(Curator(str(orcid), str(name)) for orcid, name in sorted(people.items())),
        tuple(problems),
    )


def _manifest(content: bytes) -> dict[str, str]:
    rows = (line.split("  ", 1) for line in content.decode("utf-8", "replace").splitlines())
    return {row[1]: row[0] for row in rows if len(row) == 2}


def _base_iri(project: Json) -> str:
    base_iri = str(project.get("base_iri", ""))
    if base_iri and not base_iri.startswith(("http://", "https://")):
        raise InputError(f"{base_iri[:60]!r} is not the web address of a knowledge base.")
    return normalised_base(base_iri) if base_iri else ""


def _json(content: bytes) -> Json:
    try:
        parsed = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"The bundle cannot be read: {error}.") from error
    if not isinstance(parsed, dict):
        raise InputError("The bundle cannot be read: an object was expected.")
    return parsed


def _lines(content: bytes) -> Iterator[Json]:
    for line in content.split(b"\n"):
        if line.strip():
            yield _json(line)


def _logged(content: bytes) -> tuple[list[LoggedStatement], list[Problem]]:
    logged, problems = [], []
    for number, row in enumerate(_lines(content), 1):
        try:
            logged_statement = LoggedStatement(
                from_json(Statement, row["statement"]),
                from_json(tuple[Evidence, ...], row["evidence"]),
                from_json(tuple[Decision, ...], row["decisions"]),
                State(row["state"]),
            )
            _check(logged_statement)
            if HALF_CHARACTER.search(json.dumps(row, ensure_ascii=False)):
                raise InputError("it contains half a character (a lone surrogate)")
            logged.append(logged_statement)
        except (InputError, KeyError, ValueError, TypeError) as error:
            message = f"It is not a logged statement: {str(error)[:200]}"
            where = f"statement {number}"
            problems.append(
                Problem("not-a-statement", message, Severity.ERROR, where, "It is left out.")
            )
    if not logged:
        raise InputError("This bundle contains no statements.")
    return logged, problems


def _check(logged_statement: LoggedStatement) -> None:
    """Evidence and decisions are of this statement and no other, each decision once."""
    name = logged_statement.statement.id
    strays = [piece.statement for piece in logged_statement.evidence if piece.statement != name]
    strays += [
        decision.statement for decision in logged_statement.decisions if decision.statement != name
    ]
    if strays:
        raise InputError(f"it has evidence or decisions of {strays[0][:20]}")
    check_storable(logged_statement.statement, logged_statement.evidence)
    decisions = logged_statement.decisions
    versions = {decision.version for decision in decisions}
    if len(versions) < len(decisions) or not all(0 <= seen < MOST_VERSIONS for seen in versions):
        raise InputError("two of its decisions have the same version, or one has none")
