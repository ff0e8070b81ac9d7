"""A question as it is typed in a hurry, without the words that are for the reader and name nothing:
greetings, requests, thanks, and the short spellings of question words ("wat is", "pls list").

Words that are names elsewhere are left where they may be names: WAT is a tissue, PLS a regression,
Hi-C a method.
"""

from __future__ import annotations

import re

_ASKS = (
    r"(?:is|are|r|was|were|does|do|did|can|causes?|happens?|helps?|works?|treats?|makes?|kinds?"
    r"|types?|drugs?|genes?|the)\b"
)
_TELLS = r"(?:tell|give|show|find|list|name|explain|describe|summari[sz]e|help|send|get)\b"
_MATTER = (
    r"(?:some|more|any|all|the|good)?\s*(?:infos?|information|papers|articles|studies|literature"
    r"|everything|something|things)?"
)
# What is written → what stands in its place, each with an example.
_RULES = tuple(
    (re.compile(pattern, flags), instead)
    for pattern, flags, instead in (
        # "hi, what causes …", not "hi c maps"
        (r"^(?:hi|hey|hello)(?:\s+(?:there|all|everyone)\b)?(?:\s*[,!.:]\s*|\s+(?!c\b))", re.I, ""),
        (r"^(?:thx|thanks|thank you|ok|so|well|idk|lol)\b[\s,!.:-]+(?=\w)", 0, ""),  # "idk what …"
        (r"[\s,.!-]+(?:thx|thanks|thank you|lol|idk|tbh|asap|pls|plz|please)[\s.!?]*$", 0, ""),
        (r"\b(?:plz|[Pp]lease)\b\s*", 0, ""),
        (rf"\bpls\s+(?={_TELLS}|{_ASKS})", 0, ""),  # "pls list …", not "pls regression"
        (r"^i(?:'?d| would)? (?:want|need|like|wanna) (?:to )?"
         r"(?:know|learn|find|understand|read)\b(?: more)?", re.I, "tell me"),
        (r"^(?:can|could|would) (?:you|u|anyone|someone) (?=" + _TELLS + ")", re.I, ""),
        # "tell me about …", "find papers on …", "gimme info on …", not "give rise to …"
        (rf"^(?:gimme|(?:tell|give|show|find|get|send)(?: me| us))\s+{_MATTER}\s*"
         r"(?:\b(?:about|abt|bout|on|of|for|that)\b)?\s*", re.I, ""),
        (r"^find\s+(?:some |any )?(?:papers|articles|studies|literature)\s+(?:about|abt|on|of|for)"
         r"\s+", re.I, ""),
        (rf"^(?:wat|wht|whta|waht)\s+(?={_ASKS})", 0, "what "),  # "wat is …", not "wat browning"
        (r"^(?:wats|whats|wat's)\b", re.I, "what is"),
        (r"\b(what|how|who|where|why|which) r\b", re.I, r"\1 are"),
        (r"\bhow 2\b", re.I, "how to"),
        (r"\b(can|could|do|does|did|would|should|if) u\b", re.I, r"\1 you"),
        (r"\bteh\b", 0, "the"),
        (r"\babt\b(?=\s+[a-z])", 0, "about"),  # "known abt circular RNAs", not "abt 737"
        (r"\bbtw\b", 0, "between"),
        # "5 x 10^6 cells", "5x10^6", not "x chromosome"
        (r"(?:(?<=\d)|(?<![\w^-]))\s*x\s*(?=10\^)", re.I, " × "),
    )
)  # fmt: skip


def plain_question(text: str) -> str:
    """The question on one line, without such words; as typed where nothing else would be left."""
    typed = " ".join(text.split())
    plain = typed
    for pattern, instead in _RULES:
        plain = " ".join(pattern.sub(instead, plain).split())
    return plain if re.search(r"\w", plain) else typed
