from __future__ import annotations

import json

from tests.attacks.kit import Lie, Status, Step, cassette_broken, recorded, row_lies
from tests.support.forge import Forgery
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    tape = Tape(forgery, WRITE, 1)
    command = json.dumps({"command": ["sh", "-c", "echo three >b.txt"]})

    def change(said: dict[str, object]) -> None:
        said["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = command  # type: ignore[index]

    tape.set_answer(2, change)
    tape.follow()


LIE = Lie(
    tell=tell,
    edited=cassette_broken((WRITE, 1)),
    resigned=recorded(),
    replayed=row_lies(Status.DIVERGED, Step.replay, (WRITE, 1), says="call 3: messages"),
    base="recorded",
)
