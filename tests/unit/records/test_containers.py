"""Both containers: what opens, what is written where, and what each lie about them ends in."""

import io
import random
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO

import msgspec
import pytest

from tallystick.core import c1, limits
from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import InputError
from tallystick.records.base import MalformedError, NewerVersionError
from tallystick.records.blobs import MemoryBlobs, MissingBlobError
from tallystick.records.bundle import bundle_hash, strip
from tallystick.records.containers import (
    BlobView,
    BundleFile,
    ContainerError,
    DigestMismatchError,
    named_receipts,
    open_bundle,
    receipts_of,
    write_bundle,
    write_json,
    write_tar,
)
from tests.unit.records.samples import BLOBS, bundle, named, receipt

SAMPLE = bundle()
RECEIPTS = receipts_of(SAMPLE)
FORMS = {form: b"".join(write_bundle(SAMPLE, RECEIPTS, BLOBS, form).chunks) for form in ("json", "tally")}
forms = pytest.mark.parametrize("form", FORMS)


def opened(data: bytes) -> BundleFile:
    return open_bundle(io.BytesIO(data))


@forms
def test_everything_comes_back(form: str) -> None:
    file = opened(FORMS[form])
    file.check_all()
    assert file.container == form
    assert file.bundle == strip(SAMPLE)
    assert bundle_hash(file.bundle) == SAMPLE.bundle_hash
    assert dict(file.receipts) == {digest: len(data) for digest, data in RECEIPTS.items()}
    assert set(file.receipts) == named_receipts(SAMPLE)
    for result in SAMPLE.task_results:
        assert file.receipt(result.receipt_hash) == result.receipt
    assert {digest: file.read(digest) for digest in file.sizes} == BLOBS
    assert list(file.sizes) == sorted(BLOBS)


@forms
def test_what_is_not_there_is_missing(form: str) -> None:
    file = opened(FORMS[form])
    with pytest.raises(MissingBlobError):
        file.read(named("nothing"))
    with pytest.raises(MissingBlobError):
        file.receipt(named("nothing"))


def test_the_json_form_is_what_the_two_part_writers_make() -> None:
    assert b"".join(write_json(SAMPLE, BLOBS)) == FORMS["json"]
    assert b"".join(write_tar(SAMPLE, RECEIPTS, BLOBS)) == FORMS["tally"]
    assert write_bundle(SAMPLE, RECEIPTS, BLOBS).container == "json"


