"""What curators decide."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    APPROVE = "approve"
    REJECT = "reject"
    UNSURE = "unsure"
    SUPERSEDE = "supersede"  # a correction took its place
    UNDO = "undo"


VERDICTS = (str(Verdict.APPROVE), str(Verdict.REJECT), str(Verdict.UNSURE))  # a person's, in words


class State(StrEnum):
    """What the decisions on a statement, folded, say."""

    PROPOSED = "proposed"
    APPROVED = "approved"
    REJECTED = "rejected"
    UNSURE = "unsure"
    SUPERSEDED = "superseded"


class Reason(StrEnum):
    """Why a statement was rejected: a closed list, in the order of keys 1–9."""

    BOUNDARY = "entity boundary"
    WRONG_TERM = "wrong term"
    GENERALITY = "too general or too specific"
    SPECIES = "wrong species"
    NO_RELATION = "no relation stated"
    WRONG_RELATION = "wrong relation or direction"
    NEGATED = "negated"
    HYPOTHESIS = "hypothesis"
    BACKGROUND = "background"
    DUPLICATE = "duplicate"
    OUT_OF_SCOPE = "out of scope"
    OTHER = "other"


class Role(StrEnum):
    """What a person may do in a project; each may what those before it may."""

    READER = "reader"  # look
    CURATOR = "curator"  # propose and decide
    REVIEWER = "reviewer"  # take back the decisions of others
    OWNER = "owner"  # give roles, set policies


@dataclass(frozen=True, slots=True)
class Curator:
    """A person who decides: ORCID iD (0000-0000-0000-0000), name and, where the project says one,
    role.
    """

    orcid: str
    name: str = ""
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class ReviewPolicy:
    """What a project asks of its reviews. `approvals` is how many people must approve a statement;
    `blind`: nobody sees how others judged what waits before they have judged it themselves;
    `newcomer` is the role of whoever has been given none, once the project has an owner.
    """

    approvals: int = 1
    own_approval: bool = True  # may one approve what one marked or corrected
    blind: bool = False
    newcomer: Role = Role.CURATOR


UPDATED = "Replaced in "  # how the note of a decision begins that follows a vocabulary's update


@dataclass(frozen=True, slots=True)
class Decision:
    """One judgement on a statement, or on one piece of its evidence. Append-only.

    `version` is the statement's version (count of its evidence and decisions) that the curator saw.
    `undoes` is the id of the decision taken back (verdict UNDO); `batch` groups decisions made in
    one gesture; `replacement` is the id of the statement that takes its place (verdict SUPERSEDE).
    """

    id: str
    statement: str
    version: int
    verdict: Verdict
    curator: str
    time: str
    evidence: str = ""
    reason: Reason | None = None
    note: str = ""
    batch: str = ""
    undoes: str = ""
    replacement: str = ""
    curator_name: str = ""  # as it was then

    @property
    def follows_update(self) -> bool:
        """Whether only a term's id gave way to that of its successor in a newer vocabulary: the
        statement was right.
        """
        return self.verdict is Verdict.SUPERSEDE and self.note.startswith(UPDATED)
