"""The only importer of the extension: checks arguments, and turns the core's columns into values."""
