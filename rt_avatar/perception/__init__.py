"""Perception: the caller's sound and pictures → turn events, transcripts, affect."""
