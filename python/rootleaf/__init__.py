"""Memory for AI agents: markdown in, cited cheatsheets out, in-process and offline.

The names below load on first use; importing the package costs almost nothing.
"""

from __future__ import annotations

from rootleaf._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.documents.chunking import chunk
    from rootleaf.errors import RootleafError
    from rootleaf.evaluation.report import Evaluation
    from rootleaf.evaluation.run import evaluate
    from rootleaf.indexing.doctor import doctor
    from rootleaf.indexing.forgetting import forget
    from rootleaf.indexing.health import DoctorReport
    from rootleaf.indexing.run import index
    from rootleaf.indexing.single_file import index_file
    from rootleaf.indexing.status import status
    from rootleaf.searching.memory_index import MemoryIndex
    from rootleaf.searching.search import search
    from rootleaf.types import (
        Answer,
        Chunk,
        Chunkset,
        Document,
        ForgetReport,
        Hit,
        IndexedFile,
        IndexReport,
        Status,
    )

__all__ = [
    "Answer",
    "Chunk",
    "Chunkset",
    "DoctorReport",
    "Document",
    "Evaluation",
    "ForgetReport",
    "Hit",
    "IndexReport",
    "IndexedFile",
    "MemoryIndex",
    "RootleafError",
    "Status",
    "__version__",
    "chunk",
    "doctor",
    "evaluate",
    "forget",
    "index",
    "index_file",
    "search",
    "status",
]

_HOME = {
    "Answer": "rootleaf.types",
    "Chunk": "rootleaf.types",
    "Chunkset": "rootleaf.types",
    "DoctorReport": "rootleaf.indexing.health",
    "Document": "rootleaf.types",
    "Evaluation": "rootleaf.evaluation.report",
    "ForgetReport": "rootleaf.types",
    "Hit": "rootleaf.types",
    "IndexReport": "rootleaf.types",
    "IndexedFile": "rootleaf.types",
    "MemoryIndex": "rootleaf.searching.memory_index",
    "RootleafError": "rootleaf.errors",
    "Status": "rootleaf.types",
    "chunk": "rootleaf.documents.chunking",
    "doctor": "rootleaf.indexing.doctor",
    "evaluate": "rootleaf.evaluation.run",
    "forget": "rootleaf.indexing.forgetting",
    "index": "rootleaf.indexing.run",
    "index_file": "rootleaf.indexing.single_file",
    "search": "rootleaf.searching.search",
    "status": "rootleaf.indexing.status",
}


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        message = f"module 'rootleaf' has no attribute {name!r}"
        raise AttributeError(message)
    import importlib

    value: object = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
