"""Turn-taking: what is drafted, released, stopped and remembered, one turn after the other."""
