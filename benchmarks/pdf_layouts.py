"""Made layouts: JATS articles set in forty styles of journals, preprints and word processors, each
as a PDF beside its JATS, so that no rule of the PDF reader rests on the few PDFs at hand.

    python benchmarks/pdf_layouts.py FOLDER [FIRST LAST] [--data FOLDER of a.xml.gz]
    python -m core evaluate reading --data FOLDER

The styles are numbered 1 to 40; each sets one article, the shorter ones first. Needs WeasyPrint
(requirements-dev.txt). Even numbers are for writing rules, odd ones for confirming them.
"""

from __future__ import annotations

import gzip
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.documents.readers.xml import element_text
from core.evaluation.data_folder import BESIDE

LINE = 78  # characters of a line of a manuscript with numbered lines
SERIF, SANS, BOOK, DEJAVU = "Liberation Serif", "Liberation Sans", "P052", "DejaVu Serif"


@dataclass(frozen=True, slots=True)
class Layout:
    """How an article is set. `size` is in points; `cite`: how the list of references is numbered
    (in the text they are cited as the article does); `heads`, `paragraph`: CSS of headings and of
    paragraphs.
    """

    columns: int = 1
    font: str = SERIF
    size: float = 10
    leading: float = 1.25
    heads: str = "font-weight:bold;font-size:120%"
    before_heading: str = ""  # "■ "
    numbered: bool = False
    paragraph: str = "text-indent:1.2em"
    justified: bool = True
    cite: str = "[1]"  # [1], (1), ^1 or Roe, 2001
    references: str = "References"
    references_size: float = 0.85  # of the text's
    page: str = "A4"
    margin: str = "22mm 18mm"
    running: str = "Journal of Made Layouts 12 (2024) 345"
    page_number: str = "bottom-center"
    line_numbers: bool = False
    table_size: float = 0.85
    tables_last: bool = False
    caption: str = "font-size:85%"
    abstract: str = ""
    label: str = "Research Article"
    title: str = "font-size:170%;font-weight:bold"


