"""Callers in processes of their own, so that their work can be told from the server's."""
