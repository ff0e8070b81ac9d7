"""The built-in engine: terms by vocabularies, relations by rules."""

NAME = "builtin"  # who chose the terms that were recognised
