"""Encoders as torch modules: HuBERT for speech, CLIP for pictures, projections to the LLM."""
