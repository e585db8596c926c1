"""Runs an avatar for speech that another program makes, as livekit-agents' avatar runner does."""
