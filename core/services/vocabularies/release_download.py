"""The file of a vocabulary's current release, downloaded from its authority. A download that broke
off goes on where it stopped.
"""

from __future__ import annotations

import os
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.desk_parts import HasFolder, HasProject
from core.errors import BadAnswer, NotServed, Unreachable
from core.grounding.install.catalogue import HOSTS, VocabularyRelease
from core.web import WebClient
from core.web.download import Download, download, forget_partial, partial_size

DOWNLOADS = "downloads"  # in the project's uploads
Tell = Callable[[float, str], None]  # share done (0–1), what is done; may raise Stopped


def forget_download(target: Path) -> None:
    """Delete what arrived: the next try starts from the beginning."""
    target.unlink(missing_ok=True)
    forget_partial(target)


def download_release(
    desk: HasProject, client: WebClient, release: VocabularyRelease, target: Path, *, tell: Tell
) -> tuple[Download, str]:
    """The file, and the address that it came from. Raises BadAnswer for one that was cut short, and
    the RemoteError tree.
    """
    year, missing = int(desk.clock()[:4]), None

    def watch(done: int, total: int) -> None:
        share = done / total if total else 0.0
        size = f"{done / 1e6:.1f} of {total / 1e6:.1f} MB" if total else f"{done / 1e6:.1f} MB"
        tell(share / 2, f"downloading {release.title}: {size}")

    before = partial_size(target)
    for address in release.addresses(year, desk.settings.vocabulary_url):
        try:
            md5 = _checksum(client, address, release)
            arrived = download(
                client,
                address,
                target,
                largest=release.largest,
                md5=md5,
                watch=watch,
            )
            if not arrived.whole:
                _refuse_cut(target, release)
            return arrived, address
        except NotServed as error:
            missing = error
        except Unreachable as error:
            if (arrived_bytes := partial_size(target)) > before:
                raise Unreachable(
                    f"The download of {release.title} broke off after {arrived_bytes / 1e6:.1f}"
                    " MB.",
                    "Resume it to continue where it stopped. The installed version stays in use.",
                ) from error
            host = urllib.parse.urlsplit(address).hostname
            raise Unreachable(
                f"{release.title} cannot be downloaded now: {host} cannot be reached.",
                "The installed version stays in use. Try again later, or download the file"
                " elsewhere and add it on the Vocabularies page.",
            ) from error
    assert missing is not None
    raise missing


def _refuse_cut(target: Path, release: VocabularyRelease) -> None:
    """Raise BadAnswer for a text that ends inside a line, where the server did not say how long it
    is; what is compressed says by itself when it is cut.
    """
    with target.open("rb") as file:
        head = file.read(2)
        file.seek(-len(head[:1]), os.SEEK_END)
        if head in (b"\x1f\x8b", b"PK") or file.read(1) in b"\n>":
            return
    forget_download(target)
    raise BadAnswer(
        f"The download of {release.title} was cut short: it ends in the middle of a line.",
        "The installed version stays in use. Try again later.",
    )


def _checksum(client: WebClient, address: str, release: VocabularyRelease) -> str:
    """The published MD5, where the authority publishes one."""
    if not release.md5:
        return ""
    with client.stream(address + release.md5, longest=60.0) as answer:
        text = answer.raw.read(1000, decode_content=True).decode("ascii", "replace")
        return text.split()[0] if answer.status_code == 200 and text.split() else ""


def release_client(desk: HasFolder) -> Any:
    """Releases come from their authorities, or from the mirror that the operator set."""
    own = (desk.settings.vocabulary_url,) if desk.settings.vocabulary_url else ()
    return WebClient(HOSTS, own, retries=1, secrets=desk.settings.secrets)


def downloads_folder(desk: HasFolder) -> Path:
    folder = desk.folder / "uploads" / DOWNLOADS
    folder.mkdir(parents=True, exist_ok=True)
    return folder
