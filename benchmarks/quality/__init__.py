"""What the caller hears and sees: words, prosody, lips, pictures, feelings, replies."""
