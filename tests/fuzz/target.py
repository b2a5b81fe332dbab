"""The fuzz target: hand bytes to every reader of `records` and `core`, and let nothing but the domain's errors out.

    python -m tests.fuzz.target [--seconds N] [--seed N]    plain mutations of the saved corpus
    python -m tests.fuzz.target --atheris [libFuzzer flags]  coverage-guided, where atheris is installed

What is found is saved in `corpus/` under a name that says what it was; every test session runs that folder first.
"""

from __future__ import annotations

import argparse
import io
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tallystick.core import c1
from tallystick.core.errors import TallyError
from tallystick.records import eval_run, evidence, shard, state, task, tree
from tallystick.records.base import Record, parse, write
from tallystick.records.bundle import Bundle, bundle_hash, parse_bundle
from tallystick.records.cohort_history import parse_entries, parse_pending, parse_review
from tallystick.records.containers import open_bundle, open_shard
from tallystick.records.judgement import parse_judgement
from tallystick.records.opinion import parse_rubric
from tallystick.records.report import Report
from tallystick.records.telemetry import parse_telemetry
from tallystick.records.traffic.cassette import parse_cassette
from tallystick.records.traffic.prices import parse_prices
from tallystick.records.traffic.rules import parse_rules

CORPUS: Final = Path(__file__).with_name("corpus")


def _read_container(data: bytes) -> None:
    file = open_bundle(io.BytesIO(data))
    bundle_hash(file.bundle)
    for digest in file.receipts:
        try:
            file.receipt(digest)
        except TallyError as error:
            one_line(error)
    file.check_all()
    for digest, size in file.sizes.items():
        if len(file.read(digest)) != size:
            raise AssertionError(f"{digest} has not its declared size")


def _read_shard(data: bytes) -> None:
    file = open_shard(io.BytesIO(data))
    for digest in file.receipts:
        try:
            file.receipt(digest)
        except TallyError as error:
            one_line(error)
    file.check_all()


def _inverse(read: Callable[[bytes], Record]) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        if write(read(data)) != data:
            raise AssertionError(f"{read} accepts bytes that are not those it writes")

    return check


def _c1(data: bytes) -> None:
    if c1.dumps(c1.loads(data)) != data:
        raise AssertionError("C1 accepts bytes that are not those it writes")


def _read_telemetry(data: bytes) -> None:
    if not all(one.missing is not None for one in parse_telemetry(data)):
        raise AssertionError("telemetry without a list of what is missing")


def _read_history(data: bytes) -> None:
    if b"".join(write(entry) + b"\n" for entry in parse_entries(data)) != data:
        raise AssertionError("a history is read from bytes that are not those it writes")


READERS: Final[tuple[Callable[[bytes], None], ...]] = (
    _c1,
    _read_container,
    _read_shard,
    _inverse(evidence.parse_agent),
    _inverse(evidence.parse_config),
    _inverse(evidence.parse_grade),
    _inverse(evidence.parse_receipt),
    _inverse(lambda data: parse(data, Report)),
    _inverse(state.parse_finished),
    _inverse(state.parse_run_state),
    _inverse(eval_run.parse_eval_run),
    _read_history,
    _read_telemetry,
    _inverse(shard.parse_shard),
    _inverse(task.parse_suite),
    _inverse(tree.parse_tree),
    _inverse(parse_cassette),
    _inverse(parse_judgement),
    _inverse(parse_pending),
    _inverse(parse_prices),
    _inverse(parse_review),
    _inverse(parse_rubric),
    _inverse(parse_rules),
    _inverse(lambda data: parse(data, Bundle)),
    _inverse(parse_bundle),
)


def one_line(error: TallyError) -> None:
    """An error is shown to people as it stands."""
    if not str(error) or "\n" in str(error):
        raise AssertionError(f"an error of more or less than one line: {error!r}")


def one_input(data: bytes) -> None:
    """Every reader takes the bytes or refuses them with a domain error of one line."""
    for read in READERS:
        try:
            read(data)
        except TallyError as error:
            one_line(error)


INTERESTING: Final = (
    *(b"null", b"true", b"-0", b"1e400", b"NaN", b'"NaN"', b"9007199254740992", b"0.10", b'"\\ud800"', b"[[[[", b"{}", b'""'),
    *(b'"_type"', b"\0" * 16, b"\xff" * 8, b"\x1f\x8b\x08\0\0\0\0\0\0\xff", b"77777777777\0", b"sha256:", b",", b":", b"\n"),
)


def mutations(seeds: list[bytes], rng: random.Random) -> Iterator[bytes]:
    """Endless changed copies of the seeds: bytes flipped, cut, doubled, swapped in from another seed or from known trouble."""
    while True:
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.choice((1, 1, 1, 2, 4, 8))):
            _mutate(data, rng, rng.choice(seeds))
        yield bytes(data)
        try:  # the same change in canonical spelling gets past C1, to the schemas
            yield c1.encode(c1.decode(bytes(data)))
        except TallyError:
            continue


def _mutate(data: bytearray, rng: random.Random, other: bytes) -> None:
    at, length = rng.randrange(len(data) + 1), rng.choice((1, 1, 2, 8, 64, 512))
    match rng.randrange(6):
        case 0:
            data[at : at + 1] = bytes([rng.randrange(256)])
        case 1:
            del data[at : at + length]
        case 2:
            data[at:at] = data[at : at + length]
        case 3:
            data[at : at + rng.randrange(20)] = rng.choice(INTERESTING)
        case 4:
            start = rng.randrange(len(other) + 1)
            data[at : at + length] = other[start : start + length]
        case _:
            if at < len(data):
                data[at] ^= 1 << rng.randrange(8)


def seeds() -> list[bytes]:
    """The saved corpus."""
    return [path.read_bytes() for path in sorted(CORPUS.iterdir())]


def _loop(seconds: float, seed: int) -> int:
    end, count = time.monotonic() + seconds, 0
    for data in mutations(seeds(), random.Random(seed)):
        try:
            one_input(data)
        except Exception:
            found = CORPUS / f"found-{seed}-{count}"
            found.write_bytes(data)
            print(f"saved {found}", file=sys.stderr)
            raise
        count += 1
        if time.monotonic() > end:
            break
    print(f"{count} inputs with seed {seed}, nothing found")
    return 0


def _atheris(flags: list[str]) -> None:
    import atheris  # type: ignore[import-not-found]  # noqa: PLC0415 - optional

    atheris.Setup([sys.argv[0], str(CORPUS), *flags], one_input)
    atheris.Fuzz()


def main() -> int:
    """Run one of the two drivers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--atheris", action="store_true")
    options, flags = parser.parse_known_args()
    if options.atheris:
        _atheris(flags)
    return _loop(options.seconds, options.seed)


if __name__ == "__main__":
    sys.exit(main())
