"""The speech stage: clauses → chunks of sound, by a voice of this process or an endpoint's."""
