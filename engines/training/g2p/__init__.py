"""Training of the letter-to-sound network, and packing of the dictionary it learns from."""
