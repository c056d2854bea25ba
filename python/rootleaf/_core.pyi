"""The extension module, as `rootleaf.engine` uses it. Columns are native-endian bytes: cast a memoryview."""

__version__: str
chunker_version: int

def front_matter_span(text: str) -> tuple[int, int, int, int]: ...
def chunk_columns(
    text: str, front_matter_parsed: bool, max_tokens: int
) -> tuple[tuple[bytes, ...], int]: ...
def block_columns(
    text: bytes, first_byte: int
) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes]: ...
