"""How an entry of a list of references is known from other lines."""

from __future__ import annotations

import re

from core.text.phrases import phrases

_YEAR = r"(?:19|20)\d\d[a-z]?"
# What only an entry of a list of references has; a citation in a sentence, "(Roe et al., 2001)",
# has none of these.
ENTRY = phrases(
    {
        rf"\b{_YEAR}\)?\s*[;,.:]\s*(?:[A-Z]\w{{2,12}}[\s;]*)?\d{{1,4}}\s*[(:,;]": "in 2001;4:5.",
        r"\b\d{1,4}\s*(?:\([\w\s–-]{1,12}\))?\s*[:,]\s*(?:pp?\.?\s*)?[A-Za-z]?\d{1,6}\s*[-–—]\s*"
        r"[A-Za-z]?\d{1,6}\b": "Brain 12(3): 45–50",
        r"^\W{0,2}(?:\d{1,3}\W{0,2}\s+)?[A-Z][\w'’-]+,?\s+(?:[A-Z]\.?[- ]?){1,4}"
        r"(?:[,;(]|\.\s| and\b| &|$)": "Roe AB, Doe C.",
        rf"^\W{{0,2}}[A-Z][\w'’-]+(?: et al\.?| (?:and|&) [A-Z]\w+)?,? \(?{_YEAR}\W": "Roe, 1999.",
        r"^\W{0,2}\[?\d{1,3}[\].)]\s+[A-Z]": "[1] Tau in mice.",
        r"\bdoi\b\W{1,3}10\.\d{4}|doi\.org/10\.\d{4}": "doi:10.1000/x",
    },
    before="",
    after="",
    flags=re.NOFLAG,
)
