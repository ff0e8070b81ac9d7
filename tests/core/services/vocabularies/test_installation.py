"""Installing by name as a job, from a loopback server: progress, Stop and going on, checksum, size
cap, offline; nothing half done, nothing from elsewhere.
"""

from __future__ import annotations

import hashlib

import pytest
from werkzeug import Request, Response

from core.desk import open_desk
from core.errors import BadAnswer, NotFound, Refused, Stopped, Unreachable
from core.grounding.install import catalogue
from core.grounding.install.catalogue import VocabularyRelease
from core.model import Category, JobState
from core.services.vocabularies import changes, installation, origins, own_files, vocabularies
from core.settings import load_settings
from core.web import WebClient
from core.web.download import download

OBO = """format-version: 1.2
data-version: 9

[Term]
id: UO:1
name: unit

[Term]
id: UO:2
name: metre
is_a: UO:1
"""
NEWER = (
    OBO.replace("data-version: 9", "data-version: 10").replace("metre", "meter")
    + """
[Term]
id: UO:3
name: obsolete ell
is_obsolete: true
replaced_by: UO:2
"""
)
PATH = "/m/purl.obolibrary.org/obo/uo.obo"


@pytest.fixture
def desk(tmp_path, monkeypatch, httpserver):
    monkeypatch.setenv("GROUNDWORK_VOCABULARY_URL", httpserver.url_for("/m"))
    desk = open_desk(load_settings(tmp_path / "project"))
    yield desk
    desk.close()


def installed(desk, name="uo"):
    job = installation.start_installing(desk, name)
    return desk.runner.wait(job.id, 60)


def test_a_release_is_installed_by_a_job_and_its_origin_is_noted(desk, httpserver):
    httpserver.expect_request(PATH).respond_with_data(OBO)
    job = installed(desk)
    assert (job.state, job.error) == (JobState.DONE, "")
    assert vocabularies.vocabulary_entry(desk, "uo").version == "9"
    origin = origins.vocabulary_origins(desk)["uo"]
    assert origin["sha256"] == hashlib.sha256(OBO.encode()).hexdigest()
    assert list((desk.folder / "uploads").glob("downloads/*")) == []


def test_an_update_says_what_changed(desk, httpserver):
    httpserver.expect_oneshot_request(PATH).respond_with_data(OBO.replace("metre", "ell"))
    installed(desk)
    httpserver.expect_request(PATH).respond_with_data(NEWER)
    assert installed(desk).result["changes"] == {
        "new": 0, "renamed": 1, "obsolete": 0, "missing": 0
    }  # fmt: skip
    changed = changes.last_changes(desk, "uo")
    assert [(change.id, change.before, change.after) for change in changed.renamed] == [
        ("UO:2", "ell", "meter")
    ]


def test_a_newer_file_of_ones_own_says_what_changed(desk, tmp_path):
    path = tmp_path / "uo.obo"
    path.write_text(OBO)
    installation.add_vocabulary(desk, path)
    assert changes.latest_changes(desk) == {}
    path.write_text(NEWER)
    installation.add_vocabulary(desk, path)
    assert changes.latest_changes(desk)["uo"].counts["renamed"] == 1


def test_the_current_release_says_what_it_changes_against_the_base_set(
    tmp_path, monkeypatch, httpserver
):
    monkeypatch.setenv("GROUNDWORK_VOCABULARY_URL", httpserver.url_for("/m"))
    monkeypatch.setenv("GROUNDWORK_BASE_SET", "on")
    monkeypatch.setenv("GROUNDWORK_CACHE", str(tmp_path / "cache"))
    httpserver.expect_request(PATH).respond_with_data(OBO.replace("UO:2", "UO:0000008"))
    desk = open_desk(load_settings(tmp_path / "project"))
    assert installed(desk).error == ""
    (renamed,) = changes.last_changes(desk, "uo").renamed
    assert (renamed.id, renamed.before, renamed.after) == ("UO:0000008", "meter", "metre")
    desk.close()


