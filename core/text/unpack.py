"""Gzip read while it streams, and never further than a limit."""

from __future__ import annotations

import zlib
from typing import BinaryIO

from core.errors import InputError

_BLOCK = 65_536
GZIP = b"\x1f\x8b"


def read_up_to(stream: BinaryIO, limit: int, name: str) -> bytes:
    """The bytes of a file, unpacked when they are gzip (its members one after another).

    Raises InputError for more than `limit` bytes, before they are in memory, and for a damaged or
    cut file.
    """
    head = stream.read(2)
    if head != GZIP:
        return _within(head + stream.read(limit + 1 - len(head)), limit, name)
    parts: list[bytes] = []
    size, machine, packed = 0, zlib.decompressobj(wbits=31), head + stream.read(_BLOCK)
    while packed or not machine.eof:
        try:
            part = machine.decompress(packed, min(_BLOCK, limit + 1 - size))
        except zlib.error:
            raise InputError(
                f"{name} is a damaged gzip file.", "Download or make it again."
            ) from None
        parts.append(part)
        size += len(part)
        if size > limit:
            raise _too_large(limit, name)
        if machine.eof:
            packed = (machine.unused_data or stream.read(_BLOCK)).lstrip(b"\0")
            if not packed:
                break
            machine = zlib.decompressobj(wbits=31)
        else:
            packed = machine.unconsumed_tail or stream.read(_BLOCK)
            if not packed and not part:
                raise InputError(
                    f"{name} is a gzip file that is cut off.", "Download or make it again."
                )
    return b"".join(parts)


def _within(raw: bytes, limit: int, name: str) -> bytes:
    if len(raw) > limit:
        raise _too_large(limit, name)
    return raw


def _too_large(limit: int, name: str) -> InputError:
    return InputError(
        f"{name} is larger than {limit / 1e6:,.0f} MB.",
        "Split it, or give only the part that is needed.",
    )
