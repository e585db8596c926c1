"""Readers for users' files, and the writer of clips."""
