"""Does it understand: emotions named by words, and replies, on dialogues of the reader's own."""
