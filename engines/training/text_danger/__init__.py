"""Training of ``engines.text_danger``."""
