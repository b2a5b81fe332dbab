"""Runs in the subject: makes each call in a process of its own, in a folder with the call's files."""

import json
import os
import runpy
import shutil
import signal
import sys
import tempfile
import traceback

ROOT = os.getcwd()


def lay_out(call):
    folder = tempfile.mkdtemp()
    for name, text in call["files"].items():
        path = os.path.join(folder, name)
        if text is None:
            os.mkdir(path)
        else:
            with open(path, "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
    return folder


def child(call, folder, streams):
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", errors=errors, closefd=False)
        for number, mode, errors in ((0, "r", "strict"), (1, "w", "strict"), (2, "w", "backslashreplace"))
    )
    sys.path.insert(0, ROOT)
    sys.argv = ["@{prog}", *call["args"]]
    os.environ.pop("@{variable}", None)
    if call["variable"]:
        os.environ["@{variable}"] = call["variable"]
    os.chdir(folder)
    signal.alarm(10)
    status = 0
    try:
        runpy.run_module("@{prog}", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        status = end.code
        if status is None:
            status = 0
        elif not isinstance(status, int):
            print(status, file=sys.stderr)
            status = 1
    except BaseException:
        traceback.print_exc()
        status = 1
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass
    os._exit(status & 255)


def answer(call):
    folder = lay_out(call)
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(call["stdin"].encode())
        given.seek(0)
        process = os.fork()
        if process == 0:
            child(call, folder, (given, out, err))
        _, status = os.waitpid(process, 0)
        out.seek(0)
        err.seek(0)
        told = [stream.read(100_000).decode("utf-8", "replace") for stream in (out, err)]
    shutil.rmtree(folder, ignore_errors=True)
    return [*told, os.waitstatus_to_exitcode(status)]


print(json.dumps([answer(call) for call in json.load(sys.stdin)]))
