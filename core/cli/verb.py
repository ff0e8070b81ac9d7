"""What a command-line verb is."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from core.desk import Desk

Run = Callable[[Desk, Namespace], int]


@dataclass(frozen=True, slots=True)
class LazyRun:
    """What does a verb, as `module:function` of `core.cli`, imported when the verb runs: where
    that takes long, its --help need not wait for it.
    """

    place: str

    def __call__(self, desk: Desk, args: Namespace) -> int:
        return self.work()(desk, args)

    def work(self) -> Run:
        module, name = self.place.split(":")
        work: Run = getattr(import_module(f"core.cli.{module}"), name)
        return work


@dataclass(frozen=True, slots=True)
class Verb:
    """`run` writes data to standard output and returns the exit status: 0 done, 1 refused or
    failed.
    """

    name: str
    help: str
    add_arguments: Callable[[ArgumentParser], None]
    run: Run
