"""Containers built to cheat or to break a reader; each test is named for its lie. All are refused in one line."""

import base64
import io
import tarfile
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from tallystick.core import c1, limits
from tallystick.core.digest import EMPTY, sha256
from tallystick.records.base import MalformedError
from tallystick.records.bundle import strip
from tallystick.records.containers import (
    BundleFile,
    ContainerError,
    DigestMismatchError,
    open_bundle,
    receipts_of,
    write_json,
)
from tallystick.records.containers.ustar import END, header, padding
from tests.unit.records.samples import BLOBS, bundle, named, receipt

SAMPLE = bundle()
RECEIPTS = receipts_of(SAMPLE)
JSON = b"".join(write_json(SAMPLE, BLOBS))
DOCUMENT = c1.encode(strip(SAMPLE))

Member = tuple[str, bytes]
"""Name and stored bytes."""


def opened(data: bytes) -> BundleFile:
    return open_bundle(io.BytesIO(data))


def refused(data: bytes, message: str, kind: type[Exception] = ContainerError) -> None:
    with pytest.raises(kind, match=message) as caught:
        opened(data).check_all()
    assert "\n" not in str(caught.value)


# The .tally form.


def packed(data: bytes) -> bytes:
    engine = zlib.compressobj(6, wbits=-15)
    tail = zlib.crc32(data).to_bytes(4, "little") + len(data).to_bytes(4, "little")
    return bytes.fromhex("1f8b08000000000000ff") + engine.compress(data) + engine.flush() + tail


def members() -> list[Member]:
    receipts = [(f"receipts/sha256/{digest[7:]}", RECEIPTS[digest]) for digest in sorted(RECEIPTS)]
    blobs = [(f"blobs/sha256/{digest[7:]}.gz", packed(BLOBS[digest])) for digest in sorted(BLOBS)]
    return [("bundle.json", DOCUMENT), *receipts, *blobs]


def archive(parts: list[Member], end: bytes = END) -> bytes:
    return b"".join(header(name, len(data)) + data + bytes(padding(len(data))) for name, data in parts) + end


def test_the_honest_archive_opens() -> None:
    opened(archive(members())).check_all()


