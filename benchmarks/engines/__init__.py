"""What every engine costs, and a second of the avatar by stage."""
