"""Reference managers' files: RIS (Scopus, Web of Science, Embase, Zotero, EndNote, Rayyan) and
BibTeX.

Where the makers of RIS files write the PMID, the PMC id and the DOI of a record.

| maker | PMID | DOI |
|---|---|---|
| Scopus | `PMID` or `C2` | `DO` |
| Embase | `C5` | `DO` |
| Ovid, EndNote (`DB` MEDLINE, PubMed, NLM) | `AN` | `DO` |
| Zotero | `N1`: `PMID: 123` | `DO` |
| Rayyan | `UR`: the address at PubMed | `DO`, or `UR` |
| Web of Science | none: its `AN` is its own | `DO` |

BibTeX's TeX as it is read: letters with accents, Greek, signs, and raised and lowered digits.

Only what is TeX for certain is rewritten, fragment by fragment and by pylatexenc, so that a bare
`%`, `&` or `$5` of a careless export stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from typing import Any

from core.documents.doi import DOI_ADDRESS, DOI_IN_FIELD, doi_in_field
from core.documents.ledger import record_pieces
from core.documents.paper import ABSTRACT, Paper, PaperSection, unreadable_paper, with_ledger
from core.documents.readers.bibtex_value import bibtex_entries
from core.documents.readers.page_range import known_place, page_range
from core.documents.readers.xml import decode_xml
from core.errors import InputError
from core.model import Problem, Severity
from core.text.script import write_out_tags
from core.text.title import SHORTEST_TITLE

_PUBMED = ("medline", "pubmed", "nlm")
_DIGITS = re.compile(r"\d{4,9}")
_NAMED_PMID = re.compile(r"\bPMID\s*[:=]?\s*(\d{1,9})\b", re.IGNORECASE)
_NAMED_PMC = re.compile(r"\b(PMC\d{3,9})\b")
_PUBMED_PAGE = re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov|/pubmed)/(\d{1,9})\b")
# "https://doi.org/10.1000/182" in a link field holds the DOI
_NAMED_DOI = re.compile(rf"\bdoi\s*[:=]?\s*({DOI_IN_FIELD})", re.IGNORECASE)  # EndNote: M3
_DOI_PAGE = re.compile(f"{DOI_ADDRESS}({DOI_IN_FIELD})", re.IGNORECASE)


def values(record: Mapping[str, Any], *names: str) -> Iterator[str]:
    """What a record holds under these names of rispy, in order."""
    for name in names:
        value = record.get(name)
        for item in value if isinstance(value, list) else [value]:
            if item and str(item).strip():
                yield str(item).strip()


def pmid_of(record: Mapping[str, Any]) -> str:
    """The PMID, or another id as our own files write it (`PMCID:PMC1`), or ""."""
    own = next(values(record, "pubmed_id"), "")
    number = next(values(record, "accession_number"), "")
    base = " ".join(values(record, "name_of_database", "database_provider")).casefold()
    prefixed = number.casefold().startswith(("pmid", "medline", "pmcid", "doi:"))
    if own or (number and (prefixed or any(name in base for name in _PUBMED))):
        return own or number
    custom = {"scopus": "custom2", "embase": "custom5"}
    maker = _maker(record, base)
    digits = next(values(record, custom[maker]), "") if maker else ""
    if _DIGITS.fullmatch(digits):
        return digits
    from_notes = _first_match(_NAMED_PMID, values(record, "notes", "notes_abstract"))
    return from_notes or _first_match(_PUBMED_PAGE, values(record, *_ADDRESSES))


def pmcid_of(record: Mapping[str, Any]) -> str:
    """The PMC id where a maker gives one beside the PMID, or ""."""
    return _first_match(_NAMED_PMC, values(record, "custom2", "notes", *_ADDRESSES))


def doi_of(record: Mapping[str, Any]) -> str:
    own = next(values(record, "doi"), "")
    own = own or _first_match(_NAMED_DOI, values(record, "type_of_work", "notes"))
    return own or _first_match(_DOI_PAGE, values(record, *_ADDRESSES))


_ADDRESSES = ("urls", "url", "link1", "link2", "file_attachments1", "file_attachments2")


def _maker(record: Mapping[str, Any], base: str) -> str:
    origin = " ".join([base, *values(record, "id", "user_definable2", *_ADDRESSES)]).casefold()
    if "scopus" in origin:
        return "scopus"
    return "embase" if "embase" in origin or re.search(r"\bl\d{8,10}\b", origin) else ""


def _first_match(pattern: re.Pattern[str], texts: Iterator[str]) -> str:
    return next((match[1] for text in texts if (match := pattern.search(text))), "")


_ESCAPED = re.compile(r"\\([%&#_${}])")
_SPACE = re.compile(r"(?<!\\)\\([,;: !/-])")  # 5\,mg, E.\ coli; \- only allows a hyphen
_HELD_BACK = {sign: chr(place) for place, sign in enumerate("%&#_${}", start=0xE000)}
_RAISED = re.compile(r"\\textsuperscript\s*\{([^{}]{1,40})\}")
_LOWERED = re.compile(r"\\textsubscript\s*\{([^{}]{1,40})\}")
_MATH = re.compile(r"\$(?!\s)([^$\n]{1,80}?)(?<!\s)\$")
_FORMULA = re.compile(r"[\\^_<>=]|\A[A-Za-z]\Z")
_POWER = re.compile(r"\^(?:\{([^{}]{1,40})\}|([\w+-]))")
_INDEX = re.compile(r"_(?:\{([^{}]{1,40})\}|(\w))")
# \"o, \"{o}, \'{\i}, \c{c}, \v S
_ACCENT = re.compile(
    r"\\(?:[\"'`^~=.]|[uvHckrdb](?![A-Za-z]))\s*(?:\{\s*\\?[A-Za-z]\s*\}|\\[ij](?![A-Za-z])|[A-Za-z])"
)
_MACRO = re.compile(r"\\([A-Za-z]+)(?:\{\})?[ ]?")  # \ss{}, \O, \beta
# A letter that its writer did not part from what follows: \DeltaF508, \muM, \mug; no \etal
_GREEK_LETTER = re.compile(
    r"((?:var)?(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho"
    r"|sigma|tau|upsilon|phi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Phi|Psi|Omega))"
    r"([A-Z][A-Za-z]*|(?<=mu)(?:g|l|m|s|mol|kat))"
)
_LOOKS = (
    *("emph", "text", "textit", "textbf", "textrm", "textsc", "textsf", "mathrm", "mathit"),
    *("mathbf", "mbox", "it", "bf", "em", "rm"),
)


def without_tex(value: str) -> str:
    """The value of a BibTeX field in one line."""
    value = value.replace("\\textbackslash{}", "\ue0ff")
    value = _SPACE.sub(lambda match: "" if match[1] in "!/-" else " ", value)
    value = _ESCAPED.sub(lambda match: _HELD_BACK[match[1]], value)
    value = _RAISED.sub(r"<sup>\1</sup>", _LOWERED.sub(r"<sub>\1</sub>", value))
    value = _MATH.sub(_of_math, value)
    value = _MACRO.sub(_of_macro, _ACCENT.sub(_of_accent, value))
    value = re.sub(r"[{}]", "", value).replace("~", " ")
    for sign, place in _HELD_BACK.items():
        value = value.replace(place, sign)
    return " ".join(write_out_tags(value.replace("\ue0ff", "\\")).split())


def _of_math(match: re.Match[str]) -> str:
    """A formula; what stands between two prices stays as it is, and what would make one number
    with the digits beside it.
    """
    before = match.string[: match.start()].rstrip("{}")[-1:]
    after = match.string[match.end() :].lstrip("{}")[:1]
    inside = match[1].strip("{}") or " "  # braces are not written
    first, last = inside[0], inside[-1]
    if (before.isdecimal() and first.isdecimal()) or (after.isdecimal() and last.isdecimal()):
        return match[0]
    if not _FORMULA.search(match[1]):
        return match[0]
    raised = _POWER.sub(lambda power: f"<sup>{power[1] or power[2]}</sup>", match[1])
    return _INDEX.sub(lambda index: f"<sub>{index[1] or index[2]}</sub>", raised)


def _of_accent(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", _text_of_tex(match[0]))


def _of_macro(match: re.Match[str]) -> str:
    """A letter or a sign; what only says how words look is left out, what is unknown stays."""
    if match[1] in _LOOKS:
        return ""
    known = _text_of_tex(f"\\{match[1]}{{}}")
    if not known and (greek := _GREEK_LETTER.fullmatch(match[1])):
        letter = _text_of_tex(f"\\{greek[1]}{{}}")
        return letter + greek[2] + (" " if match[0].endswith(" ") else "")
    return known or match[0]


@cache
def _text_of_tex(fragment: str) -> str:
    from pylatexenc.latex2text import LatexNodes2Text  # only where a file needs it

    return str(LatexNodes2Text(math_mode="text").latex_to_text(fragment))


# A PMID as citation managers write it: "PMID: 123", "MEDLINE:123", or the number alone
_PMID = re.compile(r"(?:PMID|MEDLINE|PUBMED)\s*[:=]?\s*(\d{1,9})|(\d{1,9})", re.IGNORECASE)
_PMCID = re.compile(r"(?:PMCID:)?PMC(\d{1,9})", re.IGNORECASE)
MOST_RECORDS = 200_000  # of one file; what databases export is 10,000 at most
MOST_INITIALS = 3  # capitals in a row that are initials, and no name
_RIS_TAG = re.compile(r"\ufeff?([A-Z][A-Z0-9])  - ?")
# "IL - 6" in a usual file is no tag; a line of text never is "ER -" alone
_NARROW_RIS_TAG = re.compile(r"\ufeff?([A-Z][A-Z0-9]) {1,2}-(?: |$)")
_RIS_END = re.compile(r"(ER) {1,2}-\s*")
_RIS_OPENS = ("TY", "TI", "T1", "CT", "BT")  # of a record that has words to keep
_DAMAGED = "The entry is damaged and is left out."
_DOTTED = re.compile(r"(?<=\w)\s+(?:[^\W\d_]\.[-\s]?){1,4}\Z")  # of `Roe A.B.`
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")


def looks_like_ris(head: bytes) -> bool:
    return re.match(rb"(?:[^\S\r\n]*\r?\n)*TY {1,2}- ", head.lstrip(b"\xef\xbb\xbf")) is not None


def _check_records(number: int, name: str) -> None:
    """Raises InputError for a file that would be parsed for minutes before its first paper."""
    if number > MOST_RECORDS:
        raise InputError(
            f"{name or 'The file'} has {number:,} records; at most {MOST_RECORDS:,} of one file are"
            " read.",
            "Split it.",
        )


def read_ris(raw: bytes, name: str = "") -> Iterator[Paper]:
    """The records of a RIS file. Raises InputError where there is none, and for too many."""
    import rispy

    _check_records(len(re.findall(rb"^[^\S\n]{0,20}(?:\xef\xbb\xbf)?TY {1,2}-", raw, re.M)), name)
    where = ""
    for line, record_text in _ris_records(decode_xml(raw)):
        where = f"line {line} of {name or 'the file'}"
        try:
            records = rispy.loads(record_text, skip_unknown_tags=True)
        except (OSError, ValueError, IndexError, KeyError):
            records = []
        if len(records) != 1:
            yield unreadable_paper(Problem("record-damaged", _DAMAGED, where=where))
            continue
        record = records[0]
        year, problems = _ris_year(record, where)
        paper = told_or_kept(
            record_paper(
                _first(record, "title", "primary_title", "translated_title"),
                _first(record, "abstract", "notes_abstract"),
                doi_of(record),
                pmid_of(record),
                year=year,
                journal=_first(
                    record,
                    "journal_name",
                    "secondary_title",
                    "alternate_title3",
                    "alternate_title1",
                ),
                authors=record.get("authors") or record.get("first_authors") or (),
                types=(_first(record, "type_of_work"),),
                pmcid=pmcid_of(record),
                volume=_first(record, "volume"),
                issue=_first(record, "number"),
                pages=page_range(
                    _first(record, "start_page", "custom7"), _first(record, "end_page")
                ),
            ),
            f"the record at {where}",
        )
        paper = replace(paper, problems=(*paper.problems, *problems))
        yield with_ledger(paper, record_pieces(_ris_fields(record_text), _RIS_TEXTS, _RIS_KNOWN))
    if not where:
        raise InputError(f"{name or 'The file'} contains no RIS record.", "Export it again.")


_RIS_TEXTS = ("TI", "T1", "AB", "N2")
_RIS_KNOWN = (
    "TY", "ER", "PY", "Y1", "DA", "JO", "JF", "J2", "JA", "T2", "AU", "A1", "M3", "VL", "IS", "SP",
    "EP", "C7", "DO", "AN", "C2", "C5", "DB", "DP", "UR", "L1", "L2", "LK", "ID",
)  # fmt: skip


def _ris_fields(record_text: str) -> Iterator[tuple[str, str]]:
    """Tag and words of each line; a line without a tag goes on with the one before."""
    tag = ""
    for line in record_text.split("\n"):
        if match := _RIS_TAG.match(line):
            tag = match[1]
        yield tag, line[match.end() :] if match else line


def _ris_records(text: str) -> Iterator[tuple[int, str]]:
    """Each record with the line it begins on (from 1), as the reader wants it: two blanks after a
    tag, and one end. A record begins with TY, or, where that is missing, after the end of the one
    before, with the tags that lead to a title.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    tags = _RIS_TAG if re.search(r"^\s*\ufeff?TY  -", text, re.MULTILINE) else _NARROW_RIS_TAG
    indent = re.search(r"^([ \t]+)TY {1,2}-", text, re.MULTILINE)
    lines, begins, is_open = list[str](), 0, False
    for number, raw_line in enumerate(text.split("\n"), start=1):
        line = raw_line.removeprefix(indent[1]) if indent else raw_line
        tag = tags.match(line) or _RIS_END.fullmatch(line)
        if tag is None:
            lines += [line] if lines else []
            continue
        if tag[1] in ("TY", "ER") and lines:
            if is_open:
                yield begins, "\n".join([*lines, "ER  - ", ""])
            lines, is_open = [], False
        if tag[1] == "ER":
            continue
        if not lines:
            begins = number
            lines = [] if tag[1] == "TY" else ["TY  - GEN"]
        is_open = is_open or tag[1] in _RIS_OPENS
        lines.append(f"{tag[1]}  - {line[tag.end() :].strip()}")
    if is_open:
        yield begins, "\n".join([*lines, "ER  - ", ""])


