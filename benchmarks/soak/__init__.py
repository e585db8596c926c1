"""A thousand turns and half an hour on a bad line: does anything grow?"""
