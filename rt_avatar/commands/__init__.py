"""The commands of ``rt-avatar``: ``cli`` reads the words; longer commands have a module each."""