@pytest.mark.slow
def test_above_32_mib_the_writer_chooses_tally_unless_told() -> None:
    noise = random.Random(1).randbytes(limits.JSON_PREFERRED_BYTES * 3 // 4)
    blobs = {sha256(noise): noise}
    written = write_bundle(SAMPLE, RECEIPTS, blobs)
    assert written.container == "tally"
    assert opened(b"".join(written.chunks)).read(sha256(noise)) == noise
    assert write_bundle(SAMPLE, RECEIPTS, blobs, "json").container == "json"


@forms
def test_very_regular_content_is_stored_so_that_no_ratio_refuses_it(form: str) -> None:
    zeros = bytes(4 * limits.INFLATE_SLACK_BYTES)
    data = b"".join(write_bundle(SAMPLE, RECEIPTS, {sha256(zeros): zeros}, form).chunks)  # type: ignore[arg-type]
    assert opened(data).read(sha256(zeros)) == zeros


def test_content_is_stored_where_all_of_it_together_would_be_out_of_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "INFLATE_TOTAL_SLACK_BYTES", limits.INFLATE_SLACK_BYTES)
    contents = [bytes([n]) * (limits.INFLATE_SLACK_BYTES // 2) for n in range(8)]
    data = b"".join(write_tar(SAMPLE, RECEIPTS, {sha256(each): each for each in contents}))
    opened(data).check_all()
    assert len(data) < 2 * limits.INFLATE_SLACK_BYTES


@pytest.mark.slow
def test_blobs_that_json_cannot_hold_go_to_tally() -> None:
    zeros = bytes(limits.INLINE_BLOBS_BYTES + 1)
    blobs = {sha256(zeros): zeros}
    with pytest.raises(ContainerError, match="write a"):
        write_bundle(SAMPLE, RECEIPTS, blobs, "json")
    assert write_bundle(SAMPLE, RECEIPTS, blobs).container == "tally"


def test_without_blobs() -> None:
    for form in FORMS:
        file = opened(b"".join(write_bundle(SAMPLE, RECEIPTS, {}, form).chunks))  # type: ignore[arg-type]
        file.check_all()
        assert not file.sizes
    bare = opened(c1.encode(SAMPLE))  # the member `blobs` may be absent
    bare.check_all()
    assert not bare.sizes


def test_standard_tools_read_the_tally_form() -> None:
    with tarfile.open(fileobj=io.BytesIO(FORMS["tally"])) as tar:
        members = tar.getmembers()
        first = tar.extractfile(members[0])
        assert first is not None
        assert first.read() == c1.encode(strip(SAMPLE))
    assert {(m.mode, m.uid, m.gid, m.mtime, m.uname, m.gname, m.isfile()) for m in members} == {(0o644, 0, 0, 0, "", "", True)}
    assert [m.name.split("/")[0] for m in members] == ["bundle.json"] + ["receipts"] * len(RECEIPTS) + ["blobs"] * len(BLOBS)


# What is no bundle at all.

NOT_BUNDLES: dict[str, tuple[bytes, type[InputError], str]] = {
    "empty": (b"", ContainerError, "empty"),
    "text": (b"hello\n", ContainerError, "neither"),
    "json_array": (b"[]", ContainerError, "neither"),
    "bom": (b"\xef\xbb\xbf{}", ContainerError, "neither"),
    "gzip": (zlib.compress(b"{}", wbits=31), ContainerError, "neither"),
    "zip": (b"PK\x03\x04" + bytes(100), ContainerError, "neither"),
    "other_tar": (b"README\0" + bytes(1017), ContainerError, "neither"),
    "empty_object": (b"{}", MalformedError, "_type is missing"),
    "other_document": (b'{"_type":"tallystick/tree/v1","records":[]}', MalformedError, "expected tallystick/bundle/v1"),
    "newer": (b'{"_type":"tallystick/bundle/v2"}', NewerVersionError, "newer tally"),
    "brackets": (b'{"a":' + b"[" * 100_000, c1.C1Error, "nested deeper"),
    "truncated_json": (FORMS["json"][:-1], c1.C1Error, "not JSON"),
    "line_feed_after_json": (FORMS["json"] + b"\n", c1.C1Error, "not canonical"),
    "name_of_tar_only": (b"bundle.json\0", ContainerError, "cut off"),
    "half_a_tar_header": (FORMS["tally"][:300], ContainerError, "cut off"),
    "tar_of_zeros_after_its_name": (b"bundle.json\0" + bytes(2000), ContainerError, "tar header"),
}


@pytest.mark.parametrize(("data", "kind", "message"), NOT_BUNDLES.values(), ids=NOT_BUNDLES)
def test_not_a_bundle(data: bytes, kind: type[InputError], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        opened(data)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


class Endless(io.RawIOBase):
    """A file of `size` zero bytes after `start`, without holding them."""

    def __init__(self, start: bytes, size: int) -> None:
        self.start, self.size, self.at, self.handed_out = start, size, 0, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self.at = offset + (self.size if whence == 2 else self.at if whence == 1 else 0)
        return self.at

    def read(self, size: int = -1) -> bytes:
        assert size >= 0, "the reader must say how much it takes"
        left = max(0, min(size, self.size - self.at))
        piece = self.start[self.at : self.at + left].ljust(left, b"\0")
        self.at += left
        self.handed_out += left
        return piece


@pytest.mark.parametrize(
    "start", [b"{", b"bundle.json\0", FORMS["tally"][:512], b"\0"], ids=["json", "name", "header", "zeros"]
)
def test_a_file_of_100_gb_costs_little(start: bytes) -> None:
    stream = Endless(start, 100 * 2**30)
    with pytest.raises(InputError):
        open_bundle(stream)  # type: ignore[arg-type]
    assert stream.handed_out <= limits.BUNDLE_JSON_BYTES + 1


class Pipe(io.BytesIO):
    """A stream that cannot seek and hands out at most seven bytes at once."""

    def seekable(self) -> bool:
        return False

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size or 7, 7))


def test_from_a_pipe() -> None:
    assert open_bundle(Pipe(FORMS["json"])).bundle == strip(SAMPLE)
    with pytest.raises(ContainerError, match="pipe"):
        open_bundle(Pipe(FORMS["tally"]))


# What writers refuse.


class Lying(Mapping[Digest, bytes]):
    """Says of every blob that it is `x`."""

    def __getitem__(self, digest: Digest) -> bytes:
        return b"x"

    def __iter__(self) -> Iterator[Digest]:
        return iter([named("y")])

    def __len__(self) -> int:
        return 1


WRITERS: dict[str, Callable[..., object]] = {
    form: lambda *args, form=form: b"".join(write_bundle(*args, form).chunks) for form in FORMS
}
writers = pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)


@writers
def test_writers_refuse_wrong_digests(write: Callable[..., object]) -> None:
    with pytest.raises(DigestMismatchError):
        write(SAMPLE, RECEIPTS, Lying())
    first = min(RECEIPTS)
    with pytest.raises(InputError):
        write(SAMPLE, {**RECEIPTS, first: c1.encode(receipt(2, 2, graded=False))[:-1]}, BLOBS)


@writers
def test_writers_refuse_absent_receipts(write: Callable[..., object]) -> None:
    first = min(RECEIPTS)
    with pytest.raises(ContainerError, match="receipt"):
        write(SAMPLE, {digest: data for digest, data in RECEIPTS.items() if digest != first}, BLOBS)


@writers
def test_writers_refuse_what_breaks_its_schema(write: Callable[..., object]) -> None:
    with pytest.raises(InputError):
        write(msgspec.structs.replace(SAMPLE, suite_version="not an id"), RECEIPTS, BLOBS)


def test_a_view_reads_one_blob_at_a_time() -> None:
    held = MemoryBlobs()
    digests = [held.put(data) for data in BLOBS.values()]
    view = BlobView(digests, held)
    assert dict(view) == BLOBS
    assert len(view) == len(BLOBS)
    assert list(view) == sorted(BLOBS)
    with pytest.raises(KeyError):
        view[named("nothing")]


def test_reads_may_alternate() -> None:
    file = opened(FORMS["tally"])
    for left, right in zip(file.sizes, reversed(list(file.receipts)), strict=False):
        assert file.read(left) == BLOBS[left]
        assert file.receipt_bytes(right) == RECEIPTS[right]


def test_a_stream_that_changes_after_opening_is_noticed() -> None:
    stream = io.BytesIO(FORMS["tally"])
    file = open_bundle(stream)
    whole = stream.getbuffer()
    at = FORMS["tally"].index(b"print('hi')")
    whole[at] ^= 1
    digest = sha256(b"print('hi')\n")
    with pytest.raises(DigestMismatchError, match="its bytes were changed"):
        file.read(digest)
    with pytest.raises(DigestMismatchError):
        file.check_all()


def test_binary_streams_are_enough() -> None:
    stream: BinaryIO = io.BytesIO(FORMS["json"])
    assert open_bundle(stream).container == "json"
