"""Sound against picture over a long call."""
