"""The extension module, as `rootleaf.engine` uses it.

Columns are native-endian bytes: cast a memoryview.
"""

from collections.abc import Sequence

from typing_extensions import Buffer

__version__: str
chunker_version: int
TOKEN_SEAM: int
OMISSION: str

def front_matter_span(text: str) -> tuple[int, int, int, int]: ...
def chunk_columns(
    text: str, front_matter_parsed: bool, max_tokens: int
) -> tuple[tuple[bytes, ...], int]: ...
def block_columns(
    text: bytes, first_byte: int
) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes]: ...
def count_tokens(text: bytes) -> int: ...
def analyzer_id() -> str: ...
def analyze(text: bytes) -> tuple[bytes, bytes]: ...
def query_words(query: bytes) -> list[tuple[float, bytes, bytes]]: ...
def matching_spans(query: bytes, text: bytes) -> tuple[bytes, bytes]: ...
def available_isas() -> list[str]: ...
def active_isa() -> str: ...
def force_isa(isa: str) -> None: ...
def nearest(
    rows: Buffer, dimension: int, query: Buffer, allowed: bytes, limit: int
) -> tuple[bytes, bytes]: ...
def fuse(
    fusion: str, parts: Sequence[tuple[str, Buffer]], weights: Sequence[tuple[str, float]]
) -> bytes: ...
def ranks(candidates: Buffer, full_list: Buffer) -> bytes: ...
def render_hits(
    documents: Sequence[PreparedDocument],
    ordinals: Sequence[bytes],
    coverages: Sequence[bytes],
    cite_paths: Sequence[bytes | None],
    query: bytes | None,
    budget_tokens: int | None,
) -> tuple[list[str], list[str | None], tuple[bytes, ...]]: ...
def least_budget(
    documents: Sequence[PreparedDocument],
    ordinals: Sequence[bytes],
    coverages: Sequence[bytes],
    cite_paths: Sequence[bytes | None],
    query: bytes | None,
    too_few_tokens: int,
) -> int: ...
def floor_grapheme(text: bytes, char_offset: int) -> int: ...

class PreparedDocument:
    def __init__(self, text: str, front_matter_parsed: bool, max_tokens: int) -> None: ...
    @staticmethod
    def of_chunks(text: str, columns: Sequence[bytes], title_chunk: int) -> PreparedDocument: ...

class Batch:
    def __init__(self, max_tokens: int) -> None: ...
    def add(
        self,
        document_id: int,
        path: bytes,
        name: bytes,
        text: bytes,
        front_matter_parsed: bool,
        field_text: bytes,
        metadata: list[tuple[bytes, bytes]],
        vectors: bytes | None,
        present: bytes | None,
    ) -> None: ...

class View:
    @property
    def document_count(self) -> int: ...
    @property
    def chunkset_count(self) -> int: ...
    @property
    def segment_count(self) -> int: ...
    @property
    def without_vector(self) -> int: ...
    @property
    def dimension(self) -> int: ...
    def search(
        self,
        queries: list[bytes],
        where: list[tuple[bytes, list[bytes]]],
        allowed_ids: bytes | None,
        id_width_bytes: int,
        top_k: int,
        per_document: int,
        with_ranks: bool,
        query_vectors: list[bytes],
        fusion: bytes,
        weights: list[tuple[bytes, float]],
        candidates: int,
        thread_count: int,
    ) -> list[tuple[list[str], list[bytes], tuple[int, int, int, int, float, float]]]: ...
    def write_snapshot(
        self,
        path: bytes,
        identity: tuple[bytes, int, bytes, bytes, int],
        permissions: int | None,
    ) -> None: ...

class Collection:
    def __init__(self) -> None: ...
    def add(self, batch: Batch) -> None: ...
    def remove(self, ids: bytes, id_width_bytes: int) -> int: ...
    def merge(self) -> None: ...
    def view(self) -> View: ...

def open_snapshot(path: bytes) -> tuple[tuple[bytes, int, bytes, bytes, int], Collection]: ...
