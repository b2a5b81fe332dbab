"""What the scripted model says: a fixed list of steps, chosen by how many were taken, for any agent that offers a shell."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["JUDGES", "SCRIPTS", "Reply", "ToolCall", "reply"]

FIX: Final = "sed -i 's/return a - b/return a + b/' calc.py"
"""The one line that is wrong in the workspace the scripts are written for (calc.py, test_calc.py)."""

QUIET_TEST: Final = "python3 -m unittest test_calc >/tmp/t.log 2>&1; grep -E '^(FAIL|OK|Assert)' /tmp/t.log"
LOUD_TEST: Final = "python3 -m unittest -v test_calc 2>&1"
PYTEST: Final = "python3 -m pytest -q test_calc.py 2>&1"
BUSY: Final = "for i in 1 2 3 4; do (timeout 2 sh -c 'while :; do :; done' &) ; done"

Step = str | tuple[str, ...]

SCRIPTS: Final[Mapping[str, Sequence[Step]]] = {
    "plain": ("ls && cat calc.py test_calc.py", QUIET_TEST, FIX, f"{QUIET_TEST}; git status --short; git diff"),
    "usual": ("ls -la && git log && git status", LOUD_TEST, f"{FIX} && ls -la", f"{LOUD_TEST}; git diff; ls -la .git | head"),
    "parallel": (("ls", "cat calc.py", "cat test_calc.py"), FIX),
    "flaky": ("ls", FIX),
    "tiny": ("ls", "if [ -f m.py ]; then echo 'X = 1' >m.py; else echo two >b.txt; fi"),
    "looks": ("ls",),
    "pytest-under-load": (f"{BUSY}; {PYTEST}", FIX, f"{BUSY}; {PYTEST}"),
}
"""By name; a step is a command, or several at once. `flaky` expects a provider that fails twice on the way."""

GOOD: Final = '{"correctness": 5, "style": 4, "test_coverage": 3, "safety": 5}'
JUDGES: Final[Mapping[str, Sequence[str]]] = {
    "judge": (GOOD,),
    "judge-mends": (f"Here you are:\n```json\n{GOOD}\n```", GOOD),
    "judge-babbles": ("It is a fine change. 5 out of 5!",),
    "judge-flatters": ('{"correctness": 9, "style": 5, "test_coverage": 5, "safety": 5}',),
}
"""What a judge says, by name: first, and when it is asked to mend its answer."""

SHELLS: Final = ("bash", "Bash", "exec_command", "shell_command", "shell", "local_shell", "run_shell_command", "execute_bash")
"""Names under which agents offer a shell."""

EDIT: Final = "calc.py\n```python\n<<<<<<< SEARCH\n    return a - b\n=======\n    return a + b\n>>>>>>> REPLACE\n```\n"
SUBMIT: Final = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""What one agent wants to see echoed when it is to end."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants used, with its arguments."""

    name: str
    arguments: Mapping[str, Any]

    @property
    def text(self) -> str:
        return json.dumps(self.arguments)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model says: a text, or tools to use."""

    text: str
    calls: tuple[ToolCall, ...] = ()


def reply(script: str, tools: Collection[str], turn: int, heard: str) -> Reply:
    """The next step. `turn` counts the answers with tool calls so far, `heard` is the whole conversation as text."""
    if script in JUDGES:
        answers = JUDGES[script]
        return Reply(answers[min(heard.count("Answer again"), len(answers) - 1)])
    shell = next((name for name in SHELLS if name in tools), None)
    if shell is None:
        return Reply(EDIT if "SEARCH/REPLACE" in heard else "Fix calc")
    steps = SCRIPTS[script]
    if turn < len(steps):
        step = steps[turn]
        commands = (step,) if isinstance(step, str) else step
        return Reply("Next step.", tuple(ToolCall(shell, _arguments(shell, command)) for command in commands))
    if SUBMIT in heard:
        return Reply("Next step.", (ToolCall(shell, {"command": f"echo {SUBMIT}"}),))
    return Reply("Done: add() now adds.")


def _arguments(shell: str, command: str) -> Mapping[str, Any]:
    if shell == "exec_command":
        return {"cmd": command}
    if shell == "shell":
        return {"command": ["bash", "-lc", command]}
    if shell in {"Bash", "bash"}:
        return {"command": command, "description": "step"}
    if shell == "run_shell_command":
        return {"command": command, "description": "step", "is_background": False}
    return {"command": command}
