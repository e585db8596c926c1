"""Speech that another program makes, given a living face: what a session is to our own replies."""
