"""What a SPIRES run will take: before it starts, when the number of values in its lists is read off
the text; and once its first question is answered, when the questions that remain are counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.extraction.budget import Limits
from core.extraction.engine import Estimate
from core.extraction.spires.prompt import asked_slots, spires_prompt
from core.llm.token_count import tokens_in
from core.model import Problem, fold_words
from core.schema.definition import RangeKind, Schema, Slot
from core.text.sentence import split_sentences

COMMA = re.compile(r"[,;]\s|\n|\band\b")
ANSWER = 40  # tokens of an answer to a nested question, about
SHARE = 0.3  # of the text's tokens, which an answer repeats in slots that are no questions
EMPTY, LONG = 10, 4  # tokens of an answer that states nothing; of a long one, as a multiple
WORDS = 12  # tokens of the words that a nested question is about
# Sentences to a value, and the fewest values of a text: abstracts have 6.2 in 206 recorded answers
# and 4.5 in BC5CDR (relations); a title alone has about one value.
SENTENCES, FEWEST = 5, 1.0
NESTED = 2  # values of a list inside a list
UNASKED, NOT_ASKED = "over-budget", "Not asked about: "  # as `recursion` says what a limit left out
STEP = re.compile(r"([A-Za-z_]\w*)(?:\[\d+\])?(?:\+\d+)?")


def estimate_run(schema: Schema, cls: str, text: str, limits: Limits) -> Estimate:
    """The lists have no value at the least, as a rule one for every five sentences together, and at
    the most each one for every comma.
    """
    lists = sum(slot.multivalued for slot in nested_slots(schema, cls)) or 1
    pieces = len(split_sentences(text))
    least, fewest_in, fewest_out = nested_below(schema, cls, limits, values=0, nested=1)
    values = pieces + len(COMMA.findall(text))
    most, most_in, most_out = nested_below(schema, cls, limits, values, nested=NESTED + 1)
    expected = max(pieces / SENTENCES, FEWEST) / lists
    calls, tokens_asked, answered = nested_below(schema, cls, limits, expected, nested=NESTED)
    prompt_tokens = tokens_in(spires_prompt(schema, cls, text))
    out = _first_answer(schema, cls, text, expected * lists)
    estimated = Estimate(
        *(1, prompt_tokens, out, calls, round(tokens_asked), round(answered)),
        least=1 + round(least),
        most=1 + round(most),
        fewest_in=round(fewest_in),
        fewest_out=EMPTY + round(fewest_out),
        most_in=round(most_in),
        most_out=LONG * out + round(most_out),
    )
    return estimated.within(limits.calls, limits.tokens)


def _first_answer(schema: Schema, cls: str, text: str, questions: float) -> int:
    """Tokens of an answer to the first question: the names of its fields, the words of each further
    question, and a share of the text for the other fields.
    """
    slots, nested = asked_slots(schema.classes[cls]), nested_slots(schema, cls)
    names = tokens_in("".join(f"{slot.name}: \n" for slot in slots))
    plain = 1 - len(nested) / len(slots) if slots else 0
    return round(names + questions * WORDS * bool(nested) + SHARE * plain * tokens_in(text))


def nested_below(
    schema: Schema, cls: str, limits: Limits, values: float, *, nested: int, depth: int = 0
) -> tuple[float, float, float]:
    """Calls, tokens in and tokens out of all that a question leads to; `values` in a list of the
    root (a mean need not be whole), `nested` further in.
    """
    calls = tokens_asked = answered = 0.0
    for slot in nested_slots(schema, cls) if depth < min(limits.depth, 3) else ():
        below = nested_below(schema, slot.range, limits, values, nested=nested, depth=depth + 1)
        many = (nested if depth else values) if slot.multivalued else 1
        own = tokens_in(spires_prompt(schema, slot.range, "")) + WORDS
        calls += many * (1 + below[0])
        tokens_asked += many * (own + below[1])
        answered += many * (ANSWER + below[2])
    return calls, tokens_asked, answered


def nested_slots(schema: Schema, cls: str) -> list[Slot]:
    """The slots whose values are questions of their own."""
    slots = asked_slots(schema.classes[cls])
    return [
        s for s in slots if s.kind is RangeKind.OBJECT and s.recurse and s.range in schema.classes
    ]


def unasked_questions(
    schema: Schema, cls: str, problems: Iterable[Problem], limits: Limits, *, answer: int = ANSWER
) -> Estimate:
    """The questions that a limit left out, with what their answers may lead to in turn. `answer` is
    the tokens that an answer to one of them has. Nothing where whole parts of the text are left.
    """
    left: dict[tuple[str, str], Estimate] = {}
    for problem in problems:
        if problem.code == UNASKED and NOT_ASKED not in problem.message:
            return Estimate()
        words = problem.message.partition(NOT_ASKED)[2]
        steps = problem.where.rpartition("/")[2].split(".")
        asked = class_at(schema, cls, steps) if problem.code == UNASKED else ""
        if not asked:
            continue
        below = nested_below(schema, asked, limits, NESTED, nested=NESTED, depth=len(steps))
        own = tokens_in(spires_prompt(schema, asked, words))
        calls, tokens_asked, answered = 1 + below[0], own + below[1], answer + below[2]
        left[asked, fold_words(words)] = Estimate(
            nested=calls, nested_in=round(tokens_asked), nested_out=round(answered)
        )
    return sum(left.values(), Estimate())


def class_at(schema: Schema, cls: str, steps: Iterable[str]) -> str:
    """The class at a place of a result, such as `triples[0].subject`; "" where there is none."""
    for step in steps:
        name = STEP.fullmatch(step)
        if name is None:
            return ""
        slots = {slot.name: slot.range for slot in schema.classes[cls].slots}
        cls = slots.get(name[1], cls if name[1] == "items" else "")  # `items`: of a list of roots
        if cls not in schema.classes:
            return ""
    return cls
