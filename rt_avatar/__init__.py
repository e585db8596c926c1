"""The runtime of one conversation. Read ``session.py`` first: it wires the whole flow.

A folder is a stage of the flow, in this order: ``perception``, ``reasoner``, ``tts``,
``talking_head``, ``playout``; ``turns`` decides which reply goes through it, ``services`` has
what the stages call, ``avatar_runner`` is the flow without perception for speech that another
program makes. ``commands``, ``config``, ``files`` and ``telemetry`` are the process around it. What
all of them share is here, and knows none of them.
"""
