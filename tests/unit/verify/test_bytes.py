"""Any flipped byte of a file is refused, but for another encoding of the same contents."""

from io import BytesIO

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tallystick.core.errors import InputError
from tallystick.records.containers import BundleFile, open_bundle
from tallystick.records.report import Status
from tallystick.verify.bundle import verify
from tallystick.verify.ports import VerifyOptions
from tests.support import synthetic as s

HONEST = s.seal(s.honest_run(2, failing=("shorten",)))
FILES = {container: s.file_bytes(HONEST, container) for container in ("json", "tally")}


def contents(file: BundleFile) -> object:
    """Everything a bundle says, whatever its encoding."""
    receipts = {digest: file.receipt_bytes(digest) for digest in file.receipts}
    return file.bundle, receipts, {digest: file.read(digest) for digest in file.sizes}


CONTENTS = contents(open_bundle(BytesIO(FILES["json"])))


def test_both_files_say_the_same() -> None:
    assert contents(open_bundle(BytesIO(FILES["tally"]))) == CONTENTS


@pytest.mark.parametrize("container", FILES)
@given(place=st.integers(0, 10**9), bit=st.integers(0, 7))
@example(place=0, bit=0)
@example(place=-1, bit=7)
def test_a_flipped_bit_is_refused_or_changes_nothing(container: str, place: int, bit: int) -> None:
    data = bytearray(FILES[container])
    data[place % len(data)] ^= 1 << bit
    try:
        file = open_bundle(BytesIO(bytes(data)))
    except InputError:
        return
    report = verify(file, HONEST.suite, VerifyOptions())
    assert report.status is not Status.MATCH or contents(file) == CONTENTS


@pytest.mark.parametrize("container", FILES)
@given(cut=st.integers(0, 10**9))
def test_a_file_that_is_cut_off_cannot_be_opened(container: str, cut: int) -> None:
    data = FILES[container]
    with pytest.raises(InputError):
        open_bundle(BytesIO(data[: cut % len(data)]))