def _ris_year(record: Mapping[str, Any], where: str) -> tuple[str, tuple[Problem, ...]]:
    """The year of the issue: that of DA where it is within a year of PY and Y1, which managers fill
    with the day of the first publication; else theirs, as some databases give in DA the day of
    entry. Fields that disagree are told.
    """
    years = {
        tag: match[0]
        for tag, field in (("PY", "year"), ("Y1", "publication_year"), ("DA", "date"))
        if (match := _YEAR.search(_first(record, field)))
    }
    other = years.get("PY") or years.get("Y1") or ""
    issue = years.get("DA", other)
    year = issue if not other or abs(int(issue) - int(other)) <= 1 else other
    if len(set(years.values())) < 2:
        return year, ()
    told = ", ".join(f"{tag} {value}" for tag, value in years.items())
    message = f"The record gives several years ({told}); {year} is taken."
    return year, (Problem("years-differ", message, Severity.NOTE, where),)


def _first(record: Mapping[str, Any], *names: str) -> str:
    return next(values(record, *names), "")


def looks_like_bibtex(head: bytes) -> bool:
    return re.match(rb"\s*@\s*[A-Za-z]+\s*[{(]", head.lstrip(b"\xef\xbb\xbf")) is not None


def read_bibtex(raw: bytes, name: str = "") -> Iterator[Paper]:
    """The entries of a BibTeX file; those that cannot be parsed are told. Raises InputError."""
    _check_records(len(re.findall(rb"@\s{0,20}[A-Za-z]{1,40}\s{0,20}[{(]", raw)), name)
    where = ""
    for entry in bibtex_entries(decode_xml(raw)):
        where = f"line {entry.line} of {name or 'the file'}"
        if entry.fields is None:
            yield unreadable_paper(Problem("record-damaged", _DAMAGED, where=where))
            continue
        fields = {field: without_tex(value) for field, value in entry.fields.items()}
        authors = re.split(r"\s+and\s+", fields.get("author", "")) if fields.get("author") else ()
        paper = told_or_kept(
            record_paper(
                fields.get("title", ""),
                fields.get("abstract", ""),
                fields.get("doi", "") or fields.get("url", ""),
                fields.get("pmid", "") or fields.get("pmcid", ""),
                year=fields.get("year", "") or fields.get("date", ""),
                journal=fields.get("journal", "")
                or fields.get("journaltitle", "")
                or fields.get("booktitle", ""),
                authors=authors,
                volume=fields.get("volume", ""),
                issue=fields.get("number", "") or fields.get("issue", ""),
                pages=page_range(fields.get("pages", "") or fields.get("eid", "")),
            ),
            f"{entry.key or 'entry'}, {where}",
        )
        yield with_ledger(paper, record_pieces(fields.items(), _BIBTEX_TEXTS, _BIBTEX_KNOWN))
    if not where:
        raise InputError(f"{name or 'The file'} contains no BibTeX entry.", "Export it again.")


