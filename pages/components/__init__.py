"""Pieces of screen that pages share; `state` is the only one that touches the session."""
