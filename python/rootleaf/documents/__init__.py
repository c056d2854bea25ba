"""Finding, reading and describing files.

Import the module that is needed; nothing is loaded from here, so that a search pays for none of it.
"""
