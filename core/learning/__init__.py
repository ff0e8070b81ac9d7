"""What the decisions made so far say of the statements that wait, and of the engines."""
