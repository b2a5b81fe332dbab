"""From a finished run to its file: what it may not hold, what it may not replace, signed, whole or not at all."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

from tallystick.attest.bundle import BundleInputs, blobs_of, sign
from tallystick.core.errors import InputError, TallyError
from tallystick.flows.run import RunDone
from tallystick.flows.writing import find_place, write_whole, written_name
from tallystick.recording.durable import StoreError, scratch_file, sweep
from tallystick.records.blobs import ChainedBlobs
from tallystick.records.bundle import Bundle
from tallystick.records.containers import BlobView, Container, open_bundle, open_reliability, receipts_of, write_bundle
from tallystick.trust.signing import Signer

__all__ = ["ENDINGS", "SecretError", "check_secrets", "contents_of", "publish", "set_aside", "write_file", "write_signed"]

_RECEIPT = b'{"_type":"tallystick/reliability/'
ENDINGS = frozenset({".json", ".tally"})


def set_aside(stem: Path, bundle: Bundle) -> list[tuple[Path, Path]]:
    """Rename files that a run about to be published as `stem` would replace and that are of another run.

    Returns (former name, name it has now) of each; a file about the same run is left, to be replaced.
    """
    moved = []
    for ending in sorted(ENDINGS):
        former = stem.with_name(stem.name + ending)
        if former.is_file() and not _same_run(former, bundle):
            aside = next(
                path for n in itertools.count(1) if not (path := former.with_name(f"{stem.name}.{n}{ending}")).exists()
            )
            former.rename(aside)
            moved.append((former, aside))
    return moved


def _same_run(path: Path, bundle: Bundle) -> bool:
    other = _bundle_in(path)
    return other is not None and _subject(other) == _subject(bundle)


def _bundle_in(path: Path) -> Bundle | None:
    """The bundle of a file, or the one in a reliability receipt; None where it is neither."""
    try:
        with path.open("rb") as stream:
            if stream.read(len(_RECEIPT)) == _RECEIPT:
                stream.seek(0)
                inside = open_reliability(stream).bundle
                return None if inside is None else inside.bundle
            stream.seek(0)
            return open_bundle(stream).bundle
    except (OSError, InputError):
        return None


def _subject(bundle: Bundle) -> tuple[object, ...]:
    """What a run is about: two bundles that agree in it tell of the same attempts."""
    return bundle.suite_hash, bundle.agent, bundle.config, bundle.scheduler_config, bundle.partial


def publish(done: RunDone, signer: Signer | None, out: Path, container: Container | None = None) -> tuple[Bundle, Path]:
    """Sign the bundle of a finished run and write it; as `write_signed`."""
    if done.inputs is None or done.bundle is None:
        raise RuntimeError("a run that was stopped has no bundle")
    check_secrets(done)
    return write_signed(done.inputs, done.bundle, signer, out, container)


class SecretError(TallyError):
    """A file that would publish a key; nothing was written."""


def check_secrets(done: RunDone) -> None:
    """Refuse to publish evidence that holds a key.

    Raises:
        SecretError: naming the first one's place, and never the key.
    """
    if done.secrets:
        first, more = done.secrets[0], len(done.secrets) - 1
        also = f", and {more} more" if more else ""
        raise SecretError(
            f"nothing was written: {first.where} holds a key ({first.kind}){also}; "
            f"look at it below {done.folder.parent.parent}, and publish without it by the same command with --withhold-secrets"
        )


def write_signed(
    inputs: BundleInputs, bundle: Bundle, signer: Signer | None, out: Path, container: Container | None = None
) -> tuple[Bundle, Path]:
    """Sign a bundle built from `inputs` and write it as one file, whole or not at all; returns both.

    A name without an ending gets the container's: `.json` or `.tally`.

    Raises:
        StoreError: the file cannot be written.
        InputError: `out` is no place for a file.
    """
    find_place(out)
    signed = bundle if signer is None else sign(bundle, signer)
    written = write_bundle(signed, receipts_of(signed), contents_of(inputs), container)
    target = written_name(out, ENDINGS, f".{written.container}")
    write_file(target, written.chunks)
    return signed, target


def contents_of(inputs: BundleInputs) -> BlobView:
    """The blobs that a file about this evidence holds, each read when it is written."""
    return BlobView(blobs_of(inputs), ChainedBlobs(inputs.blobs, inputs.suite_blobs))


def write_file(out: Path, chunks: Iterator[bytes]) -> None:
    """Write evidence to the place of `out`, and a file so that it survives a power cut.

    Raises:
        StoreError: the file cannot be written.
        InputError, WriteError: as `write_whole`.
    """
    write_whole(out, chunks, replace=_durably)


def _durably(path: Path, chunks: Iterable[bytes]) -> int:
    size = 0
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        sweep(path.parent)
        with scratch_file(path.parent) as file:
            for chunk in chunks:
                file.write(chunk)
                size += len(chunk)
            file.become(path)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}; name another file with --out") from None
    return size
