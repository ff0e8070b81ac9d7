"""The files of a release: any export format, byte for byte the same whenever it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.desk_parts import HasFolder, HasStore
from core.kb.formats.registry import format_named
from core.kb.formats.specification import ExportFormat, no_remarks
from core.model import Problem
from core.services.graph import knowledge_base as graph
from core.services.releases.catalogue import knowledge_base


def release_chunks(
    desk: HasStore, number: str, name: str, signing_key: bytes = b""
) -> Iterator[bytes]:
    """A release in a format. Raises NotFound, and InputError for a format there is not."""
    export_format = format_named(name)
    return export_format.chunks(replace(knowledge_base(desk, number), signing_key=signing_key))


def release_remarks(desk: HasStore, number: str, name: str) -> tuple[Problem, ...]:
    """What of a release a format cannot say, and why."""
    export_format = format_named(name)
    if export_format.remarks is no_remarks:  # the release need not be read for that
        return ()
    return tuple(export_format.remarks(knowledge_base(desk, number)))


def file_name(desk: HasFolder, number: str, export_format: ExportFormat) -> str:
    """`my-project-1.2.0.ttl`"""
    return f"{release_stem(desk, number)}{export_format.suffix}"


def release_stem(desk: HasFolder, number: str) -> str:
    """What the files of a release are called before their ending."""
    return f"{graph.file_stem(desk)}-{number}"
