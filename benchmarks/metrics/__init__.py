"""Metrics of the field as pure functions: arrays and texts in, numbers out; no engine, no file."""
