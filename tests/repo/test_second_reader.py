"""A reader written from docs/spec with the standard library alone agrees with the code on every hash of suite and bundle."""

import base64
import copy
import hashlib
import json
import zlib
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tallystick import BenchRunner, MockReplayAdapter, Signer, build_golden_suite_v1
from tallystick.records.base import write
from tallystick.records.containers import BlobView, write_tar

UNHASHED = ("bundle_hash", "signature", "signer_fingerprint", "signer_jwk", "blobs")


def c1(tree: Any) -> bytes:
    """Right for the numbers of these documents: none needs more than the shortest form of a double."""
    return json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def node(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    cut = 1
    while cut * 2 < len(leaves):
        cut *= 2
    return hashlib.sha256(b"\x01" + node(leaves[:cut]) + node(leaves[cut:])).digest()


def root(parts: list[Any]) -> str:
    return "sha256:" + node([c1(part) for part in parts]).hex()


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unbase64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@pytest.fixture(scope="module")
def data() -> bytes:
    runner = BenchRunner(suite=build_golden_suite_v1(), adapter=MockReplayAdapter(), scheduler_config={"attempts": 2})
    return runner.run().sign(Signer.generate()).to_bytes()


@pytest.fixture(scope="module")
def bundle(data: bytes) -> Any:
    return json.loads(data)


@pytest.fixture(scope="module")
def suite() -> Any:
    return json.loads(write(build_golden_suite_v1().document))


def blobs_of(bundle: Any) -> dict[str, bytes]:
    content = zlib.decompress(base64.b64decode(bundle["blobs"]["data"], validate=True), -15)
    found, at = {}, 0
    for entry in bundle["blobs"]["index"]:
        found[entry["digest"]] = content[at : at + entry["size"]]
        at += entry["size"]
    assert at == len(content)
    return found


def test_hashes_of_a_suite(suite: Any) -> None:
    for task in suite["tasks"]:
        bare = {name: value for name, value in task.items() if name != "task_hash"}
        assert digest(c1({**bare, "_type": "tallystick/task/v1"})) == task["task_hash"]
    hashes = [task["task_hash"] for task in suite["tasks"]]
    assert digest(c1({"_type": "tallystick/suite-id/v1", "tasks": hashes})) == suite["suite_hash"]
    trees = [digest(c1(tree)) for tree in suite["trees"]]
    assert trees == sorted(set(trees))


def test_hash_and_signature_of_a_bundle(data: bytes, bundle: Any) -> None:
    assert c1(bundle) == data
    bare = copy.deepcopy({name: value for name, value in bundle.items() if name not in UNHASHED})
    for result in bare["task_results"]:
        del result["receipt"]
    assert digest(c1(bare)) == bundle["bundle_hash"]
    kid = base64url(hashlib.sha256(c1(bundle["signer_jwk"])).digest())
    assert kid == bundle["signer_fingerprint"] == bundle["submitter"]["kid"]
    header = base64url(c1({"alg": "EdDSA", "kid": kid, "typ": "tallystick-bundle+jws"}))
    found, empty, signature = bundle["signature"].split(".")
    assert (found, empty) == (header, "")
    key = Ed25519PublicKey.from_public_bytes(unbase64url(bundle["signer_jwk"]["x"]))
    key.verify(unbase64url(signature), f"{header}.{base64url(bundle['bundle_hash'].encode())}".encode())


def test_receipts_and_what_they_name(bundle: Any, suite: Any) -> None:
    blobs, tasks = blobs_of(bundle), {task["id"]: task for task in suite["tasks"]}
    assert all(digest(content) == name for name, content in blobs.items())
    ids = {"suite_hash": suite["suite_hash"], "agent": digest(c1(bundle["agent"])), "config": digest(c1(bundle["config"]))}
    named = set()
    for result in bundle["task_results"]:
        receipt, task = result["receipt"], tasks[result["task_id"]]
        assert digest(c1(receipt)) == result["receipt_hash"]
        assert receipt["run_id"] == digest(c1({"_type": "tallystick/run-id/v1", **ids}))
        assert root(receipt["events"]) == receipt["journal_head"]
        assert root(receipt["spine"]) == receipt["spine_head"]
        spine = {entry["role"]: entry["digest"] for entry in receipt["spine"]}
        assert list(spine.items())[:3] == [
            ("suite", suite["suite_hash"]),
            ("task", task["task_hash"]),
            ("workspace.base", task["workspace"]),
        ]
        assert receipt["events"][1]["instruction"] == digest((task["description"].strip("\n") + "\n").encode())
        grade, final = json.loads(blobs[spine["grade"]]), json.loads(blobs[spine["workspace.final"]])
        named |= {spine[role] for role in ("agent", "config", "workspace.final", "grade")} | {grade["graded"]}
        named |= {record["digest"] for record in final["records"] if "digest" in record}
        named |= {name for _, name in result["observed"]["outputs"]}
    assert named == set(blobs)


def test_coordination(bundle: Any) -> None:
    roots: dict[str, list[str]] = {}
    for result in bundle["task_results"]:
        lane = [event for event in result["receipt"]["events"] if event["kind"] in ("attempt.begin", "agent.start")]
        roots.setdefault(result["task_id"], []).append(root([{**event, "seq": seq} for seq, event in enumerate(lane)]))
    wanted = [{"task_id": name, "identical": len(set(found)) == 1, "root": found[0]} for name, found in roots.items()]
    assert bundle["coordination"] == {"identical": all(row["identical"] for row in wanted), "tasks": wanted}


def test_the_tar_container_byte_for_byte() -> None:
    runner = BenchRunner(suite=build_golden_suite_v1(), adapter=MockReplayAdapter(), scheduler_config={})
    made = runner.run()
    receipts = {name: made.file.receipt_bytes(name) for name in made.file.receipts}
    archive = b"".join(write_tar(made.document, receipts, BlobView(made.file.sizes, made.file)))
    names, at = [], 0
    while archive[at : at + 512] != bytes(512):
        header = archive[at : at + 512]
        name, size = header[:100].rstrip(b"\0").decode(), int(header[124:135], 8)
        assert header == ustar(name, size)
        content = archive[at + 512 : at + 512 + size]
        if name.endswith(".gz"):
            assert content.startswith(bytes.fromhex("1f8b08000000000000ff"))
            name, content = name[:-3], zlib.decompress(content, 31)
        assert name == "bundle.json" or hashlib.sha256(content).hexdigest() == name.rpartition("/")[2]
        names.append(name)
        at += 512 + size + -size % 512
    assert archive[at:] == bytes(1024)
    assert names[0] == "bundle.json"
    assert names[1:] == sorted(names[1:], key=lambda name: (name.startswith("blobs"), name))


def ustar(name: str, size: int) -> bytes:
    """The header as the table in docs/spec/bundle.md has it."""
    block = name.encode().ljust(100, b"\0") + b"0000644\0" + b"0000000\0" * 2 + b"%011o\0" % size + b"00000000000\0"
    block += b" " * 8 + b"0" + bytes(100) + b"ustar\x0000" + bytes(80 + 167)
    return block[:148] + b"%06o\0 " % sum(block) + block[156:]
