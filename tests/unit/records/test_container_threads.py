"""A `.tally` bundle read by two threads: graders run ahead while the verifier goes on reading."""

import io
import threading
from collections.abc import Callable

from tallystick.records.containers import open_bundle, receipts_of, write_bundle
from tests.unit.records.samples import BLOBS, bundle

GIVE_UP_S = 0.2
"""How long a read is held open for another one to step in; enough for a thread to start, and nothing fails by it."""


class Interrupted(io.BytesIO):
    """Runs something once in the middle of a read: after its seek."""

    meanwhile: Callable[[], None] | None = None

    def seek(self, offset: int, whence: int = 0) -> int:
        place = super().seek(offset, whence)
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            meanwhile()
        return place


def test_a_read_that_another_thread_steps_into_gives_its_own_bytes() -> None:
    sample = bundle()
    stream = Interrupted(b"".join(write_bundle(sample, receipts_of(sample), BLOBS, "tally").chunks))
    file = open_bundle(stream)
    first, *_, last = file.sizes
    found: list[bytes] = []
    other = threading.Thread(target=lambda: found.append(file.read(last)))

    def meanwhile() -> None:
        other.start()
        other.join(GIVE_UP_S)

    stream.meanwhile = meanwhile
    assert file.read(first) == BLOBS[first]
    other.join()
    assert found == [BLOBS[last]]
