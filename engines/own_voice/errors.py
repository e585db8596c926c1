"""What is wrong with a recording or a voice file, in a sentence for whoever brought it."""


class OwnVoiceError(ValueError):
    """A recording cannot become a voice: what was expected, what came, how to mend it."""