def test_all_contents_together_may_not_inflate_beyond_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "INFLATE_TOTAL_SLACK_BYTES", 0)
    contents = [bytes([n]) * (limits.INFLATE_SLACK_BYTES // 2) for n in range(4)]
    blobs = [(f"blobs/sha256/{sha256(data)[7:]}.gz", packed(data)) for data in contents]
    refused(archive([*members()[:BLOB], *sorted(blobs)]), "declare 2[0-9]{6} altogether")


RECEIPT, LAST_RECEIPT, BLOB = 1, len(RECEIPTS), 1 + len(RECEIPTS)
TEXT = BLOB + sorted(BLOBS).index(sha256(b"many lines\n" * 400))
"""Where the archive has its first receipt, its last, its first blob, and a blob that deflate makes much smaller."""


def swapped(left: int, right: int) -> Callable[[list[Member]], None]:
    def change(parts: list[Member]) -> None:
        parts[left], parts[right] = parts[right], parts[left]

    return change


def renamed(place: int, name: Callable[[str], str]) -> Callable[[list[Member]], None]:
    def change(parts: list[Member]) -> None:
        parts[place] = (name(parts[place][0]), parts[place][1])

    return change


def inserted(place: int, name: str, data: bytes = b"x") -> Callable[[list[Member]], None]:
    return lambda parts: parts.insert(place, (name, data))


def content(place: int, change: Callable[[bytes], bytes]) -> Callable[[list[Member]], None]:
    def apply(parts: list[Member]) -> None:
        parts[place] = (parts[place][0], change(parts[place][1]))

    return apply


def declares(size: int) -> Callable[[bytes], bytes]:
    return lambda data: data[:-4] + size.to_bytes(4, "little")


ABSENT = "0" * 64
ARCHIVE_LIES: dict[str, tuple[Callable[[list[Member]], None], str]] = {
    "receipt_stands_twice": (lambda parts: parts.insert(RECEIPT, parts[RECEIPT]), "out of order or stands twice"),
    "blob_stands_twice": (lambda parts: parts.append(parts[-1]), "out of order or stands twice"),
    "blob_raw_and_packed": (
        lambda parts: parts.insert(BLOB, (f"blobs/sha256/{min(BLOBS)[7:]}", BLOBS[min(BLOBS)])),
        "out of order or stands twice",
    ),
    "receipts_unsorted": (swapped(RECEIPT, LAST_RECEIPT), "out of order"),
    "blobs_unsorted": (swapped(-1, -2), "out of order"),
    "blobs_before_receipts": (swapped(LAST_RECEIPT, BLOB), "out of order"),
    "bundle_stands_twice": (inserted(1, "bundle.json", DOCUMENT), "no member named"),
    "bundle_not_first": (swapped(0, 1), "neither"),
    "receipt_nobody_names": (inserted(RECEIPT, "receipts/sha256/" + ABSENT), "named by no result"),
    "foreign_member": (inserted(1, "README"), "no member named"),
    "absolute_path": (inserted(1, "/etc/passwd"), "no member named"),
    "path_that_climbs": (inserted(1, "blobs/sha256/../../../evil"), "no member named"),
    "folder_member": (inserted(1, "blobs/"), "no member named"),
    "pax_header": (inserted(1, "PaxHeaders/bundle.json"), "no member named"),
    "upper_case_digest": (renamed(BLOB, str.upper), "no member named"),
    "digest_with_line_feed": (renamed(BLOB, lambda name: name.removesuffix(".gz") + "\n"), "no member named"),
    "other_suffix": (renamed(BLOB, lambda name: name + ".gz"), "no member named"),
    "packed_but_named_raw": (renamed(TEXT, lambda name: name.removesuffix(".gz")), "its bytes were changed"),
    "raw_but_named_packed": (renamed(RECEIPT, lambda name: name + ".gz"), "declares|gzip|ratio"),
    "too_short_for_gzip": (content(BLOB, lambda _: bytes(19)), "no gzip file"),
    "other_gzip_header": (content(BLOB, lambda data: data[:9] + b"\x03" + data[10:]), "gzip header"),
    "gzip_with_a_name": (content(BLOB, lambda data: data[:3] + b"\x08" + data[4:10] + b"n\0" + data[10:]), "gzip header"),
    "bytes_after_the_gzip_end": (content(TEXT, lambda data: data + data[-8:]), "follow the end"),
    "two_gzip_files": (content(TEXT, lambda data: data + data), "follow the end"),
    "gzip_cut_off": (content(TEXT, lambda data: data[:-20] + data[-4:]), "cut off|deflate stream"),
    "wrong_crc": (content(TEXT, lambda data: data[:-8] + bytes(4) + data[-4:]), "not a deflate stream"),
    "size_too_small": (content(TEXT, declares(3)), "inflates to more|deflate stream"),
    "size_too_large": (content(TEXT, declares(1000)), "deflate stream|inflates to"),
    "size_beyond_the_limit": (content(TEXT, declares(limits.BLOB_BYTES + 1)), "declares"),
    "size_beyond_the_ratio": (content(TEXT, declares(limits.BLOB_BYTES)), "ratio"),
    "deflate_bomb": (content(TEXT, lambda _: packed(bytes(4 * limits.INFLATE_SLACK_BYTES))), "ratio"),
    "deflate_bomb_that_lies": (
        content(TEXT, lambda _: packed(bytes(4 * limits.INFLATE_SLACK_BYTES))[:-4] + (9).to_bytes(4, "little")),
        "inflates to more",
    ),
    "not_deflate": (content(TEXT, lambda data: data[:10] + b"\xff" * 30 + data[-8:]), "not a deflate stream"),
    "other_blob": (content(TEXT, lambda _: packed(b"other")), "its bytes were changed"),
    "other_receipt": (content(RECEIPT, lambda _: RECEIPTS[max(RECEIPTS)]), "its bytes were changed"),
    "bundle_with_receipts": (content(0, lambda _: c1.encode(SAMPLE)), "neither receipts nor blobs"),
    "bundle_with_blobs": (content(0, lambda _: JSON), "neither receipts nor blobs"),
    "bundle_absent": (lambda parts: parts.pop(0) and None, "neither"),
}


@pytest.mark.parametrize("lie", ARCHIVE_LIES)
def test_a_changed_archive_is_refused(lie: str) -> None:
    change, message = ARCHIVE_LIES[lie]
    parts = members()
    change(parts)
    refused(archive(parts), message)


ENDINGS = {
    "no_end": b"",
    "one_zero_block": bytes(512),
    "cut_zero_block": bytes(1000),
    "three_zero_blocks": bytes(1536),
    "padded_as_tar_does": bytes(10_240),
    "byte_after_the_end": END + b"\0",
    "bytes_in_the_end": bytes(600) + b"hidden" + bytes(418),
    "member_after_the_end": END + archive([("README", b"x")]),
}


@pytest.mark.parametrize("end", ENDINGS.values(), ids=ENDINGS)
def test_another_ending_is_refused(end: bytes) -> None:
    refused(archive(members(), end), "exactly two zero blocks|cut off")


def test_every_other_header_is_refused() -> None:
    """Each byte of a header, changed; the checksum of the change is made right where tar would look at it."""
    name, data = members()[RECEIPT]
    block = header(name, len(data))
    whole = archive(members())
    at = whole.index(block)
    for place in range(512):
        changed = bytearray(block)
        changed[place] ^= 1
        for fixed in {bytes(changed), bytes(with_checksum(changed))} - {block}:
            with pytest.raises(ContainerError):
                opened(whole[:at] + fixed + whole[at + 512 :]).check_all()


def with_checksum(block: bytearray) -> bytearray:
    blank = block[:148] + b" " * 8 + block[156:]
    return block[:148] + b"%06o\0 " % sum(blank) + block[156:]


def tar_info(**changes: Any) -> bytes:
    """The header that Python's tarfile makes for the first receipt, with changes."""
    name, data = members()[RECEIPT]
    info = tarfile.TarInfo(name)
    info.size = len(data)
    form = changes.pop("format", tarfile.USTAR_FORMAT)
    for key, value in changes.items():
        setattr(info, key, value)
    return info.tobuf(form)


HEADERS: dict[str, dict[str, Any]] = {
    "owner": {"uid": 1000},
    "owner_name": {"uname": "root"},
    "time": {"mtime": 1},
    "executable": {"mode": 0o755},
    "link": {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd", "size": 0},
    "hard_link": {"type": tarfile.LNKTYPE, "linkname": "bundle.json", "size": 0},
    "device": {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 3, "size": 0},
    "fifo": {"type": tarfile.FIFOTYPE, "size": 0},
    "folder": {"type": tarfile.DIRTYPE, "size": 0},
    "old_regular_file": {"type": tarfile.AREGTYPE},
    "gnu_magic": {"format": tarfile.GNU_FORMAT},
    "sparse": {"type": tarfile.GNUTYPE_SPARSE},
}


def test_our_header_is_the_one_of_tarfile() -> None:
    name, data = members()[RECEIPT]
    assert tar_info() == header(name, len(data))


@pytest.mark.parametrize("changes", HEADERS.values(), ids=HEADERS)
def test_a_header_that_tar_would_take_is_refused(changes: dict[str, Any]) -> None:
    name, data = members()[RECEIPT]
    refused(archive(members()).replace(header(name, len(data)), tar_info(**changes)), "tar header")


SIZES = {
    "beyond_the_file": b"77777777777\0",
    "beyond_11_digits": b"\x80" + bytes(10) + b"\x05",
    "negative": b"\xff" * 12,
    "spaces": b"       2531 ",
    "no_end": b"000000025310",
    "signed": b"-0000002531\0",
    "decimal": b"00000000099\0",
}


@pytest.mark.parametrize("field", SIZES.values(), ids=SIZES)
def test_another_spelling_of_a_size_is_refused(field: bytes) -> None:
    name, data = members()[RECEIPT]
    block = bytearray(header(name, len(data)))
    block[124:136] = field
    refused(archive(members()).replace(header(name, len(data)), bytes(with_checksum(block))), "tar header|ends inside")


def test_bytes_hidden_in_the_padding_are_refused() -> None:
    whole = bytearray(archive(members()))
    at = 512 + len(DOCUMENT)
    assert padding(len(DOCUMENT))
    whole[at] = 1
    refused(bytes(whole), "not zero")


def test_every_truncation_is_refused() -> None:
    whole = archive(members())
    for cut in [*range(0, len(whole), 97), len(whole) - 1]:
        with pytest.raises(ContainerError):
            opened(whole[:cut])


def test_a_bundle_beyond_its_limit_is_refused() -> None:
    size = limits.BUNDLE_JSON_BYTES + 1
    refused(header("bundle.json", size) + bytes(size + padding(size)) + END, "at most")


# The .json form.


def document(change: Callable[[dict[str, Any]], object]) -> bytes:
    tree: Any = c1.loads(JSON)
    change(tree)
    return c1.encode(tree)


def raw_deflate(data: bytes) -> bytes:
    engine = zlib.compressobj(wbits=-15)
    return engine.compress(data) + engine.flush()


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def blobs(**changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda tree: tree["blobs"].update(changes)


def index(change: Callable[[list[Any]], object]) -> Callable[[dict[str, Any]], object]:
    return lambda tree: change(tree["blobs"]["index"])


INDEX = [{"digest": digest, "size": len(BLOBS[digest])} for digest in sorted(BLOBS)]
STREAM = raw_deflate(b"".join(BLOBS[digest] for digest in sorted(BLOBS)))
ENTRY = TEXT - BLOB
TOTAL = sum(map(len, BLOBS.values()))


def sized(place: int, more: int) -> Callable[[list[Any]], None]:
    def change(entries: list[Any]) -> None:
        entries[place]["size"] += more

    return change


DOCUMENT_LIES: dict[str, tuple[Callable[[dict[str, Any]], object], str, type[Exception]]] = {
    "size_too_small": (index(sized(ENTRY, -1)), "inflates to more", ContainerError),
    "size_too_large": (index(sized(ENTRY, 1)), "inflates to", ContainerError),
    "sizes_shifted": (
        index(lambda entries: [sized(0, 1)(entries), sized(1, -1)(entries)]),
        "bytes were changed",
        ContainerError,
    ),
    "size_negative": (index(sized(0, -10_000)), "size", MalformedError),
    "size_as_text": (index(lambda entries: entries[0].update(size="5")), "size", MalformedError),
    "sizes_beyond_the_limit": (index(sized(0, limits.INLINE_BLOBS_BYTES)), "at most", ContainerError),
    "size_beyond_the_ratio": (index(sized(0, limits.INLINE_BLOBS_BYTES - TOTAL)), "ratio", ContainerError),
    "index_unsorted": (index(lambda entries: entries.reverse()), "out of order", ContainerError),
    "index_entry_twice": (index(lambda entries: entries.insert(0, entries[0])), "stands twice", ContainerError),
    "index_entry_for_nothing": (
        index(lambda entries: entries.insert(0, {"digest": "sha256:" + ABSENT, "size": 0})),
        "bytes were changed",
        ContainerError,
    ),
    "index_entry_absent": (index(lambda entries: entries.pop(ENTRY)), "inflates to more", ContainerError),
    "digest_of_other_bytes": (
        index(lambda entries: entries[-1].update(digest="sha256:" + "f" * 64)),
        "changed",
        ContainerError,
    ),
    "unknown_member": (blobs(more=1), "unknown", MalformedError),
    "data_absent": (lambda tree: tree["blobs"].pop("data"), "data", MalformedError),
    "blobs_as_a_list": (lambda tree: tree.update(blobs=[]), "blobs", MalformedError),
    "data_not_base64": (blobs(data="§"), "base64", ContainerError),
    "data_with_spaces": (blobs(data=" " + text(STREAM)), "base64", ContainerError),
    "data_with_line_feed": (blobs(data=text(STREAM) + "\n"), "base64", ContainerError),
    "data_without_padding": (blobs(data=text(b"1234").rstrip("=")), "base64", ContainerError),
    "data_with_spare_bits": (blobs(index=[{"digest": EMPTY, "size": 0}], data="AwB="), "one spelling", ContainerError),
    "data_in_the_url_alphabet": (blobs(data="-_-_"), "base64", ContainerError),
    "data_empty": (blobs(data=""), "cut off", ContainerError),
    "stream_cut_off": (blobs(data=text(STREAM[:-3])), "cut off", ContainerError),
    "bytes_after_the_stream": (blobs(data=text(STREAM + b"x")), "follow the end", ContainerError),
    "two_streams": (blobs(data=text(STREAM + STREAM)), "follow the end", ContainerError),
    "zlib_header": (blobs(data=text(zlib.compress(b"x"))), "not a deflate stream", ContainerError),
    "gzip_stream": (blobs(data=text(packed(b"x"))), "not a deflate stream", ContainerError),
    "deflate_bomb": (blobs(data=text(raw_deflate(bytes(200 * limits.MIB)))), "inflates to more", ContainerError),
    "stream_of_empty_blocks": (blobs(data=text(b"\0\0\0\xff\xff" * 100_000)), "cut off", ContainerError),
    "other_bytes": (blobs(data=text(raw_deflate(bytes(TOTAL)))), "bytes were changed", ContainerError),
    "receipt_edited": (
        lambda tree: tree["task_results"][0]["receipt"]["attempt"].update(index=2),
        "bytes were changed",
        DigestMismatchError,
    ),
    "receipt_of_another_row": (
        lambda tree: tree["task_results"][0].update(receipt=tree["task_results"][1]["receipt"]),
        "bytes were changed",
        DigestMismatchError,
    ),
    "receipt_is_a_number": (lambda tree: tree["task_results"][0].update(receipt=1), "bytes were changed", DigestMismatchError),
    "try_edited": (
        lambda tree: tree["task_results"][1]["tries"][0]["receipt"].update(task_id="b"),
        "bytes were changed",
        DigestMismatchError,
    ),
    "two_receipts_under_one_hash": (
        lambda tree: tree["task_results"][0].update(receipt_hash=tree["task_results"][1]["receipt_hash"]),
        "two different receipts",
        ContainerError,
    ),
    "results_as_an_object": (lambda tree: tree.update(task_results={}), "task_results", MalformedError),
    "result_is_text": (lambda tree: tree["task_results"].append("x"), "task_results", MalformedError),
    "tries_as_text": (lambda tree: tree["task_results"][0].update(tries="x"), "tries", MalformedError),
    "try_is_text": (lambda tree: tree["task_results"][0].update(tries=["x"]), "tries", MalformedError),
    "receipt_hash_absent": (lambda tree: tree["task_results"][0].pop("receipt_hash"), "receipt_hash", MalformedError),
    "receipt_hash_is_a_list": (lambda tree: tree["task_results"][0].update(receipt_hash=[]), "receipt_hash", MalformedError),
    "null_for_absent": (lambda tree: tree.update(withheld=None), "null", c1.C1Error),
    "score_as_text": (lambda tree: tree.update(overall_score="NaN"), "not finite", MalformedError),
    "type_absent": (lambda tree: tree.pop("_type"), "_type is missing", MalformedError),
}


@pytest.mark.parametrize("lie", DOCUMENT_LIES)
def test_a_changed_document_is_refused(lie: str) -> None:
    change, message, kind = DOCUMENT_LIES[lie]
    refused(document(change), message, kind)


def test_a_bad_receipt_spoils_no_other_row() -> None:
    """It is found when it is read, so that a verifier can report a row for each."""
    file = opened(document(lambda tree: tree["task_results"][0]["receipt"].update(events=[])))
    with pytest.raises(DigestMismatchError):
        file.receipt(SAMPLE.task_results[0].receipt_hash)
    assert file.receipt(SAMPLE.task_results[1].receipt_hash) == SAMPLE.task_results[1].receipt


def test_a_receipt_with_the_right_digest_and_the_wrong_schema_is_malformed() -> None:
    tree: Any = c1.loads(c1.encode(receipt()))
    tree["attempt"] = {"index": 3, "of": 2}
    digest = sha256(c1.encode(tree))
    file = opened(document(lambda whole: whole["task_results"][0].update(receipt=tree, receipt_hash=digest)))
    file.check_all()
    with pytest.raises(MalformedError, match="attempt 3 of 2"):
        file.receipt(digest)


def test_an_absent_receipt_is_left_to_the_verifier() -> None:
    file = opened(document(lambda tree: tree["task_results"][0].pop("receipt")))
    file.check_all()
    assert SAMPLE.task_results[0].receipt_hash not in file.receipts


def test_another_encoding_of_the_same_content_passes() -> None:
    contents = b"".join(BLOBS[digest] for digest in sorted(BLOBS))
    engine = zlib.compressobj(0, wbits=-15)
    stored = engine.compress(contents) + engine.flush()
    file = opened(document(blobs(data=text(stored))))
    file.check_all()
    assert {digest: file.read(digest) for digest in file.sizes} == BLOBS
    assert [entry["digest"] for entry in INDEX] == list(file.sizes)
    assert named("nothing") not in file.sizes
