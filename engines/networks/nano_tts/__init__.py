"""Networks of the ``nano`` voice: phones → prosody → mel → sound."""
