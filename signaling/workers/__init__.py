"""Several processes on one port (``server.workers``). Start reading at ``arbiter``."""
