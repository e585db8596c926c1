"""Training of the network that chooses general replies, on calls that a reader labelled."""
