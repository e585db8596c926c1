"""One HTML page of all results."""
