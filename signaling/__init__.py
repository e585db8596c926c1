"""The edge: HTTP, SDP, tokens, admission, the web client. Doors to ``rt_avatar.session``."""
