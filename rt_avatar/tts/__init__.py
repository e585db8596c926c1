"""Text to speech: clauses → speech chunks, by an engine of this process or an endpoint."""
