"""The questions that NCBI can be asked, as values. Making one checks its arguments; `InputError`
says what is wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from core.errors import InputError


class NcbiDatabase(StrEnum):
    GENE = "gene"
    SNP = "snp"
    OMIM = "omim"
    NUCCORE = "nuccore"
    CLINVAR = "clinvar"
    PUBMED = "pubmed"
    MEDGEN = "medgen"
    PROTEIN = "protein"
    TAXONOMY = "taxonomy"


SEQUENCE_DATABASES = (NcbiDatabase.NUCCORE, NcbiDatabase.PROTEIN)  # accessions are ids of these
DATABASE_NAMES = {
    **{str(database): database for database in NcbiDatabase},
    "nucleotide": NcbiDatabase.NUCCORE,
    "dbsnp": NcbiDatabase.SNP,
}
MAX_TERM = 500  # characters
MAX_IDS = 200
MAX_SEQUENCE = 20_000  # bases
RANKED = (
    NcbiDatabase.GENE,
    NcbiDatabase.OMIM,
    NcbiDatabase.PUBMED,
    NcbiDatabase.NUCCORE,
    NcbiDatabase.CLINVAR,
    NcbiDatabase.MEDGEN,
)

_ID = re.compile(r"(rs)?\d{1,12}")
_ACCESSION = re.compile(r"[A-Z]{1,6}_?\d{3,12}(\.\d{1,3})?", re.I)
_RID = re.compile(r"[A-Z0-9]{8,16}")
_SEQUENCE = re.compile(r"[ACGTUNRYSWKMBDHV]{11,}")
_RESIDUES = re.compile(r"[ABCDEFGHIKLMNPQRSTUVWXYZ]{11,}")
# `>` only as HGVS has it, between two bases: c.395G>T
_TERM_CHARACTERS = re.compile(r"(?:[^\x00-\x1f<>{}\\^`|]|(?<=[ACGT])>(?=[ACGT]))+")
BLAST_DATABASES = {"nt": "core_nt", "core_nt": "core_nt", "refseq_rna": "refseq_rna"}
PROTEIN_DATABASES = ("refseq_protein", "swissprot", "nr", "pdb")
BLAST_DATABASES |= {name: name for name in PROTEIN_DATABASES}
GRCH38_DATABASE = "refseq_reference_genomes"  # GRCh38 is its human assembly


def database(name: str) -> NcbiDatabase:
    try:
        return DATABASE_NAMES[str(name).strip().lower()]
    except KeyError:
        raise InputError(
            f"{str(name)[:40]!r} cannot be queried here.",
            f"Use one of {', '.join(NcbiDatabase)}.",
        ) from None


def ids_of(db: NcbiDatabase, ids: str | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Checked ids without duplicates, in order; `rs` is taken off SNP ids. Accessions are ids of
    nuccore and protein only.
    """
    words = (
        re.split(r"[,;\s]+", ids.strip())
        if isinstance(ids, str)
        else [str(id).strip() for id in ids]
    )
    checked_ids = []
    for word in filter(None, words):
        if not (_ID.fullmatch(word) or (db in SEQUENCE_DATABASES and _ACCESSION.fullmatch(word))):
            raise InputError(f"{word[:40]!r} is not an id of {db}.")
        checked_ids.append(word.removeprefix("rs") if db is NcbiDatabase.SNP else word)
    if not checked_ids or len(checked_ids) > MAX_IDS:
        raise InputError(f"Give between 1 and {MAX_IDS} ids.")
    if any(word.startswith("rs") for word in checked_ids):
        raise InputError(f"rs numbers are ids of snp, not of {db}.")
    return tuple(dict.fromkeys(checked_ids))


def sequence_of(text: str) -> str:
    """Bases in capitals without white space or a FASTA header. Raises InputError for anything
    else.
    """
    body = "\n".join(line for line in text.strip().splitlines() if not line.startswith(">"))
    sequence = re.sub(r"[\s\d]+", "", body).upper()
    if not _SEQUENCE.fullmatch(sequence):
        raise InputError(
            "That is not a nucleotide sequence of at least 11 bases (letters ACGTUN and IUPAC"
            " codes)."
        )
    if len(sequence) > MAX_SEQUENCE:
        raise InputError(
            f"The sequence has {len(sequence)} bases; at most {MAX_SEQUENCE} are sent."
        )
    return sequence


def residues_of(text: str) -> str:
    """Amino acids in capitals without white space, a FASTA header or a stop at the end. Raises
    InputError for anything else.
    """
    body = "\n".join(line for line in text.strip().splitlines() if not line.startswith(">"))
    residues = re.sub(r"[\s\d]+", "", body).upper().removesuffix("*")
    if not _RESIDUES.fullmatch(residues):
        raise InputError("That is not a protein sequence of at least 11 amino acids.")
    if len(residues) > MAX_SEQUENCE:
        raise InputError(f"It has {len(residues)} amino acids; at most {MAX_SEQUENCE} are sent.")
    return residues


