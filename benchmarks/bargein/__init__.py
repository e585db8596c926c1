"""Who speaks over the avatar: how soon it is silent, and how often it falls silent for nothing."""
