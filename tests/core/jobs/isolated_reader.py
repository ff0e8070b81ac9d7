"""Readers, good and bad, that tests run in a child process."""

import os
import time

from core.errors import Refused
from core.model import Span


def spans(count):
    return tuple(Span(n, n + 1) for n in range(count))


def refuse():
    raise Refused("No.", "Never.")


def swell():
    return len([bytes(10_000_000) for _ in range(1000)])


def hang():
    time.sleep(600)


def crash():
    os._exit(3)


def abort():
    os.abort()


def abort_for_memory():
    os.write(2, b"x" * 200_000 + b"\nmemory allocation of 33554432 bytes failed\n")
    os.abort()


class Evil:
    def __reduce__(self):
        return (os.system, ("true",))


def evil():
    return Evil()


def pages(on_page):
    on_page(1, 2)
    on_page(2, 2)
    return "read"
