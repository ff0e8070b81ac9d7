"""Groundwork without its screens: everything below works from Python and from the command line."""

__version__ = "0.1.0"
