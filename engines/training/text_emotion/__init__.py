"""Dialogues labelled with emotions → the network that names emotions by words; the extra train."""
