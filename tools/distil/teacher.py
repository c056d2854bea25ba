"""The teacher: a BERT encoder applied to one token at a time, in float64 with numpy alone.

Float64 on purpose: what differs in the last bits between CPUs and libraries is then far below half
a step of the int8 that the vectors end as, so the table comes out the same everywhere.
"""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    Array = np.ndarray[Any, np.dtype[np.float64]]

BATCH = 1024


def read_safetensors(path: Path) -> dict[str, Array]:
    """The float32 tensors of a file, widened. Source: the format's description by its authors."""
    content = path.read_bytes()
    (header_bytes,) = struct.unpack_from("<Q", content)
    tensors = {}
    for name, entry in json.loads(content[8 : 8 + header_bytes]).items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = (8 + header_bytes + at for at in entry["data_offsets"])
        flat = np.frombuffer(content[start:end], dtype="<f4")
        tensors[name] = flat.reshape(entry["shape"]).astype(np.float64)
    return tensors


def gelu(x: Array) -> Array:
    """Gaussian error linear unit.

    Source: Abramowitz and Stegun, formula 7.1.26, wrong by 1.5e-7 at most.
    """
    z = np.abs(x) * np.sqrt(0.5)
    t = 1 / (1 + 0.3275911 * z)
    poly = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    erf = np.sign(x) * (1 - poly * np.exp(-z * z))
    result: Array = 0.5 * x * (1 + erf)
    return result


class Teacher:
    """The encoder's weights, and what it makes of `[CLS] token [SEP]`.

    Source: Devlin et al., "BERT", 2019; pooling as in sentence-transformers: the mean over tokens.
    """

    def __init__(self, weights: Mapping[str, Array], config: Mapping[str, Any]) -> None:
        self._weights = weights
        self._layers = config["num_hidden_layers"]
        self._heads = config["num_attention_heads"]
        self._epsilon = config["layer_norm_eps"]

    def _norm(self, x: Array, name: str) -> Array:
        centred = x - x.mean(axis=-1, keepdims=True)
        variance = (centred * centred).mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(variance + self._epsilon)
        result: Array = scaled * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return result

    def _dense(self, x: Array, name: str) -> Array:
        flat = x.reshape(-1, x.shape[-1])
        product = flat @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        result: Array = product.reshape(*x.shape[:-1], -1)
        return result

    def _attend(self, x: Array, name: str) -> Array:
        texts, positions, width = x.shape
        shape = (texts, positions, self._heads, width // self._heads)
        query, key, value = (
            self._dense(x, f"{name}.self.{part}").reshape(shape).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / np.sqrt(shape[-1])
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        mixed = (weights @ value).transpose(0, 2, 1, 3).reshape(x.shape)
        return self._norm(
            x + self._dense(mixed, f"{name}.output.dense"), f"{name}.output.LayerNorm"
        )

    def encode(self, ids: np.ndarray[Any, np.dtype[np.int64]]) -> Array:
        """The last hidden states (texts, positions, width) of texts of equal length."""
        embeddings = "embeddings"
        x = (
            self._weights[f"{embeddings}.word_embeddings.weight"][ids]
            + self._weights[f"{embeddings}.position_embeddings.weight"][: ids.shape[1]]
            + self._weights[f"{embeddings}.token_type_embeddings.weight"][0]
        )
        x = self._norm(x, f"{embeddings}.LayerNorm")
        for layer in range(self._layers):
            name = f"encoder.layer.{layer}"
            x = self._attend(x, f"{name}.attention")
            inner = gelu(self._dense(x, f"{name}.intermediate.dense"))
            x = self._norm(
                x + self._dense(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm"
            )
        return x

    def token_vectors(self, token_count: int, cls_id: int, sep_id: int) -> Array:
        """The pooled vector of each token of the vocabulary, alone between its delimiters."""
        pooled = []
        for start in range(0, token_count, BATCH):
            tokens = np.arange(start, min(start + BATCH, token_count))
            ids = np.stack([np.full_like(tokens, cls_id), tokens, np.full_like(tokens, sep_id)], 1)
            pooled.append(self.encode(ids).mean(axis=1))
        return np.concatenate(pooled)
