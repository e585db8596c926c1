"""Training of nano's language model: its tokenizer, pretraining, and the chain of empathy."""
