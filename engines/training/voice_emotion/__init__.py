"""The training of who hears emotions in voices, on actors and readers; the extra ``train``."""
