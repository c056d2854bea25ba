"""Embedders: what turns texts into vectors. The protocol, and a fake for tests."""
