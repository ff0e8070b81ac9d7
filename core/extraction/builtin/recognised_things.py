"""The things that were recognised in a text, by class and by position."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from core.extraction.builtin.groups import MentionGroup
from core.extraction.builtin.slot_constraints import said_of_another
from core.extraction.builtin.subject import may_be_subject, subject_of_text
from core.model import Span
from core.schema.definition import ClassDefinition, Schema, Slot
from core.support.reading.pair_features import Kinds
from core.text.span_index import SpanIndex


class ThingsInText:
    """Answers for a schema's classes, each worked out once: a long text is filled sentence by
    sentence.
    """

    def __init__(self, schema: Schema, text: str, groups: Sequence[MentionGroup], kinds: Kinds):
        self.schema, self.text, self.groups, self.kinds = schema, text, groups, kinds
        self._places = SpanIndex((span, None) for group in groups for span in group.spans)
        self._of: dict[str, list[MentionGroup]] = {}
        self._places_of: dict[str, SpanIndex[int]] = {}
        self._subjects: dict[str, Span | None] = {}
        self._rivals: dict[str, tuple[tuple[Span, ...], tuple[Span, ...]]] = {}

    def of(self, cls: str) -> list[MentionGroup]:
        """The things of a class or of those below it, each term once."""
        if cls not in self._of:
            kinds = {cls} | {
                name
                for name, definition in self.schema.classes.items()
                if cls in definition.parents
            }
            by_key: dict[str, MentionGroup] = {}
            for group in self.groups:
                if group.cls in kinds:
                    by_key.setdefault(group.key, group)
            self._of[cls] = list(by_key.values())
        return self._of[cls]

    def within(self, cls: str, part: Span) -> list[tuple[MentionGroup, tuple[Span, ...]]]:
        """The things of a class that a part of the text names, with where it does."""
        groups = self.of(cls)
        if cls not in self._places_of:
            self._places_of[cls] = SpanIndex(
                (span, number) for number, group in enumerate(groups) for span in group.spans
            )
        places_within = self._places_of[cls].within(part.start, part.end)
        return [
            (groups[number], tuple(span for span, _ in places))
            for number, places in groupby(places_within, key=lambda place: place[1])
        ]

    def spans_within(self, part: Span) -> list[Span]:
        """Where a part of the text names anything, thing by thing."""
        return [span for span, _ in self._places.within(part.start, part.end)]

    def subject(self, cls: ClassDefinition) -> Span | None:
        """What names the thing of a class that the whole text is about; None without a name."""
        if cls.name not in self._subjects:
            own = [group for group in self.groups if group.cls == cls.name]
            self._subjects[cls.name] = subject_of_text(
                self.text,
                [group for group in own if may_be_subject(group, cls.category, self.kinds)],
            )
        return self._subjects[cls.name]

    def about(self, cls: ClassDefinition) -> MentionGroup | None:
        """The thing of a class that the whole text is about; its title, where no vocabulary has
        that name.
        """
        subject = self.subject(cls) if cls.is_entity else None
        if subject is None:
            return None
        own = next((group for group in self.of(cls.name) if subject in group.spans), None)
        return own or MentionGroup(subject.quote(self.text), cls.name, (subject,), ())

    def of_subject(
        self,
        cls: ClassDefinition,
        slot: Slot,
        placed_groups: list[tuple[MentionGroup, tuple[Span, ...]]],
    ) -> list[tuple[MentionGroup, tuple[Span, ...]]]:
        """Of the mentions for a slot, those that no sentence says of another thing of the class."""
        own, others = self.rivals(cls)
        kept = [
            (
                group,
                tuple(
                    s for s in spans if not said_of_another(self.text, slot, s, own, others=others)
                ),
            )
            for group, spans in placed_groups
        ]
        return [(group, spans) for group, spans in kept if spans]

    def rivals(self, cls: ClassDefinition) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        """The names of what the whole text is about, and of the other things of its class that it
        might be about, but for broader and narrower ones; nothing where its name is not known.
        """
        if cls.name not in self._rivals:
            subject = self.subject(cls)
            own = next((g for g in self.of(cls.name) if subject in g.spans), None)
            others = [
                group
                for group in self.of(cls.name)
                if own
                and group is not own
                and may_be_subject(group, cls.category, self.kinds)
                and own.key not in self.kinds(group.key)
                and group.key not in self.kinds(own.key)
            ]
            names = own.spans if own else ()
            self._rivals[cls.name] = names, tuple(s for group in others for s in group.spans)
        return self._rivals[cls.name]
