"""Which records are compared at all: those that share an id or the key of a title or a place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from core.identity.judge import is_common
from core.identity.record import PaperRecord
from core.identity.relation import after_notice
from core.text.title import SHORTEST_TITLE

KEY_LETTERS = 12  # consonants of a title that a key holds
ID_KEY = "id:"  # begins the key of an id
BEGINNING = 24  # letters of an abstract that tell it from others
_VOWELS = re.compile(r"[aeiouy]|(?<=(.))\1")


def blocking_keys(record: PaperRecord) -> tuple[str, ...]:
    """Keys of which records of one paper share at least one: its ids, the beginning and the end of
    its title by consonants, its place in a journal; and the ids of papers that it is linked to. A
    title that many papers bear is no key alone.

    >>> keys = blocking_keys(PaperRecord("Tumour growth in Muenchen: a study"))
    >>> sorted(set(keys) & set(blocking_keys(PaperRecord("Tumor growth in München"))))
    ['e:rgrwthnmnchn', 't:tmrgrwthnmnc']
    """
    keys = [f"{ID_KEY}{prefix}:{id}" for prefix in ("PMID", "PMCID", "DOI")
            for id in sorted(record.identifiers(prefix))]  # fmt: skip
    keys += [f"{ID_KEY}{id}" for id in record.ids if not id.startswith(("PMID:", "PMCID:", "DOI:"))]
    keys += [f"{ID_KEY}{id}" for _, id in record.links]  # whichever of the two comes in first
    for title in dict.fromkeys((record.title, after_notice(record.title))):
        keys += _title_keys(replace(record, title=title))
    volume, page = re.search(r"\d+", record.volume), _page(record)
    if volume and page and record.year:
        keys.append(f"p:{volume[0].lstrip('0')}:{page}:{record.year[:4]}")
    return tuple(dict.fromkeys(keys))


def _title_keys(record: PaperRecord) -> Iterator[str]:
    skeleton = _VOWELS.sub("", "".join(record.words))
    beginning = skeleton[:KEY_LETTERS]
    if not skeleton:
        return
    if not is_common(record):
        yield f"t:{beginning}"
        main = _VOWELS.sub("", "".join(record.main_words))
        if len(main) >= KEY_LETTERS:
            yield f"e:{main[-KEY_LETTERS:]}"
        return
    if len(record.letters) >= SHORTEST_TITLE:
        yield f"c:{skeleton}"
    for words in sorted(_told(record)) or [""]:
        # the year before an issue is the same paper's, too
        yield from (f"c:{beginning}:{year}:{words}"
                    for year in (record.year_number, record.year_number + 1))  # fmt: skip


def _told(record: PaperRecord) -> set[str]:
    """What tells papers apart whose title many bear: a first author, a page, the abstract."""
    told = {word for name in record.names[:1] for word in name.family or name.words}
    told |= {_page(record), re.sub(r"\W+", "", record.abstract.casefold())[:BEGINNING]}
    return told - {""}


def _page(record: PaperRecord) -> str:
    page = re.match(r"\D{0,3}(\d+)", record.pages)
    return page[1].lstrip("0") if page else ""
