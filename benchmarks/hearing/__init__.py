"""Emotions named by the voice."""
