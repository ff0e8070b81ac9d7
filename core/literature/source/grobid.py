"""GROBID: a service that reads PDFs better, used when the operator has set its address."""

from __future__ import annotations

import base64
from hashlib import sha256
from xml.etree.ElementTree import Element

from core.errors import BadAnswer, InputError
from core.literature.paper import FULL_TEXT, Paper, Section
from core.literature.source.xml import local, parse, words
from core.web import Fetch, Fetcher

BOUNDARY = "groundwork-part-boundary"
TIMEOUT = 300.0  # seconds


def read_pdf(raw: bytes, address: str, fetcher: Fetcher, id: str) -> Paper:
    """A paper as GROBID reads it. Raises the RemoteError tree; BadAnswer when it is no TEI."""
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="input"; filename="paper.pdf"\r\n'
    head += "Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    body = head + base64.b64encode(raw).decode("ascii") + f"\r\n--{BOUNDARY}--\r\n"
    answer = fetcher.fetch(
        Fetch(
            f"{address.rstrip('/')}/api/processFulltextDocument",
            "POST",
            data=body,
            headers=(("Content-Type", f"multipart/form-data; boundary={BOUNDARY}"), ("Accept", "application/xml")),
            kind="grobid",
            max_bytes=50_000_000,
            timeout=TIMEOUT,
        )
    )
    try:
        root, _ = parse(answer.text)
    except InputError as error:
        raise BadAnswer("GROBID did not answer with TEI XML.", "Check the service, or unset its address.") from error
    return paper(root, raw, id)


def paper(root: Element, raw: bytes, id: str = "") -> Paper:
    """A TEI document: title, abstract, and the body's divisions by their heads."""
    for element in root.iter():
        element.tag = local(element)
    header = root.find("teiHeader")
    doi = words(root.find(".//sourceDesc//idno[@type='DOI']")).strip() if header is not None else ""
    abstract = words(root.find(".//profileDesc/abstract")).strip()
    sections = [Section("Abstract", abstract)] if abstract else []
    for part in root.iterfind(".//text/body/div"):
        name = " ".join(words(part.find("head")).split())
        text = "\n\n".join(" ".join(words(p).split()) for p in part.iterfind("p"))
        if text:
            sections.append(Section(name, text))
    found = id or (f"DOI:{doi.lower()}" if doi else "doc:" + sha256(raw).hexdigest()[:24])
    names = (
        f"{words(a.find('.//surname')).strip()} {words(a.find('.//forename')).strip()[:1]}".strip()
        for a in root.iterfind(".//sourceDesc//analytic/author")
    )
    dated = root.find(".//sourceDesc//date[@when]")
    year = dated.get("when", "")[:4] if dated is not None else ""
    title = " ".join(words(root.find(".//titleStmt/title")).split())
    ids = (found, f"DOI:{doi.lower()}") if doi else (found,)
    return Paper(
        found, title, tuple(sections), FULL_TEXT, tuple(sorted(set(ids))), year, "", tuple(filter(None, names)), doi
    )
