"""Quality of answers on questions with known answers; see `__main__.py` for the command."""
