"""Playout: a reply's chunks → audio and video tracks released by one clock."""
