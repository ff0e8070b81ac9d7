"""Imports of imports, beside the file that imports them."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.schema import schema_cache
from core.schema.load import load_schema


def write(folder: Path, files: dict[str, str]) -> Path:
    """The schemas, by path; the path of `main.yaml`."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"name: {Path(name).stem}\n{text}\n")
    return folder / "main.yaml"


MAIN = "classes: {Root: {tree_root: true, is_a: Thing}}"


@pytest.mark.parametrize(
    "files",
    [
        {"main.yaml": f"imports: [parts/a]\n{MAIN}", "parts/a.yaml": "imports: [b]",
         "parts/b.yaml": "classes: {Thing: }"},
        {"main.yaml": f"imports: [parts/a]\n{MAIN}", "parts/a.yaml": "imports: [./b.yaml]",
         "parts/b.yaml": "classes: {Thing: }"},
        {"main.yaml": f"imports: [parts/a]\n{MAIN}", "parts/a.yaml": "imports: [b]",
         "b.yaml": "classes: {Thing: }"},
        {"main.yaml": f"imports: [./lib/a.yaml]\n{MAIN}", "lib/a.yaml": "imports: [../b]",
         "b.yaml": "classes: {Thing: }"},
        {"main.yaml": f"prefixes: {{own: ./lib/}}\nimports: ['own:a']\n{MAIN}",
         "lib/a.yaml": "classes: {Thing: }"},
    ],
    ids=["beside", "beside-with-dot", "neighbour-of-main", "parent-folder", "prefix-of-a-folder"],
)  # fmt: skip
def test_an_import_is_found_from_the_file_that_has_it(tmp_path: Path, files: dict[str, str]):
    assert load_schema(write(tmp_path, files)).classes["Root"].parents == ("Thing",)


TWO = {
    "main.yaml": (
        "imports: [x/index, y/index]\n"
        "classes: {Root: {tree_root: true, attributes: {a: {range: X}, b: {range: Y}}}}"
    ),
    "x/index.yaml": "imports: [thing]",
    "x/thing.yaml": "classes: {X: {attributes: {one: }}}",
    "y/index.yaml": "imports: [thing]",
    "y/thing.yaml": "classes: {Y: {attributes: {two: }}}",
}


def test_two_files_of_one_name_are_two(tmp_path: Path) -> None:
    assert {"X", "Y"} <= set(load_schema(write(tmp_path, TWO)).classes)


def test_a_kept_schema_is_read_again_where_an_import_of_an_import_changed(tmp_path: Path) -> None:
    main, cache = write(tmp_path, TWO), tmp_path / "cache"
    load_schema(main, cache_folder=cache)
    assert schema_cache.find_cached(cache, main.read_text(), "main.yaml", (tmp_path,))
    write(tmp_path, {"y/thing.yaml": "classes: {Y: {attributes: {three: }}}"})
    slots = load_schema(main, cache_folder=cache).classes["Y"].slots
    assert [slot.name for slot in slots] == ["three"]


def test_an_import_never_leaves_the_folders(tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("name: secret\nclasses: {Thing: }\n")
    main = write(
        tmp_path / "own",
        {"main.yaml": f"imports: [lib/a]\n{MAIN}", "lib/a.yaml": "imports: [../../secret]"},
    )
    with pytest.raises(InputError, match="not found"):
        load_schema(main)
