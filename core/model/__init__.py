"""The nouns of the desk (docs/architecture.md, Nouns): values that every room shares, and
how they are identified.

Everything here is immutable and knows nothing of storage, screens or networks. Offsets are
half-open and count Unicode code points. Scores are between 0 and 1. Times are ISO 8601 strings in
UTC.
"""

from core.model.decision import (
    VERDICTS,
    Curator,
    Decision,
    Reason,
    ReviewPolicy,
    Role,
    State,
    Verdict,
)
from core.model.listing import DocumentOrder, DocumentShow, RankOrder, ReadingOrder
from core.model.mention import Candidate, MatchKind, Mention, Outcome
from core.model.paper_status import PaperStatus, is_withdrawn, status_mark
from core.model.problem import Problem, Severity
from core.model.statement import (
    ENDS,
    MANUAL,
    Evidence,
    Ground,
    Modality,
    Qualifier,
    RecordGround,
    ReferenceGround,
    Statement,
    TextGround,
    identity_json,
)
from core.model.support import NOT_CALIBRATED, NOT_JUDGED, Support, SupportVerdict, best_of
from core.model.term import (
    Category,
    Literal,
    Node,
    Term,
    Thing,
    fold_words,
    node_id,
    relation_words,
    thing_words,
)
from core.model.text import Document, Span, TextVersion
from core.model.trace import Call, CallState, Job, JobState, Run
from core.model.value import Json, json_digest, utc_now

__all__ = [
    "ENDS",
    "MANUAL",
    "NOT_CALIBRATED",
    "NOT_JUDGED",
    "VERDICTS",
    "Call",
    "CallState",
    "Candidate",
    "Category",
    "Curator",
    "Decision",
    "Document",
    "DocumentOrder",
    "DocumentShow",
    "Evidence",
    "Ground",
    "Job",
    "JobState",
    "Json",
    "Literal",
    "MatchKind",
    "Mention",
    "Modality",
    "Node",
    "Outcome",
    "PaperStatus",
    "Problem",
    "Qualifier",
    "RankOrder",
    "ReadingOrder",
    "Reason",
    "RecordGround",
    "ReferenceGround",
    "ReviewPolicy",
    "Role",
    "Run",
    "Severity",
    "Span",
    "State",
    "Statement",
    "Support",
    "SupportVerdict",
    "Term",
    "TextGround",
    "TextVersion",
    "Thing",
    "Verdict",
    "best_of",
    "fold_words",
    "identity_json",
    "is_withdrawn",
    "json_digest",
    "node_id",
    "relation_words",
    "status_mark",
    "thing_words",
    "utc_now",
]
