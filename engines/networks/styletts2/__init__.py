"""StyleTTS 2 as torch modules: one definition for the released models, Kokoro, and nano."""
