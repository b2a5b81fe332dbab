"""How soon a page of a large bundle is open in a browser, and one of its attempts in it."""

from __future__ import annotations

import base64
import random
import shutil
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.measure import Row, Scale, ms, timed
from tallystick.flows.page import PageRequest, write_page
from tallystick.records.bundle import Observed
from tallystick.suites.loaded import LoadedSuite, index_trees
from tests.support.browser import Page, start
from tests.support.synthetic import SUITE, file_bytes, honest_run, seal

GOAL_S: Final = 3.0
OUTPUT_BYTES: Final = 180_000
"""Random bytes of the output of one attempt, written as lines of text; what a page carries of it is not cut."""
FULL_ATTEMPTS: Final = 279
"""So many make a bundle of 50 MB."""
OPEN_ONE: Final = """
new Promise((done) => {
  const attempt = document.querySelector("details.attempt");
  attempt.open = true;
  const look = () => attempt.querySelector(".part") ? done() : setTimeout(look, 1);
  look();
})
"""


def measure(scale: Scale) -> list[Row]:
    """The page in headless Chromium, a fresh process each time; nothing where there is none."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    folder = Path(tempfile.mkdtemp(prefix="tally-bench-"))
    try:
        bundle, page = folder / "b.tally", folder / "page.html"
        _write(bundle, min(FULL_ATTEMPTS, scale.synthetic))
        suite = LoadedSuite(SUITE.document, SUITE.blobs, "reader", index_trees(SUITE.document.trees))
        made = timed(lambda: write_page(PageRequest((bundle,), 0, suite=suite), page))
        size = f"{bundle.stat().st_size / 1e6:.1f} MB bundle, {page.stat().st_size / 1e6:.1f} MB page"
        if chromium is None:
            return [Row("a page opens", "no Chromium here", size)]
        loaded, opened = min(_open(chromium, page) for _ in range(min(3, scale.rounds)))
    finally:
        shutil.rmtree(folder)
    return [
        Row("a page opens in Chromium", ms(loaded), f"{size}, made in {made.wall:.1f} s", f"{GOAL_S:.0f} s", loaded < GOAL_S),
        Row("an attempt in it opens", ms(opened)),
    ]


def _open(chromium: str, file: Path) -> tuple[float, float]:
    held: list[Page] = []
    with start(chromium) as browser:
        loaded = timed(lambda: held.append(browser.open(file)))
        return loaded.wall, timed(lambda: held[0].run(OPEN_ONE)).wall


def _write(path: Path, attempts: int) -> None:
    """A bundle of about so many attempts at the tiny suite, each with output that hardly compresses."""
    run = honest_run(-(-attempts // len(SUITE.tasks)))
    draw = random.Random(1)
    for part in run.parts:
        text = base64.encodebytes(draw.randbytes(OUTPUT_BYTES))
        part.observed = Observed(wall_ms=1000, outputs=(("agent.stdout", run.blobs.put(text)),))
    path.write_bytes(file_bytes(seal(run), "tally"))