CAPS = "text-transform:uppercase;font-weight:bold;font-size:100%"
PLAIN = Layout()
TWO = Layout(columns=2, size=9, margin="18mm 14mm")
SMALL_HEADS = "font-weight:bold;font-size:100%"
LIGHT_HEADS = "font-weight:normal;font-size:135%;color:#246"
ITALIC_HEADS = "font-style:italic;font-size:110%;font-weight:normal"
SPACED = "letter-spacing:.25em;text-transform:uppercase;font-size:95%;font-weight:bold"
MANUSCRIPT = replace(
    PLAIN, size=12, leading=2, line_numbers=True, paragraph="", justified=False, references_size=1,
    table_size=1, caption="", running="", tables_last=True,
)  # fmt: skip
LAYOUTS = (
    PLAIN,
    TWO,
    replace(TWO, font=SANS, heads=CAPS, cite="^1", references="REFERENCES"),
    replace(TWO, before_heading="■ ", heads=CAPS, cite="^1", references="REFERENCES"),
    MANUSCRIPT,
    replace(PLAIN, numbered=True, cite="Roe, 2001", page="letter"),
    replace(TWO, numbered=True, paragraph="margin:0 0 .6em", references_size=0.9),
    replace(PLAIN, font=SANS, size=11, paragraph="margin:0 0 .8em", justified=False, cite="(1)"),
    replace(TWO, references_size=1, cite="(1)", references="Literature Cited", table_size=1),
    replace(PLAIN, size=12, leading=2, running="", cite="Roe, 2001", references_size=1),
    replace(TWO, font=BOOK, heads=SMALL_HEADS, cite="^1", references="References and Notes"),
    replace(PLAIN, columns=2, page="letter", size=10, cite="[1]", heads=CAPS, numbered=True),
    replace(MANUSCRIPT, font=SANS, size=11, leading=1.5, cite="^1"),
    replace(TWO, heads=LIGHT_HEADS, abstract="border:1px solid #888;padding:3mm", cite="Roe, 2001"),
    replace(PLAIN, heads=ITALIC_HEADS, cite="^1", references="Bibliography"),
    replace(TWO, columns=3, size=8, margin="14mm 10mm", cite="^1", page_number="top-right"),
    replace(PLAIN, font=DEJAVU, size=9, margin="25mm 35mm 25mm 60mm", cite="[1]"),
    replace(TWO, font=SANS, size=8.5, paragraph="margin:0 0 .5em", justified=False, cite="[1]"),
    replace(PLAIN, heads=SPACED, cite="(1)", references="REFERENCES"),
    replace(TWO, heads=SPACED, font=SANS, cite="^1", tables_last=True),
    replace(PLAIN, size=11, heads=SMALL_HEADS, references_size=1, cite="[1]", numbered=True),
    replace(TWO, references_size=0.8, table_size=0.75, caption="font-size:80%", cite="Roe, 2001"),
    replace(PLAIN, page="A5", size=9, margin="15mm 12mm", cite="^1"),
    replace(TWO, page="letter", font=BOOK, running="A. Roe et al.", page_number="top-left"),
    replace(MANUSCRIPT, size=10, leading=1.6, cite="Roe, 2001", references="Literature cited"),
    replace(PLAIN, font=SANS, heads=LIGHT_HEADS, paragraph="margin:0 0 .7em", cite="[1]", label=""),
    replace(TWO, heads="font-weight:bold;font-size:100%;font-style:italic", cite="(1)", label=""),
    replace(PLAIN, references_size=1, cite="Roe, 2001", heads="font-size:130%;font-weight:normal"),
    replace(TWO, size=10, leading=1.1, margin="12mm 12mm", cite="^1", title="font-size:150%"),
    replace(PLAIN, before_heading="● ", cite="[1]", heads=SMALL_HEADS, references="References:"),
    replace(TWO, numbered=True, heads=CAPS, cite="[1]", references="REFERENCES", page="letter"),
    replace(PLAIN, size=11, page_number="bottom-right", paragraph="margin:0 0 1em", cite="^1"),
    replace(TWO, font=DEJAVU, size=7.5, cite="[1]", references_size=0.9),
    replace(PLAIN, title="font-size:120%", abstract="font-style:italic", cite="(1)", leading=1.5),
    replace(TWO, paragraph="text-indent:1em", heads="font-weight:bold;text-align:center"),
    replace(PLAIN, font=BOOK, tables_last=True, cite="Roe, 2001", references="Works Cited"),
    replace(TWO, caption="font-size:100%;font-weight:bold", table_size=0.95, cite="^1"),
    replace(PLAIN, size=12, font=SERIF, justified=False, paragraph="text-indent:2em", cite="[1]"),
    replace(TWO, abstract="font-weight:bold", label="ORIGINAL INVESTIGATION", cite="^1"),
    replace(PLAIN, margin="30mm 40mm", size=9.5, numbered=True, cite="Roe, 2001", heads=CAPS),
)  # fmt: skip


def main() -> None:
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    data = BESIDE / "pdf"
    if "--data" in sys.argv:
        data = Path(sys.argv[sys.argv.index("--data") + 1])
        words.remove(str(data))
    folder = Path(words[0])
    first, last = (int(words[1]), int(words[2])) if len(words) > 2 else (1, len(LAYOUTS))
    folder.mkdir(parents=True, exist_ok=True)
    articles = sorted(data.glob("*.xml.gz"), key=lambda path: path.stat().st_size)
    for number in range(first, last + 1):
        source = articles[number % len(articles)]
        stem = folder / f"{number:02}-{source.name.partition('.')[0]}"
        made = pdf_of(gzip.decompress(source.read_bytes()), LAYOUTS[number - 1])
        stem.with_suffix(".pdf").write_bytes(made)
        shutil.copy(source, stem.with_suffix(".xml.gz"))
        print(stem.name, flush=True)


def pdf_of(article: bytes, layout: Layout) -> bytes:
    """An article of JATS, set by a layout."""
    from weasyprint import HTML  # it loads Pango

    made: bytes = HTML(string=html_of(article, layout)).write_pdf()
    return made


def html_of(article: bytes, layout: Layout) -> str:
    return "".join(_Setter(fromstring(article), layout).page())


