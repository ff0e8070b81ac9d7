"""The files of a release: any export format, byte for byte the same whenever it is asked for."""

from __future__ import annotations

from collections.abc import Iterator

from core.desk import Desk
from core.kb.formats.registry import format_named
from core.kb.formats.specification import ExportFormat
from core.services.graph import knowledge_base as graph
from core.services.releases.catalogue import knowledge_base


def chunks(desk: Desk, number: str, name: str) -> Iterator[bytes]:
    """A release in a format. Raises NotFound, and InputError for a format there is not."""
    wanted = format_named(name)
    return wanted.chunks(knowledge_base(desk, number))


def file_name(desk: Desk, number: str, wanted: ExportFormat) -> str:
    """`my-project-1.2.0.ttl`"""
    return f"{stem(desk, number)}{wanted.suffix}"


def stem(desk: Desk, number: str) -> str:
    """What the files of a release are called before their ending."""
    return f"{graph.file_stem(desk)}-{number}"
