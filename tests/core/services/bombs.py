"""Files that were built to do harm: small to send, and large, endless, circular or deceitful to
read.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from functools import cache


def zipped(*members: tuple[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return packed.getvalue()


def tarred(name: str, data: bytes, kind: bytes = tarfile.REGTYPE, link: str = "") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo(name)
        member.type, member.linkname, member.size = kind, link, len(data)
        archive.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def pdf(*objects: bytes) -> bytes:
    """A PDF of these objects, the first its catalogue."""
    body, places = b"%PDF-1.7\n", list[int]()
    for number, pdf_object in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, pdf_object)
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    table += b"".join(b"%010d 00000 n \n" % place for place in places)
    root = b"trailer\n<< /Root 1 0 R /Size %d >>\n" % (len(objects) + 1)
    return body + table + root + b"startxref\n%d\n%%%%EOF" % len(body)


def workbook(strings: bytes, rows: bytes, encoding: str = "utf-8") -> bytes:
    """A workbook of one sheet, with the strings that its cells share."""
    main = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    office = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    kind = b"application/vnd.openxmlformats-officedocument.spreadsheetml."
    package = b"http://schemas.openxmlformats.org/package/2006/"
    parts = (b"workbook", b"sheet.main"), (b"sheet", b"worksheet"), (b"strings", b"sharedStrings")
    types = b"".join(
        b'<Override PartName="/xl/%s.xml" ContentType="%s%s+xml"/>' % (part, kind, what)
        for part, what in parts
    )
    links = b'<Relationships xmlns="%srelationships">%%s</Relationships>' % package
    link = b'<Relationship Id="r%d" Type="%s/%s" Target="%s.xml"/>'
    inside = link % (1, office, b"worksheet", b"sheet")
    inside += link % (2, office, b"sharedStrings", b"strings")
    sheet = b'<sheet name="a" sheetId="1" r:id="r1"/>'
    book = b'<workbook %s xmlns:r="%s"><sheets>%s</sheets></workbook>' % (main, office, sheet)
    outside = link % (1, office, b"officeDocument", b"xl/workbook")
    types = b'<Types xmlns="%scontent-types">%s</Types>' % (package, types)
    return zipped(
        ("[Content_Types].xml", types),
        ("_rels/.rels", links % outside),
        ("xl/workbook.xml", book),
        ("xl/_rels/workbook.xml.rels", links % inside),
        ("xl/sheet.xml", b"<worksheet %s><sheetData>%s</sheetData></worksheet>" % (main, rows)),
        ("xl/strings.xml", (b"<sst %s>%s</sst>" % (main, strings)).decode().encode(encoding)),
    )


def stream(data: bytes, more: bytes = b"") -> bytes:
    packed = zlib.compress(data, 9)
    head = b"<< /Length %d /Filter /FlateDecode %s >>" % (len(packed), more)
    return head + b"\nstream\n" + packed + b"\nendstream"


PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R >>"
CATALOGUE = b"<< /Type /Catalog /Pages 2 0 R >>"
ONE_PAGE = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
ZEROS = b"a " * 12_000_000
SAME_LETTER = b"a" * 24_000_000  # which bzip2 packs at once
ENTITIES = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 20}">' for n in range(12))
LAUGHS = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "ha">{ENTITIES}]><article>&e12;</article>'
ONE_LARGE = f'<!DOCTYPE x [<!ENTITY a "{"a" * 50_000}">]><article>{"&a;" * 50_000}</article>'
PARAMETERS = (
    '<!DOCTYPE x [<!ENTITY % a "haha"><!ENTITY % b "%a;%a;"><!ENTITY % c "%b;%b;">'
    '<!ENTITY e "%c;">]><article>&e;</article>'
)
OUTSIDE = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><article>&e;</article>'
REMOTE = '<!DOCTYPE x SYSTEM "http://169.254.169.254/x.dtd"><article>x</article>'
INCLUDED = (
    '<article xmlns:xi="http://www.w3.org/2001/XInclude">'
    '<xi:include href="file:///etc/passwd" parse="text"/></article>'
)
ALIASES = "a0: &a0 [x]\n" + "".join(
    f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]\n" for n in range(12)
)
MERGED = "a0: &a0 {x: 1}\n" + "".join(
    f"a{n + 1}: &a{n + 1} {{<<: [{', '.join([f'*a{n}'] * 9)}], k{n}: *a{n}}}\n" for n in range(12)
)
MANY_ALIASES = "id: http://example.org/x\nname: x\na: &a x\nclasses:\n" + "- *a\n" * 300_000
LARGE_ALIAS = f"a: &a {'x' * 1_000_000}\nb:\n" + "- *a\n" * 1200
SCHEMA = "id: http://example.org/x\nname: x\nclasses:\n"
UNIONS = f"{SCHEMA}  A0: {{attributes: {{id: {{identifier: true}}}}}}\n" + "".join(
    f"  A{n + 1}: {{union_of: [B{n + 1}, A{n}]}}\n  B{n + 1}: {{union_of: [A{n}, A{n}]}}\n"
    for n in range(60)
)
ATTRIBUTES = b" ".join(b'a%d="1"' % n for n in range(100_000))
RDF = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://x/">'
STRINGS = "".join(f"@string{{a{n + 1} = a{n} # a{n}}}\n" for n in range(60))
CELL_OF_STRINGS = b'<row r="1"><c r="A1" t="s"><v>0</v></c></row>'


@cache
def bombs() -> dict[str, bytes]:
    """Each file by its name. They take seconds to pack: nobody waits for them at import."""
    return {
        "laughs.xml": LAUGHS.encode(),
        "laughs.owl": LAUGHS.replace("article", "Ontology").encode(),
        "laughs-in-utf-16.xml": LAUGHS.encode("utf-16"),
        "laughs-in-utf-16.owl": LAUGHS.replace("article", "Ontology").encode("utf-16"),
        "one-large-entity.xml": ONE_LARGE.encode(),
        "one-large-entity.owl": ONE_LARGE.replace("article", "Ontology").encode(),
        "parameters.xml": PARAMETERS.encode(),
        "outside.xml": OUTSIDE.encode(),
        "outside.owl": OUTSIDE.replace("article", "Ontology").encode(),
        "remote.owl": REMOTE.replace("article", "Ontology").encode(),
        "included.xml": INCLUDED.encode(),
        "deep.xml": b"<article>" + b"<p>" * 100_000,
        "deep.owl": b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        + b"<rdf:Description><rdf:x>" * 100_000,
        "deep.ttl": b"<urn:a> <urn:b> " + b"[ <urn:c> " * 200_000,
        "deep.ofn": b"Ontology(" + b"ObjectComplementOf(" * 200_000,
        "context.jsonld": b'{"@context": "http://169.254.169.254/context", "@id": "x"}',
        "aliases.yaml": ALIASES.encode(),
        "merged.yaml": MERGED.encode(),
        "unions.yaml": UNIONS.encode(),
        "many-aliases.yaml": MANY_ALIASES.encode(),
        "large-alias.yaml": LARGE_ALIAS.encode(),
        "tagged.yaml": b"a: !!python/object/apply:os.system ['touch bombed']",
        "deep.yaml": b"[" * 100_000,
        "bomb.txt.gz": gzip.compress(ZEROS, 1),
        "twice.txt.gz": gzip.compress(gzip.compress(ZEROS)),
        "members.txt.gz": gzip.compress(b"") * 100_000,
        "bomb.txt.bz2": bz2.compress(SAME_LETTER),
        "bomb.txt.xz": lzma.compress(ZEROS),
        "bomb.zip": zipped(("bomb.txt", ZEROS)),
        "in-a-zip.zip": zipped(("bomb.zip", zipped(("bomb.txt", ZEROS)))),
        "many.zip": zipped(*[(f"{n}.txt", b"") for n in range(20_000)]),
        "bomb.docx": zipped(("word/document.xml", ZEROS)),
        "bomb.xlsx": zipped(("xl/workbook.xml", ZEROS), ("xl/worksheets/sheet1.xml", ZEROS)),
        "escape.zip": zipped(("../../../etc/passwd", b"root")),
        "escape.tar": tarred("../../passwd", b"root"),
        "link.tar": tarred("vocabularies", b"", tarfile.SYMTYPE, "/etc"),
        "endless-line.jsonl.gz": gzip.compress(b"[" * 18_000_000, 1),
        "deep.json": b"[" * 200_000,
        "digits.json": b"[" + b"9" * 1_000_000 + b"]",
        "deep.obo.json": b'{"graphs": ' + b'[{"nodes":' * 50_000,
        "half-letters.jsonl": rb'{"id": "PMID:1\u0000", "text": "aspirin \ud800 \u202e treats"}',
        "cut.pdf": b"%PDF-1.7\n1 0 obj\n<< /Length 99999999999 >>\nstream\n" + b"\0" * 1000,
        "unpacks.pdf": pdf(CATALOGUE, ONE_PAGE, PAGE, stream(b"0 0 m " * 30_000_000)),
        "twice.pdf": pdf(CATALOGUE, ONE_PAGE, PAGE, stream(zlib.compress(b"\0" * 200_000_000, 9))),
        "its-own-child.pdf": pdf(CATALOGUE, b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9 >>"),
        "its-own-parent.pdf": pdf(b"<< /Type /Catalog /Pages 1 0 R >>") + b"\nstartxref\n9\n%%EOF",
        "deep.pdf": pdf(CATALOGUE, b"[" * 200_000, PAGE),
        "pages.pdf": pdf(
            CATALOGUE, b"<< /Type /Pages /Count 900000 /Kids [" + b"3 0 R " * 900_000 + b"] >>",
            PAGE, stream(b"BT /F1 12 Tf (a) Tj ET"),
        ),
        "signs.tsv": "prefix\tid\tlabel\nX\tX:1\t\x00\u202e\ud800".encode("utf-8", "surrogatepass"),
        "wide.csv": b"title" + b"," * 400_000,
        "columns.csv": b",".join(b"c%d" % n for n in range(100_000)) + b"\n1,2\n",
        "open-quote.csv": b'title,abstract\n"' + b"a,\n" * 4_000_000,
        "tags.docx": zipped(("word/document.xml", b"<w>" + b"<w:p>" * 3_000_000)),
        "paragraphs.docx": zipped(("word/document.xml", b"<w>" + b"<p/>" * 3_000_000 + b"</w>")),
        "attributes.docx": zipped(("word/document.xml", b"<w><p " + ATTRIBUTES + b"/></w>")),
        "attributes.xml": b"<PubmedArticleSet><PubmedArticle %s/></PubmedArticleSet>" % ATTRIBUTES,
        "attributes.owl": RDF + b"<rdf:Description " + ATTRIBUTES + b"/></rdf:RDF>",
        "attributes.html": b"<html><body " + ATTRIBUTES + b">x</body></html>",
        "arrays.json": b"[" + b"[]," * 2_000_000 + b"[]]",
        "arrays-in-a-line.jsonl": b'{"id":"x","text":' + b"[" * 200_000 + b"]" * 200_000 + b"}\n",
        "indented.yaml": b"".join(b" " * n + b"a:\n" for n in range(1500)),
        "field.ris": b"TY  - JOUR\nTI  - " + b"a " * 10_000_000 + b"\nER  - \n",
        "records.ris": b"TY  - JOUR\nTI  - a\nER  - \n" * 1_000_000,
        "entries.bib": b"@article{a, title={a}}\n" * 1_000_000,
        "strings.xlsx": workbook(b"<si><t>a</t></si>" * 5_000_000, CELL_OF_STRINGS),
        "strings-in-utf-16.xlsx": workbook(b"<si/>" * 5_000_000, CELL_OF_STRINGS, "utf-16"),
        "rows.xlsx": workbook(b"<si><t>Title</t></si>", CELL_OF_STRINGS + b'<row r="2000000000"/>'),
        "strings.bib": f'@string{{a0 = "aa"}}\n{STRINGS}@article{{x, title = a60}}\n'.encode(),
        "braces.bib": b"@article{a, title=" + b"{" * 1_000_000,
        "line.obo": b"format-version: 1.2\n\n[Term]\nid: X:1\nname: " + b"a" * 30_000_000,
        "nested.rdf": RDF + b"<x:a><x:b>" * 20_000 + b"</x:b></x:a>" * 20_000 + b"</rdf:RDF>",
        "literal.ttl": b'<http://x/a> <http://x/b> "' + b"a" * 20_000_000 + b'" .',
        "comment.sssom.tsv": b"#" + b"a" * 20_000_000 + b"\nsubject_id\tpredicate_id\tobject_id\n",
        "thrice.txt.gz": gzip.compress(gzip.compress(gzip.compress(ZEROS))),
        "objects.pdf": pdf(
            CATALOGUE, ONE_PAGE, PAGE, stream(b"BT (a) Tj ET"),
            stream(b"1 1 " * 2_000_000, b"/Type /ObjStm /N 1000000 /First 8000000"),
        ),
        "nothing.txt": b"\0" * 10_000_000,
        "accents.txt": ("a" + "\u0301" * 2_000_000).encode(),
        "endless.obo": b"[Term]\nid: X:1\nname: " + b"a\\" * 2_000_000,
        "cut.gz": gzip.compress(b"a,b\n" * 1000)[:60],
        "..": b"x",
        "\x00.tsv": b"\x00" * 10_000,
        "a" * 300 + ".tsv": b"prefix\tid\tlabel\nX\tX:1\ty\n",
        "CON.tsv": b"prefix\tid\tlabel\nX\tX:1\ty\n",
        "-rf .tsv": b"prefix\tid\tlabel\nX\tX:1\ty\n",
    }  # fmt: skip
