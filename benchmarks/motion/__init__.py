"""Motion against tracked people: what moves a mouth by sound or by phonemes, frame by frame."""
