"""Does what an instruction says in so many words, by patterns, in the order in which they stand in the text.

1. "rename|replace|change|update|correct `X` to|with|by|into `Y`", and "from `X` to `Y`": in the file that the same sentence
   names, else in all text files. A name is replaced as a whole word.
2. "set `KEY` to `VALUE`": the value on lines `KEY = ...` or `KEY: ...`, in the file that the sentence names, else in all.
3. "create|write|add|append|put ... `FILE`" with a fenced block soon after it: the file with that content. Where the file is
   there and the word is one of the last three, the block's lines are put after the last line that is like them.
4. "remove|delete `FILE`" where that is a file; "remove|delete the line `L`".

It runs nothing, and where no rule fits it changes nothing. Quotes may be `...`, "..." or '...'.
"""

from __future__ import annotations

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from ladder_files import read_texts, write_changed  # type: ignore[import-not-found]

QUOTED = r"(?:`([^`\n]+)`|\"([^\"\n]+)\"|(?<!\w)'([^'\n]+)')"
SWAP = re.compile(
    rf"\b(?:rename|replace|change|update|correct|from)\b[^`\"'.]{{0,60}}?{QUOTED}[^`\"'.]{{0,30}}?\b(?:to|with|by|into)\b\s+{QUOTED}",
    re.IGNORECASE,
)
SET = re.compile(rf"\b(?:set|bump|raise|lower)\b[^`\"'.]{{0,40}}?{QUOTED}[^`\"'.]{{0,30}}?\bto\b\s+{QUOTED}", re.IGNORECASE)
MAKE = re.compile(rf"\b(create|write|add|append|put)\b[^`\"'.]{{0,80}}?{QUOTED}", re.IGNORECASE)
DROP = re.compile(rf"\b(?:remove|delete)\b(?P<line>[^`\"'.\n]{{0,30}}?\bline\b)?[^`\"'.\n]{{0,30}}?{QUOTED}", re.IGNORECASE)
FENCE = re.compile(r"^```[^\n]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)*")
SENTENCE_END = re.compile(r"[.;!?:](?=\s)|\n\s*\n|\n\s*[-*] ")
MOST_TEXT = 64 * 1024
NEAR = 400
"""Characters between a file's name and the fenced block that belongs to it."""

Texts = dict[str, str]


def main() -> None:
    """Patch the current folder by the instruction on standard input."""
    root = os.getcwd()
    before = read_texts(root)
    after = patched(before, sys.stdin.read(MOST_TEXT))
    for path in write_changed(root, before, after):
        print(f"wrote {path}")
    for path in sorted(before.keys() - after.keys()):
        os.remove(os.path.join(root, path))
        print(f"removed {path}")


def patched(texts: Texts, instruction: str) -> Texts:
    """The texts as the instruction says, as far as a pattern finds it."""
    after = dict(texts)
    prose = FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), instruction)  # positions stay
    rules = ((SWAP, _swap), (SET, _set), (MAKE, _make), (DROP, _drop))
    found = sorted(
        ((match.start(), rank, match, rule) for rank, (pattern, rule) in enumerate(rules) for match in pattern.finditer(prose)),
        key=lambda each: each[:2],
    )
    for _, _, match, rule in found:
        rule(after, match, instruction, prose)
    return after


def _words(match: re.Match[str]) -> list[str]:
    """What stands in quotes, in order."""
    quotes = re.compile(QUOTED).finditer(match[0])
    return [next(word for word in quote.groups() if word is not None) for quote in quotes]


def _sentence(prose: str, match: re.Match[str]) -> str:
    """The sentence that a match begins in."""
    ends = [end.end() for end in SENTENCE_END.finditer(prose)]
    start = max((end for end in ends if end <= match.start()), default=0)
    stop = min((end for end in ends if end >= match.end()), default=len(prose))
    return prose[start:stop]


def _files(texts: Texts, sentence: str) -> list[str]:
    """The files that a sentence names; all where it names none."""
    named = [path for path in texts if re.search(rf"(?<![\w./-]){re.escape(path)}(?![\w/-])", sentence)]
    return named or list(texts)


def _swap(texts: Texts, match: re.Match[str], _instruction: str, prose: str) -> None:
    old, new = _words(match)[-2:]
    pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)" if re.fullmatch(r"\w+", old) else re.escape(old))
    for path in _files(texts, _sentence(prose, match)):
        texts[path] = pattern.sub(lambda _: new, texts[path])


def _set(texts: Texts, match: re.Match[str], _instruction: str, prose: str) -> None:
    key, value = _words(match)[-2:]
    name = re.escape(key.rsplit(".", 1)[-1])
    pattern = re.compile(rf"^(\s*[\"']?{name}[\"']?\s*[:=]\s*)(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s,#;]+)", re.MULTILINE)
    for path in _files(texts, _sentence(prose, match)):
        texts[path] = pattern.sub(lambda found: found[1] + value, texts[path])


def _make(texts: Texts, match: re.Match[str], instruction: str, prose: str) -> None:
    path = _words(match)[-1]
    block = FENCE.search(instruction, match.end())
    if not FILE_NAME.fullmatch(path) or ("." not in path and path not in texts) or block is None:
        return
    if block.start() - match.end() > NEAR:
        return
    adds = match[1].lower() in {"add", "append", "put"}
    if path in texts and adds:
        texts[path] = _added(texts[path], block[1], _sentence(prose, match))
    else:
        texts[path] = block[1]


def _added(text: str, block: str, sentence: str) -> str:
    """`text` with the lines of `block`: below the headings that the sentence quotes, after the last line of its kind there."""
    lines = text.splitlines(keepends=True)
    low, high = _section(lines, [quote.strip() for quote in re.findall(r"`(#+ [^`]+)`", sentence)])
    kind = block.lstrip()[:2]
    like = [at for at in range(low, high) if lines[at].lstrip().startswith(kind)]
    place = like[-1] + 1 if like else high
    return "".join([*lines[:place], block, *lines[place:]])


def _section(lines: list[str], headings: list[str]) -> tuple[int, int]:
    """The lines below all quoted headings, the widest one first; all lines where there are none."""
    low, high = 0, len(lines)
    for heading in sorted(headings, key=lambda each: len(each.split()[0])):
        level = len(heading.split()[0])
        at = next((at for at in range(low, high) if lines[at].rstrip() == heading), None)
        if at is None:
            continue
        low = at + 1
        closing = re.compile(rf"#{{1,{level}}} ")
        high = next((end for end in range(low, high) if closing.match(lines[end])), high)
    return low, high


def _drop(texts: Texts, match: re.Match[str], _instruction: str, prose: str) -> None:
    word = _words(match)[-1]
    if match["line"] is None:
        texts.pop(word, None)
        return
    for path in _files(texts, _sentence(prose, match)):
        kept = [line for line in texts[path].splitlines(keepends=True) if line.strip() != word.strip()]
        texts[path] = "".join(kept)


if __name__ == "__main__":
    main()
