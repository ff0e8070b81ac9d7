"""No number arises that the source does not show: published articles of PMC, read and compared."""

from __future__ import annotations

import gzip
import html
import re
from pathlib import Path

from core.documents.files import read_bytes
from core.documents.paper import assemble_paper

_INLINE = re.compile(
    r"</?(?:italic|bold|sc|underline|named-content|styled-content|monospace)\b[^>]*>"
)


def test_no_digits_arise_that_the_article_does_not_show(shared: Path) -> None:
    articles = sorted((shared / "data/pdf").glob("*.xml.gz"))
    assert len(articles) > 10
    for article in articles:
        raw = gzip.decompress(article.read_bytes())
        (paper,) = read_bytes(raw, "a.xml")
        digits = set(
            re.findall(
                r"\d+", html.unescape(re.sub(r"<[^>]*>", " ", _INLINE.sub("", raw.decode())))
            )
        )
        read = set(re.findall(r"\d+", assemble_paper(paper)[0].text))
        assert not read - digits, (article.name, sorted(read - digits)[:10])
