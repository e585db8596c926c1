"""What makes the weights that we ship: data, losses, training. The only place that needs torch."""
