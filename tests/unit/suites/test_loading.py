"""A suite is found by its packaged name or by a path, checked again, and never taken for another."""

import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tallystick.core import c1
from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import InputError
from tallystick.records.base import UNSET, MalformedError
from tallystick.records.blobs import MissingBlobError
from tallystick.records.task import Suite, hash_suite, hash_task, parse_suite
from tallystick.records.tree import Tree, link_record, make_tree
from tallystick.suites.authoring import compile_suite
from tallystick.suites.compiled import write_beside
from tallystick.suites.families.drawing import drawn_again
from tallystick.suites.integrity import check_suite
from tallystick.suites.loaded import LoadedSuite, SuiteError
from tallystick.suites.loading import (
    ReservedNameError,
    UnknownSuiteError,
    load_for_running,
    load_suite,
    packaged_folder,
    packaged_names,
    write_compiled,
)
from tests.unit.suites.authored import FULL, TASK, write_files


@pytest.fixture
def suite(tmp_path: Path) -> LoadedSuite:
    return compile_suite(write_files(tmp_path / "s", FULL))


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(UnknownSuiteError, match=r"no suite 'goldn-v1'.*did you mean golden-v1\?"):
        load_suite("goldn-v1")


def test_a_folder_that_is_no_suite(tmp_path: Path) -> None:
    with pytest.raises(UnknownSuiteError, match=r"expected suite\.json"):
        load_suite(tmp_path)


