"""Build the targets of config/ into out/; docs/BUILD.md is the manual."""

import pathlib
import re
import shutil
import sys

KEYS = {"like", "from", "drop", "keep", "sort", "columns", "join", "unique", "expand", "each", "head", "foot", "ends", "encoding", "to"}


class Wrong(Exception):
    """What is wrong with a configuration."""


def sections(path):
    """{section: {key: value}} of a file."""
    found, current = {}, None
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        raise Wrong(f"{path.name}: no such file") from None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            current = found.setdefault(line[1:-1].strip(), {})
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals or current is None:
            raise Wrong(f"{path.name}:{number}: expected a section or KEY = VALUE")
        current[key] = value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value
    return found


class Build:
    """The configuration of the project in a folder."""

    def __init__(self, root):
        self.root = root
        build = sections(root / "config" / "build.ini").get("build", {})
        self.values, self.targets = {}, {}
        for name in build.get("values", "").split():
            self.values.update(sections(root / name).get("values", {}))
        for name in build.get("targets", "").split():
            for section, keys in sections(root / name).items():
                self.targets[section.removeprefix("target ")] = keys

    def expanded(self, text, seen=()):
        """`text` with its ${names} filled in, values of values too."""

        def value_of(match):
            name = match[1]
            if name not in self.values or name in seen:
                raise Wrong(f"no value for ${{{name}}}")
            return self.expanded(self.values[name], (*seen, name))

        return re.sub(r"\$\{(\w+)\}", value_of, text)

    def keys(self, name, seen=()):
        """The keys of a target, those of the one it is like included."""
        if name not in self.targets or name in seen:
            raise Wrong(f"no target {name}" if name not in self.targets else f"{name} is like itself")
        own = self.targets[name]
        for key in own:
            if key not in KEYS:
                raise Wrong(f"{name}: no key {key}")
        return {**(self.keys(own["like"], (*seen, name)) if "like" in own else {}), **own}

    def lines(self, name, seen=()):
        """The lines of a target."""
        if name in seen:
            raise Wrong(f"{name} is made from itself")
        keys = self.keys(name)
        lines = [line for source in keys.get("from", "").split() for line in self.source(source, (*seen, name))]
        for key, wanted in (("drop", False), ("keep", True)):
            if key in keys:
                lines = [line for line in lines if bool(self.pattern(keys[key]).search(line)) is wanted]
        if "sort" in keys:
            lines.sort(key=self.order(keys["sort"]), reverse=keys["sort"].endswith(" down"))
        if "columns" in keys:
            lines = [self.columns(line, keys) for line in lines]
        if keys.get("unique") == "yes":
            lines = list(dict.fromkeys(lines))
        if keys.get("expand") == "yes":
            lines = [self.expanded(line) for line in lines]
        if "each" in keys:
            each = self.expanded(keys["each"])
            lines = [each.replace("{}", line) for line in lines]
        head, foot = ([self.expanded(keys[key])] if key in keys else [] for key in ("head", "foot"))
        return head + lines + foot

    def source(self, source, seen):
        if source.startswith("@"):
            return self.lines(source[1:], seen)
        paths = sorted(self.root.glob(source), key=lambda path: path.name)
        if not paths:
            raise Wrong(f"nothing is {source}")
        return [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]

    def pattern(self, text):
        try:
            return re.compile(text)
        except re.error as error:
            raise Wrong(f"pattern {text}: {error}") from None

    def fields(self, line):
        return line.split(self.values.get("delimiter", ","))

    def order(self, text):
        words = text.split()
        if len(words) not in (2, 3) or not words[0].isdigit() or words[1] not in ("text", "number"):
            raise Wrong(f"sort = {text}: expected COLUMN text|number [down]")
        kind, column = {"text": str, "number": int}[words[1]], int(words[0])
        return lambda line: kind(self.fields(line)[column - 1])

    def columns(self, line, keys):
        fields = self.fields(line)
        try:
            return keys.get("join", " ").join(fields[int(column) - 1] for column in keys["columns"].split())
        except (ValueError, IndexError):
            raise Wrong(f"columns = {keys['columns']}: not in {line}") from None

    def make(self, name):
        keys = self.keys(name)
        if "to" not in self.targets[name]:
            raise Wrong("no `to`")
        end = {"lf": "\n", "crlf": "\r\n"}.get(keys.get("ends", "lf"))
        if end is None:
            raise Wrong(f"ends = {keys['ends']}: expected lf or crlf")
        try:
            data = "".join(line + end for line in self.lines(name)).encode(keys.get("encoding", "utf-8"))
        except (LookupError, UnicodeError, ValueError) as error:
            raise Wrong(str(error)) from None
        path = self.root / "out" / self.targets[name]["to"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def main():
    root = pathlib.Path.cwd()
    shutil.rmtree(root / "out", ignore_errors=True)
    try:
        build = Build(root)
    except Wrong as wrong:
        print(f"config: {wrong}", file=sys.stderr)
        return 1
    status = 0
    for name in build.targets:
        try:
            build.make(name)
        except Wrong as wrong:
            print(f"target {name}: {wrong}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
