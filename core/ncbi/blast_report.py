"""BLAST's pages: the request id and its estimate, whether it is ready, and the hits of a text or
XML report.

A report that was cut still gives its whole hits, and its list of hits by title. Only the human
chromosomes of GRCh38 (NC_ accessions) give coordinates; every other hit says what it is.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

from core.model import Json
from core.ncbi import blast_formats
from core.ncbi.assembly import GRCH38_CHROMOSOMES, assembly_of
from core.ncbi.record import NcbiReading, NcbiRecord, record_curie

_INFO = re.compile(r"QBlastInfoBegin(.*?)QBlastInfoEnd", re.S)
_ALIGNED = re.compile(r"^(Query|Sbjct)\s+(\d+)\s+\S+\s+(\d+)", re.M)
# " Score = 745 bits (826),  Expect = 0.0"
_SCORE = re.compile(r"\s*([\d.e+]+) bits \((\d+)\),\s+Expect(?:\(\d+\))? = ([^\s,]+)")
_IDENTITY = re.compile(r"Identities = (\d+)/(\d+)")
# A line of the table of hits: accession, title, bits, E value, identity
_LINE = re.compile(
    r"^(?P<acc>[A-Z]{1,6}_?\d{3,12}\.\d{1,3}"
    r"|[A-Z]\d[A-Z0-9]{3,8}\.\d{1,3}) +(?P<title>\S(?:.*?\S)?) {2,}(?P<bits>[\d.e+]+) +\S+"
    r" +\d+%",
    re.M,
)
# "PREDICTED: Pan troglodytes …": the two or three words that name the species
ORGANISM = re.compile(
    r"^(?:PREDICTED: |TPA(?:_\w+)?: |UNVERIFIED(?:_\w+)?: )*"
    r"(?P<name>[A-Z][a-z]+ (?:[a-z][a-z.-]+)(?: [a-z]{4,}(?= |$))?)"
)


def read_submission(page: str) -> NcbiReading:
    """The request id and the seconds BLAST expects to need. Raises nothing: a page without them has
    neither.
    """
    info = " ".join(_INFO.findall(page)) or page
    rid, wait = (
        re.search(r"RID\s*=\s*([A-Z0-9]{8,16})\s", info),
        re.search(r"RTOE\s*=\s*(\d+)", info),
    )
    return NcbiReading(
        rid=rid[1] if rid else "", estimate=float(wait[1]) if wait else 0.0, pending=True
    )


def report_status(page: str) -> str:
    """WAITING, READY, UNKNOWN, FAILED, or nothing when the page has no status block."""
    for block in _INFO.findall(page[:50_000]):
        if match := re.search(r"Status\s*=\s*(\w+)", block):
            return match[1]
    return ""


def parse_report(page: str) -> NcbiReading:
    """The hits of a report, best first; what kind of record each is, and its best alignment."""
    if blast_formats.is_json(page):
        return _newer(blast_formats.json_hits(page), page)
    if blast_formats.is_xml2(page):
        return _newer(blast_formats.xml_hits(page), page)
    if page.lstrip().startswith("<?xml"):
        return _from_xml(page)
    listed = _listed(page)
    hits = _from_text(page) or _from_download(page)
    aligned_accessions = {hit.get("accession") for hit in hits}
    named_only = [hit for hit in listed if hit.get("accession") not in aligned_accessions]
    cut = bool(hits) and (bool(named_only) or "Lambda" not in page)
    warnings = (
        (f"{len(named_only)} hits are known only by title: the report was cut off.",)
        if named_only and cut
        else ()
    )
    records = tuple(hits + named_only)
    return NcbiReading(records=records, count=len(records), cut=cut, warnings=warnings)


def _newer(raw_hits: list[blast_formats.RawHit], page: str) -> NcbiReading:
    """Hits of JSON2 or XML2."""
    records = []
    for accession, title, alignment, pointers in raw_hits:
        hit = _hit(accession, title, alignment, "")
        derived = {"chromosome": "accession", "kind": "accession", "assembly": "accession"}
        derived |= {"location": "subject", "alignments": "bits", "equal": "bits"}
        places = {name: pointers.get(derived.get(name, name), "") for name in hit.values}
        records.append(replace(hit, pointers={name: at for name, at in places.items() if at}))
    cut = not blast_formats.is_complete(page)
    warnings = ("The report was cut off.",) if cut else ()
    return NcbiReading(records=tuple(records), count=len(records), cut=cut, warnings=warnings)


def _line_of(page: str, words: str) -> str:
    """Where a hit stands in a report in text: `line 35` of the stored answer, counted from 1."""
    place = page.find(words)
    return f"line {page.count(chr(10), 0, place) + 1}" if place >= 0 else "report"


def _from_text(page: str) -> list[NcbiRecord]:
    hits = []
    for part in re.split(r"\n>", page)[1:]:
        head, _, alignments_text = part.partition("\nLength=")
        words = re.match(r"(\S+)\s+(.*)", " ".join(head.split()))
        alignment = _best(alignments_text)
        if words and alignment:
            hits.append(_hit(words[1], words[2], alignment, _line_of(page, f">{words[1]}")))
    return hits


def _from_download(page: str) -> list[NcbiRecord]:
    """Hits of the text that BLAST's newer pages give (`Query #1`): the title first, then `Sequence
    ID`, then ranges.
    """
    hits = []
    for part in re.split(r"\n>", page)[1:]:
        head = re.match(
            r"(?P<title>.+?)\nSequence ID:\s*(?:\w+\|)?(?P<acc>[\w.]+)\|?\s*Length:", part, re.S
        )
        if head is None:
            continue
        scores = r"\n\s*Score:\s*([\d.e+]+) bits\s*\((\d+)\),\s*Expect:\s*([^\s,]+)"
        text = re.sub(scores, r"\n Score = \1 bits (\2),  Expect = \3", part[head.end() :])
        alignment = _best(re.sub(r"Identities:\s*", "Identities = ", text))
        if alignment:
            where = _line_of(page, head[0].splitlines()[0])
            hits.append(_hit(head["acc"], " ".join(head["title"].split()), alignment, where))
    return hits


def _best(alignments_text: str) -> dict[str, Json]:
    """The first (best) alignment of one hit, when it is whole."""
    parts = re.split(r"\n Score =", "\n" + alignments_text)
    if len(parts) < 2:
        return {}
    first_alignment = parts[1]
    score, identity = _SCORE.match(first_alignment), _IDENTITY.search(first_alignment)
    rows = [(kind, int(low), int(high)) for kind, low, high in _ALIGNED.findall(first_alignment)]
    query, subject = (
        [row for row in rows if row[0] == "Query"],
        [row for row in rows if row[0] == "Sbjct"],
    )
    if not (score and identity and query) or len(query) != len(subject):
        return {}
    return {
        "bits": float(score[1]),
        "identity": int(identity[1]),
        "length": int(identity[2]),
        "query": (query[0][1], query[-1][2]),
        "subject": (subject[0][1], subject[-1][2]),
        "alignments": len(parts) - 1,
        "equal": sum(
            1
            for part in parts[1:]
            if (part_score := _SCORE.match(part)) and part_score[1] == score[1]
        ),
    }


# UniProt's accessions: "P04637", "A0A024R1R8" (uniprot.org/help/accession_numbers)
_UNIPROT = re.compile(r"[OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){1,2}")
# A protein's accession: UniProt, RefSeq ("NP_000537.3") or GenBank ("AAA59989.1")
_PROTEIN = re.compile(rf"(?:{_UNIPROT.pattern}|[ANXYW]P_\d+|[A-Z]{{3}}\d{{5,7}})(?:\.\d+)?")


def _listed(page: str) -> list[NcbiRecord]:
    """The one-line list above the alignments; titles are shortened there."""
    head = page.partition("ALIGNMENTS")[0]
    return [
        _hit(
            match["acc"],
            match["title"].removesuffix("..."),
            {"bits": float(match["bits"])},
            _line_of(page, match[0]),
        )
        for match in _LINE.finditer(head)
    ]


def _from_xml(page: str) -> NcbiReading:
    """Whole `Hit` elements, also of a report that was cut."""
    hits = []
    for number, block in enumerate(re.findall(r"<Hit>.*?</Hit>", page, re.S), 1):
        hit = ET.fromstring(block)
        first_hsp = hit.find(".//Hsp")
        if first_hsp is None:
            continue

        def number_of(name: str, hsp: ET.Element = first_hsp) -> float:
            return float(hsp.findtext(name) or 0)

        alignment = {
            "bits": number_of("Hsp_bit-score"),
            "identity": int(number_of("Hsp_identity")),
            "length": int(number_of("Hsp_align-len")),
            "query": (int(number_of("Hsp_query-from")), int(number_of("Hsp_query-to"))),
            "subject": (int(number_of("Hsp_hit-from")), int(number_of("Hsp_hit-to"))),
            "alignments": len(hit.findall(".//Hsp")),
        }
        title = html.unescape(hit.findtext("Hit_def") or "").split(" >gi|")[0]
        hits.append(
            _hit(
                _accession(hit),
                title,
                alignment,
                f"//Hit[Hit_num='{hit.findtext('Hit_num') or number}']",
            )
        )
    cut = "</BlastOutput>" not in page
    return NcbiReading(
        records=tuple(hits),
        count=len(hits),
        cut=cut,
        warnings=("The report was cut off.",) if cut else (),
    )


def _accession(hit: ET.Element) -> str:
    """accession.version, which stands in Hit_id (`gi|…|ref|NC_000015.10|`)."""
    hit_id = hit.findtext("Hit_id") or ""
    bare = hit.findtext("Hit_accession") or ""
    versioned = re.search(rf"{re.escape(bare)}\.\d+", hit_id)
    return versioned[0] if versioned else bare or hit_id


def _hit(accession: str, title: str, alignment: dict[str, Json], where: str) -> NcbiRecord:
    values: dict[str, Json] = {
        "accession": accession,
        "title": title,
        "organism": alignment.get("organism") or organism_in_title(title),
        "chromosome": GRCH38_CHROMOSOMES.get(accession) or chromosome_in_title(title),
        "assembly": assembly_of(accession) or ("T2T-CHM13" if "CHM13" in title else ""),
        "kind": hit_kind(accession, title),
        **{name: value for name, value in alignment.items() if name != "organism"},
    }
    if "subject" in alignment:
        start, stop = alignment["subject"]
        strand = "+" if start <= stop else "-"
        values["location"] = f"{accession}:{min(start, stop)}-{max(start, stop)}({strand})"
    nonempty = {name: value for name, value in values.items() if value not in ("", None)}
    db = "protein" if _PROTEIN.fullmatch(accession) else "nuccore"
    bare = accession.partition(".")[0]
    id = f"UniProtKB:{bare}" if _UNIPROT.fullmatch(bare) else record_curie(db, accession)
    return NcbiRecord(
        id, db, nonempty, pointers=dict.fromkeys(nonempty, where), raw=_raw(nonempty, title)
    )


def _raw(values: dict[str, Json], title: str) -> dict[str, str]:
    """The words of the report that each derived value was read from; lines of a title may be
    wrapped, so short ones.
    """
    raw = {
        "chromosome": str(values["accession"]),
        "kind": str(values["accession"]),
        "assembly": str(values["accession"]),
    }
    if name := str(values.get("organism", "")):
        raw["organism"] = name if name in title else title.split()[0]
    if "subject" in values:
        raw["subject"] = raw["location"] = str(values["subject"][0])
    return {key: value for key, value in raw.items() if key in values}


def hit_kind(accession: str, title: str) -> str:
    """What a hit is: only a GRCh38 chromosome gives chromosome coordinates."""
    if accession in GRCH38_CHROMOSOMES:
        return "GRCh38 chromosome"
    if "CHM13" in title or assembly_of(accession).startswith("T2T"):
        return "CHM13 assembly"
    if accession.startswith("NG_"):
        return "RefSeqGene or region (own coordinates)"
    if accession.startswith(("NT_", "NW_")):
        return "alternate locus or scaffold"
    if assembly_of(accession):
        return f"{assembly_of(accession)} chromosome"
    if accession.startswith(("NM_", "NR_", "XM_", "XR_")) or "mRNA" in title:
        return "transcript"
    if "synthetic construct" in title.lower():
        return "synthetic construct"
    return "clone or other assembly"


COMMON = {
    "human": "Homo sapiens",
    "zebrafish": "Danio rerio",
    "yeast": "Saccharomyces cerevisiae",
    "mouse": "Mus musculus",
    "rat": "Rattus norvegicus",
    "chicken": "Gallus gallus",
}


SHORT = {
    "H.sapiens": "Homo sapiens",
    "M.musculus": "Mus musculus",
    "R.norvegicus": "Rattus norvegicus",
    "S.cerevisiae": "Saccharomyces cerevisiae",
    "C.elegans": "Caenorhabditis elegans",
    "D.rerio": "Danio rerio",
    "G.gallus": "Gallus gallus",
}


def organism_in_title(title: str) -> str:
    """The species that a title names; synthetic constructs have none."""
    if (
        "synthetic construct" in title.lower()
        or "cloning vector" in title.lower()
        or "artificial chromosome" in title.lower()
    ):
        return ""
    if short := next(
        (name for start, name in SHORT.items() if title.replace(". ", ".").startswith(start)), ""
    ):
        return short
    if bracketed := re.search(r"\[([A-Z][a-z]+ [a-z][a-z.-]+)[^\]]*\]$", title):  # of a protein
        return bracketed[1]
    first_word = re.match(r"(?:PREDICTED: )?([A-Za-z]+)", title)
    if (
        first_word
        and first_word[1].lower() in COMMON
        and not re.match(r"(?:PREDICTED: )?[A-Z][a-z]+ [a-z]+ (strain|isolate|mRNA)", title)
    ):
        return COMMON[first_word[1].lower()]
    if title[:30].isupper() or re.match(r"[A-Z]{4,} [A-Z]{3,} ", title):
        title = title[:1] + title[1:].lower()
    title = re.sub(r"^homo sapiens", "Homo sapiens", title, flags=re.I)
    match = ORGANISM.match(title)
    return " ".join(match["name"].split()[:2]) if match else ""


def chromosome_in_title(title: str) -> str:
    """The chromosome that a title names, as NCBI writes it there."""
    patterns = (
        r"\bchromosome:? ?((?:\d{1,2}|[XYIV]+|MT))(?=[pq, ;.]|$)",
        r"\bfrom (\d{1,2}|X|Y)(?=[pq,]|$)",
        r"\bHSA(\d{1,2}|X|Y)\b",
        r"^Homo sapiens (\d{1,2}|X|Y) (?:BAC|PAC)\b",
    )
    return next(
        (match[1] for pattern in patterns if (match := re.search(pattern, title, re.I))), ""
    ).upper()
