"""One writer or reader of the test with many processes; prints what it did as JSON.

write ROOT DB NUMBER SECONDS
read handle|search DB STOP
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import threading
import time

import rootleaf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

QUERIES: list[tuple[str, dict[str, str | list[str]] | None]] = [
    ("queue", None),
    ("queue version", {"kind": ["moving", "still"]}),
    ("lever", None),
    ("lever", {"kind": "still"}),
]
_NAMES = [f"{number}.md" for number in range(5)]
_FEWEST_ROUNDS = 5


def text(version: int) -> str:
    """A note of which each part tells the version."""
    return (
        f"---\nkind: moving\nversion: v{version}\n---\n# Title {version}\n\nqueue one {version}\n\n"
        f"## Rest\n\nqueue version {version}\n"
    )


def plain(answer: rootleaf.Answer) -> dict[str, Any]:
    """All that an answer says but how long it took."""
    told = answer.to_json()
    del told["took_ms"]
    return told


def settled(told: dict[str, Any]) -> Any:
    """Without what two equal indexes may differ in."""
    hits = [
        {name: value for name, value in hit.items() if name not in {"document_id", "updated"}}
        for hit in told["hits"]
    ]
    return {**told, "hits": hits}


def asked(told: dict[str, Any]) -> bool:
    """Whether an answer shows something, of one version in each hit."""
    for hit in told["hits"]:
        seen = {*re.findall(r"\d+", hit["context"] + hit["metadata"].get("version", ""))}
        assert len(seen) <= 1, hit
    return bool(told["hits"])


def version_of(hit: rootleaf.Hit) -> int:
    """The one version that a hit tells, in its title, its passages and its metadata."""
    seen = {*re.findall(r"\d+", f"{hit.title} {hit.context} {hit.metadata.get('version', '')}")}
    assert len(seen) == 1, (seen, hit)
    return int(seen.pop())


def write(root: str, db_path: str, number: str, seconds: str) -> dict[str, Any]:
    """Edits files that no other writer edits, and tells the database in every way there is."""
    chance = random.Random(int(number))
    names = [f"{number}-{name}" for name in _NAMES]
    end = time.monotonic() + float(seconds)
    runs = version = 0
    longest = 0.0
    memory = rootleaf.MemoryIndex(db_path)
    # On a machine that is busy otherwise, a round may take seconds.
    while runs < _FEWEST_ROUNDS or time.monotonic() < end:
        version += 1
        path = os.path.join(root, chance.choice(names))
        with open(f"{path}.part", "w", encoding="utf-8") as file:
            file.write(text(version))
        os.replace(f"{path}.part", path)
        begun = time.monotonic()
        how = chance.randrange(5)
        if how == 0:
            rootleaf.index(root, db_path, prune=True)
        elif how == 1:
            with memory.lock:
                rootleaf.index_file(path, root, db_path)
        elif how == 2:
            rootleaf.forget(path, db_path)
            rootleaf.index_file(path, root, db_path)
        else:
            rootleaf.index_file(path, root, db_path)
        longest = max(longest, time.monotonic() - begun)
        runs += 1
        # Whoever wrote it sees it at the next search.
        found = {hit.file_path: hit for hit in memory.search("queue", top_k=100)}
        assert version_of(found[path]) == version, (path, version)
    memory.close()
    return {"runs": runs, "longest_seconds": longest}


def read(kind: str, db_path: str, stop: str) -> dict[str, Any]:
    """Asks from three threads, until told to stop."""
    memory = rootleaf.MemoryIndex(db_path)
    searches: list[Callable[..., rootleaf.Answer]] = [memory.search] * 3
    if kind == "search":
        searches = [lambda query, **options: rootleaf.search(query, db_path=db_path, **options)] * 3
    reports: list[tuple[int, float]] = []
    errors: list[BaseException] = []

    def ask(search: Callable[..., rootleaf.Answer]) -> None:
        try:
            reports.append(_ask(search, stop))
        except BaseException as error:
            errors.append(error)
            raise

    threads = [threading.Thread(target=ask, args=(search,)) for search in searches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    memory.close()
    return {
        "answers": sum(count for count, _ in reports),
        "longest_seconds": max(longest for _, longest in reports),
    }


def _ask(search: Callable[..., rootleaf.Answer], stop: str) -> tuple[int, float]:
    newest: dict[str, int] = {}
    count, longest = 0, 0.0
    while not os.path.exists(stop):
        query, where = QUERIES[count % len(QUERIES)]
        begun = time.monotonic()
        answer = search(query, where=where, top_k=100)
        longest = max(longest, time.monotonic() - begun)
        count += 1
        assert answer.hits or query != "lever", answer
        for hit in answer:
            if hit.metadata.get("kind") == "still":
                continue
            version = version_of(hit)
            # A file that was forgotten comes back with a version that is not older.
            assert version >= newest.get(hit.file_path, 0), (hit, newest)
            newest[hit.file_path] = version
    return count, longest


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    report = write(*arguments) if command == "write" else read(*arguments)
    sys.stdout.write(json.dumps(report))
