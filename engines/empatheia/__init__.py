"""The network as one graph of engines: a dialogue in; words, sound, motion and pictures out."""
