"""Dialogues → the network that tells which reply fits what was said; the extra train."""
