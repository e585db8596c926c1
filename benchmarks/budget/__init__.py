"""The budget held: each stage slowed in turn, and what is given up for it."""
