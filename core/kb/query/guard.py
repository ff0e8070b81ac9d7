"""What a SPARQL query may not ask: other addresses, other data, changes, nesting without end."""

from __future__ import annotations

import re

from core.errors import InputError, Refused

LONGEST = 20_000  # characters
# Anywhere, also in texts and comments: a reader that is deceived about where a text ends must not
# let the one word through that makes the engine ask another address.
_SERVICE = re.compile(r"(?<![\w?$:/#.-])service(?![\w:-])", re.IGNORECASE)
_FROM = re.compile(r"(?<![\w?$:/#.-])from(?![\w:-])", re.IGNORECASE)
# The first word after the prefixes. Whether it is SPARQL is the engine's to say.
_UPDATE = re.compile(
    r"\s*(?:(?:base|prefix\s+[^\s:]*:)\s+)*"
    r"(load|insert|delete|clear|drop|create|add|move|copy|with)(?![\w:-])",
    re.IGNORECASE,
)
DEEPEST = 200  # nested brackets; the engine's own reader ends in a crash at some thousand
_TEXTS = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|\'\'\'(?:[^\'\\]|\\.|\'(?!\'\'))*\'\'\''
    r'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|<[^<>\s]*>|#[^\n]*',
    re.DOTALL,
)


def check_query(query: str) -> str:
    """The query as it is. Raises Refused for SERVICE, FROM and changes, InputError for one that is
    empty, too long or too deep.
    """
    if not query.strip():
        raise InputError("The query is empty.", "Choose an example, or write one.")
    if len(query) > LONGEST:
        raise InputError(f"The query has more than {LONGEST:,} characters.", "Shorten the query.")
    if _SERVICE.search(query):
        raise Refused(
            "SERVICE would contact another address: queries read only this knowledge base.",
            "Take it out. To search for this word in texts, write it as a regular expression: "
            "s.rvice.",
        )
    words = _TEXTS.sub(" ", query)
    if update := _UPDATE.match(words):
        raise Refused(
            f"{update[1].upper()} would change data: queries only read this knowledge base.",
            "Begin with SELECT, ASK, CONSTRUCT or DESCRIBE. Statements are proposed on Import.",
        )
    if nesting_depth(words) > DEEPEST:
        raise InputError(
            f"The query has more than {DEEPEST} nested brackets.", "Simplify the query."
        )
    if _FROM.search(words):
        raise Refused(
            "FROM names other data: queries read only this knowledge base.",
            "Take it out: everything approved is in the default graph.",
        )
    return query


def nesting_depth(words: str) -> int:
    """How many brackets are open at once, at most."""
    deepest = now = 0
    for sign in words:
        now += (sign in "({[") - (sign in ")}]")
        deepest = max(deepest, now)
    return deepest
