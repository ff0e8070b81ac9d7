"""What a command-line verb is."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass

from core.desk import Desk


@dataclass(frozen=True, slots=True)
class Verb:
    """`run` writes data to standard output and returns the exit status: 0 done, 1 refused or
    failed.
    """

    name: str
    help: str
    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[Desk, Namespace], int]
