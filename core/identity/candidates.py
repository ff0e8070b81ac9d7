"""Which records are compared at all: those that share an id or the key of a title or a place."""

from __future__ import annotations

import re

from core.identity.record import PaperRecord

KEY_LETTERS = 12  # consonants of a title that a key holds
_VOWELS = re.compile(r"[aeiouy]|(?<=(.))\1")
_NOTICE = re.compile(
    r"\W*(?:retract\w*|withdrawn|(?:author |publisher )?correction|corrigendum|erratum|"
    r"expression of concern|comments? on|reply|response)(?: to| of| for| on| note)*\W+",
    re.IGNORECASE,
)


def blocking_keys(record: PaperRecord) -> tuple[str, ...]:
    """Keys of which records of one paper share at least one: its ids, the beginning and the end of
    its title by consonants, its place in a journal.

    >>> keys = blocking_keys(PaperRecord("Tumour growth in Muenchen: a study"))
    >>> sorted(set(keys) & set(blocking_keys(PaperRecord("Tumor growth in München"))))
    ['e:rgrwthnmnchn', 't:tmrgrwthnmnc']
    """
    keys = [f"id:{prefix}:{id}" for prefix in ("PMID", "PMCID", "DOI")
            for id in sorted(record.identifiers(prefix))]  # fmt: skip
    keys += [f"id:{id}" for id in record.ids if not id.startswith(("PMID:", "PMCID:", "DOI:"))]
    bare = PaperRecord(_NOTICE.sub("", record.title, count=1))
    skeletons = [_VOWELS.sub("", "".join(found.words)) for found in (record, bare)]
    main = _VOWELS.sub("", "".join(record.main_words))
    keys += [f"t:{skeleton[:KEY_LETTERS]}" for skeleton in skeletons if skeleton]
    keys += [f"e:{main[-KEY_LETTERS:]}"] if len(main) >= KEY_LETTERS else []
    volume, page = re.search(r"\d+", record.volume), re.match(r"\D{0,3}(\d+)", record.pages)
    if volume and page and record.year:
        keys.append(f"p:{volume[0].lstrip('0')}:{page[1].lstrip('0')}:{record.year[:4]}")
    return tuple(dict.fromkeys(keys))
