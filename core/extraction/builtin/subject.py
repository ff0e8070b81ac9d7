"""What a whole text is about, where a schema asks for one thing: the name in its title, or the name
that its first sentence or the text gives most often.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.extraction.builtin.end_kinds import EndKind, end_kind
from core.extraction.builtin.groups import MentionGroup
from core.extraction.builtin.outline import content_lines, title_line
from core.model import Category, Span
from core.support.reading.pair_features import Kinds
from core.text.phrases import phrases

# "Loeys-Dietz syndrome type 7": what follows a name and is a part of it
_NUMBERED = re.compile(r"\s*,?\s*(?:(?:type|stage|variant|form|grade)\s+)?[\dIVX]+[A-Za-z]?\s*")
# "Graves disease (GD) presents with …": a name with which a sentence on it begins
_PREDICATE = re.compile(r"(?:\s\([^)]{1,20}\))?,?\s(?:is|are|was|presents?|causes?|affects?|has)\b")
# Words that a title has and a name has not: "Gallbladder disease in dogs: a review", "We report …"
_SENTENCE = phrases(
    {
        "in|with|for|by|on|to|at|from|after|during": "Stones during pregnancy",
        "we|is|are|was|were|an?|the": "We saw stones",
        "case|report|review|study|stud(?:y|ies)|trial|update": "Gallstones update",
        "effects?|role|management|treatment|patients?": "Gallstone management",
    },
    also={"[:.?!;]": "Gallstones: new data"},
)
# What a thing of a category must be, where its vocabulary says what it is: MeSH holds everything.
_KINDS = {
    Category.DISEASE: EndKind.CONDITION,
    Category.PHENOTYPE: EndKind.CONDITION,
    Category.CHEMICAL: EndKind.MOLECULE,
    Category.GENE: EndKind.GENE,
    Category.PATHWAY: EndKind.PROCESS,
}
_PATHWAY = re.compile(r"(?:pathway|signal(?:l)?ing|cascade|signal transduction)$", re.IGNORECASE)
MOST_WORDS = 8  # of a title that is a name


def subject_of_text(text: str, groups: Sequence[MentionGroup]) -> Span | None:
    """The words that name what a text is about; `groups` are the things of that class. None where
    the text names no such thing: a first sentence is no name.

    "Graves disease presents with …" is about the name that it begins with. A title on a line of its
    own that is a name and no sentence stands, known or not. Else it is the known name of the title
    or first sentence, the one that the text gives most often if there are several, or else the one
    that the whole text does.
    """
    title = title_line(text)
    named = {span: group for group in groups for span in group.spans}
    if title in named:
        return title
    spans_in_title = sorted(
        (span for span in named if title.start <= span.start and span.end <= title.end),
        key=lambda span: (
            not (span.start == title.start and _PREDICATE.match(text, span.end)),
            -len(named[span].spans),
            span.start,
        ),
    )
    if spans_in_title:
        after = text[spans_in_title[0].end : title.end]
        whole = spans_in_title[0].start == title.start and _NUMBERED.fullmatch(after)
        return (
            title if whole else min(named[spans_in_title[0]].within(title), key=lambda s: s.start)
        )
    if _is_name(text, title):
        return title
    if not named:
        return None
    most = max(groups, key=lambda group: (len(group.spans), -group.spans[0].start))
    return most.spans[0]


def may_be_subject(group: MentionGroup, category: Category, kinds: Kinds) -> bool:
    """Whether a thing may be what a class of this category is about: a disease, and no enzyme out
    of the same vocabulary; a pathway, and no other process.
    """
    kind = end_kind(group.key, kinds(group.key))
    if kind and kind != _KINDS.get(category, kind):
        return False
    labels = [candidate.term.label for candidate in group.candidates[:1]]
    return category is not Category.PATHWAY or any(map(_PATHWAY.search, labels))


def _is_name(text: str, title: Span) -> bool:
    """Whether a title is a line of its own, and reads like a name."""
    words = title.quote(text)
    lines = content_lines(text)
    alone = len(lines) > 1 and lines[0] == title
    return alone and len(words.split()) <= MOST_WORDS and not _SENTENCE.search(words)
