"""Files that people bring, and the clip that they get."""
