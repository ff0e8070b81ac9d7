"""A relation rule from examples: sentences in which a person marked the subject as <…> and the
object as [...]; what stands between the two in each of them becomes the pattern.

The words that the examples share, in their order, are kept: equal ones as they are, and words with
one stem as that stem (`abrogat*`); what differs between them becomes a gap (`..2`). A verb whose
subject goes first is read in the active voice only (`~be`), unless an example has a form of *be*
before it. The same examples give the same rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InputError

FORWARD, BACKWARD = "S…O", "O…S"
LEAST_STEM = 5  # letters that two forms of a word share
LONGEST_ENDING = 4  # letters that forms of a word may have behind the stem
LEAST_SHARE = 0.6  # of the longer word that the stem is: "controls" and "contrasts" share less
WIDEST = 8  # words that a gap may stand for
LIGHT = frozenset(
    re.findall(
        r"\w+",
        "a an the of in on to by with for and or at from as is are was were be been has have had"
        " its their this that which also",
    )
)
NOT_BE = "~be"  # in the language of `relation_rules.tsv`: not behind a form of "be"
_BE = frozenset(("is", "are", "was", "were", "be", "been", "being"))
# In the letters of the text: "NO" is nitric oxide.
_DENIAL = re.compile(
    r"\b(?:not(?! only\b)|no|never|neither|nor|cannot|fail(?:s|ed|ing)? to|unable to)\b|n['’]t\b"
)
_MARKED = re.compile(r"<([^<>\[\]]+)>|\[([^<>\[\]]+)\]")
_WORD = re.compile(r"[^\W_][\w'’-]*")


@dataclass(frozen=True, slots=True)
class ExamplePattern:
    """What examples share: a direction (`S…O`, `O…S`) and a pattern of `relation_rules.tsv`."""

    direction: str
    pattern: str


def pattern_of_examples(examples: Sequence[str]) -> ExamplePattern:
    """The pattern of two or more marked sentences. Raises InputError that says what they lack.

    >>> pattern_of_examples(["<A> abrogates [B].", "<C> strongly abrogated the [D]."])
    ExamplePattern(direction='S…O', pattern='~be abrogat*')
    """
    if len(examples) < 2:
        raise InputError("A rule is made of two examples.", "Mark another sentence.")
    read = [_between(example) for example in examples]
    if len({direction for direction, _ in read}) > 1:
        raise InputError(
            "One example names the subject first, the other the object.",
            "Mark two sentences in the same order; the other order is another rule.",
        )
    tokens = [(word, 0) for word in read[0][1]]
    for _, words in read[1:]:
        tokens = _shared(tokens, words)
    kept = _trimmed(tokens)
    if not any(token.removesuffix("*") not in LIGHT for token, _ in kept):
        raise InputError(
            "The examples share no telling word between their two ends.",
            "Mark two sentences that say it with the same verb.",
        )
    direction, pattern = read[0][0], _written(kept)
    if direction == FORWARD and not any(_behind_be(words, kept[0][0]) for _, words in read):
        pattern = f"{NOT_BE} {pattern}"
    return ExamplePattern(direction, pattern)


def _between(example: str) -> tuple[str, list[str]]:
    """The direction of an example, and the words between its ends."""
    marks = list(_MARKED.finditer(example))
    roles = [mark.lastindex for mark in marks]
    if sorted(role or 0 for role in roles) != [1, 2]:
        raise InputError(
            f"“{example[:80]}” has no single <subject> and [object].",
            "Write: <Gefitinib> abrogates [EGFR] signalling.",
        )
    first, second = marks
    between = example[first.end() : second.start()]
    if _DENIAL.search(between):
        raise InputError(
            f"“{example[:80]}”: An example denies the relation.",
            "Mark two sentences that state it.",
        )
    words = _WORD.findall(between.casefold())
    return (FORWARD if roles[0] == 1 else BACKWARD), words


def _shared(tokens: Sequence[tuple[str, int]], words: Sequence[str]) -> list[tuple[str, int]]:
    """The longest run of tokens that words have in the same order; each with how many words stand
    before it at most, since the one before it.
    """
    best: list[list[list[tuple[int, int]]]] = [
        [[] for _ in range(len(words) + 1)] for _ in range(len(tokens) + 1)
    ]
    for i in range(len(tokens) - 1, -1, -1):
        for j in range(len(words) - 1, -1, -1):
            skip = max(best[i + 1][j], best[i][j + 1], key=len)
            taken = best[i + 1][j + 1]
            alike = _alike(tokens[i][0], words[j])
            best[i][j] = [(i, j), *taken] if alike and len(taken) + 1 > len(skip) else skip
    shared, before_i, before_j = [], -1, -1
    for i, j in best[0][0]:
        skipped = sum(gap + 1 for _, gap in tokens[before_i + 1 : i]) + tokens[i][1]
        shared.append((_alike(tokens[i][0], words[j]), max(skipped, j - before_j - 1)))
        before_i, before_j = i, j
    return shared


def _alike(token: str, word: str) -> str:
    """The token that stands for both: the word, or the stem that they share; "" for neither."""
    stem = token.removesuffix("*")
    if stem == word and not token.endswith("*"):
        return word
    shared = 0
    while shared < min(len(stem), len(word)) and stem[shared] == word[shared]:
        shared += 1
    if shared > LEAST_STEM and word[shared - 1] == "e":  # abrogat* is read in "abrogating", too
        shared -= 1
    longest = max(len(stem), len(word))
    is_stem = shared >= max(LEAST_STEM, LEAST_SHARE * longest)
    return f"{word[:shared]}*" if is_stem and longest - shared <= LONGEST_ENDING else ""


def _behind_be(words: Sequence[str], token: str) -> bool:
    """Whether the first word that a token stands for has a form of "be" right before it."""
    stem = token.removesuffix("*")
    at = next((n for n, word in enumerate(words) if word[: len(stem)] == stem), 0)
    return at > 0 and words[at - 1] in _BE


def _trimmed(tokens: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """The tokens from the first telling word on: articles before it say nothing."""
    begin = next((n for n, (token, _) in enumerate(tokens) if token not in LIGHT), len(tokens))
    kept = list(tokens[begin:])
    while kept and kept[-1][0] in ("a", "an", "the"):
        kept.pop()
    return kept


def _written(tokens: Sequence[tuple[str, int]]) -> str:
    parts: list[str] = []
    for number, (token, gap) in enumerate(tokens):
        if number and gap:
            parts.append(f"..{min(gap, WIDEST)}")
        parts.append(token)
    return " ".join(parts)
