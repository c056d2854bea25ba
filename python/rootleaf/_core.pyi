"""The extension module, as `rootleaf.engine` uses it. Columns are native-endian bytes: cast a memoryview."""

__version__: str
