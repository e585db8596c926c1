"""The speech stage: clauses → atoms of sound, by a voice of this process or an endpoint's."""
