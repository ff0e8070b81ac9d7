"""A model made of rules, and a grounder made of a dictionary."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

from core.errors import RemoteError
from core.extraction.mention_grounding import Grounding
from core.llm.completer import OnText, Reply, Request, Usage
from core.model import Candidate, MatchKind, Outcome, Problem, Span, Term, fold_words
from core.schema.definition import Schema


class RuleModel:
    """Answers by the first rule whose words are in the text that is asked about; counts how many
    are under way.
    """

    model = "rules"

    def __init__(
        self, rules: Mapping[str, str | Exception], wait: Callable[[], None] = lambda: None
    ):
        self.rules, self.wait = rules, wait
        self.asked: list[Request] = []
        self._lock = threading.Lock()

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        with self._lock:
            self.asked.append(request)
        self.wait()
        text = request.messages[-1].content.rpartition("Text:\n")[2]
        for words, answer in self.rules.items():
            if words in text:
                if isinstance(answer, Exception):
                    raise answer
                return Reply(answer, usage=Usage(10, 5))
        raise RemoteError(f"No rule for: {text[:80]}")

    @property
    def paths(self) -> list[str]:
        return sorted(request.path for request in self.asked)


class Names:
    """Knows the terms of a dictionary: folded words → term."""

    def __init__(self, terms: Mapping[str, Term]):
        self.terms = {fold_words(words): term for words, term in terms.items()}

    def ground(
        self,
        words: str,
        constraint: object,
        *,
        context: str = "",
        span: Span | None = None,
        limit: int = 10,
    ) -> tuple[Candidate, ...]:
        term = self.terms.get(fold_words(words))
        return (Candidate(term, MatchKind.LABEL, 1.0),) if term else ()

    def check(self, id: str, constraint: object) -> tuple[Candidate | None, tuple[Problem, ...]]:
        term = next((term for term in self.terms.values() if term.id == id), None)
        return (Candidate(term, MatchKind.LABEL, 1.0), ()) if term else (None, ())

    def species_at(self, text: str, span: Span | None, constraint: object) -> tuple[str, str]:
        return "", ""


def choose(candidates: Sequence[Candidate]) -> tuple[Term | None, Outcome]:
    return (candidates[0].term, Outcome.GROUNDED) if candidates else (None, Outcome.UNGROUNDED)


def names(schema: Schema, terms: Mapping[str, Term]) -> Grounding:
    return Grounding(Names(terms), lambda cls: cls, choose, schema)
