"""Playout: a reply's atoms → two tracks that leave by one clock."""
