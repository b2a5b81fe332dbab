#!/usr/bin/env bash
# Pins what pyproject.toml asks for, with hashes, for Python 3.11 to 3.14 on every platform: scripts/lock.sh [--upgrade]
# Present pins stay where they still fit; --upgrade moves all of them. No registry's address is written.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." >/dev/null

compile() {
    .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --custom-compile-command "make lock" "$@"
}

compile --group dev --group build pyproject.toml -o requirements/dev.txt "$@"
# The smaller set takes its versions from the larger one, so that both name the same files.
compile --group build --extra run pyproject.toml --constraint requirements/dev.txt --no-annotate -o requirements/run.txt "$@"
