"""What every converted schema needs before it can be filled: a class to fill, prefixes, values
inside their objects.
"""

from __future__ import annotations

from typing import Any


def finish_schema(schema: dict[str, Any], name: str) -> dict[str, Any]:
    """The schema with its heading, a class to fill, and objects inlined."""
    classes = {key: value or {} for key, value in (schema.get("classes") or {}).items()}
    enums = schema.get("enums") or {}
    for cls in classes.values():
        cls.pop("name", None)
        for slot in _slots(cls).values():
            slot.pop("name", None)
            _placed(slot, classes, enums)
    _rooted(classes, schema.pop("root", ""))
    prefixes = {
        "linkml": "https://w3id.org/linkml/",
        name: f"https://example.org/{name}/",
    } | schema.get("prefixes", {})
    heading: dict[str, Any] = {
        "id": f"https://example.org/{name}",
        "name": name,
        "title": schema.get("title") or name,
    }
    if schema.get("description"):
        heading["description"] = schema["description"]
    heading |= {
        "prefixes": prefixes,
        "default_prefix": name,
        "default_range": "string",
        "imports": ["linkml:types"],
    }
    return heading | {"classes": classes} | ({"enums": enums} if enums else {})


def _slots(cls: dict[str, Any]) -> dict[str, dict[str, Any]]:
    cls["attributes"] = {key: value or {} for key, value in (cls.get("attributes") or {}).items()}
    attributes: dict[str, dict[str, Any]] = cls["attributes"]
    return attributes


def _placed(slot: dict[str, Any], classes: dict[str, Any], enums: dict[str, Any]) -> None:
    """Objects are nested in the object that has them; an unknown range becomes plain words."""
    range_name = slot.get("range", "string")
    if range_name in classes:
        slot["inlined_as_list" if slot.get("multivalued") else "inlined"] = True
    elif range_name not in enums and range_name[:1].isupper():
        slot.pop("range")


def _rooted(classes: dict[str, Any], root: str) -> None:
    """Mark the class to fill; where several are part of no other, a new class lists them."""
    parts = {slot.get("range") for cls in classes.values() for slot in cls["attributes"].values()}
    parents = {cls.get("is_a") for cls in classes.values()}
    tops = (
        [root]
        if root in classes
        else [name for name in classes if name not in parts | parents] or list(classes)
    )
    if len(tops) == 1:
        classes[tops[0]]["tree_root"] = True
    elif tops:
        slots = {top.casefold() + "_list": _list_of(top) for top in tops}
        container = {"description": "What a text says", "tree_root": True, "attributes": slots}
        own_classes = dict(classes)
        classes.clear()
        classes |= {_free("Container", own_classes): container} | own_classes


def _list_of(cls: str) -> dict[str, Any]:
    described = f"semicolon-separated list of each {cls} that the text describes"
    return {"description": described, "range": cls, "multivalued": True, "inlined_as_list": True}


def _free(name: str, used_names: dict[str, Any]) -> str:
    while name in used_names:
        name += "_"
    return name
