"""`python -m tests.agents.again AGENT SUITE BUNDLE CACHE TIMES`: replays every attempt, a line of JSON for each."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from tallystick.flows.known import known_prices, known_rules
from tallystick.flows.replay import ReplayRequest, replayer
from tallystick.records.containers import open_bundle
from tallystick.records.traffic.cassette import parse_cassette
from tallystick.suites.loading import compile_suite
from tallystick.verify.ports import VerifyOptions
from tests.agents.kit import adapter


def main() -> None:
    """Replay, and say what came of it."""
    name, suite_folder, bundle, cache, times = sys.argv[1:]
    suite, agent = compile_suite(Path(suite_folder)), adapter(name)
    tasks = {task.id: task for task in suite.tasks}
    request = ReplayRequest(adapter=lambda _agent, _suite: agent, cache=Path(cache))
    known = VerifyOptions(rules=known_rules(), prices=known_prices())
    with Path(bundle).open("rb") as stream:
        file = open_bundle(stream)
        with replayer(file.bundle, suite, request, known) as opened:
            for result in file.bundle.task_results * int(times):
                receipt = file.receipt(result.receipt_hash)
                digest = receipt.link("cassette")
                assert digest is not None
                begin = time.monotonic()
                found = opened.replay(tasks[result.task_id], receipt, parse_cassette(file.read(digest)), file)
                seconds = round(time.monotonic() - begin, 2)
                line = {"difference": found.difference, "spans": found.spans, "leaks": found.leaks, "seconds": seconds}
                print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
