"""What a seal cannot record is named by its kind in the evidence."""

import os
import socket
from pathlib import Path

from tallystick.recording.blobs import BlobStore
from tallystick.runner.workspace import seal
from tallystick.sandbox.spec import Limits

LIMITS = Limits(
    wall_ms=1000,
    memory_bytes=1 << 20,
    processes=10,
    file_bytes=1 << 20,
    workspace_bytes=1000,
    workspace_files=100,
    output_bytes=1000,
)


def test_every_refusal_has_its_own_reason(tmp_path: Path) -> None:
    work = tmp_path / "w"
    (work / "deep" / "/".join(["d"] * 64)).mkdir(parents=True)
    (work / "vendored" / ".git").mkdir(parents=True)
    os.mkfifo(work / "fifo")
    (work / "big").write_bytes(bytes(1001))
    (work / "link").symlink_to("/etc/passwd")
    (work / "odd-link").symlink_to(os.fsdecode(b"a\xff"))
    Path(os.fsdecode(bytes(work) + b"/name-\xff")).touch()
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(os.path.relpath(work / "socket"))
    folder = os.open(work, os.O_RDONLY)
    try:
        found = seal(folder, LIMITS, BlobStore(tmp_path / "blobs"))
    finally:
        os.close(folder)
    reasons = {refused.path: refused.reason for refused in found.refused}
    deep = [path for path in reasons if path.startswith("deep/")]
    assert [reasons.pop(path) for path in deep] == ["too_deep"]
    assert reasons == {
        "big": "too_large",
        "fifo": "fifo",
        "link": "link_leaves",
        "name-%FF": "bad_name",
        "odd-link": "link_leaves",
        "socket": "socket",
        "vendored/.git": "bad_name",
    }
    assert found.refused_total == 8
