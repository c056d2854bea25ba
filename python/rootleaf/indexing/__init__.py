"""Bringing an index up to date with its files: whole roots, single files, and the state of it all.

A run plans first and writes second. It writes in batches that are whole, so that it can be
interrupted at any instant, and writes nothing where nothing has changed.
"""

from __future__ import annotations
