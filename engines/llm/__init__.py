"""What surrounds the language model, without torch: templates, chain of empathy, decoding."""
