"""An orchestrator that asks a model whom to schedule: `tally bench gate` names the first decision that came out otherwise.

    tally bench gate golden-v1 --model MODEL -k 5 -- python3 examples/orchestrator_by_model.py

A model in the scheduling loop may decide otherwise whenever it is asked. That can be what you want; it is not reproducible, and
k attempts are then k different orchestrations.
"""

import json
import os
import subprocess
import sys
import urllib.request

ROLES = ("coder", "tester", "reviewer")
ROUNDS = 4
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


def ask(messages: list, **more: object) -> dict:
    """The model's next message."""
    body = {"model": os.environ["TALLY_MODEL"], "messages": messages, **more}
    return json.loads(post(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body))["choices"][0]["message"]


def whom_next(task: str, done: list) -> str:
    """Whom the model wants to work next; `stop` where it names nobody."""
    question = f"{task}\n\nWorked so far: {', '.join(done) or 'nobody'}. Who is next: {', '.join(ROLES)}, or stop? One word."
    answer = str(ask([{"role": "user", "content": question}]).get("content"))
    return next((role for role in ROLES if role in answer), "stop")


def work(role: str, task: str) -> None:
    """One turn of a role: the model names commands, which are run."""
    messages = [{"role": "system", "content": f"You are the {role}."}, {"role": "user", "content": task}]
    for call in ask(messages, tools=[SHELL]).get("tool_calls") or ():
        command = json.loads(call["function"]["arguments"])["command"]
        subprocess.run(["/bin/sh", "-c", command], capture_output=True, timeout=120, check=False)


def main() -> None:
    """Ask, schedule, ask again."""
    task, done = sys.stdin.read(), []
    for _ in range(ROUNDS):
        role = whom_next(task, done)
        decide("schedule", role)
        if role == "stop":
            return
        work(role, task)
        done.append(role)


if __name__ == "__main__":
    main()
