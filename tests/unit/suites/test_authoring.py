"""Suites compile from their authoring form to one document, whatever the machine."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.errors import InputError
from tallystick.records.base import UNSET, digest_of
from tallystick.records.task import Command, Contains, FileExists, Grader, Grading, OnlyChanged, TaskLimits
from tallystick.records.tree import EMPTY_TREE
from tallystick.suites.fairness import find_gaps, find_unfair
from tallystick.suites.instruction import instruction
from tallystick.suites.loaded import overlaid
from tallystick.suites.loading import compile_suite, load_suite, write_compiled
from tests.unit.suites.authored import FULL, TASK, task_text, write_files


def one_task(tmp_path: Path, front: str, body: str = "Do it.\n") -> Path:
    return write_files(tmp_path / "s", {"smoke/one.md": task_text(front, body)})


def test_a_bare_file_gets_its_defaults(tmp_path: Path) -> None:
    suite = compile_suite(write_files(tmp_path / "my-suite", {"stretch/hello.md": TASK}))
    task = suite.task("hello")
    assert (suite.version, task.tier, task.category, task.title) == ("my-suite", "stretch", "general", "Say hello")
    assert task.limits == TaskLimits(
        wall_ms=300_000, cost_usd=1, memory_mb=2048, disk_mb=1024, files=20_000, processes=256, output_kb=1024
    )
    assert task.grading == Grading(mode="none", policy="v1", python="3.11", wall_ms=120_000)
    assert (task.workspace, task.grader, task.solution, task.owned_files) == (EMPTY_TREE, UNSET, UNSET, UNSET)
    assert instruction(task) == "Write `hello` into hello.txt.\n"


def test_a_single_file_with_its_parts_beside_it_is_the_same_task(tmp_path: Path) -> None:
    folder = "standard/second"
    beside = {name: text for name, text in FULL.items() if name != f"{folder}/task.md"}
    beside[f"{folder}.md"] = FULL[f"{folder}/task.md"]
    suites = [compile_suite(write_files(tmp_path / name, files)) for name, files in (("a", FULL), ("b", beside))]
    assert suites[0].document == suites[1].document


def test_a_folder_with_a_task_of_its_own_lends_no_parts(tmp_path: Path) -> None:
    files = {"smoke/one.md": TASK, "smoke/one/task.md": task_text("id: two\n" + TASK[4:].partition("---\n")[0])}
    files["smoke/one/workspace/a.txt"] = "x"
    suite = compile_suite(write_files(tmp_path / "s", files))
    assert {task.id: task.workspace == EMPTY_TREE for task in suite.tasks} == {"one": True, "two": False}


def test_a_full_task(tmp_path: Path) -> None:
    suite = compile_suite(write_files(tmp_path / "s", FULL))
    assert [task.id for task in suite.tasks] == ["second", "first"]
    task = suite.task("second")
    assert suite.version == "demo-v1"
    assert (task.owned_files, task.protected_files) == (("src/", "notes.txt"), ("src/keep.py",))
    assert (task.limits.wall_ms, str(task.limits.cost_usd), task.limits.memory_mb) == (20_000, "0.25", 512)
    assert (task.grading.mode, task.grading.python) == ("separate", "3.12")
    assert [check.id for check in task.assertions] == ["behaviour", "contains", "contains-2"]
    assert instruction(task) == "Do it.\n\n1. Look.\n2. Change it.\n"
    cheat = suite.cheats[0]
    assert (cheat.name, cheat.fails, cheat.overlay.removes) == ("lazy", ("behaviour",), ("gone.txt",))
    assert task.solution is not UNSET
    assert [record.path for record in overlaid(suite, task, task.solution).records] == ["gone.txt", "src/app.py", "src/keep.py"]
    assert [record.path for record in overlaid(suite, task, cheat.overlay).records] == ["src/app.py", "src/keep.py"]
    assert [digest_of(tree) for tree in suite.document.trees] == sorted(suite.trees)


def test_compiled_and_authored_are_the_same_suite(tmp_path: Path) -> None:
    suite = load_suite(write_files(tmp_path / "s", FULL))
    write_compiled(suite, tmp_path / "a")
    write_compiled(load_suite(tmp_path / "a"), tmp_path / "b")
    files = sorted(path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*") if path.is_file())
    assert [(tmp_path / "a" / name).read_bytes() for name in files] == [(tmp_path / "b" / name).read_bytes() for name in files]
    loaded = load_suite(str(tmp_path / "a" / "suite.json"))
    assert loaded.document == suite.document
    for tree in loaded.trees.values():
        for record in tree.records:
            assert record.digest is not UNSET
            assert len(loaded.blobs.read(record.digest)) == record.size


def test_litter_mtimes_line_ends_and_umask_change_nothing(tmp_path: Path) -> None:
    one = compile_suite(write_files(tmp_path / "s", FULL)).document
    other = write_files(tmp_path / "other" / "s", {**FULL, "smoke/first.md": "\ufeff" + TASK})
    write_files(other, {"standard/second/workspace/src/__pycache__/app.pyc": "x", "smoke/.DS_Store": "x", "README.md": "x"})
    (other / "standard/second/task.md").write_bytes(FULL["standard/second/task.md"].replace("\n", "\r\n").encode())
    (other / "standard/second/workspace/src/app.py").chmod(0o600)
    os.utime(other / "standard/second/workspace/src/app.py", (0, 0))
    (other / "standard/second/workspace/empty/folder").mkdir(parents=True)
    assert compile_suite(other).document == one


def test_modes_and_links_are_recorded(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "s", FULL)
    workspace = folder / "standard/second/workspace"
    (workspace / "src/app.py").chmod(0o755)
    (workspace / "src/link").symlink_to("../gone.txt")
    suite = compile_suite(folder)
    modes = {record.path: record.mode for record in suite.tree(suite.task("second").workspace).records}
    assert modes == {"gone.txt": "0644", "src/app.py": "0755", "src/keep.py": "0644", "src/link": "link"}


def test_everything_that_says_passed_becomes_one_list(tmp_path: Path) -> None:
    front = """title: T
