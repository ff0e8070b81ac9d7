"""Which reader reads which vocabulary file. A new format is one more file and one more line in
READERS, or comes with another package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from core.errors import InputError
from core.grounding.readers import (
    chebi_table,
    columns,
    functional,
    gene_table,
    mesh_ntriples,
    mesh_xml,
    obo,
    obo_graphs,
    owl,
    semsql,
    taxdump,
    tsv,
    uniprot,
)
from core.grounding.readers.names_told import languages_of
from core.grounding.readers.record import TermRecord, VocabularyReading
from core.grounding.readers.source import DAMAGED, open_unpacked, without_compression
from core.grounding.readers.unreadable import refuse_other_files, unknown_format
from core.plugins import Registry

HEAD = 4096


@dataclass(frozen=True, slots=True)
class ReaderSpec:
    """A format. `fits` looks at the first bytes (unpacked); `read` streams terms and notes heading
    and problems; `suffixes` are file endings without those of compression.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    fits: Callable[[bytes], bool]
    read: Callable[[Path, VocabularyReading], Iterator[TermRecord]]


def _spec(name: str, title: str, module: ModuleType) -> ReaderSpec:
    return ReaderSpec(name, title, module.SUFFIXES, fits=module.fits, read=module.read)


# The first that fits reads: those that look for more come before those that look for less, and
# those of other packages, which are installed for files that ours would misread, before all.
READERS = Registry(
    "groundwork.vocabulary_readers",
    ReaderSpec,
    (
        _spec("semantic-sql", "semantic-SQL database", semsql),
        _spec("taxdump", "NCBI Taxonomy dump (zip, tar)", taxdump),
        _spec("obo-graphs", "OBO Graphs JSON", obo_graphs),
        _spec("gene-table", "HGNC (TSV, JSON) and NCBI gene_info", gene_table),
        _spec("chebi-table", "ChEBI (compounds.tsv, names.tsv)", chebi_table),
        _spec("uniprot", "UniProt (table, flat text)", uniprot),
        _spec("mesh-xml", "MeSH XML", mesh_xml),
        _spec("mesh-ntriples", "MeSH N-Triples", mesh_ntriples),
        _spec("obo", "OBO", obo),
        _spec("functional", "OWL functional syntax", functional),
        _spec("rdf", "OWL and SKOS (RDF/XML, Turtle, N-Triples)", owl),
        _spec("table", "table with id and label", tsv),
        _spec("columns", "CSV or TSV with mapped columns", columns),
    ),
    own_last=True,
)


def suffixes() -> tuple[str, ...]:
    """File endings that a vocabulary may have, those of compression apart."""
    return tuple(dict.fromkeys(ending for spec in READERS.values() for ending in spec.suffixes))


def vocabulary_stem(path: Path) -> str:
    """The name of a vocabulary file without its endings.

    >>> vocabulary_stem(Path("mesh_desc.tsv.gz"))
    'mesh_desc'
    """
    name = without_compression(path.name)
    ending = next((ending for ending in suffixes() if name.lower().endswith(ending)), "")
    return name[: len(name) - len(ending)] if ending else name


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    """The terms of a vocabulary file. Raises InputError for a file that is empty, binary or of no
    known format.
    """
    spec = reader_of(path)
    reading.languages = reading.languages or languages_of(path)
    if spec is not None:
        yield from spec.read(path, reading)
        return
    raise _unmapped_table(path) or unknown_format(_head(path), path.name, known_formats())


def _unmapped_table(path: Path) -> InputError | None:
    """What to do with a table whose columns nobody mapped; None for another file."""
    try:
        header, rows = columns.table_preview(path, 1)
    except InputError:
        return None
    if not all(header) or not rows or len(rows[0]) != len(header):
        return None
    guess = columns.guess(header)
    return InputError(
        f"{path.name} is a table, and its columns are not assigned yet. It has:"
        f" {', '.join(header)[:300]}.",
        f"Assign them: --column id={guess.id or header[0]} --column "
        f"label={guess.label or header[1]};"
        " or on the Vocabularies page.",
    )


def reader_of(path: Path) -> ReaderSpec | None:
    """The format of a file; a mapping of columns beside it goes first. None: no known one. Raises
    InputError for a file that is empty or damaged, or plainly no vocabulary.
    """
    head = _head(path)
    refuse_other_files(head, path.name)
    if columns.mapping_of(path) is not None:
        return READERS["columns"]
    return next((spec for spec in READERS.values() if spec.fits(head)), None)


def known_formats() -> str:
    """The formats for a person: "a table with id and label, OBO, …"."""
    return ", ".join(spec.title for spec in READERS.values())


def _head(path: Path) -> bytes:
    try:
        with open_unpacked(path) as file:
            head = file.read(HEAD)
    except DAMAGED as error:
        if isinstance(error, FileNotFoundError):
            raise InputError(f"There is no file {path}.") from error
        raise InputError(
            f"{path.name} cannot be read: it may be cut short or damaged.", "Download it again."
        ) from error
    if not head.strip(b"\xef\xbb\xbf \t\r\n"):
        raise InputError(f"{path.name} is empty.", "Choose another file.")
    return head
