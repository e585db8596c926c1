"""Callers at once until a promise breaks, and what a server costs."""
