"""The project's database, a repository a noun: documents, runs, calls, statements, jobs. The only
place of its SQL.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from core.model import utc_now
from core.store.activity import ActivityRepository, DayCount
from core.store.call import CallRepository, CallTotals
from core.store.conflict import ConflictOutcome, ConflictRepository
from core.store.curator import CuratorRepository
from core.store.database import Database
from core.store.document import DocumentRepository
from core.store.document_notice import DocumentDetails
from core.store.document_overview import (
    ASSIGNED,
    TAG,
    WITHDRAWN,
    DocumentFilter,
    DocumentListRepository,
    DocumentOverviewRepository,
    DocumentRow,
)
from core.store.equivalence import Equivalence, EquivalenceRepository, SameVerdict
from core.store.facet import FacetRepository
from core.store.former_label import FormerLabel
from core.store.gate_result import GateResult, GateResultRepository, PlainApprovalRepository
from core.store.identity import IdentityRepository, PaperPair, SourceRecord
from core.store.job import JobRepository
from core.store.judgement import AnswerRating, JudgementRepository, RelevanceJudgement
from core.store.link_rule import LinkRule, LinkRuleRepository
from core.store.namespace import (
    Member,
    MemberChanges,
    Namespace,
    NamespaceRepository,
)
from core.store.project import ProjectRepository
from core.store.proposing import Proposal, RestoredStatement
from core.store.queue import QueueRepository
from core.store.queue_filter import ExportBarrier, QueueFilter, QueueOrder
from core.store.queue_slice import QueuePlace, QueueSliceRepository, StatementRow
from core.store.ranking import RankingRepository
from core.store.release import ReleaseRepository, StoredRelease
from core.store.run import MentionChoice, RunRepository
from core.store.statement import StatementRepository
from core.store.statement_record import StatementRecord
from core.store.support import SupportRepository
from core.store.synonym import Synonym, SynonymRepository
from core.store.text_reading import TextReading, TextReadingRepository
from core.store.unit import UnitRepository
from core.store.view import SavedView, ViewRepository


class Store:
    """Everything a project keeps, behind one address: `Store("sqlite:////path/groundwork.db")`."""

    def __init__(self, url: str, *, clock: Callable[[], str] = utc_now):
        self.database = Database(url, clock=clock)
        self.activity = ActivityRepository(self.database)
        self.project = ProjectRepository(self.database)
        self.curators = CuratorRepository(self.database)
        self.documents = DocumentRepository(self.database)
        self.text_readings = TextReadingRepository(self.database)
        self.document_list = DocumentListRepository(self.database)
        self.document_overview = DocumentOverviewRepository(self.database)
        self.runs = RunRepository(self.database)
        self.calls = CallRepository(self.database)
        self.statements = StatementRepository(self.database)
        self.support = SupportRepository(self.database)
        self.rankings = RankingRepository(self.database)
        self.queue = QueueRepository(self.database)
        self.queue_slices = QueueSliceRepository(self.database)
        self.facets = FacetRepository(self.database)
        self.views = ViewRepository(self.database)
        self.conflicts = ConflictRepository(self.database)
        self.synonyms = SynonymRepository(self.database)
        self.link_rules = LinkRuleRepository(self.database)
        self.equivalences = EquivalenceRepository(self.database)
        self.identity = IdentityRepository(self.database)
        self.namespaces = NamespaceRepository(self.database)
        self.judgements = JudgementRepository(self.database)
        self.jobs = JobRepository(self.database)
        self.releases = ReleaseRepository(self.database)
        self.gate_results = GateResultRepository(self.database)
        self.plain_approvals = PlainApprovalRepository(self.database)
        self.units = UnitRepository(self.database)

    def together(self) -> AbstractContextManager[None]:
        """See `Database.together`: what is written inside is stored as one transaction."""
        return self.database.together()

    def close(self) -> None:
        self.database.close()


__all__ = [
    "ASSIGNED",
    "TAG",
    "WITHDRAWN",
    "AnswerRating",
    "CallTotals",
    "ConflictOutcome",
    "DayCount",
    "DocumentDetails",
    "DocumentFilter",
    "DocumentRow",
    "Equivalence",
    "ExportBarrier",
    "FormerLabel",
    "GateResult",
    "LinkRule",
    "Member",
    "MemberChanges",
    "MentionChoice",
    "Namespace",
    "PaperPair",
    "Proposal",
    "QueueFilter",
    "QueueOrder",
    "QueuePlace",
    "RelevanceJudgement",
    "RestoredStatement",
    "SameVerdict",
    "SavedView",
    "SourceRecord",
    "StatementRecord",
    "StatementRow",
    "Store",
    "StoredRelease",
    "Synonym",
    "TextReading",
]
