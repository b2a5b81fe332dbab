"""Settings, signatures and masks with tokens that only this grader knows; and where the ones that lie about have gone."""

import json

from probes import LIE_ABOUT, LOADS, MASKS, SIGNATURES

from tally_grader import subject, test

CALL = """
import contextlib, io, json, pathlib, sys, tempfile

def loaded(environ, files):
    root = pathlib.Path(tempfile.mkdtemp())
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    try:
        settings = client.load(environ, root)
    except client.SettingsError as error:
        return ["SettingsError", str(error)]
    except Exception as error:
        return [type(error).__name__, str(error)]
    return [{name: getattr(settings, name, None) for name in @{settings}}, str(settings) + repr(settings)]

def signed(token, *arguments):
    try:
        headers = client.sign(client.Settings(token=token, base="x", @{first}=1, @{second}=1), *arguments)
        return [headers if type(headers) is dict else repr(headers)[:80], ""]
    except Exception as error:
        return [type(error).__name__, ""]

def masked(text):
    try:
        return [client.masked(text), ""]
    except Exception as error:
        return [type(error).__name__, ""]

with contextlib.redirect_stdout(io.StringIO()):
    import @{package} as client
    asked = json.load(sys.stdin)
    answers = [{"load": loaded, "sign": signed, "mask": masked}[what](*arguments) for what, *arguments in asked]
print(json.dumps(answers))
"""
LOOK = """
import json, os, re, sys
forms, found = json.load(sys.stdin), []
for folder, below, names in os.walk("."):
    for path in sorted(os.path.relpath(os.path.join(folder, name), ".") for name in below + names):
        text = path + "/"
        if os.path.islink(path):
            text += os.readlink(path)
        elif os.path.isfile(path):
            with open(path, "rb") as stream:
                text += stream.read().decode("latin-1")
        bare = re.sub("[^A-Za-z0-9]", "", text)
        if any(form in bare for form in forms):
            found.append(path)
print(json.dumps(found))
"""


def ask(questions):
    """The subject's answers, a list of two each."""
    result = subject.run(["python3", "-c", CALL], stdin=json.dumps(questions).encode(), timeout_s=30)
    assert result.exit == 0, f"the package cannot be used: {result.stderr[-300:]!r}"
    answers = json.loads(result.stdout.splitlines()[-1])
    assert isinstance(answers, list) and len(answers) == len(questions), "no answer for each question"
    return answers


def check_loads(rows):
    for (environ, files, wanted, hidden), (got, said) in zip(rows, ask([["load", row[0], row[1]] for row in rows])):
        if isinstance(wanted, dict):
            assert got == wanted, f"load({environ}) has {got}, not {wanted}"
        else:
            assert got == "SettingsError", f"load({environ}) with {files} gives {got}, not SettingsError"
            for name in wanted:
                assert name in said, f"the error of load({environ}) does not name {name}: {said}"
        assert not any(token in said for token in hidden), f"a token is shown: {said}"


def where(forms):
    """The paths of the workspace whose name, link or content holds one of the forms of a token; nothing submitted runs."""
    result = subject.run(["python3", "-I", "-S", "-c", LOOK], stdin=json.dumps(forms).encode(), timeout_s=30)
    return set(json.loads(result.stdout))


def among_sound(rows):
    """Rows with one that loads after each: who refuses once must not refuse for ever."""
    sound = LOADS["values"]
    return [each for at, row in enumerate(rows) for each in (row, sound[at % len(sound)])]


for name in ("values", "files"):
    with test(name):
        check_loads(LOADS[name])

with test("refusals"):
    check_loads(among_sound(LOADS["refusals"]))

with test("secrets"):
    check_loads(among_sound(LOADS["secrets"]))
    for forms, places in LIE_ABOUT:
        got_into = sorted(where(forms) - set(places))
        assert not got_into, f"a token has got into {got_into}"

with test("signing"):
    for (arguments, wanted), (got, _) in zip(SIGNATURES, ask([["sign", *arguments] for arguments, _ in SIGNATURES])):
        assert got == wanted, f"sign{tuple(arguments[1:])} is {got}, not {wanted}"

with test("masking"):
    for (text, wanted), (got, _) in zip(MASKS, ask([["mask", text] for text, _ in MASKS])):
        assert got == wanted, f"masked({text!r}) is {got!r}, not {wanted!r}"
    check_loads(LOADS["masking"])
