from __future__ import annotations

from pathlib import Path

import pytest

from core.app_secrets import app_secrets, misnamed_secrets
from core.errors import SettingsError
from core.settings import EDITABLE, ENVIRONMENT, Secret, load_settings, save_settings, to_toml


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (*ENVIRONMENT, "GROUNDWORK_PROJECT", "GROUNDWORK_TOKEN_X"):
        monkeypatch.delenv(variable, raising=False)


def test_environment_goes_before_the_file_and_the_file_before_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path).model == ""
    (tmp_path / "project.toml").write_text('model = "from-file"\n')
    assert load_settings(tmp_path).model == "from-file"
    assert load_settings(tmp_path, {"GROUNDWORK_MODEL": "from-secrets"}).model == "from-secrets"


def test_the_process_goes_before_streamlit_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-process")
    assert (
        load_settings(tmp_path, {"OPENAI_API_KEY": "from-secrets"}).openai_api_key == "from-process"
    )


def test_the_project_folder_is_given_or_named_or_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_settings().project == tmp_path / "project"
    assert (
        load_settings(environ={"GROUNDWORK_PROJECT": str(tmp_path / "a")}).project == tmp_path / "a"
    )
    assert load_settings(tmp_path / "b", {"GROUNDWORK_PROJECT": "a"}).project == tmp_path / "b"


def test_secrets_never_show(tmp_path: Path) -> None:
    settings = load_settings(
        tmp_path,
        {"OPENAI_API_KEY": "sk-123", "NCBI_EMAIL": "me@x.org", "GROUNDWORK_TOKEN_X": "t0k"},
    )
    assert not any(secret in repr(settings) for secret in ("sk-123", "me@x.org", "t0k"))
    assert repr(Secret("")) == "''"
    assert set(settings.secrets) == {"sk-123", "me@x.org", "t0k"}
    assert settings.tokens["X"] == "t0k"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("OPENAI_BASE_URL", "ftp://x"),
        ("OPENAI_BASE_URL", "http://user:secret@x"),
        ("GROUNDWORK_NCBI_INTERVAL", "fast"),
        ("GROUNDWORK_NCBI_INTERVAL", "-1"),
        ("GROUNDWORK_DATABASE_URL", "postgres"),
        ("GROUNDWORK_API_HOSTS", "a b/c"),
        ("GROUNDWORK_MODEL_PARALLEL", "0"),
        ("GROUNDWORK_BASE_IRI", "no iri"),
        ("GROUNDWORK_PRICES", "{"),
        ("GROUNDWORK_PRICES", '{"m": 3}'),
    ],
)
def test_a_bad_value_names_its_variable_and_not_itself(
    tmp_path: Path, variable: str, value: str
) -> None:
    with pytest.raises(SettingsError, match=variable) as caught:
        load_settings(tmp_path, {variable: value})
    assert "secret" not in str(caught.value)


def test_keys_and_addresses_are_not_taken_from_the_project(tmp_path: Path) -> None:
    (tmp_path / "project.toml").write_text('openai_base_url = "https://evil.example"\n')
    with pytest.raises(SettingsError, match="only the environment"):
        load_settings(tmp_path)


def test_a_broken_file_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "project.toml").write_text("model = \n")
    with pytest.raises(SettingsError, match=r"project\.toml is not TOML.*line 1"):
        load_settings(tmp_path)


def test_saved_setting_is_read_again_and_others_are_kept(tmp_path: Path) -> None:
    (tmp_path / "project.toml").write_text("model = 'a'\n[other]\nkept = [1, 2]\n")
    settings = load_settings(tmp_path)
    save_settings(
        settings, {"model": 'b "quoted" \\ \n é', "prices": {"m:1": [1, 2.5]}, "project_name": None}
    )
    assert load_settings(tmp_path).model == 'b "quoted" \\ é'
    assert load_settings(tmp_path).prices == {"m:1": (1.0, 2.5)}
    assert "kept = [1, 2]" in (tmp_path / "project.toml").read_text()


