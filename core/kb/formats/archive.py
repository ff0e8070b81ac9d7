"""Several files as one ZIP, written piece by piece: memory does not grow with what is in it."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterable, Iterator

EPOCH = (1980, 1, 1, 0, 0, 0)  # a fixed time, so that equal content is equal bytes
READABLE = 0o100644 << 16  # a web server may read what is unpacked
PIECE = 1 << 20  # bytes


def zip_files(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """The archive of these files (name, pieces), in this order."""
    with tempfile.TemporaryFile() as out:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, pieces in files:
                entry = zipfile.ZipInfo(name, EPOCH)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = READABLE
                with archive.open(entry, "w", force_zip64=True) as file:
                    for piece in pieces:
                        file.write(piece)
        out.seek(0)
        while piece := out.read(PIECE):
            yield piece
