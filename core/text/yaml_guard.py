"""YAML that a stranger wrote: its size is known before anything is built from it.

An alias costs a few letters and stands for a part of any size, so a small file may mean gigabytes.
"""

from __future__ import annotations

from typing import Any

import yaml

from core.errors import InputError

MOST_NODES = 2_000_000  # values and lists, with aliases written out
MOST_CHARACTERS = 50_000_000
MOST_ALIASES = 10_000
MOST_DEPTH = 60
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(text: str) -> Any:
    """The YAML of `text`. Raises InputError for YAML that is nested too deeply or means too much,
    and yaml.YAMLError for what is not YAML.
    """
    check_yaml_size(text)
    return yaml.load(text, Loader=LOADER)


def check_yaml_size(text: str) -> None:
    """Raises InputError when the YAML, its aliases written out, is larger than the limits."""
    sizes: dict[str, tuple[int, int]] = {}
    open_parts: list[tuple[str, int, int]] = []  # anchor, nodes and characters before it
    nodes = characters = aliases = 0
    for event in yaml.parse(text, Loader=LOADER):
        if isinstance(event, yaml.AliasEvent):
            aliases += 1
            more = sizes.get(str(event.anchor), (1, 0))
        elif isinstance(event, yaml.ScalarEvent):
            more = (1, len(event.value))
            if event.anchor:
                sizes[event.anchor] = more
        elif isinstance(event, yaml.CollectionStartEvent):
            open_parts.append((event.anchor or "", nodes, characters))
            more = (1, 0)
        else:
            more = (0, 0)
            if isinstance(event, yaml.CollectionEndEvent):
                anchor, nodes_before, characters_before = open_parts.pop()
                if anchor:
                    sizes[anchor] = (nodes - nodes_before, characters - characters_before)
        nodes, characters = nodes + more[0], characters + more[1]
        if len(open_parts) > MOST_DEPTH:
            raise InputError("The YAML is nested too deeply.", "Use a file written by a program.")
        if nodes > MOST_NODES or characters > MOST_CHARACTERS or aliases > MOST_ALIASES:
            raise InputError(
                "The YAML expands to far more than its size: its aliases (*) repeat other parts "
                "too often.",
                "Write the parts out, or give the file as JSON.",
            )