@pytest.mark.parametrize("data", [b"", b"{}", b"[" * 100_000, b'{"_type":"tallystick/suite/v2"}', b"\xff", b"null"])
def test_a_bad_document_is_one_clear_line(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "suite.json"
    file.write_bytes(data)
    with pytest.raises(InputError) as caught:
        load_suite(file)
    assert "\n" not in str(caught.value)


def test_every_flipped_byte_of_a_document_is_refused(tmp_path: Path, suite: LoadedSuite) -> None:
    write_compiled(suite, tmp_path / "out")
    file = tmp_path / "out/suite.json"
    data = bytearray(file.read_bytes())
    # Cheats, which prove a suite, and its name stand before and after what the suite's hash covers.
    for at in range(data.index(b'"suite_hash"'), data.index(b'"version"'), 7):
        data[at] ^= 1
        file.write_bytes(data)
        with pytest.raises(InputError):
            load_suite(file)
        data[at] ^= 1


def test_a_changed_blob_is_missing(tmp_path: Path, suite: LoadedSuite) -> None:
    write_compiled(suite, tmp_path / "out")
    loaded = load_suite(tmp_path / "out")
    for blob in (tmp_path / "out/blobs/sha256").iterdir():
        blob.write_bytes(b"other")
    for record in suite.document.trees[0].records:
        assert record.digest is not UNSET
        with pytest.raises(MissingBlobError, match="has changed"):
            loaded.blobs.read(record.digest)


def test_writing_needs_an_empty_folder(tmp_path: Path, suite: LoadedSuite) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/file").touch()
    with pytest.raises(SuiteError, match="not empty"):
        write_compiled(suite, tmp_path / "out")
    with pytest.raises(SuiteError, match="cannot be written"):
        write_compiled(suite, tmp_path / "out/file")


def rehashed(document: Suite, **task_members: object) -> Suite:
    """The document with members of its first task replaced and every hash right again."""
    first = msgspec.structs.replace(document.tasks[0], **task_members)
    first = msgspec.structs.replace(first, task_hash=hash_task(first))
    tasks = (first, *document.tasks[1:])
    return msgspec.structs.replace(document, tasks=tasks, suite_hash=hash_suite(tasks))


def test_trees_are_exactly_those_named(suite: LoadedSuite) -> None:
    document = suite.document
    for trees in (document.trees[1:], document.trees[::-1], (*document.trees, document.trees[0])):
        with pytest.raises(SuiteError, match=r"named and not there|not exactly the trees"):
            check_suite(msgspec.structs.replace(document, trees=trees))


def test_texts_and_paths_of_a_compiled_suite_are_checked(suite: LoadedSuite) -> None:
    with pytest.raises(SuiteError, match="control character"):
        check_suite(rehashed(suite.document, title="a\x1b[2J"))
    bad = msgspec.structs.replace(suite.document.tasks[0].assertions[1], path="../x")
    with pytest.raises(SuiteError, match=r"assertion contains of second: the path '\.\./x'"):
        check_suite(rehashed(suite.document, assertions=(*suite.document.tasks[0].assertions[:1], bad)))
    cheat = msgspec.structs.replace(suite.cheats[0], task_id="none")
    with pytest.raises(SuiteError, match="of no task here"):
        check_suite(msgspec.structs.replace(suite.document, cheats=(cheat,)))


def test_a_link_out_of_a_compiled_tree_is_refused(suite: LoadedSuite) -> None:
    evil = make_tree([link_record("a", "../../etc/passwd")])
    digest = tree_digest(evil)
    document = rehashed(suite.document, workspace=digest)
    kept = {d: t for d, t in suite.trees.items() if d != suite.tasks[0].workspace} | {digest: evil}
    with pytest.raises(SuiteError, match="leads out of its folder"):
        check_suite(msgspec.structs.replace(document, trees=tuple(kept[name] for name in sorted(kept))))


def tree_digest(tree: Tree) -> Digest:
    return sha256(c1.encode(tree))


def test_a_document_beside_its_authoring_form_needs_no_blobs(tmp_path: Path, suite: LoadedSuite) -> None:
    folder = tmp_path / "s"
    loaded = load_suite(write_beside(suite, folder))
    assert loaded.document == suite.document
    for path in folder.rglob("*"):
        path.chmod(0o755)  # wheels lose modes; the document keeps them
    write_files(folder, {"standard/second/workspace/__pycache__/x.pyc": "left by pip"})
    records = [record for tree in loaded.trees.values() for record in tree.records]
    assert {len(loaded.blobs.read(r.digest)) for r in records if r.digest is not UNSET} == {r.size for r in records}


def test_a_document_beside_needs_names_that_follow_from_it(tmp_path: Path) -> None:
    files = {**FULL, "standard/second/task.md": FULL["standard/second/task.md"].replace("title:", "id: other\ntitle:")}
    folder = write_files(tmp_path / "n", {**files, "suite.yaml": "version: x\n"})
    with pytest.raises(SuiteError, match="must be the names of their folders"):
        write_beside(compile_suite(folder), folder)


def test_packaged_names_are_reserved(tmp_path: Path) -> None:
    name = packaged_names()[0]
    folder = write_files(tmp_path / name, {"smoke/hello.md": TASK})
    with pytest.raises(ReservedNameError, match=f"the name {name} is reserved"):
        load_suite(folder)
    write_compiled(compile_suite(folder), tmp_path / "out")
    with pytest.raises(ReservedNameError, match="is reserved"):
        load_suite(tmp_path / "out/suite.json")


def test_the_working_directory_never_answers_for_a_packaged_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = packaged_names()[0]
    write_files(tmp_path / name, {"smoke/hello.md": TASK})
    monkeypatch.chdir(tmp_path)
    assert load_suite(name).origin == "packaged"


def test_overrides_replace_tiers_for_running_under_another_name(tmp_path: Path, suite: LoadedSuite) -> None:
    own = write_files(tmp_path / "own", {"smoke/mine.md": TASK, "smoke/other.md": TASK})
    folder = tmp_path / "s"
    running = load_for_running(folder, own)
    assert running.version == "demo-v1-overridden"
    assert [task.id for task in running.tasks] == ["mine", "other", "second"]
    assert running.task("second") == suite.task("second")
    assert [cheat.name for cheat in running.cheats] == ["lazy"]
    assert load_for_running(folder, None).document == suite.document
    assert load_for_running(folder, tmp_path / "none").document == suite.document
    clash = write_files(tmp_path / "clash", {"smoke/second.md": TASK})
    with pytest.raises(SuiteError, match="two tasks have the id second"):
        load_for_running(folder, clash)


@pytest.mark.parametrize("name", packaged_names())
def test_packaged_documents_follow_from_their_files(name: str) -> None:
    """After a change of a packaged task: tally suite build src/tallystick/suites/packaged/NAME; tiers: scripts/golden.py."""
    packaged = load_suite(name)
    made = compile_suite(packaged_folder(name)) if packaged.document.drawn_from is UNSET else drawn_again(packaged.document)
    assert packaged.document == made.document
    for tree in packaged.trees.values():
        for record in tree.records:
            if record.digest is not UNSET:
                assert len(packaged.blobs.read(record.digest)) == record.size


@pytest.mark.parametrize("name", packaged_names())
def test_an_installed_copy_reads_the_same_contents(tmp_path: Path, name: str) -> None:
    """As pip installs it: other modes, and bytecode beside the sources."""
    copy = shutil.copytree(packaged_folder(name), tmp_path / name)
    for path in copy.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    write_files(copy, {"smoke/__pycache__/x.pyc": ""})
    loaded = load_suite(copy / "suite.json")
    assert loaded.suite_hash == load_suite(name).suite_hash


def test_loading_a_compiled_suite_imports_no_yaml() -> None:
    code = (
        "import sys; from tallystick.suites.loading import load_suite, packaged_names\n"
        "for name in packaged_names(): load_suite(name)\n"
        "print(sorted({'yaml', 'difflib', 'tallystick.suites.authoring'} & set(sys.modules)))"
    )
    src = str(Path(__file__).parents[3] / "src")
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": src}, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_tasks_and_trees_are_found_by_name(suite: LoadedSuite) -> None:
    with pytest.raises(SuiteError, match="demo-v1 has no task 'none'; it has second, first"):
        suite.task("none")
    with pytest.raises(MissingBlobError):
        suite.tree(sha256(b"x"))


def test_hashes_are_computed_again(suite: LoadedSuite) -> None:
    tree = msgspec.to_builtins(suite.document)
    tree["tasks"][0]["title"] = "Another"
    with pytest.raises(MalformedError, match="task_hash does not follow"):
        parse_suite(c1.encode(tree))
