"""Playout: a reply's chunks → two tracks that leave by one clock."""
