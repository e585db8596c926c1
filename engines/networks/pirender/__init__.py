"""PIRenderer: a portrait and the motion around a frame → the frame, 256 by 256.

What surrounds its graphs at run time is ``engines.pirender``.

Source: Y. Ren et al., "PIRenderer: Controllable Portrait Image Generation via Semantic Neural
Rendering", 2021.
"""
