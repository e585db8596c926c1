"""What the process tells of itself: logs, metrics, the trace of each turn."""
