"""The ways to answer a gene question."""

PLANNER = "planner"  # rules, no model: the default
WITH_TOOLS = "tools"  # a model names typed tools
