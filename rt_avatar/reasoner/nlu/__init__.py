"""Natural language understanding by rules: what a turn means, what is felt, how grave it is."""
