"""The edge: HTTP, SDP, tokens, admission, the web client. Transports of ``rt_avatar.session``."""
