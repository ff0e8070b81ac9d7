"""Twenty short abstracts, and two models that read them differently, one of which may fail."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from typing import Any

TEXTS = {
    f"PMID:{n}": f"Aspirin relieves migraine on ward {n:02}. Ibuprofen eased other on ward {n:02}."
    for n in range(20)
}
ROWS = "\n".join(json.dumps({"id": id, "text": text}) for id, text in TEXTS.items())
MIDDLE = range(7, 13)  # texts at which the endpoint breaks down
HALF = range(5)  # texts of which a nested question fails meanwhile
FIRST, SECOND = "aspirin TREATS migraine", "ibuprofen TREATS other"
WHOLE = {
    FIRST: "subject: aspirin\npredicate: TREATS\nobject: migraine",
    SECOND: "subject: ibuprofen\npredicate: TREATS\nobject: other",
}


@dataclass
class TwoModels:
    """`own` reads FIRST in all texts and SECOND in the first five; `other` misses FIRST in every
    fourth text and reads SECOND in the first ten. `broken`: at texts of the middle, and at the
    nested question of SECOND, the connection ends.
    """

    broken: threading.Event = field(default_factory=threading.Event)

    def __call__(self, body: dict[str, Any]) -> str:
        asked = str(body["messages"][-1]["content"]).rpartition("Text:\n")[2]
        if " on ward " not in asked:
            if self.broken.is_set() and SECOND in asked:
                raise ConnectionError("the machine behind the endpoint is gone")
            return next(answer for words, answer in WHOLE.items() if words in asked)
        number = int(asked.partition(" on ward ")[2][:2])
        if self.broken.is_set() and number in MIDDLE:
            raise ConnectionError("the machine behind the endpoint is gone")
        own = body["model"] == "own"
        read = [FIRST] * (own or number % 4 != 0) + [SECOND] * (number < (5 if own else 10))
        return f"triples: {'; '.join(read) or 'none'}"
