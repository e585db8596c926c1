"""Text to speech: is it understood, how fast is it, does its melody live?"""
