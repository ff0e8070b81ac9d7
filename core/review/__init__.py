"""Decisions: folded into states, queued, compared. Pure: nothing here reads a store or a clock."""