def test_an_older_file_that_cannot_be_read_hinders_no_newer_one(desk, httpserver):
    desk.vocabularies.mkdir(parents=True, exist_ok=True)
    (desk.vocabularies / "uo.obo").write_bytes(b"\x00\x01")
    httpserver.expect_request(PATH).respond_with_data(OBO)
    assert installed(desk).state is JobState.DONE
    assert vocabularies.vocabulary_entry(desk, "uo").version == "9"


@pytest.mark.parametrize("name", catalogue.RELEASES)
def test_every_name_that_is_offered_can_be_asked_for(desk, name):
    release = installation.release_of(desk, name)
    hosts = {address.split("/")[2] for address in release.addresses(2026)}
    assert hosts <= set(catalogue.HOSTS)
    assert own_files.safe_name(release.file) == release.file


def test_a_name_that_cannot_be_installed_is_refused_with_those_that_can(desk):
    with pytest.raises(NotFound) as unknown:
        installation.start_installing(desk, "http://elsewhere.example/x.obo")
    offered = unknown.value.hint.removeprefix("There are: ").split(". Or")[0].split(", ")
    assert offered == list(installation.installable_names())
    with pytest.raises(Refused, match="with the app"):
        installation.start_installing(desk, "ucum")


def test_a_job_says_in_a_sentence_that_there_is_no_network(desk, httpserver):
    httpserver.expect_request(PATH).respond_with_data(OBO)
    installed(desk)
    httpserver.stop()
    job = installed(desk)
    assert job.state is JobState.FAILED
    assert "cannot be downloaded" in job.error
    assert vocabularies.vocabulary_entry(desk, "uo").version == "9"
    httpserver.start()


def test_a_file_that_is_not_a_vocabulary_leaves_the_old_one(desk, httpserver):
    httpserver.expect_oneshot_request(PATH).respond_with_data(OBO)
    installed(desk)
    httpserver.expect_request(PATH).respond_with_data("<html>sorry</html>")
    assert installed(desk).state is JobState.FAILED
    assert vocabularies.vocabulary_entry(desk, "uo").version == "9"


def test_a_broken_download_reports_its_progress_and_continues(desk, httpserver):
    text = OBO + "! a comment\n" * 200_000

    def cut(request: Request) -> Response:
        answer = Response(text[:1_000_000], headers={"ETag": '"1"'})
        answer.automatically_set_content_length = False
        answer.headers["Content-Length"] = str(len(text))
        return answer

    httpserver.expect_oneshot_request(PATH).respond_with_handler(cut)
    job = installed(desk)
    assert "broke off after 0.8 MB. Resume it" in job.error
    httpserver.expect_request(PATH).respond_with_handler(ranged(text.encode()))
    assert installed(desk).state is JobState.DONE
    assert httpserver.log[-1][0].headers["Range"] == "bytes=786432-"


def test_stopping_while_it_is_prepared_keeps_the_download(desk, httpserver, monkeypatch):
    def whole_or_nothing_left(request: Request) -> Response:
        if "Range" in request.headers:
            return Response("", 416, headers={"Content-Range": f"bytes */{len(OBO)}"})
        return Response(OBO, headers={"ETag": '"1"'})

    def stop(task, watch):
        raise Stopped("Stop.")

    httpserver.expect_request(PATH).respond_with_handler(whole_or_nothing_left)
    with monkeypatch.context() as patch, pytest.raises(Stopped):
        patch.setattr(own_files, "compile_apart", stop)
        installation.install_vocabulary(desk, "uo")
    assert installed(desk).error == ""
    assert [answer.status_code for _, answer in httpserver.log] == [200, 416]
    assert list((desk.folder / "uploads").glob("downloads/*")) == []


def test_a_text_without_a_length_that_ends_inside_a_line_is_not_installed(desk, httpserver):
    def unsized(request: Request) -> Response:
        return Response(iter([OBO[:-3]]))

    httpserver.expect_request(PATH).respond_with_handler(unsized)
    assert "middle of a" in installed(desk).error
    assert "uo" not in desk.vocabulary_registry.own()


def test_a_redirect_to_a_private_address_is_not_followed(desk, httpserver):
    leads = {"Location": "http://10.0.0.5/uo.obo"}
    httpserver.expect_request(PATH).respond_with_data("", 302, headers=leads)
    assert "10.0.0.5" in installed(desk).error
    assert len(httpserver.log) == 1


