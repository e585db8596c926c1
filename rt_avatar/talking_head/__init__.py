"""The talking-head stage: speech atoms → face motion, and the living face → pictures."""
