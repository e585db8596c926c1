"""What makes voice and face agree: the content synchronizer and the style disentangler."""