@dataclass(frozen=True, slots=True)
class Search:
    """esearch: ids of the records that a query with field tags finds, most relevant first where
    NCBI can rank.
    """

    db: NcbiDatabase
    term: str
    retmax: int = 20
    retstart: int = 0  # results before this one are left out

    def __post_init__(self) -> None:
        if (
            not self.term.strip()
            or len(self.term) > MAX_TERM
            or not _TERM_CHARACTERS.fullmatch(self.term)
        ):
            raise InputError(f"A search term has 1 to {MAX_TERM} characters and no markup.")
        if "://" in self.term:
            raise InputError("A search term is not an address.")
        if not 1 <= self.retmax <= 200:
            raise InputError("retmax is between 1 and 200.")
        if not 0 <= self.retstart < 10_000:
            raise InputError("retstart is between 0 and 9,999.")


@dataclass(frozen=True, slots=True)
class Summary:
    """esummary: the projected summaries of records."""

    db: NcbiDatabase
    ids: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", ids_of(self.db, self.ids))


@dataclass(frozen=True, slots=True)
class FullRecord:
    """efetch: whole records (gene XML, dbSNP XML, GenBank flat files, PubMed abstracts)."""

    db: NcbiDatabase
    ids: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", ids_of(self.db, self.ids))
        if self.db in (NcbiDatabase.OMIM, NcbiDatabase.CLINVAR, NcbiDatabase.MEDGEN):
            raise InputError(f"efetch returns nothing for {self.db}; request its summary.")


@dataclass(frozen=True, slots=True)
class Link:
    """elink: ids of records of `db` that records of `source` point to."""

    source: NcbiDatabase
    db: NcbiDatabase
    ids: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", ids_of(self.source, self.ids))


@dataclass(frozen=True, slots=True)
class Align:
    """A BLAST search, submitted once: blastn for bases, blastp where the database holds proteins.
    `assembly` asks for the human reference genome only, `organism` for human sequences only.
    """

    sequence: str
    database: str = "core_nt"
    assembly: str = ""
    organism: str = ""

    def __post_init__(self) -> None:
        parse_sequence = residues_of if self.database in PROTEIN_DATABASES else sequence_of
        object.__setattr__(self, "sequence", parse_sequence(self.sequence))
        if self.organism not in ("", "human"):
            raise InputError("A search can only be limited to human sequences.")
        if self.database not in BLAST_DATABASES:
            raise InputError(
                f"{self.database[:40]!r} is not a BLAST database that can be asked here."
            )
        if self.assembly not in ("", "GRCh38"):
            raise InputError("GRCh38 is the only assembly available.")
        object.__setattr__(self, "database", BLAST_DATABASES[self.database])


@dataclass(frozen=True, slots=True)
class Alignment:
    """The result of a submitted BLAST search, by its request id."""

    rid: str

    def __post_init__(self) -> None:
        if not _RID.fullmatch(self.rid):
            raise InputError(f"{self.rid[:40]!r} is not a BLAST request id.")


@dataclass(frozen=True, slots=True)
class GeneType:
    """NCBI Datasets v2, reports of genes: what E-utilities' summaries lack, such as their type."""

    ids: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", ids_of(NcbiDatabase.GENE, self.ids))


@dataclass(frozen=True, slots=True)
class GeneProducts:
    """NCBI Datasets v2, product reports: the transcripts and proteins of genes."""

    ids: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", ids_of(NcbiDatabase.GENE, self.ids))


@dataclass(frozen=True, slots=True)
class Orthologs:
    """NCBI Datasets v2: the orthologs of one gene, of all species or of one taxon; `page` is the
    token that the page before gave.
    """

    id: str
    taxon: str = ""
    page: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", ids_of(NcbiDatabase.GENE, (self.id,))[0])
        if not re.fullmatch(r"\d{0,9}", self.taxon):
            raise InputError("A taxon is a number of NCBI's taxonomy.")
        if not re.fullmatch(r"[\w=+/.-]{0,500}", self.page):
            raise InputError("This is not a page token of NCBI Datasets.")


NcbiCall = (
    Search | Summary | FullRecord | Link | Align | Alignment | GeneType | GeneProducts | Orthologs
)


def shown_arguments(call: NcbiCall) -> dict[str, object]:
    """A call's arguments as people see them; `tool` is its name."""
    match call:
        case Search(db, term, retmax, start):
            more = {"retstart": start} if start else {}
            return {"tool": "esearch", "db": str(db), "term": term, "retmax": retmax, **more}
        case Summary(db, ids):
            return {"tool": "esummary", "db": str(db), "id": ",".join(ids)}
        case FullRecord(db, ids):
            return {"tool": "efetch", "db": str(db), "id": ",".join(ids)}
        case Link(source, db, ids):
            return {"tool": "elink", "dbfrom": str(source), "db": str(db), "id": ",".join(ids)}
        case Align(sequence, name, assembly, organism):
            extra = {"assembly": assembly} if assembly else {}
            extra |= {"organism": organism} if organism else {}
            return {"tool": "blast_put", "query": sequence, "database": name, **extra}
        case Alignment(rid):
            return {"tool": "blast_get", "rid": rid}
        case GeneType(ids):
            return {"tool": "datasets_gene", "id": ",".join(ids)}
        case GeneProducts(ids):
            return {"tool": "datasets_products", "id": ",".join(ids)}
        case Orthologs(id, taxon, page):
            page_arguments = {"id": id, "taxon": taxon, "page": page}
            return {
                "tool": "datasets_orthologs",
                **{name: value for name, value in page_arguments.items() if value},
            }
    raise TypeError(f"not a call: {call!r}")
