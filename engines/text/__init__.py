"""Written text: what can be said of it, its words and their places, and how they are said."""
