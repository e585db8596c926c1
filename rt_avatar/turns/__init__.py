"""Turn-taking: generates, releases, stops and records replies, one turn after the other."""