class _Setter:
    """Writes an article as HTML: what stands in its columns, in order."""

    def __init__(self, article: Element, layout: Layout):
        self._article, self._layout = article, layout
        self._line = self._section = 0
        self._floats: list[str] = []

    def page(self) -> Iterator[str]:
        front = self._article.find("front/article-meta")
        assert front is not None
        title = front.find("title-group/article-title")
        doi = front.findtext("article-id[@pub-id-type='doi']") or ""
        yield f"<html lang=en><meta charset=utf-8><style>{self._css()}</style><body>"
        yield f"<div class=label>{escape(self._layout.label)}</div>"
        yield f"<h1>{self._inline(title)}</h1>"
        names = [
            f"{n.findtext('given-names')} {n.findtext('surname')}"
            for n in front.iterfind("contrib-group/contrib/name")
        ]
        yield f"<p class=names>{escape(', '.join(names))}</p>"
        yield f"<p class=about>doi: {escape(doi)} · Received 3 May 2024 · Accepted 8 June 2024</p>"
        yield "<div class=columns>"
        abstract = next((a for a in front.iterfind("abstract") if not a.get("abstract-type")), None)
        if abstract is not None:
            yield f"<div class=abstract><h2>{self._layout.before_heading}Abstract</h2>"
            yield from self._blocks(abstract, 3)
            yield "</div>"
        body = self._article.find("body")
        yield from self._blocks(body if body is not None else Element("body"), 2)
        back = self._article.find("back")
        acknowledgement = None if back is None else back.find("ack")
        if acknowledgement is not None:
            yield f"<h2>{self._layout.before_heading}Acknowledgements</h2>"
            yield from (self._paragraph(p) for p in acknowledgement.iter("p"))
        yield f"<h2>{self._layout.before_heading}{escape(self._layout.references)}</h2>"
        references = self._article.iterfind("back//ref-list//ref")
        for number, reference in enumerate(references, start=1):
            yield from self._reference(reference, number)
        yield "</div>" + "".join(self._floats) + "</body></html>"

    def _css(self) -> str:
        look = self._layout
        running = f'@top-center{{content:"{look.running}";font-size:8pt}}' if look.running else ""
        if "top" in look.page_number:
            running = ""
        numbers = f"@{look.page_number}{{content:counter(page);font-size:8pt}}"
        return (
            f"@page{{size:{look.page};margin:{look.margin};{running}{numbers}}}"
            f"body{{font:{look.size}pt/{look.leading} '{look.font}';margin:0}}"
            f".columns{{columns:{look.columns};column-gap:7mm}}"
            f"h1{{{look.title};line-height:1.15;margin:2mm 0}}"
            f"h2,h3,h4{{margin:.9em 0 .3em;{look.heads}}}"
            f"h3,h4{{font-size:100%;font-weight:bold;text-transform:none;letter-spacing:0}}"
            f"p{{margin:0;{look.paragraph};"
            f"{'text-align:justify;hyphens:auto' if look.justified else ''}}}"
            f".abstract{{{look.abstract}}}.names,.about,.label{{text-indent:0;font-size:90%}}"
            f".ref{{font-size:{look.references_size * 100}%;padding-left:1.4em;text-indent:-1.4em}}"
            f".float{{margin:1em 0;text-indent:0}}.float p,caption{{{look.caption};text-align:left;"
            "text-indent:0}"
            f"table{{font-size:{look.table_size * 100}%;border-collapse:collapse;"
            "border-top:1px solid;border-bottom:1px solid}"
            "td,th{padding:.1em .6em;text-align:left;vertical-align:top}"
            "th{border-bottom:1px solid}.l{white-space:pre;position:relative;height:1lh}"
            ".n{position:absolute;left:-12mm;width:9mm;text-align:right;font-size:80%;color:#666}"
        )

    def _blocks(self, parent: Element, level: int) -> Iterator[str]:
        for child in parent:
            if child.tag == "sec":
                title = child.find("title")
                if title is not None:
                    number = ""
                    if level == 2:
                        self._section += 1
                        number = f"{self._section}. " if self._layout.numbered else ""
                    mark = self._layout.before_heading if level == 2 else ""
                    name = f"h{min(level, 4)}"
                    yield f"<{name}>{mark}{number}{self._inline(title)}</{name}>"
                yield from self._blocks(child, level + 1)
            elif child.tag == "p":
                yield self._paragraph(child)
                yield from self._set_apart(child.iter())
            elif child.tag in ("list", "disp-quote", "boxed-text", "list-item", "def-list"):
                yield from self._blocks(child, level)
            else:
                yield from self._set_apart([child])

    def _set_apart(self, elements: object) -> Iterator[str]:
        """Figures and tables, where they are or at the end."""
        for element in elements:  # type: ignore[attr-defined]
            if element.tag in ("fig", "table-wrap"):
                words = self._float(element)
                if self._layout.tables_last:
                    self._floats.append(words)
                else:
                    yield words

    def _float(self, element: Element) -> str:
        label = escape(element.findtext("label") or "").rstrip(".")
        caption = " ".join(self._inline(p) for p in element.iterfind("caption/*"))
        words = f"<p><b>{label}.</b> {caption}</p>"
        table = element.find(".//table")
        if table is None:
            picture = "<div style='height:45mm;background:#dde;margin-bottom:2mm'></div>"
            return f"<div class=float>{picture}{words}</div>"
        return f"<div class=float>{words}{self._inline(table, True)}</div>"

    def _paragraph(self, element: Element) -> str:
        words = self._inline(element).strip()
        if not self._layout.line_numbers:
            return f"<p>{words}</p>" if words else ""
        lines = []
        plain = re.sub("</?[ib]>", "", words)  # what may run over several lines
        plain = re.sub(r"<(su[bp])>.*?</\1>", lambda match: match[0].replace(" ", "\u00a0"), plain)
        for line in textwrap.wrap(plain, LINE, break_on_hyphens=False, break_long_words=False):
            self._line += 1
            lines.append(f"<div class=l><span class=n>{self._line}</span>{line}</div>")
        return "".join(lines)

    def _reference(self, reference: Element, number: int) -> Iterator[str]:
        words = _citation(reference)
        mark = {"[1]": f"[{number}] ", "(1)": f"({number}) ", "^1": f"{number}. "}
        yield f"<p class=ref>{mark.get(self._layout.cite, '')}{escape(words)}</p>"

    def _inline(self, element: Element | None, table: bool = False) -> str:
        if element is None:
            return ""
        kept = {"italic": "i", "bold": "b", "sup": "sup", "sub": "sub"}
        if table:
            kept |= {name: name for name in ("table", "thead", "tbody", "tr", "td", "th")}
        parts = [escape(element.text or "")]
        for child in element:
            if child.tag in ("fig", "table-wrap"):
                parts.append(escape(child.tail or ""))
                continue
            if child.tag in ("disp-formula", "inline-formula"):  # on a line, as the reader has it
                parts.append(escape(element_text(child) + (child.tail or "")))
                continue
            words = self._inline(child, table)
            name = kept.get(child.tag)
            spans = "".join(
                f" {at}={child.get(at)}" for at in ("rowspan", "colspan") if table and child.get(at)
            )
            parts.append(f"<{name}{spans}>{words}</{name}>" if name else words)
            parts.append(escape(child.tail or ""))
        words = "".join(parts)
        return f"<table>{words}</table>" if table and element.tag == "table" else words


def _citation(reference: Element) -> str:
    """`Roe A, Doe B. Tau in mice. Brain. 2001;4:5-9.` of its elements, else its words."""
    citation = next((e for e in reference if e.tag.endswith("citation")), reference)
    label = reference.findtext("label") or ""
    if (citation.text or "").strip() or citation.find("source") is None:
        words = " ".join("".join(citation.itertext()).split())
        return words.removeprefix(label).strip()

    def said(name: str) -> str:
        element = citation.find(name)
        return " ".join("".join(element.itertext()).split()) if element is not None else ""

    people = (
        (name.findtext("surname") or "", (name.findtext("given-names") or "").replace(".", ""))
        for name in citation.iter("name")
    )
    names = ", ".join(" ".join(person).strip() for person in people)
    pages = "-".join(filter(None, (said("fpage"), said("lpage"))))
    place = f"{said('year')};{said('volume')}:{pages}"
    parts = (names, said("article-title"), said("source"), place)
    return ". ".join(part.rstrip(". ") for part in parts if part.strip(";: ")) + "."


if __name__ == "__main__":
    main()
