"""Transports: HTTP, SDP, tokens, admission, the web client, LiveKit rooms."""
