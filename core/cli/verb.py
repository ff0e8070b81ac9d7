"""What a verb of the command line is."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass

from core.desk import Desk


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb as its module declares it, with its line in `--help`, which begins its own help.

    `run` writes data to standard output and returns the exit status: 0 done, 1 refused or failed.
    All verbs are imported to list them, so a module imports at its top only what is light. What a
    verb works with is imported by the functions that use it: a service takes up to a second.
    """

    name: str
    help: str
    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[Desk, Namespace], int]
