"""The runtime of one conversation. Read ``session.py`` first: it wires the whole flow."""