def test_a_setting_can_be_taken_back_to_its_default(tmp_path: Path) -> None:
    save_settings(load_settings(tmp_path), {"max_calls": 7})
    save_settings(load_settings(tmp_path), {"max_calls": None})
    assert load_settings(tmp_path).max_calls == 500


@pytest.mark.parametrize("name", ["openai_api_key", "database_url", "nonsense"])
def test_operators_settings_cannot_be_saved_in_a_project(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match=name):
        save_settings(load_settings(tmp_path), {name: "x"})


def test_toml_is_sorted_and_escaped() -> None:
    assert (
        to_toml({"b": True, "a": "x\ny", "t": {"k k": 1.5}})
        == 'a = "x\\ny"\nb = true\n\n[t]\n"k k" = 1.5\n'
    )


def test_ncbi_is_never_asked_faster_than_is_polite_except_at_ones_own_address(
    tmp_path: Path,
) -> None:
    fast = {"GROUNDWORK_NCBI_INTERVAL": "0"}
    own = {
        "GROUNDWORK_NCBI_EUTILS_URL": "http://127.0.0.1:1/e",
        "GROUNDWORK_NCBI_BLAST_URL": "http://127.0.0.1:1/b",
    }
    assert load_settings(tmp_path, fast).ncbi_interval == 0.4
    assert load_settings(tmp_path, fast | {"NCBI_API_KEY": "k"}).ncbi_interval == 0.11
    assert load_settings(tmp_path, fast | own).ncbi_interval == 0.0
    assert load_settings(tmp_path, {"NCBI_API_KEY": "k"}).ncbi_interval == 0.11


def test_every_editable_setting_has_a_variable() -> None:
    assert all(f"GROUNDWORK_{name.upper()}" in ENVIRONMENT for name in EDITABLE)


def test_hosts_are_a_sorted_set(tmp_path: Path) -> None:
    assert load_settings(tmp_path, {"GROUNDWORK_API_HOSTS": "B.org, a.org\nb.org"}).api_hosts == (
        "a.org",
        "b.org",
    )


def test_a_model_is_there_with_a_name_and_a_way_to_it(tmp_path: Path) -> None:
    assert not load_settings(tmp_path, {"OPENAI_API_KEY": "k"}).has_model
    assert load_settings(tmp_path, {"OPENAI_API_KEY": "k", "GROUNDWORK_MODEL": "m"}).has_model
    assert load_settings(
        tmp_path, {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "GROUNDWORK_MODEL": "m"}
    ).has_model


@pytest.mark.parametrize(
    "name", [".streamlit/secrets.toml.txt", ".streamlit/Secret.toml", "secrets.toml"]
)
def test_a_secrets_file_under_a_wrong_name_is_found(tmp_path: Path, name: str) -> None:
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").touch()
    assert misnamed_secrets(tmp_path) == ""
    (tmp_path / name).touch()
    assert misnamed_secrets(tmp_path) == name
    (tmp_path / ".streamlit" / "secrets.toml").touch()
    assert misnamed_secrets(tmp_path) == ""


def test_the_command_line_knows_what_the_app_was_given_as_secrets(tmp_path: Path) -> None:
    file = tmp_path / "secrets.toml"
    assert app_secrets(file) == {}
    file.write_text('OPENAI_API_KEY = "sk-1"\nGROUNDWORK_MODEL = "m"\n[auth]\nx = "y"\n', "utf-8")
    assert app_secrets(file) == {"OPENAI_API_KEY": "sk-1", "GROUNDWORK_MODEL": "m"}
    settings = load_settings(tmp_path, app_secrets(file))
    assert settings.has_model and "sk-1" not in repr(settings)
    file.write_text("OPENAI_API_KEY = sk-1", "utf-8")
    with pytest.raises(SettingsError, match=r"secrets.toml cannot be read.*line 1") as raised:
        app_secrets(file)
    assert "quotes" in raised.value.hint
