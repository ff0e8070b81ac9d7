"""People of a project, their roles, and what the project asks of its reviews."""

from __future__ import annotations

from core.desk_parts import HasStore
from core.errors import InputError
from core.model import Curator, ReviewPolicy, Role
from core.services.people.orcid import add_curator

MOST_APPROVALS = 5


def list_people(desk: HasStore) -> list[Curator]:
    """Everyone who was named here or decided something, with the role that counts for them."""
    curators = desk.store.curators
    return [
        Curator(curator.orcid, curator.name, curators.role(curator.orcid))
        for curator in curators.all()
    ]


def add_person(desk: HasStore, orcid: str, name: str, role: Role | None, *, owner: str) -> Curator:
    """Add a person, or change their name and role. Raises Forbidden unless an owner does so, and
    Refused where no owner would be left.
    """
    desk.store.curators.need(owner, Role.OWNER)
    person = add_curator(desk, orcid, name)
    if role is not None:
        desk.store.curators.set_role(person.orcid, role)
    return person


def appoint_person(desk: HasStore, orcid: str, name: str, role: Role) -> Curator:
    """The operator's word, on the machine itself: whoever may write the database may do this."""
    person = add_curator(desk, orcid, name)
    desk.store.curators.set_role(person.orcid, role)
    return person


def review_policy(desk: HasStore) -> ReviewPolicy:
    return desk.store.project.policy()


def set_policy(desk: HasStore, policy: ReviewPolicy, owner: str) -> None:
    """What is decided from now on follows it; what was decided stays. Raises Forbidden unless an
    owner says so.
    """
    desk.store.curators.need(owner, Role.OWNER)
    if not 1 <= policy.approvals <= MOST_APPROVALS:
        raise InputError(f"Between 1 and {MOST_APPROVALS} people approve a statement.")
    desk.store.project.set_policy(policy)


def has_owner(desk: HasStore) -> bool:
    return any(curator.role is Role.OWNER for curator in desk.store.curators.all())


def require_role(desk: HasStore, orcid: str | None, role: Role = Role.CURATOR) -> None:
    """Raises Forbidden where this person may do less than `role` does. "" is somebody who gave no
    name, None the operator, who works on the machine itself.
    """
    if orcid is not None:
        desk.store.curators.need(orcid, role)
