"""Finding, reading and describing files: walking, decoding, fingerprints, front matter, metadata rules.

Import the module that is needed; nothing is loaded from here, so that a search pays for none of it.
"""
