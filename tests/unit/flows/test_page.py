"""Pages: nothing of others becomes markup, what is carried is what was there, and what is said of verification is true."""

import base64
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.digest import sha256
from tallystick.core.errors import InputError
from tallystick.flows.groups import UnlikeSuitesError, changes, group
from tallystick.flows.markup import el, visible
from tallystick.flows.page import ATTEMPTS, PAGE_BYTES, PageRequest, write_page
from tallystick.flows.page.details import BOUNDS, LINE_CHARS, pack, unpack
from tallystick.flows.show import describe
from tallystick.trust.policy import SignerPolicy
from tests.repo.project import PACKAGE, ROOT
from tests.support.hostile import SCRIPT, hostile_run, write_bundle_of
from tests.support.synthetic import Run, file_bytes, honest_run, make_suite, resigned, seal, with_result
from tests.support.tiny import LIMITS, SUITE

ASSETS = PACKAGE / "flows" / "page"


class Parsed(HTMLParser):
    """Elements with their attributes, texts, and the contents of scripts by id."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.chunks: dict[str, str] = {}
        self.text = ""
        self._script: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._script = str(dict(attrs).get("id", "")) if tag in {"script", "style"} else None

    def handle_endtag(self, tag: str) -> None:
        self._script = None

    def handle_data(self, data: str) -> None:
        if self._script is None:
            self.text += data
        elif self._script:
            self.chunks[self._script] = data

    def held(self) -> dict[str, Any]:
        """What each attempt carries."""
        return {name.removeprefix("data-"): unpack(chunk) for name, chunk in self.chunks.items()}


def page_of(folder: Path, *runs: Run, **asked: Any) -> Parsed:
    paths = []
    for number, run in enumerate(runs):
        paths.append(folder / f"{number}.json")
        write_bundle_of(run, paths[-1])
    asked = {"suite": SUITE, **asked}
    write_page(PageRequest(tuple(paths), made_at=1_790_000_000, **asked), folder / "page.html")
    return Parsed((folder / "page.html").read_text(encoding="utf-8"))


@given(st.text())
def test_text_stays_text(text: str) -> None:
    made = el("p", text, title=text)
    parsed = Parsed(made)
    assert [tag for tag, _ in parsed.tags] == ["p"]
    assert parsed.tags[0][1]["title"] == parsed.text == visible(text)


@given(st.text(), st.integers(0, 20))
def test_what_is_visible_prints_as_it_stands(text: str, limit: int) -> None:
    shown = visible(text)
    assert all(char.isprintable() or char in "\n\t" for char in shown)
    assert visible(shown) == shown
    assert visible(text, limit).startswith(visible(text[:limit]))


@given(st.dictionaries(st.sampled_from("abc"), st.text(st.characters(exclude_categories=["Cs"]))))
def test_chunks_come_back(tree: dict[str, str]) -> None:
    chunk = pack(dict(tree))
    assert re.fullmatch(r"[A-Za-z0-9+/=]*", chunk)
    assert unpack(chunk) == tree


def test_nothing_of_others_becomes_an_element_or_a_handler(tmp_path: Path) -> None:
    parsed = page_of(tmp_path, hostile_run())
    known = {path.stem: path.read_text(encoding="utf-8") for path in ASSETS.glob("page.*")}
    assert known
    assert not {"img", "b", "iframe", "object", "link", "base"} & {tag for tag, _ in parsed.tags}
    scripts = [attrs for tag, attrs in parsed.tags if tag == "script"]
    assert [attrs for attrs in scripts if attrs.get("type") != "text/plain"] == [{}]
    for _, attrs in parsed.tags:
        assert not [name for name in attrs if name.startswith("on") or name == "style"]
        assert not [
            value for value in attrs.values() if value and value.startswith(("http:", "https:", "javascript:", "data:"))
        ]


def test_a_page_prints_as_it_stands(tmp_path: Path) -> None:
    page_of(tmp_path, hostile_run())
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert not {char for char in text if not char.isprintable()} - {"\n", "\t"}
    assert SCRIPT not in text


def test_the_policy_allows_the_two_files_of_our_own_and_nothing_else(tmp_path: Path) -> None:
    parsed = page_of(tmp_path, honest_run())
    policy = next(str(attrs["content"]) for tag, attrs in parsed.tags if attrs.get("http-equiv") == "Content-Security-Policy")
    hashes = {
        name: base64.b64encode(bytes.fromhex(sha256((ASSETS / name).read_bytes())[7:])).decode()
        for name in ("page.js", "page.css")
    }
    assert policy.split("; ") == [
        "default-src 'none'",
        f"script-src 'sha256-{hashes['page.js']}'",
        f"style-src 'sha256-{hashes['page.css']}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert "</s" not in (ASSETS / "page.js").read_text() + (ASSETS / "page.css").read_text()


def test_an_attempt_carries_all_that_it_left_behind(tmp_path: Path) -> None:
    held = page_of(tmp_path, hostile_run()).held()
    assert sorted(held) == ["t1-1", "t1-2", "t2-1", "t2-2", "t3-1", "t3-2"]
    one = held["t2-1"]
    assert {check["id"]: (check["outcome"], check["from"]) for check in one["checks"]} == {
        "syntax": ("fail", "claimed"),
        "shorter": ("fail", "derived here"),
        "runs": ("fail", "claimed"),
    }
    assert [(each["change"], each["path"]) for each in one["files"]][-2:] == [("changed", "m.py"), ("added", "שלום.txt")]
    assert "-import os\n X = 1\n+# </script>" in one["files"][1]["text"]
    assert one["outputs"][0]["name"] == "agent.stdout"
    assert "\\x1b[2J\\u202egnp.exe\\u200b\\x00\\r\n" in one["outputs"][0]["text"]
    assert max(map(len, one["outputs"][0]["text"].split("\n"))) < 3 * LINE_CHARS
    assert one["events"][0]["kind"] == "attempt.begin"
    assert {each["from"] for each in one["measured"]} == {"declared"}
    assert len(one["hashes"]) == 10


def test_only_the_task_that_was_asked_for(tmp_path: Path) -> None:
    assert sorted(page_of(tmp_path, honest_run(), task="fix_bug").held()) == ["t1-1"]
    with pytest.raises(InputError, match="no task 'nope' here; there is write_file, shorten, fix_bug"):
        page_of(tmp_path, honest_run(), task="nope")


# --- what the page says of verification ---


def test_it_says_that_it_was_verified_and_how_far(tmp_path: Path) -> None:
    kid = seal(honest_run()).bundle.signer_fingerprint
    assert isinstance(kid, str)
    policy = SignerPolicy(trusted=frozenset({kid}))
    text = page_of(tmp_path, honest_run(), policy=policy).text
    assert "Checked: arithmetic only, graders not re-run." in text
    assert "the tests were not run again" in text
    assert "2026-09-21" in text
    assert "a key that whoever made this page trusts" in text


def test_it_says_that_nothing_was_verified(tmp_path: Path) -> None:
    parsed = page_of(tmp_path, honest_run(), verify=None)
    assert "Not verified." in parsed.text
    assert "tally verify 0.json" in parsed.text
    assert "Verified:" not in parsed.text
    assert {check["from"] for one in parsed.held().values() for check in one["checks"]} == {"derived here", "claimed"}
    assert {one["verdict"] for one in parsed.held().values()} == {"claimed"}


def test_it_says_what_does_not_hold(tmp_path: Path) -> None:
    sealed = seal(honest_run(failing=("shorten",)))
    lied = resigned(sealed, task_results=with_result(sealed, 1, passed=True, score=1))
    (tmp_path / "b.json").write_bytes(file_bytes(lied))
    write_page(PageRequest((tmp_path / "b.json",), 0, suite=SUITE), tmp_path / "page.html")
    parsed = Parsed((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert "Not verified: DIVERGED." in parsed.text
    assert parsed.held()["t2-1"]["finding"].startswith("FABRICATED_SCORE: ")
    assert parsed.held()["t2-1"]["verdict"] == "claimed"
    assert parsed.held()["t1-1"]["verdict"] == "derived here"
    notches = {str(attrs["href"]): attrs for _, attrs in parsed.tags if str(attrs.get("class")).startswith("notch ")}
    assert [notches[f"#t{number}-1"]["class"] for number in (1, 2, 3)] == ["notch passed", "notch doubted", "notch passed"]
    assert notches["#t2-1"]["aria-label"] == "attempt 1: claims passed"


def test_evidence_that_cannot_be_read_is_said_where_it_lacks(tmp_path: Path) -> None:
    sealed = seal(honest_run())
    named = sealed.bundle.task_results[0].receipt_hash
    (tmp_path / "b.json").write_bytes(file_bytes(sealed).replace(named.encode(), sha256(b"another").encode()))
    write_page(PageRequest((tmp_path / "b.json",), 0, suite=SUITE), tmp_path / "page.html")
    held = Parsed((tmp_path / "page.html").read_text(encoding="utf-8")).held()
    assert "problem" in held["t1-1"]
    assert "checks" in held["t2-1"]


# --- two side by side ---


def test_differences_of_two_runs(tmp_path: Path) -> None:
    parsed = page_of(tmp_path, honest_run(2, failing=("fix_bug",)), honest_run(1, failing=("shorten",)))
    assert sorted(parsed.held()) == ["t1a-1", "t1a-2", "t1b-1", "t2a-1", "t2a-2", "t2b-1", "t3a-1", "t3a-2", "t3b-1"]
    for said in ("B passes a larger share of the attempts at 1 task, a smaller one at 1, the same at 1", "▲ B passes more"):
        assert said in parsed.text


def test_unlike_suites_are_refused_plainly(tmp_path: Path) -> None:
    other = make_suite(msgspec.structs.replace(LIMITS, processes=7))
    with pytest.raises(
        UnlikeSuitesError, match=r"A is about tiny-v1 .*, B about tiny-v1 .*: scores of unlike suites cannot be compared"
    ):
        page_of(tmp_path, honest_run(), honest_run(suite=other))


def test_a_task_that_only_one_run_has() -> None:
    partial = honest_run()
    partial.parts, partial.tasks = partial.parts[:1], ("write_file",)
    bundles = [seal(run).bundle for run in (honest_run(), partial)]
    groups = group(bundles, SUITE)  # type: ignore[arg-type]  # in memory
    assert [each.change for each in groups] == ["same", "only in A", "only in A"]
    assert changes(groups).endswith("; 2 tasks in one of the two only")


# --- files ---


def test_a_page_replaces_no_bundle_and_no_folder(tmp_path: Path) -> None:
    bundle = tmp_path / "b.json"
    write_bundle_of(honest_run(), bundle)
    before = bundle.read_bytes()
    for out in (bundle, tmp_path):
        with pytest.raises(InputError):
            write_page(PageRequest((bundle,), 0, suite=SUITE), out)
    assert bundle.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["b.json"]


def test_both_containers_make_the_same_page(tmp_path: Path) -> None:
    pages = []
    for container in ("json", "tally"):
        path = tmp_path / "same name"
        write_bundle_of(hostile_run(), path, container)
        write_page(PageRequest((path,), 0, suite=SUITE), tmp_path / "page.html")
        pages.append((tmp_path / "page.html").read_bytes())
    assert pages[0] == pages[1]


def test_more_than_a_page_can_show_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tallystick.flows.page.ATTEMPTS", 2)
    with pytest.raises(InputError, match="3 attempts are more than one page can show"):
        page_of(tmp_path, honest_run())


def test_when_a_page_is_full_the_rest_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tallystick.flows.page.PAGE_BYTES", 1)
    held = page_of(tmp_path, honest_run()).held()
    assert ["problem" in held[name] for name in ("t1-1", "t2-1", "t3-1")] == [False, True, True]


def test_changes_in_line_ends_are_seen(tmp_path: Path) -> None:
    run = honest_run()
    run.part("shorten").final = run.put({"m.py": "import os\r\nX = 1"})
    write_bundle_of(run, tmp_path / "b.json")
    shown = describe(tmp_path / "b.json", SUITE, "shorten").attempts[0]  # type: ignore[arg-type]  # in memory
    assert shown.files[0].lines[1:] == ("-import os", "+import os\r", " X = 1", "+\\ No newline at end of file")


def test_the_script_is_small_and_parses() -> None:
    script = ASSETS / "page.js"
    assert len(script.read_text(encoding="utf-8").splitlines()) < 400
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|setAttribute\(\"on", script.read_text()
    )
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs a browser: no node to parse the script with")
    subprocess.run([node, "--check", script], check=True)


def test_the_bounds_are_those_of_the_docs() -> None:
    text = (ROOT / "docs" / "viewing.md").read_text(encoding="utf-8")
    for number in (BOUNDS.diff_lines, LINE_CHARS, ATTEMPTS):
        assert f" {number:,} " in text or f" {number:,}\n" in text
    for number in (BOUNDS.text_bytes >> 20, PAGE_BYTES >> 20):
        assert f" {number} MiB" in text
    assert f" {BOUNDS.output_bytes >> 10} KiB" in text
