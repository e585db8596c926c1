"""The avatar in LiveKit rooms, as a participant's own client receives it."""
