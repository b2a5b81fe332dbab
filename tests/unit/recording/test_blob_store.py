"""The blob store holds small blobs until they are flushed together, and gives out nothing but what belongs to a digest."""

import threading
from pathlib import Path

import pytest

from tallystick.core.digest import Digest, sha256
from tallystick.recording.blobs import BlobStore
from tallystick.recording.durable import StoreError
from tallystick.records.blobs import MissingBlobError


def files(folder: Path) -> dict[str, bytes]:
    return {f"sha256:{path.name}": path.read_bytes() for path in (folder / "sha256").rglob("*") if path.is_file()}


def test_a_blob_can_be_read_at_once_and_is_a_file_after_flush(tmp_path: Path) -> None:
    store = BlobStore(tmp_path)
    digest = store.put(b"one")
    assert store.read(digest) == b"one"
    assert files(tmp_path) == {}
    store.flush()
    assert files(tmp_path) == {digest: b"one"}
    assert store.read(digest) == b"one"
    assert list((tmp_path / "new").iterdir()) == []


def test_what_is_held_is_bounded(tmp_path: Path) -> None:
    store = BlobStore(tmp_path)
    digests = {store.put(bytes([number]) * (1 << 20)) for number in range(20)}
    assert files(tmp_path).keys() & digests
    store.flush()
    assert files(tmp_path).keys() == digests


def test_flush_waits_for_the_blobs_of_every_thread(tmp_path: Path) -> None:
    store = BlobStore(tmp_path)
    lost: list[Digest] = []

    def work(worker: int) -> None:
        for number in range(20):
            mine = [store.put(f"{worker} {number}".encode()), store.put(f"shared {number}".encode())]
            store.flush()
            lost.extend(digest for digest in mine if digest not in files(tmp_path))

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert lost == []


def test_a_store_of_another_process_is_seen(tmp_path: Path) -> None:
    first, second = BlobStore(tmp_path), BlobStore(tmp_path)
    digest = first.put(b"one")
    assert not second.has(digest)
    with pytest.raises(MissingBlobError):
        second.read(digest)
    first.flush()
    assert second.has(digest)
    assert second.read(digest) == b"one"


def test_a_large_file_is_copied_in_pieces(tmp_path: Path) -> None:
    data = b"0123456789abcdef" * (1 << 17)
    (tmp_path / "large").write_bytes(data)
    store = BlobStore(tmp_path / "blobs")
    with (tmp_path / "large").open("rb") as file:
        assert store.put_fd(file.fileno(), len(data)) == sha256(data)
    assert files(tmp_path / "blobs") == {sha256(data): data}


def test_a_failed_flush_says_so_and_loses_nothing(tmp_path: Path) -> None:
    store = BlobStore(tmp_path / "blobs")
    digest = store.put(b"one")
    (tmp_path / "blobs").write_bytes(b"in the way")
    with pytest.raises(StoreError, match="cannot write below"):
        store.flush()
    (tmp_path / "blobs").unlink()
    assert store.read(digest) == b"one"
    store.flush()
    assert files(tmp_path / "blobs") == {digest: b"one"}


def test_a_damaged_blob_is_named(tmp_path: Path) -> None:
    store = BlobStore(tmp_path)
    digest = store.put(b"one")
    store.flush()
    next(path for path in (tmp_path / "sha256").rglob("*") if path.is_file()).write_bytes(b"two")
    with pytest.raises(StoreError, match="damaged"):
        BlobStore(tmp_path).read(digest)
