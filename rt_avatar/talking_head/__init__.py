"""The talking head: speech chunks → face motion → pictures."""
