"""Training of ``engines.reply_judge``."""
