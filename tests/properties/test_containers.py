"""Both containers hold the same bundle, and every changed byte is refused at some step or changes no content."""

import io

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tallystick.core.digest import sha256
from tallystick.core.errors import TallyError
from tallystick.records.bundle import bundle_hash, strip
from tallystick.records.containers import BundleFile, open_bundle, receipts_of, write_bundle
from tests.unit.records.samples import BLOBS, bundle

SAMPLE = bundle()
RECEIPTS = receipts_of(SAMPLE)
FORMS = {form: b"".join(write_bundle(SAMPLE, RECEIPTS, BLOBS, form).chunks) for form in ("json", "tally")}
forms = st.sampled_from(sorted(FORMS))


def content(data: bytes) -> object:
    """Everything that a container holds, after every check that needs no suite and no key; None where one of them refuses.

    The checks are those of verification: container, C1, schema, bundle hash, receipts named and present, digests.
    """
    try:
        file = open_bundle(io.BytesIO(data))
        file.check_all()
        if bundle_hash(file.bundle) != file.bundle.bundle_hash:
            return None
        receipts = {digest: file.receipt(digest) for digest in named(file)}
        return file.bundle, receipts, {digest: file.read(digest) for digest in file.sizes}
    except TallyError:
        return None


def named(file: BundleFile) -> list[str]:
    return [holder.receipt_hash for result in file.bundle.task_results for holder in (result, *result.tries)]


WHOLE = content(FORMS["json"])


def test_both_forms_hold_the_same() -> None:
    assert WHOLE is not None
    assert content(FORMS["tally"]) == WHOLE
    file = open_bundle(io.BytesIO(FORMS["tally"]))
    assert file.bundle == strip(SAMPLE)
    assert dict(file.sizes) == {digest: len(data) for digest, data in sorted(BLOBS.items())}


@given(forms, st.data())
@settings(max_examples=400)
def test_a_changed_byte_is_refused_or_changes_nothing(form: str, data: st.DataObject) -> None:
    """Nothing passes with other content. Re-encoded deflate streams pass: their bytes are not what is signed."""
    changed = bytearray(FORMS[form])
    at = data.draw(st.integers(0, len(changed) - 1))
    changed[at] ^= data.draw(st.integers(1, 255))
    found = content(bytes(changed))
    assert found in (None, WHOLE)
    if found is not None:
        assert in_deflate_stream(form, at)


def in_deflate_stream(form: str, at: int) -> bool:
    """Whether byte `at` belongs to deflated bytes, the only ones that have more than one spelling."""
    whole = FORMS[form]
    if form == "json":
        start = whole.index(b'"data":"') + len(b'"data":"')
        return start <= at < whole.index(b'"', start)
    start = whole.rfind(b"\x1f\x8b\x08\0\0\0\0\0\0\xff", 0, at + 1)
    return start >= 0 and at >= start + 10


@given(forms, st.data())
@settings(max_examples=100)
def test_bytes_that_go_or_come_are_refused(form: str, data: st.DataObject) -> None:
    whole = FORMS[form]
    at = data.draw(st.integers(0, len(whole)))
    longer = whole[:at] + data.draw(st.binary(min_size=1, max_size=600)) + whole[at:]
    assert content(longer) in (None, WHOLE if longer == whole else None)
    assert content(whole[:at]) is None or at == len(whole)


@given(st.binary(max_size=2000), st.sampled_from([b"", b"{", b"bundle.json\0", FORMS["tally"][:512], FORMS["tally"][:4096]]))
@example(b"", b"")
def test_garbage_is_no_bundle(garbage: bytes, start: bytes) -> None:
    assert content(start + garbage) is None


blob_sets = st.lists(
    st.binary(max_size=100)
    | st.tuples(st.binary(min_size=1, max_size=3), st.integers(1, 3000)).map(lambda two: two[0] * two[1]),
    max_size=6,
).map(lambda contents: {sha256(data): data for data in contents})


@given(blob_sets)
@settings(max_examples=50)
def test_any_blobs_come_back(blobs: dict[str, bytes]) -> None:
    for form in FORMS:
        data = b"".join(write_bundle(SAMPLE, RECEIPTS, blobs, form).chunks)  # type: ignore[arg-type]
        file = open_bundle(io.BytesIO(data))
        file.check_all()
        assert file.container == form
        assert list(file.sizes) == sorted(blobs)
        assert {digest: file.read(digest) for digest in blobs} == blobs  # type: ignore[arg-type]
