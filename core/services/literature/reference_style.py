"""Citation styles as the pages offer them."""

from __future__ import annotations

from core.literature.triage.citation import Citation
from core.literature.triage.citation_style import COMMON, has_styles, references

__all__ = ["COMMON", "Citation", "has_styles", "references"]
