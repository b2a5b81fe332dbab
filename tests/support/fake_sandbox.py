"""A sandbox in this process: what would run there is a function, the workspace is a temporary folder."""

from __future__ import annotations

import io
import os
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tallystick.sandbox.spec import Captured, Measured, Outcome, Spec, Talk
from tallystick.suites.loaded import LoadedSuite, index_trees
from tests.support.tiny import SUITE

__all__ = ["TINY", "FakeSandbox", "Program", "ended"]

TINY = LoadedSuite(SUITE.document, SUITE.blobs, "reader", index_trees(SUITE.document.trees))
"""The tiny suite as the runner takes it."""

Program = Callable[[Spec, Path, bytes], Outcome]
"""From what is asked, the workspace and stdin to how it ended."""


def ended(
    exit: int | None = 0,  # noqa: A002 - the member's name
    *,
    signal: int | None = None,
    limit: str | None = None,
    stdout: bytes = b"",
    stderr: bytes = b"",
    total: int | None = None,
) -> Outcome:
    """An outcome; `total` is the length that stdout had before it was cut."""
    said = Captured(stdout, len(stdout) if total is None else total)
    return Outcome(exit, signal, limit, said, Captured(stderr, len(stderr)), Measured(1, 1, 1000, 0), (("wall", "kill"),))


def nothing(spec: Spec, workspace: Path, stdin: bytes) -> Outcome:
    """A program that does nothing."""
    del spec, workspace, stdin
    return ended()


def hang_up(talk: Talk) -> None:
    """A grader script that says nothing."""
    talk(io.BytesIO(), io.BytesIO())


@dataclass
class FakeSandbox:
    """Implements `sandbox.spec.Sandbox`. A conversation is not carried: `talk` gets what `speaks` returns for it."""

    program: Program = nothing
    speaks: Callable[[Talk], None] = hang_up
    asked: list[Spec] = field(default_factory=list)

    def run(
        self,
        spec: Spec,
        *,
        fill: Callable[[int], None],
        stdin: bytes = b"",
        talk: Talk | None = None,
        collect: Callable[[int], None] | None = None,
        cancel: threading.Event | None = None,
        on_start: Callable[[int], None] | None = None,
    ) -> Outcome:
        """Fill, run the function, collect. The program's namespaces are this process's."""
        self.asked.append(spec)
        with tempfile.TemporaryDirectory() as folder:
            workspace = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fill(workspace)
                if on_start is not None:
                    on_start(os.getpid())
                if cancel is not None and cancel.is_set():
                    outcome = ended(None, limit="cancelled")
                elif talk is not None:
                    self.speaks(talk)
                    outcome = self.program(spec, Path(folder), stdin)
                else:
                    outcome = self.program(spec, Path(folder), stdin)
                if collect is not None:
                    collect(workspace)
            finally:
                os.close(workspace)
        return outcome
