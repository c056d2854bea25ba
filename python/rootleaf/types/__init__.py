"""The frozen values that Rootleaf takes and returns."""

from __future__ import annotations

from rootleaf.types.answers import Answer, Hit, LineSpan, Omitted
from rootleaf.types.documents import Chunk, Chunkset, Document, IndexedFile, Lines, Problem
from rootleaf.types.reports import (
    DecodedByFallback,
    ForgetReport,
    IgnoredBy,
    IndexReport,
    Moved,
    Skipped,
)
from rootleaf.types.status import Finding, RootStatus, Status
from rootleaf.types.value import Value

__all__ = [
    "Answer",
    "Chunk",
    "Chunkset",
    "DecodedByFallback",
    "Document",
    "Finding",
    "ForgetReport",
    "Hit",
    "IgnoredBy",
    "IndexReport",
    "IndexedFile",
    "LineSpan",
    "Lines",
    "Moved",
    "Omitted",
    "Problem",
    "RootStatus",
    "Skipped",
    "Status",
    "Value",
]
