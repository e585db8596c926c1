"""When a turn is over: the waiting time against turns cut off, for every detector."""
