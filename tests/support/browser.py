"""A headless Chromium, driven over two pipes by the DevTools protocol: no port, no package.

Only what these tests need: open a file, run a line of JavaScript in it, press keys, and what the page asked of the network or
wrote to its console. Protocol: chromedevtools.github.io/devtools-protocol, messages end in NUL (--remote-debugging-pipe).
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

from tests.support.waiting import wait_until

__all__ = ["FLAGS", "Browser", "Page", "start"]

FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)
Message = dict[str, Any]


@dataclass
class Browser:
    """The process, and what it has said that no call has waited for."""

    to: int
    back: int
    events: list[Message] = field(default_factory=list)
    _last: int = 0
    _rest: bytes = b""

    def call(self, method: str, session: str | None = None, **params: Any) -> Message:
        """One call and its answer; raises `RuntimeError` when the browser refuses."""
        self._last += 1
        message: Message = {"id": self._last, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data) :]
        while (answer := self.read()).get("id") != self._last:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        result: Message = answer["result"]
        return result

    def read(self) -> Message:
        """The next message of the browser."""
        while b"\0" not in self._rest:
            piece = os.read(self.back, 1 << 20)
            if not piece:
                raise RuntimeError("the browser is gone")
            self._rest += piece
        message, _, self._rest = self._rest.partition(b"\0")
        read: Message = json.loads(message)
        return read

    def wait_for(self, method: str, session: str) -> None:
        """Until an event of this name has come."""
        while not any(event.get("method") == method and event.get("sessionId") == session for event in self.events):
            self.events.append(self.read())

    def open(self, path: Path, *, width: int = 1280, scheme: Literal["light", "dark"] = "light") -> Page:
        """A page of its own, loaded from a file."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.call(f"{domain}.enable")
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.events.clear()
        page.call("Page.navigate", url=path.as_uri())
        self.wait_for("Page.loadEventFired", session)
        return page


@dataclass
class Page:
    """One open page."""

    browser: Browser
    session: str

    def call(self, method: str, **params: Any) -> Message:
        """A call about this page."""
        return self.browser.call(method, self.session, **params)

    def run(self, script: str) -> Any:
        """The value of an expression, promises awaited."""
        done = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            raise RuntimeError(str(done["exceptionDetails"]))
        return done["result"].get("value")

    def press(self, key: str, text: str = "") -> None:
        """A key, down and up."""
        codes: Mapping[str, int] = {"Enter": 13, "Tab": 9, "Escape": 27}
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            code = codes.get(key, 0)
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **more)

    def complaints(self) -> list[str]:
        """What the page asked of the network beyond its own file, and everything in its console and log."""
        return list(self._complaints())

    def wait_for_complaint(self, text: str) -> None:
        """Until a complaint holds this text: what a page is refused is told after the answer to what it asked."""

        def told() -> bool:
            self.run("0")
            return any(text in each for each in self._complaints())

        wait_until(told)

    def _complaints(self) -> Iterator[str]:
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            params = event["params"]
            if event["method"] == "Network.requestWillBeSent" and not params["request"]["url"].startswith("file:"):
                yield f"request: {params['request']['url']}"
            elif event["method"] in {"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"}:
                yield str(params)


@contextmanager
def start(program: str) -> Iterator[Browser]:
    """A browser with a home of its own, ended afterwards. The home's name is short, since the browser has sockets there."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as home, _running(program, Path(home)) as browser:
        yield browser


@contextmanager
def _running(program: str, home: Path) -> Iterator[Browser]:
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    # The browser reads from descriptor 3 and writes to 4.
    shell = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
    command = ["bash", "-c", shell, program, *FLAGS, f"--user-data-dir={home / 'profile'}", "about:blank"]
    process = subprocess.Popen(
        command,
        pass_fds=(theirs_in, theirs_out),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"HOME": str(home), "PATH": os.environ["PATH"], "TMPDIR": str(home)},
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Browser(ours_out, ours_in)
    finally:
        process.kill()
        process.wait()
        os.close(ours_out)
        os.close(ours_in)