assertions:
  - {kind: file_exists, id: given, path: a.txt}
completion_signals:
  - "file_exists: b.txt"
  - path_exists: c.txt
  - "contains: d.txt :: x: y"
  - test_passes: python3 -m unittest -q
  - {kind: file_absent, path: tmp}
expected_files_modified: [a.txt, b.txt]
expected_test_outcomes:
  make check: true
  make old: false
"""
    assertions = compile_suite(one_task(tmp_path, front)).tasks[0].assertions
    assert [check.id for check in assertions] == [
        "given",
        "file_exists",
        "file_exists-2",
        "contains",
        "command",
        "file_absent",
        "expected_files_modified",
        "file_exists-3",
        "file_exists-4",
        "expected_test",
        "expected_test-2",
    ]
    assert assertions[0] == FileExists(id="given", path="a.txt")
    assert assertions[3] == Contains(id="contains", path="d.txt", text="x: y")
    assert assertions[4] == Command(id="command", argv=("sh", "-c", "python3 -m unittest -q"))
    assert assertions[6] == OnlyChanged(id="expected_files_modified", paths=("a.txt", "b.txt"))
    assert assertions[9] == Command(id="expected_test", argv=("sh", "-c", "make check"))
    assert assertions[10] == Command(id="expected_test-2", argv=("sh", "-c", "! (\nmake old\n)"))


EVERY_KIND = """title: T
assertions:
  - {kind: file_exists, path: p}
  - {kind: file_absent, path: p}
  - {kind: content_eq, path: p, content: ""}
  - {kind: contains, path: p, text: t}
  - {kind: not_contains, path: p, text: t}
  - {kind: json_equals, path: p, value: '{"a": [1]}'}
  - {kind: line_count_delta, path: p, max_delta: -1}
  - {kind: unchanged, paths: [p]}
  - {kind: only_changed, paths: [p]}
  - {kind: syntax_valid, path: p}
  - {kind: symbol_present, path: p, symbol: s}
  - {kind: no_symbol, path: p, symbol: s}
  - {kind: has_docstring, path: p, symbol: s}
  - {kind: docstring_contains, path: p, symbol: s, text: t}
  - {kind: no_unused_import, path: p}
  - {kind: matches, path: p, pattern: "^a+$"}
  - {kind: command, argv: [true], exit: 3}
  - {kind: grader, script: g.py, tests: [a]}
