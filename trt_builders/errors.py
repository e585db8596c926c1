"""What stops an export, a build or a verification; each a line that a user can mend."""


class BuildError(Exception):
    """A graph could not be made, or is not what it should be."""
