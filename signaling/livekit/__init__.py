"""The LiveKit transport: the avatar in a room, as a participant or as the face of an agent."""
