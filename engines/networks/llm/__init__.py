"""The language model as torch modules: a Llama with explicit caches, LoRA, and signal tokens."""
