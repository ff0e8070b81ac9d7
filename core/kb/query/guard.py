"""What a SPARQL query may not ask: other addresses, other data, changes."""

from __future__ import annotations

import re

from core.errors import InputError, Refused

LONGEST = 20_000  # characters
# Anywhere, also in texts and comments: a reader that is deceived about where a text ends must not
# let the one word through that makes the engine ask another address.
_SERVICE = re.compile(r"(?<![\w?$:/#.-])service(?![\w:-])", re.IGNORECASE)
_FROM = re.compile(r"(?<![\w?$:/#.-])from(?![\w:-])", re.IGNORECASE)
_TEXTS = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|\'\'\'(?:[^\'\\]|\\.|\'(?!\'\'))*\'\'\''
    r'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|<[^<>\s]*>|#[^\n]*',
    re.DOTALL,
)


def check(query: str) -> str:
    """The query as it is. Raises Refused for SERVICE and FROM, InputError for one that is empty or
    too long.
    """
    if not query.strip():
        raise InputError("The query is empty.", "Choose an example, or write one.")
    if len(query) > LONGEST:
        raise InputError(f"The query has more than {LONGEST:,} characters.", "Ask a shorter query.")
    if _SERVICE.search(query):
        raise Refused(
            "SERVICE would contact another address: queries read only this knowledge base.",
            "Take it out. To search for this word in texts, write it as a regular expression: "
            "s.rvice.",
        )
    if _FROM.search(_TEXTS.sub(" ", query)):
        raise Refused(
            "FROM names other data: queries read only this knowledge base.",
            "Take it out: everything approved is in the default graph.",
        )
    return query
