"""Turns made of recordings, and the training of who tells their end; the extra ``train``."""
