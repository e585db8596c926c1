"""What is wrong with a picture or its points, in a sentence for whoever brought it."""


class PortraitError(ValueError):
    """A picture cannot become a portrait: what was expected, what came, how to mend it."""
