"""From a question to an answer: locate, view, filter and rank, merge by document, render."""
