"""Telemetry: logs, Prometheus metrics, the trace of each turn."""
