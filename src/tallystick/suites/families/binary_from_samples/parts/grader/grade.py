"""Files that only this grader knows, in both directions, and files that must be refused."""

import functools
import json

from tally_grader import subject, test

PLAIN = @{hidden_plain}
PACKED = @{hidden_packed}
MASKED = @{hidden_masked}
DAMAGED = @{damaged}
MALFORMED = @{malformed}
CALL = """
import json, sys
import codec
answers = []
for way, given in json.load(sys.stdin):
    try:
        if way == "decode":
            answers.append(codec.decode(bytes.fromhex(given)))
        else:
            answers.append(bytes(codec.encode(given)).hex())
    except ValueError:
        answers.append("ValueError")
    except Exception as error:
        answers.append(["an error", type(error).__name__])
print()
print(json.dumps(answers))
"""


@functools.cache
def _ask(questions):
    result = subject.run(["python3", "-c", CALL], stdin=questions.encode(), timeout_s=30)
    assert result.exit == 0, f"the module cannot be used: {result.stderr[-300:]!r}"
    answers = json.loads(result.stdout.splitlines()[-1])
    assert isinstance(answers, list) and len(answers) == len(json.loads(questions)), "no answer for each question"
    return answers


def ask(way, given):
    """The submitted function's answers."""
    return _ask(json.dumps([(way, each) for each in given]))


def same(found, wanted):
    """Equal as JSON is: true is not 1."""
    return json.dumps(found, sort_keys=True) == json.dumps(wanted, sort_keys=True)


def must_decode(pairs):
    for (data, document), found in zip(pairs, ask("decode", [data for data, _ in pairs])):
        assert same(found, document), f"decode({data}) is {str(found)[:400]}, not {document}"


def must_encode(pairs):
    for (data, document), found in zip(pairs, ask("encode", [document for _, document in pairs])):
        assert found == data, f"encode({document}) is {str(found)[:400]}, not {data}"


def must_refuse(files):
    """Each is refused, with a sound file after each, so that nobody who has refused one refuses the rest unseen."""
    sound = [PLAIN[at % len(PLAIN)] for at in range(len(files))]
    found = ask("decode", [data for bad, (good, _) in zip(files, sound) for data in (bad, good)])
    for data, refused in zip(files, found[::2]):
        assert refused == "ValueError", f"decode({data}) is {str(refused)[:400]}, not a ValueError"
    for (data, document), read in zip(sound, found[1::2]):
        assert same(read, document), f"decode({data}) is {str(read)[:400]} after a file that is refused, not {document}"


with test("plain"):
    must_decode(PLAIN)

with test("packed"):
    must_decode(PACKED)

with test("masked"):
    must_decode(MASKED)

with test("encode_plain"):
    must_encode(PLAIN)

with test("encode_all"):
    must_encode(PACKED + MASKED)

with test("damaged"):
    must_refuse(DAMAGED)

with test("malformed"):
    must_refuse(MALFORMED)
