"""Tune a published text encoder to a task, and write it as ``engines.text_encoder`` reads it."""
