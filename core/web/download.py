"""A large file from the web to the disk: in pieces, with a size cap and a checksum, going on where
it was stopped.

What has arrived stands in `TARGET.part`, and what it is a part of (address, ETag or date) in
`TARGET.part.json`. The server is asked to go on from there only if it still has the same file.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import requests

from core.errors import BadAnswer, NotServed, StoreError, Unreachable
from core.web.client import WebClient
from core.web.response_body import pieces

PIECE = 1 << 18  # bytes

Watch = Callable[[int, int], None]  # bytes that are there, of how many (0: not known); may raise


@dataclass(frozen=True, slots=True)
class Download:
    """A file that has arrived. `stamp` is the server's word for this content: its ETag or date;
    `whole`: the server said how long it is, and that much arrived.
    """

    path: Path
    size: int
    sha256: str
    stamp: str
    whole: bool


def download(
    client: WebClient,
    url: str,
    target: Path,
    *,
    largest: int,
    md5: str = "",
    watch: Watch = lambda done, total: None,
) -> Download:
    """Get `url` into `target`. `largest` is in bytes; `md5` is the hex digest it must have. What
    arrived stays beside it for the next try until `forget_partial`, so that stopping the work on
    the file does not cost the download.

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
            if complete := _is_complete(answer, have):
                stamp, total = noted["stamp"], have
            else:
                _check(answer, url)
                have = have if answer.status_code == requests.codes.partial_content else 0
                stamp = answer.headers.get("ETag") or answer.headers.get("Last-Modified") or ""
                length = _length(answer)
                total = have + length if length else 0
                if total > largest:
                    raise BadAnswer(f"{_name(url)} is larger than {largest // 1_000_000} MB.")
                note.write_text(json.dumps({"url": url, "stamp": stamp}), encoding="utf-8")
                have = _append(
                    answer, part, have, largest, name=_name(url), tell=lambda n: watch(n, total)
                )
    except OSError as error:
        if isinstance(error, requests.RequestException):
            raise Unreachable("The download broke off.", "Resume it to go on.") from error
        raise StoreError(
            f"{part} cannot be written: {error.strerror}.", "Is the disk full?"
        ) from error
    if total and have != total:
        raise Unreachable(f"The download of {_name(url)} broke off.", "Resume it to go on.")
    sha256 = _checked_digest(part, md5, url)
    target.unlink(missing_ok=True)
    try:
        os.link(part, target)
    except OSError:  # a file system without links
        shutil.copyfile(part, target)
    return Download(target, have, sha256, stamp=stamp, whole=complete or bool(total))


def _is_complete(answer: requests.Response, have: int) -> bool:
    """Whether the server says that nothing is left of the file of which we have so many bytes:
    416, `Content-Range: bytes */1234`.
    """
    ranges = answer.headers.get("Content-Range", "")
    return have > 0 and answer.status_code == 416 and ranges.endswith(f"*/{have}")


def _length(answer: requests.Response) -> int:
    """The bytes that are to come, as the server says; 0 where it does not, or no number."""
    words = answer.headers.get("Content-Length", "")
    return int(words) if words.isascii() and words.isdigit() and len(words) < 20 else 0


def _append(
    answer: requests.Response,
    part: Path,
    have: int,
    largest: int,
    *,
    name: str,
    tell: Callable[[int], None],
) -> int:
    """Write what arrives behind the bytes that are there; how many there are then. Raises BadAnswer
    past `largest`, and what `tell` raises.
    """
    with part.open("ab" if have else "wb") as file:
        for piece in pieces(answer, PIECE):
            file.write(piece)
            have += len(piece)
            if have > largest:
                raise BadAnswer(f"{name} is larger than {largest // 1_000_000} MB.")
            tell(have)
    return have


def partial_size(target: Path) -> int:
    """How many bytes a stopped download left; 0 where there is none."""
    part = target.with_name(f"{target.name}.part")
    return part.stat().st_size if part.exists() else 0


def forget_partial(target: Path) -> None:
    """Remove what a download left for the next try."""
    for ending in (".part", ".part.json"):
        target.with_name(target.name + ending).unlink(missing_ok=True)


def _checked_digest(part: Path, md5: str, url: str) -> str:
    """SHA-256 (hex) of what arrived. Raises BadAnswer where its MD5 is not the one published."""
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
    return sha.hexdigest()


def _check(answer: requests.Response, url: str) -> None:
    if answer.status_code in (404, 410):
        raise NotServed(f"{_name(url)} is no longer there ({answer.status_code}).")
    if answer.status_code not in (200, 206):
        raise BadAnswer(
            f"{_name(url)} could not be downloaded (status {answer.status_code}).",
            "Try again later.",
        )


def _note(path: Path) -> Mapping[str, str]:
    with suppress(OSError, ValueError):
        note = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(note, dict):
            return note
    return {}


def _name(url: str) -> str:
    return url.split("?")[0].rsplit("/", 1)[-1][:80] or "The file"
