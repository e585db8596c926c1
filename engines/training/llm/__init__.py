"""Training of a language model: nano's from its tokenizer to the chain of empathy, an adapter."""
