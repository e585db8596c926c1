"""What turns of a certain kind are met with: each module hears one kind, and has words for it."""
