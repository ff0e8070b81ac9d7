"""Every piece of evidence is asked whether it says its statement: when it is proposed, and again
when the judges have changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.desk_parts import HasStore
from core.extraction.tree import Extraction
from core.model import (
    ENDS,
    Evidence,
    Literal,
    Mention,
    Node,
    RecordGround,
    Statement,
    Support,
    SupportVerdict,
    Term,
    TextGround,
    Thing,
    relation_words,
    thing_words,
)
from core.services.review.authority import StoredSources
from core.services.support.end_naming import EndNaming
from core.services.support.shown_support import best_support
from core.store import StatementRecord
from core.support.claim import Claim, ClaimEnd, Passage, ThingInPassage
from core.support.judge import Judge
from core.support.naming import Naming, named_in
from core.support.verdict import VERSION, judge

TOGETHER = 200  # statements that are judged and stored in one go
MOST_NAMES = 60  # of a term
RECORD = "record"  # the judge of what a stored answer says in a field
ENDS_ONLY = Support(
    SupportVerdict.SILENT,
    probability=0.05,
    reasons=("it only shows that both are named in the text",),
    judges=(RECORD,),
    rules=VERSION,
)
OF_A_NODE = Support(
    SupportVerdict.UNCLEAR,
    0.5,
    ("one end is a part of something and has no name that could be looked for",),
    ("rules",),
    VERSION,
)
FROM_RECORD = Support(
    SupportVerdict.SUPPORTS,
    probability=0.95,
    reasons=("the record says it in the field quoted",),
    judges=(RECORD,),
    rules=VERSION,
)


def judge_statements(
    desk: HasStore, ids: Iterable[str], things: tuple[ThingInPassage, ...] = ()
) -> dict[str, dict[str, Support]]:
    """Judge what is stored of these statements and keep the verdicts: statement → evidence →
    verdict. What was judged by judges of this version stands. `things` are what their text names,
    where all of them are of one text.
    """
    wanted = list(dict.fromkeys(ids))
    known = desk.store.support.of_statements(wanted)
    asker = EvidenceJudge(desk, things)
    for start in range(0, len(wanted), TOGETHER):
        records = desk.store.statements.of_ids(wanted[start : start + TOGETHER])
        fresh: dict[str, tuple[str, Support]] = {}
        for record in records:
            own = known.setdefault(record.id, {})
            for piece in record.evidence:
                if piece.id in own and own[piece.id].rules == VERSION:
                    continue
                if verdict := asker.support_of(record.statement, piece):
                    own[piece.id] = verdict
                    fresh[piece.id] = (record.id, verdict)
        desk.store.support.put(fresh)
    return known


def support_of_record(desk: HasStore, record: StatementRecord) -> Support | None:
    """The verdict that a statement shows, asked for now where it was not yet."""
    return best_support(judge_statements(desk, [record.id]).get(record.id, {}), record.evidence)


class EvidenceJudge:
    """Asks the judges of pieces of evidence (those registered, unless others are given); what it
    reads of a project it reads once.
    """

    def __init__(
        self,
        desk: HasStore,
        things: tuple[ThingInPassage, ...] = (),
        judges: tuple[Judge, ...] = (),
    ):
        self._desk, self._things, self._judges = desk, things, judges
        self._sources = StoredSources(desk.store)
        self._naming = EndNaming(desk)

    def support_of(self, statement: Statement, piece: Evidence, text: str = "") -> Support | None:
        """The verdict on one piece; None where it holds nothing that can be read. `text` is the
        text that it is quoted from, where that is not stored.
        """
        match piece.ground:
            case RecordGround():
                return FROM_RECORD
            case TextGround(version=version, span=span, quote=quote):
                if piece.path == ENDS:
                    return ENDS_ONLY
                whole = text or self._sources.text(version)
                if whole is None or span.quote(whole) != quote:
                    passage = Passage(quote)
                else:
                    passage = Passage(whole, span, things=self._things)
                return self._asked(statement, passage)
        return None

    def _asked(self, statement: Statement, passage: Passage) -> Support:
        claim = self.claim_of(statement)
        if isinstance(statement.subject, Node) or isinstance(statement.object, Node):
            return OF_A_NODE
        if isinstance(statement.object, Literal):
            return _of_value(claim, passage)
        return judge(self._placed(claim, passage), passage, self._judges)

    def _placed(self, claim: Claim, passage: Passage) -> Claim:
        """The claim, its ends looked for in the passage by recognition where their names are not
        there.
        """
        ends = [self._found(end, passage) for end in (claim.subject, claim.object)]
        return replace(claim, subject=ends[0], object=ends[1])

    def _found(self, end: ClaimEnd, passage: Passage) -> ClaimEnd:
        named = named_in(end, passage)
        if named and not named.refers and named.how is not Naming.PART:
            return end
        spans, kinds = self._naming.read_places(end, passage)
        return replace(end, spans=(*end.spans, *spans), kinds=tuple(kinds))

    def claim_of(self, statement: Statement) -> Claim:
        """The statement in words, with every name that its ends may go by."""
        return Claim(
            self._end(statement.subject),
            relation_words(statement.predicate),
            self._end(statement.object),
            negated=statement.negated,
            modality=statement.modality,
        )

    def _end(self, thing: Thing) -> ClaimEnd:
        words = thing_words(thing)
        if isinstance(thing, Literal):
            return ClaimEnd(tuple(dict.fromkeys((words, thing.value))))
        names = (words, *self._naming.names(thing.id)) if isinstance(thing, Term) else (words,)
        known = tuple(dict.fromkeys(name for name in names if name.strip()))
        spans = tuple(span for t in self._things if t.key == thing.id for span in t.spans)
        return ClaimEnd(known[:MOST_NAMES], thing.category, spans, thing.id)


def _of_value(claim: Claim, passage: Passage) -> Support:
    """A value is read where its words stand: whether they are said of the subject no rule reads."""
    if named_in(claim.object, passage) is None:
        reason = f"the value, “{claim.object.words}”, does not stand in it"
        return Support(
            SupportVerdict.SILENT,
            probability=0.05,
            reasons=(reason,),
            judges=("rules",),
            rules=VERSION,
        )
    if named_in(claim.subject, passage) is None:
        reason = f"the subject, “{claim.subject.words}”, is not named beside the value"
        return Support(
            SupportVerdict.UNCLEAR,
            probability=0.5,
            reasons=(reason,),
            judges=("rules",),
            rules=VERSION,
        )
    reason = "the value stands beside the subject"
    return Support(
        SupportVerdict.SUPPORTS,
        probability=0.7,
        reasons=(reason,),
        judges=("rules",),
        rules=VERSION,
    )


def things_of(extraction: Extraction) -> tuple[ThingInPassage, ...]:
    """What an extraction found named in its text: what a claim's ends are told apart from."""
    by_key: dict[str, list[Mention]] = {}
    for mention in extraction.mentions:
        key = mention.chosen.id if mention.chosen and mention.chosen.id else mention.text.casefold()
        by_key.setdefault(key, []).append(mention)
    return tuple(
        ThingInPassage(
            key,
            tuple(sorted({s for m in mentions for s in m.spans}, key=lambda span: span.start)),
            mentions[0].category,
        )
        for key, mentions in by_key.items()
    )
