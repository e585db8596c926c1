"""Training of what makes words, voice and face agree: content synchronizer, style disentangler."""
