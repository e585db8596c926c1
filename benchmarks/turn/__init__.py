"""End of speech to the first sound and the first mouth motion."""