_BIBTEX_TEXTS = ("title", "abstract")
_BIBTEX_KNOWN = (
    "doi", "url", "pmid", "pmcid", "year", "date", "journal", "journaltitle", "booktitle", "author",
    "volume", "number", "issue", "pages", "eid",
)  # fmt: skip


def record_paper(
    title: str,
    abstract: str,
    doi: str,
    pmid: str,
    *,
    year: str,
    journal: str,
    authors: Iterable[str],
    types: Iterable[str] = (),
    pmcid: str = "",
    volume: str = "",
    issue: str = "",
    pages: str = "",
) -> Paper:
    """A record's paper: its ids are its PMID, PMCID and DOI, else a digest of title, year and
    author, and of abstract and pages where the title is not the paper's own. `pmid` may be another
    id of these, as our own files write it.
    """
    doi = (doi_in_field(doi) or doi_in_field(pmid)).rstrip(".,;")
    pmc = _PMCID.fullmatch(pmid.strip()) or _PMCID.fullmatch(pmcid)
    number = _PMID.fullmatch(pmid.strip())
    digits = (number[1] or number[2]) if number else ""
    ids = [f"PMID:{int(digits)}" if digits and int(digits) else ""]
    ids += [f"PMCID:PMC{pmc[1]}" if pmc else ""]
    ids += [f"DOI:{doi.lower()}" if doi else ""]
    ids = [id for id in ids if id]
    people = tuple(
        _person(" ".join(str(author).split())) for author in authors if str(author).strip()
    )
    when = _YEAR.search(year)
    if not ids and (title or abstract):
        family = _fold_letters(_family_name(people[0])) if people else ""
        letters = _fold_letters(title)
        own = [] if len(letters) >= SHORTEST_TITLE else [_fold_letters(abstract), pages]
        ids = [_digest_id(letters, when[0] if when else "", family, *own)]
    sections = (PaperSection("", abstract),) if abstract.strip() else ()
    return Paper(
        ids[0] if ids else "",
        " ".join(title.split()),
        sections,
        kind=ABSTRACT,
        ids=tuple(ids),
        year=when[0] if when else "",
        journal=journal,
        authors=people,
        doi=doi,
        types=tuple(kind for kind in types if kind),
        volume=known_place(volume),
        issue=known_place(issue),
        pages=pages,
    )


