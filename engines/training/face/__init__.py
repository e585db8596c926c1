"""Training of nano's renderer: drawn faces and photographs, moved by all shapes and poses."""
