"""The only importer of the extension: checks arguments, turns the core's columns into values."""
