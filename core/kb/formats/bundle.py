"""RO-Crate (https://w3id.org/ro/crate/1.1): everything of the knowledge base in one ZIP that can be
stored, checked and imported again.

It contains the statements as Turtle and as a table, the log of every decision, the statements that
were rejected with the reasons, papers and people, a manifest with SHA-256 digests, and a
description that RO-Crate tools read. Quotes are in it, whole texts are not. A project's own bundle
restores its decisions. The bundle of a release holds the approvals of its statements; where the
release says so, all decisions on them and what was rejected or replaced by then. Nothing that still
waited for a decision is in it.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from core.codec import to_json
from core.kb.entry import KnowledgeBase, LoggedStatement, claim_words, document_of, logged_entry
from core.kb.formats.archive import zip_files
from core.kb.formats.separated import tsv
from core.kb.formats.specification import ExportFormat
from core.kb.formats.table import table
from core.kb.formats.turtle import pieces as turtle_pieces
from core.kb.rdf.sorting import sort_texts
from core.model import Decision, Json, Verdict

PROJECT, LOG = "groundwork/project.json", "groundwork/statements.jsonl"
DOCUMENTS, CURATORS = "groundwork/documents.jsonl", "groundwork/curators.json"
MANIFEST, METADATA = "manifest-sha256.txt", "ro-crate-metadata.json"
DECISIONS = ("time", "statement", "words", "verdict", "curator", "reason", "note", "undoes", "id")
REJECTED = ("statement", "words", "state", "curator", "time", "reason", "note", "papers")
PIECE = 1 << 20  # bytes
TITLES = {
    "knowledge-base.ttl": ("The approved statements", "text/turtle"),
    "knowledge-base.tsv": ("The approved statements as a table", "text/tab-separated-values"),
    "decisions.tsv": ("Decisions, in order", "text/tab-separated-values"),
    "rejected.tsv": ("Statements that were rejected or replaced", "text/tab-separated-values"),
    "README.md": ("What is in this bundle", "text/markdown"),
    PROJECT: ("Which knowledge base this is", "application/json"),
    LOG: ("Statements with evidence and decisions, for import", "application/jsonl"),
    DOCUMENTS: ("The papers", "application/jsonl"),
    CURATORS: ("Who decided", "application/json"),
}


def bundle(kb: KnowledgeBase) -> Iterator[bytes]:
    """The ZIP; the same bytes for the same content."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for name, pieces in _files(kb):
            paths[name] = Path(folder) / name.replace("/", "-")
            with paths[name].open("wb") as out:
                out.writelines(pieces)
        digests = {name: _sha256(path) for name, path in paths.items()}
        manifest = "".join(f"{digests[name]}  {name}\n" for name in sorted(digests))
        yield from zip_files(
            [
                (METADATA, [_described(kb, paths, digests)]),
                (MANIFEST, [manifest.encode()]),
                *((name, _pieces_of_file(path)) for name, path in paths.items()),
            ]
        )


def log_of(kb: KnowledgeBase) -> Iterator[LoggedStatement]:
    """The log that came with the knowledge base, else the approvals that its entries carry."""
    logged = False
    for logged_statement in kb.log():
        logged = True
        yield logged_statement
    if not logged:
        yield from map(logged_entry, kb.sorted())


def _files(kb: KnowledgeBase) -> Iterator[tuple[str, Iterable[bytes]]]:
    yield "README.md", [_readme(kb).encode()]
    yield "knowledge-base.ttl", turtle_pieces(kb)
    yield "knowledge-base.tsv", table(kb)
    yield "decisions.tsv", tsv(DECISIONS, _decision_rows(kb))
    yield "rejected.tsv", tsv(REJECTED, _rejected_rows(kb))
    number = kb.release.number if kb.release else ""
    yield PROJECT, [_line({"base_iri": kb.base_iri, "release": number, "format": 1})]
    yield LOG, (_line(_logged(logged_statement)) for logged_statement in log_of(kb))
    yield DOCUMENTS, (_line(to_json(kb.documents[name])) for name in sorted(kb.documents))
    yield CURATORS, [_line(dict(sorted(kb.curators.items())))]


def _logged(logged_statement: LoggedStatement) -> Json:
    return {
        "statement": to_json(logged_statement.statement),
        "evidence": to_json(logged_statement.evidence),
        "decisions": to_json(logged_statement.decisions),
        "state": str(logged_statement.state),
    }


def _line(value: Json) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=True).encode() + b"\n"


