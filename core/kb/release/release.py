"""What a release of a knowledge base says of itself: number, licence, people, counts, notes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.errors import InputError
from core.kb.rdf import iri
from core.model import Curator

LICENCES: dict[str, str] = {  # SPDX name → IRI
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC-BY-SA-4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "CC-BY-NC-4.0": "https://creativecommons.org/licenses/by-nc/4.0/",
    "CC-BY-NC-SA-4.0": "https://creativecommons.org/licenses/by-nc-sa/4.0/",
    "ODbL-1.0": "https://opendatacommons.org/licenses/odbl/1-0/",
    "ODC-By-1.0": "https://opendatacommons.org/licenses/by/1-0/",
    "PDDL-1.0": "https://opendatacommons.org/licenses/pddl/1-0/",
}
_NUMBER = re.compile(r"(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})")


@dataclass(frozen=True, slots=True)
class UsedVocabulary:
    """A vocabulary that terms of the release are from. `licence` is "" where none is known."""

    name: str
    title: str
    version: str = ""
    licence: str = ""
    terms: int = 0  # of the release


@dataclass(frozen=True, slots=True)
class RetractedPaper:
    """A paper that was retracted or deleted, and how many statements of the release rest on it."""

    document: str
    title: str
    notice: str
    statements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReleaseForm:
    """What a person says of a release. `licence` is an SPDX name or a web address.
    `with_rejections`: its bundle holds what was rejected or replaced, and its notes say by whom
    and with what note. Not unless somebody asks for it: notes to colleagues cannot be taken back.
    `base_iri`: the project's from now on, before its first release; "" leaves it as it is.
    `placeholder_iri`: that it may have the placeholder's addresses, which lead nowhere.
    """

    number: str
    title: str
    licence: str
    creators: tuple[Curator, ...]
    summary: str = ""
    remarks: str = ""
    with_rejections: bool = False
    base_iri: str = ""
    placeholder_iri: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseDescription(ReleaseForm):
    """A release without its statements: what a person said of it, `licence` as an IRI, and what was
    found. `date` is YYYY-MM-DD, `dataset` the IRI of the knowledge base whatever its version;
    `previous` the number before it, "" for the first.

    `withdrawn` and `changed` say, by the id of a statement, why it is no longer here or what is new
    about it since `previous`.
    """

    # Releases made before the question was asked hold their rejections and do not say so.
    with_rejections: bool = True
    dataset: str
    date: str
    previous: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    categories: Mapping[str, int] = field(default_factory=dict)  # things of each
    predicates: Mapping[str, int] = field(default_factory=dict)  # statements of each
    vocabularies: tuple[UsedVocabulary, ...] = ()
    retracted: tuple[RetractedPaper, ...] = ()
    added: int = 0
    withdrawn: Mapping[str, str] = field(default_factory=dict)
    changed: Mapping[str, str] = field(default_factory=dict)
    policy: tuple[str, ...] = ()  # under which rules it was made, in sentences
    digest: str = ""  # SHA-256 over its statements and their context

    @property
    def iri(self) -> str:
        """The version IRI: of this release and no other."""
        return iri.local_iri(self.dataset, "release", self.number)

    @property
    def licence_name(self) -> str:
        """The licence's SPDX name, else its IRI."""
        return next(
            (name for name, address in LICENCES.items() if address == self.licence), self.licence
        )

    @property
    def citation(self) -> str:
        """How to cite it: `Anna, Ben (2026). Title, release 1.2.0. https://…`."""
        people = ", ".join(person.name or person.orcid for person in self.creators)
        return f"{people} ({self.date[:4]}). {self.title}, release {self.number}. {self.iri}"


def version_sort_key(number: str) -> tuple[int, int, int]:
    """What numbers are ordered by. Raises InputError for what is not of the form 1.2.0.

    >>> sorted(["1.10.0", "1.9.2"], key=version_sort_key)
    ['1.9.2', '1.10.0']
    """
    parts = _NUMBER.fullmatch(number)
    if parts is None:
        raise InputError(
            f"{number[:40]!r} is not a release number.", "Give three numbers, such as 1.2.0."
        )
    return int(parts[1]), int(parts[2]), int(parts[3])


def next_number(previous: str, *, withdrawn: bool, added: bool) -> str:
    """The number to propose: the first part counts releases that withdraw statements, the second
    those that add some, the third those that only change evidence or names.

    >>> next_number("1.2.3", withdrawn=False, added=True)
    '1.3.0'
    >>> next_number("1.2.3", withdrawn=True, added=True)
    '2.0.0'
    """
    if not previous:
        return "1.0.0"
    major, minor, patch = version_sort_key(previous)
    if withdrawn:
        return f"{major + 1}.0.0"
    return f"{major}.{minor + 1}.0" if added else f"{major}.{minor}.{patch + 1}"


def licence_iri(name: str) -> str:
    """The IRI of a licence by its SPDX name (any case), or the IRI that was given.

    >>> licence_iri("cc-by-4.0")
    'https://creativecommons.org/licenses/by/4.0/'
    """
    address_by_name = {spdx.casefold(): address for spdx, address in LICENCES.items()}
    given_name = " ".join(name.split())
    if address := address_by_name.get(given_name.casefold()):
        return address
    if re.fullmatch(r"https?://[^\s<>\"]+", given_name):
        return iri.checked_iri(given_name)
    raise InputError(
        f"{given_name[:60]!r} is not a licence." if given_name else "A release needs a licence.",
        f"Give one of {', '.join(LICENCES)}, or the web address of another.",
    )
