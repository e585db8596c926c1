"""The talking-head stage: speech chunks → face motion, and the living face → pictures."""
