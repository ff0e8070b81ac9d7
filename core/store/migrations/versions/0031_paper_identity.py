"""What each source said of a paper, the keys by which records of one paper are found, what was
judged of two papers, and the status of a paper that is not withdrawn.
"""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

from core.identity.candidates import blocking_keys
from core.identity.record import record_of

revision = "0031"
down_revision = "0029"
branch_labels = None
depends_on = None

AT_ONCE = 500
Row = dict[str, object]
STATUSES = ("expression of concern", "corrected", "a newer version is published", "preprint")


def words(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def seq() -> sa.Column[int]:
    return sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False)


def upgrade() -> None:
    op.create_table(
        "source_records",
        seq(),
        *map(words, ("document", "namespace", "digest", "title")),
        sa.Column("ids", sa.Text(), nullable=True),
        sa.Column("body", sa.Text(), nullable=True),
        *map(words, ("sha", "kind", "text", "outcome")),
        sa.Column("score", sa.Float(), server_default="0", nullable=False),
        sa.Column("reasons", sa.Text(), nullable=True),
        *map(words, ("was", "added")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_source_records")),
    )
    for name in ("document", "digest"):
        op.create_index(op.f(f"ix_source_records_{name}"), "source_records", [name])
    op.create_table(
        "record_keys",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("record", sa.Integer(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("key", "record", name=op.f("pk_record_keys")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "paper_pairs",
        seq(),
        *map(words, ("first", "second", "outcome")),
        sa.Column("score", sa.Float(), server_default="0", nullable=False),
        sa.Column("reasons", sa.Text(), nullable=True),
        *map(words, ("relation", "note", "curator", "time")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_paper_pairs")),
    )
    for name in ("first", "second"):
        op.create_index(op.f(f"ix_paper_pairs_{name}"), "paper_pairs", [name])
    op.add_column("documents", words("status"))
    _record_what_is_known(op.get_bind())


def _record_what_is_known(connection: sa.Connection) -> None:
    """One record for each membership, and for each document that has none, so that what comes
    later is compared with it. None has a digest: what its source gave is not known in full.
    """
    held: dict[str, list[tuple[str, str, str]]] = {}
    members = sa.text("SELECT document, namespace, sha, body FROM members ORDER BY seq")
    for document, namespace, sha, body in connection.execute(members):
        held.setdefault(document, []).append((namespace, sha, body or "{}"))
    aliases: dict[str, list[str]] = {}
    for alias, document in connection.execute(sa.text("SELECT alias, document FROM document_ids")):
        aliases.setdefault(document, []).append(alias)
    texts = sa.text(
        "SELECT document, sha, text FROM texts WHERE kind = 'abstract' ORDER BY created, sha"
    )
    abstracts: dict[tuple[str, str], str] = {}
    newest: dict[str, str] = {}
    for document, sha, text in connection.execute(texts):
        abstracts[document, sha] = text
        newest[document] = sha
    rows, keys, statuses = list[Row](), list[Row](), list[Row]()
    documents = sa.text(
        "SELECT id, title, created, year, journal, notice FROM documents ORDER BY created, id"
    )
    for id, title, created, *said in connection.execute(documents).all():
        ids = sorted({*aliases.get(id, ()), id})
        kept = held.get(id, [("", newest.get(id, ""), "{}")])
        kept[-1] = (*kept[-1][:2], _completed([body for _, _, body in kept], *said))
        for namespace, sha, body in kept:
            abstract = abstracts.get((id, sha), "")
            rows.append(
                {"seq": len(rows) + 1, "document": id, "namespace": namespace,
                 "title": title or "", "ids": json.dumps(ids), "body": body, "sha": sha,
                 "kind": "abstract" if abstract else "", "outcome": "new", "added": created}
            )  # fmt: skip
            details = json.loads(body) or {}
            record = record_of(title or "", ids, details, abstract)
            keys += [{"key": key, "record": len(rows)} for key in blocking_keys(record)]
            status = ", ".join(flag for flag in details.get("flags") or () if flag in STATUSES)
            statuses += [{"of": id, "said": status}] if status else []
    for table, values in (("source_records", rows), ("record_keys", keys)):
        _insert(connection, table, values)
    for row in statuses:
        connection.execute(sa.text("UPDATE documents SET status = :said WHERE id = :of"), row)
    if rows and connection.dialect.name == "postgresql":
        connection.execute(
            sa.text("SELECT setval(pg_get_serial_sequence('source_records', 'seq'), :last)"),
            {"last": len(rows)},
        )


def _completed(bodies: list[str], year: str, journal: str, notice: str) -> str:
    """The last body of a document, with what its row alone knows."""
    known = [json.loads(body) or {} for body in bodies]
    flags = {flag for body in known for flag in body.get("flags") or ()}
    unknown = [flag for flag in (notice or "").split(", ") if flag and flag not in flags]
    said = {"year": year, "journal": journal}
    more: Row = {
        name: value
        for name, value in said.items()
        if value and not any(body.get(name) for body in known)
    }
    if unknown:
        more["flags"] = [*(known[-1].get("flags") or ()), *unknown]
    return json.dumps(known[-1] | more) if more else bodies[-1]


def _insert(connection: sa.Connection, table: str, rows: list[Row]) -> None:
    if not rows:
        return
    names = list(rows[0])
    query = sa.text(
        f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(f':{n}' for n in names)})"
    )
    for start in range(0, len(rows), AT_ONCE):
        connection.execute(query, rows[start : start + AT_ONCE])


def downgrade() -> None:
    op.drop_column("documents", "status")
    for table in ("paper_pairs", "record_keys", "source_records"):
        op.drop_table(table)
