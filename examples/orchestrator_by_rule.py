"""An orchestrator that schedules by rule: it passes `tally bench gate`, whatever its models answer.

    tally bench gate golden-v1 --model MODEL -k 5 -- python3 examples/orchestrator_by_rule.py

Coder, tester, reviewer, in this order, each with a number of turns of its own. Models do the work and are never asked who works
next. Every decision is reported before it is carried out, so that the journal of each attempt holds it.
"""

import json
import os
import subprocess
import sys
import urllib.request

ROLES = {"coder": 6, "tester": 3, "reviewer": 3}
"""Who works, in order, and for how many turns at most."""
HEADERS = {"authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', '')}", "content-type": "application/json"}
COMMAND = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
SHELL = {"type": "function", "function": {"name": "bash", "parameters": COMMAND}}


def post(address: str, body: object) -> bytes:
    """POST a JSON document and return what is answered."""
    request = urllib.request.Request(address, json.dumps(body).encode(), HEADERS)
    with urllib.request.urlopen(request, timeout=600) as answer:
        return answer.read()


def decide(name: str, text: str) -> None:
    """Report a decision, where somebody listens."""
    if "TALLY_DECISIONS" in os.environ:
        post(os.environ["TALLY_DECISIONS"], {"name": name, "text": text})


def ask(messages: list) -> dict:
    """The model's next message."""
    body = {"model": os.environ["TALLY_MODEL"], "messages": messages, "tools": [SHELL]}
    return json.loads(post(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body))["choices"][0]["message"]


def run(command: str) -> str:
    """What a command prints, its errors included."""
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    return (done.stdout + done.stderr)[-10_000:]


def work(role: str, task: str, turns: int) -> None:
    """Let one role work until it is done or its turns are used up."""
    messages = [{"role": "system", "content": f"You are the {role}."}, {"role": "user", "content": task}]
    for _ in range(turns):
        message = ask(messages)
        messages.append(message)
        if not message.get("tool_calls"):
            return
        for call in message["tool_calls"]:
            output = run(json.loads(call["function"]["arguments"])["command"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": output})


def main() -> None:
    """Schedule every role once."""
    task = sys.stdin.read()
    for role, turns in ROLES.items():
        decide("schedule", f"{role}, {turns} turns")
        work(role, task, turns)
    decide("stop", "every role has worked")


if __name__ == "__main__":
    main()
