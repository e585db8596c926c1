"""A voice behind an OpenAI-compatible endpoint, as the speech stage of a session."""
