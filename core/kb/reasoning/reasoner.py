"""The reasoners there are: pyELK always; HermiT and ELK where Java and their JAR are there.

Each is a command that reads axioms from a file and writes a taxonomy into another, in a process of
its own with limits of time and memory, so that it can be ended and nobody waits for it. The axioms
import nothing, so no reasoner asks any address.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError, NotFound
from core.kb.owl.form import OwlForm
from core.kb.reasoning.taxonomy import Taxonomy, document, read_taxonomy

SECONDS = 1_800.0  # that one classification may take
MEGABYTES = 4_000  # of a Java reasoner's heap
LOOK = 0.1  # seconds between two looks whether it has ended
CODE = Path(__file__).resolve().parents[3]
HERMIT_MAIN = "org.semanticweb.HermiT.cli.CommandLine"
ELK_MAIN = "org.semanticweb.elk.cli.Main"
Check = Callable[[], None]
Command = Callable[[Path, Path, Path], list[str]]  # of the files of axioms, taxonomy, classes asked


@dataclass(frozen=True, slots=True)
class Reasoner:
    """`name` is what a command line calls it, `title` what a person reads. One that is `complete`
    takes every axiom into account.
    """

    name: str
    title: str
    command: Command
    complete: bool = False


def no_check() -> None:
    """Nobody asks it to stop."""


PYELK = Reasoner(
    "pyelk",
    "pyELK",
    lambda axioms, taxonomy, classes: [
        *(sys.executable, "-X", "utf8", "-m", "core.kb.reasoning.elk"),
        *map(str, (axioms, taxonomy, classes)),
    ],
)


def usable_reasoners(jars: Sequence[Path] = (), java: str | None = None) -> list[Reasoner]:
    """Those that can be used here. `jars` are files that the operator named; HermiT is also taken
    from owlready2, which brings it.
    """
    program = java or shutil.which("java")
    by_name = {PYELK.name: PYELK}
    for jar in (*jars, *_hermit_of_owlready()) if program else ():
        reasoner = reasoner_in(jar, program or "java")
        if reasoner is not None:
            by_name.setdefault(reasoner.name, reasoner)
    return list(by_name.values())


def reasoner_named(name: str, jars: Sequence[Path] = ()) -> Reasoner:
    """One of those there are; `name` may be the path of a JAR. Raises NotFound with their names."""
    if name.casefold().endswith(".jar"):
        reasoner = reasoner_in(Path(name), shutil.which("java") or "")
        if reasoner is None:
            raise NotFound(f"{name[:200]} is not a JAR of HermiT or ELK.", "Name the file itself.")
        if not shutil.which("java"):
            raise NotFound("Java is not installed.", "Install it, or use pyelk.")
        return reasoner
    by_name = {reasoner.name: reasoner for reasoner in usable_reasoners(jars)}
    if name not in by_name:
        raise NotFound(
            f"There is no reasoner {name[:60]!r} here.",
            f"There is {', '.join(by_name)}. HermiT and ELK need Java: see the operator's guide.",
        )
    return by_name[name]


def reasoner_in(jar: Path, java: str) -> Reasoner | None:
    """The reasoner that a JAR starts, by its manifest; None for another file."""
    try:
        with zipfile.ZipFile(jar) as archive:
            manifest = archive.read("META-INF/MANIFEST.MF")[:100_000].decode("utf-8", "replace")
    except (OSError, KeyError, zipfile.BadZipFile):
        return None
    start = [java, f"-Xmx{MEGABYTES}m", "-jar", str(jar.resolve())]
    if HERMIT_MAIN in manifest:
        return Reasoner(
            "hermit",
            "HermiT",
            lambda axioms, taxonomy, classes: [
                *(*start, "--ignoreUnsupportedDatatypes", "-N", "-c", "-o", str(taxonomy)),
                axioms.as_uri(),
            ],
            complete=True,
        )
    if ELK_MAIN in manifest:
        return Reasoner(
            "elk",
            "ELK",
            lambda axioms, taxonomy, classes: [
                *(*start, "-i", str(axioms), "-c", "-o", str(taxonomy)),
            ],
        )
    return None


def _hermit_of_owlready() -> Iterator[Path]:
    spec = importlib.util.find_spec("owlready2")
    if spec is not None and spec.origin:
        yield Path(spec.origin).parent / "hermit" / "HermiT.jar"


def reason_by(
    reasoner: Reasoner,
    axioms: Iterable[OwlForm],
    classes: Sequence[str],
    *,
    check: Check = no_check,
    seconds: float = SECONDS,
) -> Taxonomy:
    """What a reasoner finds. `check` is called all the while; what it raises ends the reasoner.
    Raises InputError for axioms that it cannot take, and where it takes too long.
    """
    with tempfile.TemporaryDirectory(prefix="groundwork-reasoner-") as folder:
        source, target, names = (Path(folder) / name for name in ("in.ofn", "out.ofn", "asked"))
        source.write_bytes(document(axioms).encode("utf-8", "replace"))
        names.write_text("\n".join(classes), "utf-8")
        check()
        output = _run(
            reasoner, reasoner.command(source, target, names), Path(folder), check, seconds=seconds
        )
        if not target.exists():  # HermiT tells of a failure by no status
            raise InputError(
                f"{reasoner.title} cannot take these axioms: {output[:200] or 'it says nothing'}",
                "Export OWL and look at it in another tool, or use another reasoner.",
            )
        with target.open(encoding="utf-8", errors="replace") as lines:
            return read_taxonomy(lines, classes)


def _run(
    reasoner: Reasoner, command: Sequence[str], folder: Path, check: Check, *, seconds: float
) -> str:
    """Run it to its end; what it said last, or first where that is more telling."""
    output = folder / "said"
    with output.open("wb") as out:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, cwd=CODE
        )
        try:
            waited = 0.0
            while True:
                try:
                    process.wait(LOOK)
                    break
                except subprocess.TimeoutExpired:
                    waited += LOOK
                    check()
                    if waited > seconds:
                        raise InputError(
                            f"{reasoner.title} was ended: it takes more than {seconds:g} seconds.",
                            "Use pyELK, or define fewer classes.",
                        ) from None
        finally:
            process.kill()
            process.wait()
    with output.open(encoding="utf-8", errors="replace") as lines:
        return next((line.strip() for line in lines if line.strip()), "")
