"""Vectors of texts on disk, by the digest of the text: what an embedding model answered once is
never asked again, also when the index is made anew around it.

One folder a namespace, beside its index; in it, for each model and length, a file of digests (16
bytes each) and one of rows (float32) in the same order. Both only grow; a process that was killed
leaves at most one cut row behind, which is dropped.
"""

from __future__ import annotations

import fcntl
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

DIGEST = 16  # bytes
Rows = NDArray[np.float32]


def digest_of(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()


class VectorCache:
    """The vectors of one model and length; `length` numbers a row."""

    def __init__(self, folder: Path, model: str, length: int):
        folder.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^\w.-]+", "_", model) or "model"
        stem = f"{name}-{length}"
        self.length = length
        self._digests, self._rows = folder / f"{stem}.digests", folder / f"{stem}.rows"
        self._lock = folder / f"{stem}.lock"

    @contextmanager
    def alone(self) -> Iterator[None]:
        """One process at a time adds vectors: others wait, and find them made."""
        with self._lock.open("w") as lock_file:
            fcntl.flock(lock_file, fcntl.LOCK_EX)
            yield

    def rows_by_digest(self) -> dict[bytes, int]:
        """Digest → row, without what a killed process left half written."""
        raw = self._digests.read_bytes() if self._digests.exists() else b""
        rows = self._rows.stat().st_size // (4 * self.length) if self._rows.exists() else 0
        count = min(len(raw) // DIGEST, rows)
        return {raw[at * DIGEST : (at + 1) * DIGEST]: at for at in range(count)}

    def add(self, digests: Sequence[bytes], rows: Rows, after: int) -> None:
        """Add rows behind the first `after` ones."""
        for path, content, size in (
            (self._rows, rows.astype(np.float32).tobytes(), 4 * self.length),
            (self._digests, b"".join(digests), DIGEST),
        ):
            with path.open("ab") as file:
                file.truncate(after * size)
                file.write(content)
                file.flush()

    def rows(self, places: Sequence[int]) -> Rows:
        """The rows at these places, in their order."""
        if not places:
            return np.zeros((0, self.length), dtype=np.float32)
        stored_rows: Rows = np.memmap(self._rows, dtype=np.float32, mode="r").reshape(
            -1, self.length
        )
        return np.asarray(stored_rows[np.asarray(places)])


def cached_vectors(
    cache: VectorCache,
    texts: Sequence[str],
    embed: Callable[[Sequence[str]], Rows],
    batch: int,
    progress: Callable[[int, int], None],
) -> Rows:
    """A row for each text, in order; `embed` is asked for those alone that are not kept, `batch` at
    once, and each batch is kept as it comes. `progress` (those that are kept, of all) may raise.
    """
    digests = [digest_of(text) for text in texts]
    with cache.alone():
        row_by_digest = cache.rows_by_digest()
        missing = {
            d: text for d, text in zip(digests, texts, strict=True) if d not in row_by_digest
        }
        to_embed = list(missing.items())
        kept = len(texts) - len(missing)
        for start in range(0, len(to_embed), batch):
            progress(kept + start, len(texts))
            batch_texts = to_embed[start : start + batch]
            rows = embed([text for _, text in batch_texts])
            cache.add([digest for digest, _ in batch_texts], rows, len(row_by_digest))
            row_by_digest |= {
                digest: len(row_by_digest) + at for at, (digest, _) in enumerate(batch_texts)
            }
        progress(len(texts), len(texts))
    return cache.rows([row_by_digest[digest] for digest in digests])