"""


def test_every_kind_can_be_written(tmp_path: Path) -> None:
    front = EVERY_KIND.replace("[true]", '["true"]')
    files = {"smoke/one/task.md": task_text(front + "grader: in_process\n"), "smoke/one/grader/g.py": "x"}
    task = compile_suite(write_files(tmp_path / "s", files)).tasks[0]
    assert len({type(check) for check in task.assertions}) == 18
    assert task.grading.mode == "in_process"
    assert isinstance(task.assertions[-1], Grader)


GOOD = "title: T\ncompletion_signals: ['file_exists: a']\n"
BAD_FRONT = [
    ("", "expected `key: value` lines"),
    ("title: T\n", "expected something to check"),
    ("title: T\nassertions: []\n", "the lists are empty"),
    ("completion_signals: ['file_exists: a']\n", "expected a `title`"),
    (GOOD + "titel: x\n", "4: unknown key 'titel' (did you mean 'title'?)"),
    (GOOD + "title: x\n", "4: the key 'title' stands twice"),
    ("title: 2024-01-01\n" + GOOD[9:], "2: title: expected text in quotes, found a date (2024-01-01)"),
    ("title: no\n" + GOOD[9:], "title: expected text in quotes, found true or false (no)"),
    ("title: 1:30\n" + GOOD[9:], "title: expected text in quotes, found a number (1:30)"),
    ("title:\n" + GOOD[9:], "title: expected text, found nothing"),
    ("title: [a]\n" + GOOD[9:], "title: expected text, found a list"),
    ('title: "a\\e[2Jb"\n' + GOOD[9:], "title: expected text without control characters"),
    (GOOD + "max_duration_s: 1:30\n", "max_duration_s: expected a plain number such as 1 or 0.25, found a number (1:30)"),
    (GOOD + "max_duration_s: 0\n", "max_duration_s: expected seconds above 0"),
    (GOOD + "max_duration_s: .inf\n", "max_duration_s: expected a plain number"),
    (GOOD + "max_cost_usd: -1\n", "max_cost_usd: expected a plain number"),
    (GOOD + "memory_mb: 0x10\n", "memory_mb: expected a whole number in decimal digits, found a number (0x10)"),
    (GOOD + "memory_mb: 0\n", "memory_mb: expected 1 to"),
    (GOOD + "python: 2.7\n", "python: expected a version such as 3.11"),
    (
        GOOD + "tier: smoky\n",
        "tier: expected one of smoke, standard, stretch, adversarial, found 'smoky' (did you mean 'smoke'?)",
    ),
    (GOOD + "grader: in_process\n", "grader: in_process means nothing"),
    (GOOD + "id: ../up\n", "id: '../up' is no name here"),
    (GOOD + "owned_files: src/\n", "owned_files: expected a list, found text"),
    (GOOD + "owned_files: [/etc]\n", "owned_files[0]: the path '/etc' is not a plain relative path"),
    (GOOD + "owned_files: [a, a]\n", "owned_files: 'a' stands twice"),
    (GOOD + "protected_files: [.git/config]\n", "has a part .git"),
    (GOOD + "steps: &a [x]\n", "4: not YAML as it is read here: anchors and aliases are not allowed"),
    (GOOD + "steps: !!python/name:os.system []\n", "tags (!) are not allowed"),
    (GOOD + "steps: [\n", "not YAML as it is read here"),
    (GOOD + "steps: " + "[" * 200_000 + "\n", "nested deeper than 12 levels"),
    (GOOD + "x: " + "a" * 300_000 + "\n", "characters of YAML; at most"),
    ("title: T\nassertions: [{kind: file_exist, path: a}]\n", "unknown kind 'file_exist' (did you mean 'file_exists'?)"),
    ("title: T\nassertions: [{path: a}]\n", "assertions[0]: expected a member `kind`"),
    ("title: T\nassertions: [{kind: file_exists}]\n", "file_exists needs the member 'path'"),
    ("title: T\nassertions: [{kind: file_exists, paht: a}]\n", "file_exists has no member 'paht' (did you mean 'path'?)"),
    ("title: T\nassertions: [{kind: file_exists, path: a, id: A B}]\n", "assertions[0]: "),
    ("title: T\nassertions: [{kind: file_exists, path: ../a}]\n", "the path '../a' is not a plain relative path"),
    ("title: T\nassertions: [{kind: json_equals, path: a, value: '{'}]\n", "expected JSON text in quotes"),
    ('title: T\nassertions: [{kind: json_equals, path: a, value: \'{"b":1,"b":2}\'}]\n', "a name stands twice"),
    ("title: T\nassertions: [{kind: json_equals, path: a, value: 'NaN'}]\n", "NaN is no JSON"),
    ("title: T\nassertions: [{kind: matches, path: a, pattern: '('}]\n", "not a regular expression"),
    ("title: T\nassertions: [{kind: matches, path: a, pattern: '[[a]'}]\n", "not a regular expression"),
    ("title: T\nassertions: [{kind: matches, path: a, pattern: 'a{99999999999999999999}'}]\n", "not a regular expression"),
    (f"title: T\nassertions: [{{kind: matches, path: a, pattern: '{'(' * 20_000}'}}]\n", "not a regular expression"),
    ("title: T\nassertions: [{kind: command, argv: []}]\n", "assertions[0]: "),
    ("title: T\nassertions: [{kind: command, argv: [a], exit: yes}]\n", "exit: expected a whole number"),
    ("title: T\nassertions: [{kind: grader, script: g.py, tests: [a]}]\n", "the grader folder has no 'g.py'"),
    (
        "title: T\nassertions: [{kind: file_exists, id: x, path: a}, {kind: file_exists, id: x, path: b}]\n",
        "the id 'x' stands twice",
    ),
    ("title: T\ncompletion_signals: [file_exists]\n", "expected text such as 'file_exists: PATH'"),
    ("title: T\ncompletion_signals: ['file_exist: a']\n", "unknown signal 'file_exist' (did you mean 'file_exists'?)"),
    ("title: T\ncompletion_signals: ['contains: a']\n", "expected `contains: PATH :: TEXT`"),
    ("title: T\nexpected_files_modified: []\n", "expected at least one path"),
    ("title: T\nexpected_test_outcomes: {make: yes}\n", "expected true or false, found true or false (yes)"),
    (GOOD + "cheats: {a: {}}\n", "expected `fails: [assertion ids]`"),
    (GOOD + "cheats: {a: {fails: [file_exist]}}\n", "no assertion has the id 'file_exist' (did you mean 'file_exists'?)"),
    (GOOD + "cheats: {a: {fails: [file_exists]}}\n", "cheats need a folder"),
]


@pytest.mark.parametrize(("front", "message"), BAD_FRONT, ids=[str(number) for number in range(len(BAD_FRONT))])
def test_bad_frontmatter_is_one_clear_line(tmp_path: Path, front: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        compile_suite(one_task(tmp_path, front))
    text = str(caught.value)
    assert message in text
    assert "smoke/one.md" in text
    assert "\n" not in text
    assert len(text) < 500


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1: expected a line ---"),
        ("---\ntitle: T\n", "expected a second line ---"),
        ("---\n" + GOOD + "---\nring \x07\n", ":5: a control character"),
        ("---\n" + GOOD + "---\n" + "x" * 200_001, "an instruction of 200001 characters"),
    ],
)
def test_bad_task_files(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=r"one\.md") as caught:
        compile_suite(write_files(tmp_path / "s", {"smoke/one.md": text}))
    assert message in str(caught.value)


def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "s", {"smoke/one.md": TASK})
    (folder / "smoke/one.md").write_bytes(b"---\ntitle: \xff\n---\n")
    with pytest.raises(InputError, match="not UTF-8 at byte 11"):
        compile_suite(folder)


SPOILERS = st.text(st.sampled_from("[]{}:-,'\"#|>&*!%@`?<=~ \t\n0.9eyn\x85\u2028\ud7ff"), max_size=12)


@given(st.integers(0, 400), SPOILERS, st.integers(0, 6))
def test_whatever_the_frontmatter_is_only_the_domains_errors_come(at: int, spoiler: str, cut: int) -> None:
    front = FULL["standard/second/task.md"][4:].partition("---\n")[0]
    text = front[:at] + spoiler + front[at + cut :]
    with tempfile.TemporaryDirectory() as folder:
        message = ""
        try:
            compile_suite(write_files(Path(folder), {"suite.yaml": "version: x\n", "smoke/a.md": task_text(text)}))
        except InputError as error:
            message = str(error)
    assert "\n" not in message


SECOND = "standard/second"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"suite.yaml": "version: a b\n"}, "'a b' cannot name a suite"),
        ({"suite.yaml": "name: x\n"}, "unknown key 'name'"),
        ({"suite.yaml": "order: [first]\n"}, "the task 'second' is missing"),
        ({"suite.yaml": "order: [first, secnod, second]\n"}, "no task has the id 'secnod' (did you mean 'second'?)"),
        ({"suite.yaml": "order: [first, first, second]\n"}, "'first' stands twice"),
        ({"stretch/first.md": TASK}, "another task has the id first"),
        ({"smoke/first/workspaces/a": "x"}, "expected task.md and folders"),
        ({"smoek/third.md": TASK}, "no tier has this name"),
        ({"other/third/task.md": TASK}, "no tier has this name"),
        ({"smoke/notes.txt": "x"}, "expected a task"),
        ({"smoke/third/workspace/a": "x"}, "task.md: cannot be read"),
        ({f"{SECOND}/workspaces/a": "x"}, "expected task.md and folders"),
        ({f"{SECOND}/workspace/A/x": "x", f"{SECOND}/workspace/a/y": "x"}, "differ only in upper and lower case"),
        ({f"{SECOND}/workspace/.git/config": "x"}, "has a part .git"),
        ({f"{SECOND}/workspace/\u00e9.txt": "x"}, "has a character outside"),
        ({f"{SECOND}/workspace/.tally-removes": "x"}, "only a solution or a cheat removes files"),
        ({f"{SECOND}/cheats/lazy/.tally-removes": "gone\n"}, ":1: the workspace has no 'gone' to remove"),
        ({f"{SECOND}/cheats/new/a": "x"}, "cheats: expected an entry new"),
    ],
)
def test_bad_folders_are_one_clear_line(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        compile_suite(write_files(tmp_path / "s", {**FULL, **files}))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("target", ["/etc/passwd", "../../x", "a/../../..", "..//../x"])
def test_links_that_may_lead_out_are_refused(tmp_path: Path, target: str) -> None:
    folder = write_files(tmp_path / "s", FULL)
    (folder / SECOND / "workspace/src/link").symlink_to(target)
    with pytest.raises(InputError, match="link whose target"):
        compile_suite(folder)


def test_special_files_are_refused(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "s", FULL)
    os.mkfifo(folder / SECOND / "workspace/pipe")
    with pytest.raises(InputError, match="expected a regular file or a link"):
        compile_suite(folder)


def test_no_tasks(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no task"):
        compile_suite(tmp_path)
    with pytest.raises(InputError, match="not a folder"):
        compile_suite(tmp_path / "none")


def test_a_fair_suite_and_an_unfair_one(tmp_path: Path) -> None:
    fair = compile_suite(write_files(tmp_path / "s", FULL))
    assert find_unfair(fair) == ()
    assert {finding.code for finding in find_gaps(fair)} == {"few_cheats", "no_solution", "never_fails"}
    hidden = "answer = 42  # long enough not to be equal by chance\n"
    unfair = {
        **FULL,
        f"{SECOND}/task.md": FULL[f"{SECOND}/task.md"].replace("Do it.", "").replace("steps: [Look., Change it.]\n", ""),
        f"{SECOND}/grader/data.txt": hidden,
        f"{SECOND}/workspace/peek.txt": hidden,
        f"{SECOND}/solution/src/keep.py": "kept = False\n",
        "smoke/first.md": task_text("title: T\nexpected_files_modified: [a]\n"),
        "smoke/idle.md": task_text("title: T\nassertions: [{kind: unchanged, paths: [a]}]\n"),
        "suite.yaml": "version: unfair\n",
    }
    found = [(finding.task_id, finding.code) for finding in find_unfair(compile_suite(write_files(tmp_path / "u", unfair)))]
    assert ("second", "empty_instruction") in found
    assert ("second", "answer_visible") in found
    assert ("second", "solution_not_allowed") in found
    assert ("idle", "idle_passes") in found
    assert ("first", "idle_passes") not in found
