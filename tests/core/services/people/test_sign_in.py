"""Who a sign-in is."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.cli.people import VERBS
from core.desk import Desk
from core.errors import Forbidden, InputError, NotFound, Refused
from core.model import Role
from core.services.people import roles, sign_in
from core.settings import Settings
from tests import reviewing
from tests.reviewing import ANNA, BEN

SETTINGS = Settings(Path("p"))
ORCID_CLAIMS = {"iss": "https://orcid.org", "sub": ANNA.orcid, "name": "Anna"}
OTHER = {"iss": "https://login.example", "sub": "u1", "name": "Ben", "orcid": ANNA.orcid}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = reviewing.empty(tmp_path)
    yield desk
    desk.close()


def test_orcid_itself_proves_an_orcid(desk: Desk) -> None:
    identity = sign_in.sign_in_of_claims(SETTINGS, ORCID_CLAIMS)
    curator = sign_in.signed_in_curator(desk, identity)
    assert curator is not None
    assert (curator.orcid, curator.name) == (ANNA.orcid, "Anna")


def test_provider_other_than_orcid_proves_no_orcid(desk: Desk) -> None:
    identity = sign_in.sign_in_of_claims(SETTINGS, OTHER)
    assert identity.orcid == ""
    assert sign_in.signed_in_curator(desk, identity) is None
    assert sign_in.waiting_sign_ins(desk) == {"https://login.example u1": "Ben"}


def test_the_operator_may_say_which_claim_holds_it() -> None:
    trusted = replace(SETTINGS, orcid_claim="orcid")
    assert sign_in.sign_in_of_claims(trusted, OTHER).orcid == ANNA.orcid


def test_the_first_who_comes_owns_the_project_and_no_second(desk: Desk) -> None:
    identity = sign_in.sign_in_of_claims(SETTINGS, OTHER)
    own = sign_in.connect_oneself(desk, identity, BEN.orcid)
    assert desk.store.curators.role(own.orcid) is Role.OWNER
    assert sign_in.signed_in_curator(desk, identity) is not None
    stranger = sign_in.SignIn("https://login.example u2", "Mallory")
    with pytest.raises(Refused):
        sign_in.connect_oneself(desk, stranger, BEN.orcid)


def test_an_owner_connects_the_others(desk: Desk) -> None:
    sign_in.connect_oneself(desk, sign_in.SignIn("k1", "Ben"), BEN.orcid)
    identity = sign_in.SignIn("k2", "Anna")
    assert sign_in.signed_in_curator(desk, identity) is None
    with pytest.raises(Forbidden):
        sign_in.connect_sign_in(desk, "k2", ANNA.orcid, ANNA.orcid)
    with pytest.raises(InputError):
        sign_in.connect_sign_in(desk, "k2", "1234", BEN.orcid)
    sign_in.connect_sign_in(desk, "k2", ANNA.orcid, BEN.orcid)
    curator = sign_in.signed_in_curator(desk, identity)
    assert curator is not None and curator.orcid == ANNA.orcid
    assert sign_in.waiting_sign_ins(desk) == {}


def test_request_without_the_trusted_header_is_nobody() -> None:
    with pytest.raises(Forbidden, match="proxy"):
        sign_in.sign_in_of_header("  ")
    assert sign_in.sign_in_of_header(ANNA.orcid).orcid == ANNA.orcid
    assert sign_in.sign_in_of_header("anna@lab.example").orcid == ""


@pytest.mark.parametrize("address", ["0.0.0.0", "", "192.168.1.4", "::", "desk.example"])
def test_another_address_is_refused_without_a_sign_in(address: str) -> None:
    assert "GROUNDWORK_OPEN_TO_ANYONE" in sign_in.why_not_served(SETTINGS, address, signs_in=False)
    assert sign_in.why_not_served(SETTINGS, address, signs_in=True) == ""
    in_so_many_words = replace(SETTINGS, open_to_anyone=True)
    assert sign_in.why_not_served(in_so_many_words, address, signs_in=False) == ""


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "::1"])
def test_loopback_address_needs_no_sign_in(address: str) -> None:
    assert sign_in.why_not_served(SETTINGS, address, signs_in=False) == ""


def test_operator_who_names_the_owner_also_assigns_sign_ins(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody is there who could connect the owner, and whoever comes first is not the owner."""
    roles.appoint_person(desk, ANNA.orcid, "Anna", Role.OWNER)
    identity = sign_in.sign_in_of_claims(SETTINGS, OTHER | {"name": "A. \u202eAnna"})
    assert sign_in.signed_in_curator(desk, identity) is None
    assert not sign_in.may_connect_oneself(desk)
    (people,) = VERBS

    def connect(*words: str | None) -> str:
        people.run(desk, Namespace(action="connect", sign_in=words[0], orcid=words[1]))
        return capsys.readouterr().out

    (line,) = connect(None, None).splitlines()
    assert json.loads(line) == {"sign_in": identity.key, "name": "A. Anna"}
    with pytest.raises(NotFound):
        connect("somebody else", ANNA.orcid)
    connect(identity.key, ANNA.orcid)
    assert connect(None, None) == ""
    owner = sign_in.signed_in_curator(desk, identity)
    assert owner is not None and desk.store.curators.role(owner.orcid) is Role.OWNER


@pytest.mark.parametrize(
    "value", [f"mallory{ANNA.orcid}", f"{ANNA.orcid}@evil.example", f"{ANNA.orcid} {BEN.orcid}"]
)
def test_a_header_that_only_holds_an_orcid_proves_none(value: str) -> None:
    assert sign_in.sign_in_of_header(value).orcid == ""