def test_last_years_release_is_taken_where_this_years_is_not_out(desk):
    release = catalogue.RELEASES["mesh"]
    assert [address[-11:] for address in release.addresses(2027)] == ["desc2027.gz", "desc2026.gz"]


def test_an_upload_is_added_by_a_job_with_what_it_holds(desk):
    job = installation.start_adding(
        desk, "mine.tsv", b"id\tlabel\nX:1\tone\n", kinds=(Category.CHEMICAL,)
    )
    assert desk.runner.wait(job.id, 60).error == ""
    assert vocabularies.vocabulary_entry(desk, "mine").holds == ("chemical",)


# ---------------------------------------------------------------- downloads


def client(httpserver):
    return WebClient(own=[httpserver.url_for("/")])


def ranged(content: bytes, stamp: str = '"1"'):
    def answer(request: Request) -> Response:
        start = 0
        if request.headers.get("If-Range") == stamp:
            start = int(request.headers["Range"].removeprefix("bytes=").rstrip("-"))
        status = 206 if start else 200
        return Response(content[start:], status, headers={"ETag": stamp})

    return answer


def test_a_stopped_download_continues_where_it_was(tmp_path, httpserver):
    content = bytes(range(256)) * 8000
    httpserver.expect_request("/f.gz").respond_with_handler(ranged(content))
    seen = []

    def stop(done, total):
        seen.append(done)
        if len(seen) == 2:
            raise Stopped("Stop.")

    with pytest.raises(Stopped):
        download(
            client(httpserver),
            httpserver.url_for("/f.gz"),
            tmp_path / "f",
            largest=10**7,
            watch=stop,
        )
    later = []
    downloaded = download(
        client(httpserver), httpserver.url_for("/f.gz"), tmp_path / "f", largest=10**7,
        watch=lambda done, total: later.append(done),
    )  # fmt: skip
    assert downloaded.path.read_bytes() == content
    assert later[0] > seen[-1]
    assert httpserver.log[-1][0].headers["Range"] == f"bytes={seen[-1]}-"


def test_changed_download_is_not_appended_to_the_old_part(tmp_path, httpserver):
    (tmp_path / "f.part").write_bytes(b"old half")
    url = httpserver.url_for("/f.gz")
    (tmp_path / "f.part.json").write_text(f'{{"url": "{url}", "stamp": "\\"0\\""}}')
    httpserver.expect_request("/f.gz").respond_with_handler(ranged(b"new whole"))
    downloaded = download(client(httpserver), url, tmp_path / "f", largest=100)
    assert downloaded.path.read_bytes() == b"new whole"


@pytest.mark.parametrize("largest", [5, 8])
def test_a_file_over_the_size_cap_is_refused(tmp_path, httpserver, largest):
    httpserver.expect_request("/f.gz").respond_with_data(b"123456789")
    with pytest.raises(BadAnswer, match="larger than"):
        download(client(httpserver), httpserver.url_for("/f.gz"), tmp_path / "f", largest=largest)


def test_a_wrong_checksum_is_reported_and_nothing_is_kept(tmp_path, httpserver):
    httpserver.expect_request("/f.gz").respond_with_data(b"123")
    url = httpserver.url_for("/f.gz")
    with pytest.raises(BadAnswer, match="checksum"):
        download(client(httpserver), url, tmp_path / "f", largest=100, md5="0" * 32)
    assert list(tmp_path.iterdir()) in ([], [tmp_path / "f.part.json"])


def test_no_host_beside_the_list_is_asked(tmp_path):
    with pytest.raises(Refused):
        download(
            WebClient(catalogue.HOSTS), "https://elsewhere.example/x", tmp_path / "f", largest=9
        )


def test_missing_server_is_reported_as_unreachable(tmp_path):
    with pytest.raises(Unreachable):
        download(
            WebClient(own=["http://127.0.0.1:9"]), "http://127.0.0.1:9/x", tmp_path / "f", largest=9
        )


def test_the_mirror_keeps_host_and_path():
    release = VocabularyRelease("x", "X", "https://a.example/b/c.obo", "x.obo", "CC0")
    assert list(release.addresses(2026, "http://m.example/base/")) == [
        "http://m.example/base/a.example/b/c.obo"
    ]
