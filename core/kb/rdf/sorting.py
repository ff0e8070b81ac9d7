"""Sorting more than fits into memory: sorted runs go to files and are merged."""

from __future__ import annotations

import heapq
import marshal
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import groupby
from operator import itemgetter
from typing import IO, Any

from core.kb.rdf.fact import Described, Fact

CHARACTERS = 30_000_000  # of texts, held at a time: about 50 MB
FACTS = 200_000  # held at a time: about 50 MB
TOGETHER = 1_000  # items that are written at once


def sort_texts(texts: Iterable[str], in_memory: int = CHARACTERS) -> Iterator[str]:
    """The texts sorted, each once. At most `in_memory` characters are held."""
    with ExitStack() as files:
        runs: list[IO[bytes]] = []
        buffered: set[str] = set()
        size = 0
        for text in texts:
            buffered.add(text)
            size += len(text)
            if size >= in_memory:
                runs.append(_written(files, sorted(buffered)))
                buffered.clear()
                size = 0
        last_text: str | None = None
        for text in (
            heapq.merge(sorted(buffered), *map(_read_run, runs)) if runs else sorted(buffered)
        ):
            if text != last_text:
                yield text
            last_text = text


def gather_by_subject(
    described: Iterable[Described], in_memory: int = FACTS
) -> Iterator[Described]:
    """What is said of each subject in one place, subjects and facts sorted, each fact once. At most
    `in_memory` facts are held, and those of one subject.
    """
    with ExitStack() as files:
        runs: list[IO[bytes]] = []
        buffered: dict[str, list[Fact]] = {}
        count = 0
        for subject, facts in described:
            if subject in buffered:
                buffered[subject] += facts
            else:
                buffered[subject] = [*facts]
            count += len(facts)
            if count >= in_memory:
                runs.append(_written(files, sorted(buffered.items())))
                buffered.clear()
                count = 0
        last_run = sorted(buffered.items())
        merged = (
            heapq.merge(last_run, *map(_read_run, runs), key=itemgetter(0))
            if runs
            else iter(last_run)
        )
        for subject, group in groupby(merged, key=itemgetter(0)):
            yield subject, sorted({fact for _, facts in group for fact in facts})


def _written(files: ExitStack, items: list[Any]) -> IO[bytes]:
    """A file with the items, to be read from its start."""
    file: IO[bytes] = files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
    for start in range(0, len(items), TOGETHER):
        part = marshal.dumps(items[start : start + TOGETHER])
        file.write(len(part).to_bytes(8, "little") + part)
    file.seek(0)
    return file


def _read_run(file: IO[bytes]) -> Iterator[Any]:
    """The items of a run that this process wrote."""
    while size := file.read(8):
        yield from marshal.loads(file.read(int.from_bytes(size, "little")))
