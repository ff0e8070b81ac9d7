"""A large file from the web to the disk: in pieces, with a size cap and a checksum, going on where
it was stopped.

What has arrived stands in `TARGET.part`, and what it is a part of (address, ETag or date) in
`TARGET.part.json`. The server is asked to go on from there only if it still has the same file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import requests

from core.errors import BadAnswer, NotServed, StoreError, Unreachable
from core.web.client import WebClient

PIECE = 1 << 18  # bytes

Watch = Callable[[int, int], None]  # bytes that are there, of how many (0: not known); may raise


@dataclass(frozen=True, slots=True)
class Download:
    """A file that has arrived whole. `stamp` is the server's word for this content: its ETag or
    date.
    """

    path: Path
    size: int
    sha256: str
    stamp: str


def download(
    client: WebClient,
    url: str,
    target: Path,
    *,
    largest: int,
    md5: str = "",
    watch: Watch = lambda done, total: None,
) -> Download:
    """Get `url` into `target`. `largest` is in bytes; `md5` is the hex digest it must have.

    Raises NotServed (404), BadAnswer (too large, cut short, wrong checksum), Unreachable, Refused,
    StoreError, and whatever `watch` raises: then what arrived is kept for the next try.
    """
    part, note = (
        target.with_name(f"{target.name}.part"),
        target.with_name(f"{target.name}.part.json"),
    )
    noted = _note(note)
    have = part.stat().st_size if part.exists() and noted.get("url") == url else 0
    headers = [("Accept-Encoding", "identity")]
    if have and noted.get("stamp"):
        headers += [("Range", f"bytes={have}-"), ("If-Range", noted["stamp"])]
    try:
        with client.stream(url, headers) as answer:
            _check(answer, url)
            have = have if answer.status_code == requests.codes.partial_content else 0
            stamp = answer.headers.get("ETag") or answer.headers.get("Last-Modified") or ""
            total = have + int(answer.headers.get("Content-Length") or 0)
            if total > largest:
                raise BadAnswer(f"{_name(url)} is larger than {largest // 1_000_000} MB.")
            note.write_text(json.dumps({"url": url, "stamp": stamp}), encoding="utf-8")
            with part.open("ab" if have else "wb") as file:
                for piece in answer.iter_content(PIECE):
                    file.write(piece)
                    have += len(piece)
                    if have > largest:
                        raise BadAnswer(f"{_name(url)} is larger than {largest // 1_000_000} MB.")
                    watch(have, total if answer.headers.get("Content-Length") else 0)
    except OSError as error:
        if isinstance(error, requests.RequestException):
            raise Unreachable("The download broke off.", "Resume it to go on.") from error
        raise StoreError(
            f"{part} cannot be written: {error.strerror}.", "Is the disk full?"
        ) from error
    if answer.headers.get("Content-Length") and have != total:
        raise Unreachable(f"The download of {_name(url)} broke off.", "Resume it to go on.")
    result = Download(target, have, *_digests(part, md5, url), stamp=stamp)
    part.replace(target)
    note.unlink(missing_ok=True)
    return result


def forget_partial(target: Path) -> None:
    """Remove what a stopped download left."""
    for ending in (".part", ".part.json"):
        target.with_name(target.name + ending).unlink(missing_ok=True)


def _digests(part: Path, md5: str, url: str) -> tuple[str]:
    sha, md5_sum = hashlib.sha256(), hashlib.md5(usedforsecurity=False)
    with part.open("rb") as file:
        while block := file.read(1 << 20):
            sha.update(block)
            md5_sum.update(block)
    if md5 and md5_sum.hexdigest() != md5.lower():
        part.unlink()
        raise BadAnswer(
            f"{_name(url)} is damaged: its checksum differs from the published one.", "Try again."
        )
    return (sha.hexdigest(),)


def _check(answer: requests.Response, url: str) -> None:
    if answer.status_code in (404, 410):
        raise NotServed(f"{_name(url)} is no longer there ({answer.status_code}).")
    if answer.status_code not in (200, 206):
        raise BadAnswer(f"{_name(url)} was answered with {answer.status_code}.", "Try again later.")


def _note(path: Path) -> Mapping[str, str]:
    with suppress(OSError, ValueError):
        note = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(note, dict):
            return note
    return {}


def _name(url: str) -> str:
    return url.split("?")[0].rsplit("/", 1)[-1][:80] or "The file"