def _decision_rows(kb: KnowledgeBase) -> Iterator[tuple[str, ...]]:
    """Every decision, sorted by time and id; not all are in memory at once."""
    rows = (
        (
            *(decision.time, logged.statement.id, claim_words(logged.statement)),
            *(str(decision.verdict), decision.curator, str(decision.reason or "")),
            *(decision.note, decision.undoes, decision.id),
        )
        for logged in log_of(kb)
        for decision in logged.decisions
    )
    for text in sort_texts(f"{row[0]}\t{row[-1]}\t{json.dumps(row)}" for row in rows):
        yield tuple(json.loads(text.split("\t", 2)[2]))


def _rejected_rows(kb: KnowledgeBase) -> Iterator[tuple[str, ...]]:
    for logged_statement in log_of(kb):
        if not logged_statement.is_turned_down:
            continue
        last_verdict = _last_rejection(logged_statement.decisions)
        papers = sorted({document_of(piece) for piece in logged_statement.evidence} - {""})
        yield (
            *(
                logged_statement.statement.id,
                claim_words(logged_statement.statement),
                str(logged_statement.state),
            ),
            *(
                (
                    last_verdict.curator,
                    last_verdict.time,
                    str(last_verdict.reason or ""),
                    last_verdict.note,
                )
                if last_verdict
                else ("",) * 4
            ),
            "; ".join(papers),
        )


def _last_rejection(decisions: Iterable[Decision]) -> Decision | None:
    """The last verdict that rejected or replaced the statement."""
    verdicts = (Verdict.REJECT, Verdict.SUPERSEDE)
    against = [
        decision for decision in decisions if decision.verdict in verdicts and not decision.evidence
    ]
    return against[-1] if against else None


def _readme(kb: KnowledgeBase) -> str:
    lines = [f"- `{name}`: {title}" for name, (title, _) in TITLES.items() if name != "README.md"]
    cite = f"\n\nHow to cite: {kb.release.citation}" if kb.release else ""
    decided = "the log of every decision"
    if kb.release:
        decided = (
            "the decisions on them, and what was rejected or replaced, with the reasons. What still"
            " waits for a decision is not in it"
            if next(kb.log(), None)
            else "the approvals that stand. What was rejected is in the project's own bundle, not"
            " in that of a release"
        )
    return (
        f"# Knowledge base {kb.base_iri}\n\n"
        f"Statements that curators approved, with the quotes they rest on, and {decided}."
        f"{cite}\n\n" + "\n".join(lines) + "\n\n`sha256sum -c manifest-sha256.txt` checks"
        " the files. *Knowledge graph → Import* of Groundwork imports the bundle.\n"
    )


def _described(kb: KnowledgeBase, paths: dict[str, Path], digests: dict[str, str]) -> bytes:
    """RO-Crate's JSON-LD: what the bundle is, its files, its people."""
    release = kb.release
    orcids = (
        [person.orcid for person in release.creators]
        if release
        else sorted({d.curator for entry in kb.entries for d in entry.approvals})
    )
    people = [{"@id": f"https://orcid.org/{orcid}"} for orcid in orcids]
    root: dict[str, Json] = {
        "@id": "./",
        "@type": "Dataset",
        "identifier": release.iri if release else kb.base_iri,
        "name": release.title if release else f"Knowledge base {kb.base_iri}",
        "description": (release.summary if release else "")
        or "Statements that curators approved, with their evidence and decisions.",
        "hasPart": [{"@id": name} for name in sorted(paths)],
        "author": people,
    }
    if times := [d.time for entry in kb.entries for d in entry.approvals]:
        root["datePublished"] = release.date if release else max(times)[:10]
    if release:
        root |= {"license": {"@id": release.licence}, "version": release.number}
        root["citation"] = release.citation
    files = [
        {
            "@id": name,
            "@type": "File",
            "name": TITLES[name][0],
            "encodingFormat": TITLES[name][1],
            "contentSize": str(paths[name].stat().st_size),
            "sha256": digests[name],
        }
        for name in sorted(paths)
    ]
    persons = [
        {
            "@id": f"https://orcid.org/{orcid}",
            "@type": "Person",
            "name": kb.curators.get(orcid) or orcid,
        }
        for orcid in orcids
    ]
    descriptor = {
        "@id": METADATA,
        "@type": "CreativeWork",
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        "about": {"@id": "./"},
    }
    graph = {
        "@context": "https://w3id.org/ro/crate/1.1/context",
        "@graph": [descriptor, root, *files, *persons],
    }
    return json.dumps(graph, indent=1, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _pieces_of_file(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


BUNDLE = ExportFormat(
    "bundle",
    "Bundle with decisions (RO-Crate, ZIP)",
    ".crate.zip",
    mime="application/zip",
    chunks=bundle,
)
