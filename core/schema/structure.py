"""The shape of a schema's YAML, checked and put straight before LinkML sees it; every repair is a
Problem.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from typing import Any

from linkml_runtime.linkml_model import meta
from rapidfuzz import process

from core.model import Problem, Severity
from core.schema.source import BadSchema, Path, SchemaSource

Data = dict[str, Any]
SECTIONS = {
    "classes": meta.ClassDefinition,
    "slots": meta.SlotDefinition,
    "enums": meta.EnumDefinition,
}
SECTIONS |= {"types": meta.TypeDefinition}
_LISTS = frozenset(
    {
        "imports",
        "slots",
        "mixins",
        "id_prefixes",
        "values_from",
        "inherits",
        "include",
        "minus",
        "keywords",
        "aliases",
    }
)
_NCNAME = re.compile(r"[A-Za-z_][\w.\-]*")


class SchemaStructure:
    """A schema's data in LinkML's normal form, with the problems met on the way."""

    def __init__(self, source: SchemaSource):
        self.source = source
        self.problems: list[Problem] = list(source.problems)
        self.data: Data = self._top(dict(source.data))

    def report(  # noqa: PLR0917
        self,
        code: str,
        message: str,
        path: Path,
        hint: str = "",
        severity: Severity = Severity.ERROR,
    ) -> None:
        line = f"line {self.source.line(*path)}"
        self.problems.append(Problem(code, message, severity, where=line, hint=hint))

    def slots(self) -> Iterator[tuple[Path, Data]]:
        """Every slot written in the schema, with its place: shared ones, attributes and
        refinements.
        """
        for name, slot in self.data["slots"].items():
            yield ("slots", name), slot
        for name, cls in self.data["classes"].items():
            for part in ("attributes", "slot_usage"):
                for slot_name, slot in cls.get(part, {}).items():
                    yield ("classes", name, part, slot_name), slot

    def definition(self) -> meta.SchemaDefinition:
        """As LinkML's own object. Raises BadSchema when LinkML refuses it for a reason not found
        before.
        """
        try:
            return meta.SchemaDefinition(**self.data)
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            message = f"LinkML does not accept this schema: {_short(error)}."
            raise BadSchema(message, code="not-accepted", name=self.source.name) from None

    # -------------------------------------------------------------- top level

    def _top(self, data: Data) -> Data:
        data = self._without_unknown_keys(data, meta.SchemaDefinition, ())
        for key in ("imports", "keywords"):
            if key in data:
                data[key] = [str(item) for item in self._list(data[key])]
        for section, kind in SECTIONS.items():
            data[section] = self._section(data.get(section), section, kind)
        data["name"] = self._name(data)
        data["id"] = str(data.get("id") or f"https://example.org/{data['name']}")
        data["prefixes"] = self._prefixes(data.get("prefixes"))
        return self._constructible(data, meta.SchemaDefinition, (), keep=(*SECTIONS, "name", "id"))

    def _name(self, data: Data) -> str:
        name = str(data.get("name") or self.source.name.removesuffix(".yaml"))
        return (
            name
            if _NCNAME.fullmatch(name)
            else re.sub(r"[^\w.\-]+", "_", "_" + name).strip("_") or "schema"
        )

    def _prefixes(self, prefixes: Any) -> dict[str, str]:
        if not isinstance(prefixes, dict):
            if prefixes is not None:
                self.report(
                    "wrong-shape", "prefixes must be a list of names with addresses.", ("prefixes",)
                )
            return {}
        iris = {}
        for name, value in prefixes.items():
            iri = value.get("prefix_reference") if isinstance(value, dict) else value
            if (
                isinstance(iri, str)
                and re.match(r"[a-z][a-z0-9+.\-]*:", iri, re.I)
                and not re.search(r"[\s<>\"]", iri)
            ):
                iris[name] = iri
            else:
                self.report(
                    "bad-prefix", f"the prefix {name} has no web address.", ("prefixes", name)
                )
        return iris

    # -------------------------------------------------------------- elements

    def _section(self, section: Any, name: str, kind: type) -> dict[str, Data]:
        elements = self._mapping(section, (name,))
        return {key: self._element(value, kind, (name, key)) for key, value in elements.items()}

    def _element(self, value: Any, kind: type, path: Path) -> Data:
        if isinstance(value, str):
            value = {"description": value}
        if value is not None and not isinstance(value, dict):
            self.report(
                "wrong-shape",
                f"{path[-1]} must be followed by indented lines such as description:.",
                path,
            )
        data = self._without_unknown_keys(
            dict(value) if isinstance(value, dict) else {}, kind, path
        )
        data.pop("name", None)
        for key in _LISTS & set(data):
            data[key] = self._list(data[key])
        if "annotations" in data:
            data["annotations"] = self._annotations(data["annotations"], (*path, "annotations"))
        if "examples" in data:
            data["examples"] = [
                e if isinstance(e, dict) else {"value": str(e)}
                for e in self._list(data["examples"])
            ]
        for part in ("attributes", "slot_usage"):
            if part in data:
                data[part] = {
                    key: self._element(slot, meta.SlotDefinition, (*path, part, key))
                    for key, slot in self._mapping(data[part], (*path, part)).items()
                }
        if "permissible_values" in data:
            data["permissible_values"] = self._permissible(
                data["permissible_values"], (*path, "permissible_values")
            )
        return self._constructible(data, kind, path)

    def _permissible(self, values: Any, path: Path) -> dict[str, Data]:
        permissible = {}
        for name, value in self._mapping(values, path, key="text").items():
            data = {"description": value} if isinstance(value, str) else dict(value or {})
            data = self._without_unknown_keys(data, meta.PermissibleValue, (*path, name))
            data.pop("text", None)
            if "aliases" in data:
                data["aliases"] = [str(alias) for alias in self._list(data["aliases"])]
            permissible[name] = self._constructible(
                data, meta.PermissibleValue, (*path, name), name_key="text"
            )
        return permissible

    def _annotations(self, annotations: Any, path: Path) -> dict[str, str]:
        texts = {}
        for name, value in self._mapping(annotations, path, key="tag").items():
            value = value.get("value") if isinstance(value, dict) else value
            if isinstance(value, list):
                value = ", ".join(map(str, value))
            texts[name] = (
                str(value).lower()
                if isinstance(value, bool)
                else ""
                if value is None
                else str(value)
            )
        return texts

    # -------------------------------------------------------------- shapes

    def _mapping(self, value: Any, path: Path, key: str = "name") -> Data:
        """A mapping by name; a list of names, or of mappings with a name, becomes one."""
        if isinstance(value, dict):
            return value
        data: Data = {}
        for number, item in enumerate(self._list(value)):
            if isinstance(item, dict) and item.get(key):
                data[str(item[key])] = item
            elif isinstance(item, dict) and len(item) == 1:
                data |= item
            elif isinstance(item, str | int | float):
                data[str(item)] = None
            else:
                self.report("wrong-shape", f"an entry of {path[-1]} has no name.", (*path, number))
        return data

    def _list(self, value: Any) -> list[Any]:
        return value if isinstance(value, list) else [] if value is None else [value]

    def _without_unknown_keys(self, data: Data, kind: type, path: Path) -> Data:
        """The parts that LinkML knows; the others are reported."""
        known_fields = {field.name for field in dataclasses.fields(kind)}
        for key in [key for key in data if key not in known_fields]:
            owner = f" of {'.'.join(map(str, path[1:]))}" if path else ""
            hint = _did_you_mean(key, known_fields)
            self.report(
                "unknown-key",
                f"{key}{owner} is not a word of LinkML and is left out.",
                (*path, key),
                hint,
            )
            del data[key]
        return data

    def _constructible(
        self,
        data: Data,
        kind: type,
        path: Path,
        *,
        keep: tuple[str, ...] = (),
        name_key: str = "name",
    ) -> Data:
        """The data without the parts whose values LinkML refuses; those are reported."""
        name = {} if "name" in data else {name_key: path[-1] if path else "schema"}
        trial = {
            key: value
            for key, value in data.items()
            if key not in SECTIONS or kind is not meta.SchemaDefinition
        }
        if _refusal(kind, name | trial) is None:
            return data
        for key in [key for key in trial if key not in keep]:
            base = {"id": trial["id"]} if "id" in trial else {}
            if reason := _refusal(kind, name | base | {key: trial[key]}):
                message = f"the value of {key} cannot be used: {_short(reason)}."
                self.report(
                    "bad-value", message, (*path, key), "See the LinkML documentation for its form."
                )
                data = {name: value for name, value in data.items() if name != key}
        return data


def _refusal(kind: type, data: Mapping[str, Any]) -> Exception | None:
    try:
        kind(**data)
    except Exception as error:
        return error
    return None


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200].rstrip(".")


def _did_you_mean(key: str, known_fields: set[str]) -> str:
    nearest = process.extractOne(key, sorted(known_fields), score_cutoff=80)
    return f"Did you mean {nearest[0]}?" if nearest else ""
