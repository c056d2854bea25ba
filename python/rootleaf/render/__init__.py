"""Cheatsheets: passages of a document under their headings, with line numbers and token counts."""