def _person(name: str) -> str:
    """`Roe, Ann B.`, `Roe, AB` (Web of Science) and `Roe A.B.` (Scopus) as `Roe AB`, as PubMed
    writes it.
    """
    family, comma, given_names = name.partition(",")
    words = [word for word in re.split(r"[\s.-]+", given_names) if word]
    initials = "".join(w if w.isupper() and len(w) <= MOST_INITIALS else w[0] for w in words)
    return f"{family.strip()} {initials}".strip() if comma else _DOTTED.sub(_undotted, name)


def _undotted(initials: re.Match[str]) -> str:
    return " " + re.sub(r"[.\s-]", "", initials[0])


def told_or_kept(paper: Paper, where: str) -> Paper:
    if paper.id:
        return paper
    message = "The record has no title and no abstract and is left out."
    return unreadable_paper(Problem("no-words", message, where=where))


def _fold_letters(text: str) -> str:
    """Letters and digits alone, case-folded."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _digest_id(*parts: str) -> str:
    """The id of a record that brings none."""
    return "doc:" + sha256("|".join(parts).encode("utf-8", "replace")).hexdigest()[:24]


def _family_name(author: str) -> str:
    """`Roe AB`, `Roe, Ann B.` and `Ann B. Roe` as Roe; a group's name whole."""
    family, comma, _ = author.partition(",")
    if comma:
        return family
    words = author.split()
    while len(words) > 1 and words[-1].isupper() and len(words[-1]) < 5:
        words.pop()  # initials, as PubMed writes them
    return " ".join(words) if len(words) < len(author.split()) else words[-1] if words else ""
