"""A caller without a browser: its connection, microphone, ears and eyes."""
