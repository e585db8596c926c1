"""What is done to sound and pictures before their encoders: numpy in, numpy out."""
