"""Training of the mouth that follows sound: our own voice speaks, our own articulator teaches."""
