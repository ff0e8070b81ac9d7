"""The extraction engines: a folder each, and a line here; other packages add theirs.

Page, command line, settings, comparison and evaluation read this list; a new engine is one module
with a `SPEC` and one line in `SPECS`.
"""

from __future__ import annotations

from core.errors import InputError
from core.extraction.builtin.spec import SPEC as BUILTIN
from core.extraction.engine import EngineSpec
from core.extraction.one_call.spec import SPEC as ONE_CALL
from core.extraction.spires.spec import SPEC as SPIRES
from core.plugins import Registry

AUTO = "auto"
AUTO_TITLE = "Best available"
SPECS = Registry("groundwork.engines", EngineSpec, (BUILTIN, SPIRES, ONE_CALL))


def engine_names(has_model: bool = True) -> tuple[str, ...]:
    """The engines that can run with or without a model, in the order of the registry."""
    return tuple(spec.name for spec in SPECS.values() if has_model or not spec.needs_model)


def engine_spec(name: str) -> EngineSpec:
    """The engine of this name. Raises InputError with the names there are."""
    spec_found = SPECS.get(name)
    if spec_found is None:
        names = ", ".join((AUTO, *engine_names()))
        raise InputError(f"There is no engine called {name}.", f"Choose one of {names}.")
    return spec_found


def best_engine(has_model: bool) -> str:
    """What `auto` means: SPIRES where a model is configured, the built-in engine elsewhere."""
    return SPIRES.name if has_model else BUILTIN.name


def is_engine(name: str) -> bool:
    """Whether a name is an engine's, not a curator's: of who chose a term."""
    return name in SPECS
