"""A bundle (RO-Crate) back into statements, evidence and decisions, checked by its manifest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from core.codec import from_json
from core.errors import InputError
from core.kb.entry import LoggedStatement
from core.kb.formats.bundle import CURATORS, DOCUMENTS, LOG, MANIFEST, PROJECT
from core.kb.rdf.iri import normalised_base
from core.kb.read.archive import (
    LONGEST_LINE,
    archive_file_start,
    archive_lines,
    archive_names,
    checked_digests,
)
from core.kb.read.in_full import Proposal
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

BUNDLE_FILES = (PROJECT, LOG, DOCUMENTS, CURATORS, MANIFEST)
MOST_OF_SMALL = 10_000_000  # bytes of the files that are read as a whole
MOST_PROBLEMS = 1_000  # lines of the log that cannot be read
MOST_VERSIONS = 1 << 31  # of one statement


@dataclass(frozen=True, slots=True)
class ReadBundle:
    """What a bundle holds. `base_iri` says whose it is, `lines` how many its log has. Statements
    and papers are read from the ZIP each time that they are asked for: memory holds one at a time.
    """

    base_iri: str
    content: bytes
    lines: int
    curators: tuple[Curator, ...] = ()

    def logged(self) -> Iterator[LoggedStatement | Problem]:
        """A statement with every decision for each line of the log, or what is wrong with the line.
        Raises InputError where that is so of too many.
        """
        problems = 0
        for number, line in enumerate(archive_lines(self.content, LOG), 1):
            row = _logged_row(number, line)
            problems += isinstance(row, Problem)
            if problems > MOST_PROBLEMS:
                raise InputError(
                    f"More than {MOST_PROBLEMS:,} lines of {LOG} are not logged statements.",
                    "Download the bundle again.",
                )
            yield row

    def documents(self) -> Iterator[Document]:
        return (from_json(Document, _json(line)) for line in archive_lines(self.content, DOCUMENTS))

    def proposals(self) -> Iterator[Proposal | Problem | None]:
        """Its statements as proposals; None for one that was rejected or replaced, which is not
        proposed again.
        """
        for row in self.logged():
            if isinstance(row, Problem):
                yield row
            else:
                yield None if row.is_turned_down else (row.statement, row.evidence)


def read_bundle(content: bytes) -> ReadBundle:
    """Raises InputError where the manifest does not fit the files, or a file is missing."""
    checksums = checked_digests(content, (PROJECT, LOG, DOCUMENTS, CURATORS))
    missing = [name for name in BUNDLE_FILES if name not in archive_names(content)]
    if missing:
        raise InputError(f"This bundle lacks {', '.join(missing)}.", "Export it again.")
    said_digests = _manifest(_whole(content, MANIFEST))
    for name, checksum in checksums.items():
        if checksum.sha256 != said_digests.get(name):
            raise InputError(
                f"{name} does not match the bundle's manifest: it was changed or damaged.",
                "Download the bundle again.",
            )
    people = _json(_whole(content, CURATORS))
    return ReadBundle(
        _base_iri(_json(_whole(content, PROJECT))),
        content,
        checksums[LOG].lines,
        tuple(Curator(str(orcid), str(name)) for orcid, name in sorted(people.items())),
    )


def _whole(content: bytes, name: str) -> bytes:
    """A small file of a bundle. Raises InputError for a large one."""
    start = archive_file_start(content, name, MOST_OF_SMALL + 1)
    if len(start) > MOST_OF_SMALL:
        raise InputError(f"{name} of this bundle has more than {MOST_OF_SMALL:,} bytes.")
    return start


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


def _logged_row(number: int, line: bytes) -> LoggedStatement | Problem:
    try:
        return _logged_statement(line)
    except (InputError, KeyError, ValueError, TypeError) as error:
        message = f"It is not a logged statement: {str(error)[:200]}"
        where = f"statement {number}"
        return Problem(
            "not-a-statement", message, Severity.ERROR, where=where, hint="It is left out."
        )


def _logged_statement(line: bytes) -> LoggedStatement:
    if len(line) > LONGEST_LINE:
        raise InputError(f"it has more than {LONGEST_LINE:,} bytes")
    row = _json(line)
    if HALF_CHARACTER.search(json.dumps(row, ensure_ascii=False)):
        raise InputError("it contains half a character (a lone surrogate)")
    logged_statement = LoggedStatement(
        from_json(Statement, row["statement"]),
        from_json(tuple[Evidence, ...], row["evidence"]),
        from_json(tuple[Decision, ...], row["decisions"]),
        State(row["state"]),
    )
    _check(logged_statement)
    return logged_statement


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
