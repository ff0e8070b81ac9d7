"""The form of a release as it is proposed, and what makes it whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from core.desk_parts import HasProject
from core.errors import InputError
from core.kb.entry import ExportEntry
from core.kb.release.difference import ReleaseDifference
from core.kb.release.release import (
    ReleaseDescription,
    ReleaseForm,
    licence_iri,
    next_number,
    version_sort_key,
)
from core.model import Curator
from core.services.people.orcid import checked_curator

MOST_WORDS = 5_000  # characters of a summary or a remark


def proposed_form(
    desk: HasProject,
    entries: Iterable[ExportEntry],
    previous: ReleaseDescription | None,
    changes: ReleaseDifference,
) -> ReleaseForm:
    """The form as the last release had it; its people are those whose approvals stand."""
    number = next_number(
        previous.number if previous else "",
        withdrawn=bool(changes.withdrawn),
        added=bool(changes.added),
    )
    earlier = previous.creators if previous else ()
    names = {person.orcid: person.name for person in earlier}
    names |= {person.orcid: person.name for person in desk.store.curators.all() if person.name}
    approvals = Counter(d.curator for entry in entries for d in entry.approvals)
    people = sorted(approvals, key=lambda orcid: (-approvals[orcid], orcid))
    return ReleaseForm(
        number,
        previous.title if previous else desk.settings.project_name or desk.folder.name,
        previous.licence_name if previous else "",
        creators=tuple(Curator(orcid, names.get(orcid, "")) for orcid in people),
        summary=previous.summary if previous else "",
        with_rejections=previous.with_rejections if previous else False,
        placeholder_iri=previous.placeholder_iri if previous else False,
    )


def checked_form(form: ReleaseForm, previous: ReleaseDescription | None) -> ReleaseForm:
    """The form with its licence as an IRI. Raises InputError for what is missing or wrong."""
    key_ = version_sort_key(form.number)
    if previous and key_ <= version_sort_key(previous.number):
        raise InputError(
            f"{form.number} does not come after {previous.number}.",
            "Give a number higher than that of every earlier release.",
        )
    title = " ".join(form.title.split())
    if not title:
        raise InputError("A release needs a title.")
    if not form.creators:
        raise InputError(
            "A release needs at least one creator.", "Give an ORCID iD for each creator."
        )
    if max(len(form.summary), len(form.remarks), len(title)) > MOST_WORDS:
        raise InputError(f"A text of the release has more than {MOST_WORDS:,} characters.")
    people = tuple(checked_curator(person.orcid, person.name) for person in form.creators)
    if twice := [orcid for orcid, n in Counter(p.orcid for p in people).items() if n > 1]:
        raise InputError(f"{twice[0]} is listed twice as a creator.", "Remove one of the lines.")
    return replace(
        form,
        title=title,
        licence=licence_iri(form.licence),
        creators=people,
        summary=form.summary.strip(),
        remarks=form.remarks.strip(),
    )
