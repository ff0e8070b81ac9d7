"""What an export format is: the shape of each line of the registry."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.kb.entry import KnowledgeBase
from core.model import Problem


def no_remarks(kb: KnowledgeBase) -> Sequence[Problem]:
    """Of a format that says everything."""
    return ()


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A way to write a knowledge base.

    `name` is what the command line takes, `suffix` the file's ending, `mime` its media type.
    `chunks` writes the file piece by piece; the same content gives the same bytes. `drafts` says
    whether it may hold what nobody has decided, because the file itself says *undecided*;
    `signable` whether its parts can be signed with a key.
    """

    name: str
    title: str
    suffix: str
    mime: str
    chunks: Callable[[KnowledgeBase], Iterator[bytes]]
    drafts: bool = False
    remarks: Callable[[KnowledgeBase], Sequence[Problem]] = no_remarks  # what it cannot say
    signable: bool = False

    @property
    def text(self) -> bool:
        """Whether a person can read it."""
        return not self.suffix.endswith(".zip")

    def write(self, kb: KnowledgeBase) -> bytes:
        """The whole file. Raises InputError for what cannot be written."""
        return b"".join(self.chunks(kb))


def at_once(write: Callable[[KnowledgeBase], bytes]) -> Callable[[KnowledgeBase], Iterator[bytes]]:
    """The chunks of a writer that makes its file in one piece."""

    def chunks(kb: KnowledgeBase) -> Iterator[bytes]:
        yield write(kb)

    return chunks
