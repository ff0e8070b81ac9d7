"""A place in a result's tree in words: `triples[0].subject` is “triples 1, subject”."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from core.model import Problem

STEP = re.compile(r"([A-Za-z_]\w*)(?:\[(\d+)\])?(?:\+\d+)?")
CHUNK = re.compile(r"chunk\[(\d+)\]((?:\.\d+)*)(?:/|$)")


def place_words(path: str) -> str:
    """Counted from 1, for people; what is no place of a tree stays as it is."""
    chunk = CHUNK.match(path)
    words = []
    if chunk:
        numbers = [chunk[1], *filter(None, chunk[2].split("."))]
        words.append("part " + "-".join(str(int(number) + 1) for number in numbers))
    path_in_chunk = path[chunk.end() :] if chunk else path
    for step in path_in_chunk.split(".") if path_in_chunk else []:
        step_match = STEP.fullmatch(step)
        if step_match is None:
            return path
        number = f" {int(step_match[2]) + 1}" if step_match[2] else ""
        words.append(step_match[1].replace("_", " ") + number)
    return ", ".join(words)


def problems_in_words(problems: Iterable[Problem]) -> list[Problem]:
    """Problems with their places in words."""
    return [replace(problem, where=place_words(problem.where)) for problem in problems]
