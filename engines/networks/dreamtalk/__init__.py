"""DreamTalk: features of speech and a style → 64 numbers of expression a frame, by diffusion.

What surrounds its graphs at run time is ``engines.dreamtalk``.

Source: Y. Ma et al., "DreamTalk: When Expressive Talking Head Generation Meets Diffusion
Probabilistic Models", 2023.
"""
