"""The LiveKit door: the avatar in a room, as a participant or as the face of somebody's agent."""
