"""Language models at an OpenAI-compatible endpoint: messages → a plan and clauses, streamed."""
