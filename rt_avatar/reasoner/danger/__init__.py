"""Hear that a life may be in danger, say what helps, and hear what follows."""
