"""Reading one file, and what tells that it has changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rootleaf.documents import reading
from rootleaf.documents.fingerprints import content_hash, stat_signature
from rootleaf.documents.reading import ReadDocument, read_document
from rootleaf.types import Skipped

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def read(path: Path) -> ReadDocument:
    """The read document; fails where it was skipped."""
    document = read_document(str(path))
    assert isinstance(document, ReadDocument), document
    return document


def skipped_reason(path: Path) -> str:
    """Why a file was skipped; fails where it was read."""
    skipped = read_document(str(path))
    assert isinstance(skipped, Skipped)
    assert skipped.path == str(path)
    return skipped.reason


def test_a_read_document_holds_bytes_text_hash_and_signature(tmp_path: Path) -> None:
    """The hash is of the bytes as they lie on disk, the text of what they mean."""
    path = tmp_path / "a.md"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    document = read(path)
    assert document.content == b"\xef\xbb\xbfone\r\ntwo"
    assert document.decoded.text == "one\ntwo"
    assert document.content_hash == content_hash(b"\xef\xbb\xbfone\r\ntwo")
    assert document.signature == stat_signature(os.stat(path))


def test_an_edit_that_restores_its_timestamp_changes_the_signature(tmp_path: Path) -> None:
    """The same size and modification time do not hide an edit, made the instant after the read."""
    path = tmp_path / "a.md"
    path.write_text("apple")
    before = os.stat(path)
    document = read(path)
    path.write_text("grape")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = os.stat(path)
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert stat_signature(after) != document.signature


def test_a_touch_changes_the_signature_and_not_the_hash(tmp_path: Path) -> None:
    """Reading again after a touch finds the same content."""
    path = tmp_path / "a.md"
    path.write_text("apple")
    first = read(path)
    os.utime(path, ns=(1, 1))
    second = read(path)
    assert first.signature != second.signature
    assert first.content_hash == second.content_hash


def test_a_rename_keeps_the_hash(tmp_path: Path) -> None:
    """The content is known under its next name."""
    (tmp_path / "a.md").write_text("apple")
    first = read(tmp_path / "a.md")
    (tmp_path / "a.md").rename(tmp_path / "b.md")
    assert read(tmp_path / "b.md").content_hash == first.content_hash


def test_a_file_that_changes_during_the_read_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is returned is the later content, with the signature that belongs to it."""
    path = tmp_path / "a.md"
    path.write_text("first")
    system_read = os.read
    calls = 0

    def read_and_change(descriptor: int, length: int) -> bytes:
        nonlocal calls
        calls += 1
        content = system_read(descriptor, length)
        if calls == 1:
            path.write_text("second, longer")
        return content

    monkeypatch.setattr(os, "read", read_and_change)
    document = read(path)
    assert document.decoded.text == "second, longer"
    assert document.signature == stat_signature(os.stat(path))


def test_a_file_that_never_rests_is_taken_with_an_older_signature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a file ends the read all the same, and the next run looks at it again."""
    path = tmp_path / "a.md"
    path.write_text("x")
    system_read = os.read

    def read_and_append(descriptor: int, length: int) -> bytes:
        content = system_read(descriptor, length)
        with path.open("a") as file:
            file.write("x")
        return content

    monkeypatch.setattr(os, "read", read_and_append)
    assert read(path).signature != stat_signature(os.stat(path))


def test_a_file_beyond_the_limit_is_named_with_both_sizes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bytes are not read."""
    path = tmp_path / "a.md"
    path.write_bytes(b"x" * (1024 * 1024 + 1))
    monkeypatch.setattr(reading, "MAX_FILE_BYTES", 1024 * 1024)
    assert skipped_reason(path) == "too large: 1,048,577 bytes, the limit is 1 MiB"


def test_what_is_no_regular_file_is_named_and_does_not_block(tmp_path: Path) -> None:
    """A FIFO without a writer, a directory and a link that took a file's place."""
    os.mkfifo(tmp_path / "pipe.md")
    assert skipped_reason(tmp_path / "pipe.md") == "a FIFO, not a regular file"
    (tmp_path / "folder.md").mkdir()
    assert "directory" in skipped_reason(tmp_path / "folder.md")
    (tmp_path / "link.md").symlink_to("/etc/hostname")
    skipped_reason(tmp_path / "link.md")


def test_a_file_that_is_gone_or_refused_is_named_with_the_systems_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run goes on."""
    assert skipped_reason(tmp_path / "gone.md") == "no such file or directory"

    def refuse(path: str, flags: int) -> int:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "open", refuse)
    assert skipped_reason(tmp_path / "closed.md") == "permission denied"
