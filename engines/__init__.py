"""The networks and their state: numpy in, numpy out; no asyncio, nothing of ``rt_avatar``."""
