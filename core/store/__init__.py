"""The project's database: documents, runs and calls, statements, decisions, jobs. The only place of its SQL."""

from core.store.call import Calls, Usage
from core.store.document import Documents
from core.store.job import Jobs
from core.store.literature import Judgement, Literature, Member, Namespace, Rating
from core.store.queue import Filter, Queue
from core.store.run import Choice, Runs
from core.store.statement import Proposal, Record, Statements
from core.store.synonym import People, Synonym, Synonyms


class Store(Documents, Runs, Calls, Statements, Queue, Synonyms, People, Jobs, Literature):
    """Everything a project keeps, behind one address: `Store("sqlite:////path/groundwork.db")`."""


__all__ = [
    "Choice",
    "Filter",
    "Judgement",
    "Member",
    "Namespace",
    "Proposal",
    "Rating",
    "Record",
    "Store",
    "Synonym",
    "Usage",
]
