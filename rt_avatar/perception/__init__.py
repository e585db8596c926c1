"""Perception: from the caller's sound and picture to endpoints, transcripts and affect."""
