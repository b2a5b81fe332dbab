#!/usr/bin/env bash
# Installs well-known agents for the tests that start them: scripts/agents.sh [NAME...]
#
# Without names, all of: mini-swe-agent aider codex claude-code gemini-cli opencode. Each goes into a folder of its own below
# .agents/ (another folder: TALLY_AGENTS=/path), at the version that requirements/agents/ pins by hash, without running a script
# of any package. What is there at that version already stays.
#
#   scripts/agents.sh --lock NAME...   pins the newest release of an agent anew
#
# pip's and npm's own configuration decide where packages come from; no address is written.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." >/dev/null
unset PYTHONHOME PYTHONPATH

python_agents="mini-swe-agent aider"
npm_agents="codex claude-code gemini-cli opencode"
pins=$PWD/requirements/agents
folder=${TALLY_AGENTS:-$PWD/.agents}

say() { printf 'agents: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# --- where they go ---

stamped() { # stamped FOLDER FILE...
    [ -f "$1/stamp" ] && [ "$(cat "$1/stamp")" = "$(cat "${@:2}" | cksum)" ]
}

stamp() {
    cat "${@:2}" | cksum >"$1/stamp"
}

# aider has no release for the newest Pythons.
find_python() {
    local candidate
    for candidate in ${PYTHON:+"$PYTHON"} python3.12 python3.11 python3 "$PWD/.venv/bin/python"; do
        if "$candidate" -c 'import sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 13))' >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    fail "found no Python 3.11 or 3.12 with the venv module; set PYTHON=/path/to/python3"
}

# No byte code: it is made from the sources when an agent first runs.
install_python() {
    local place=$folder/$1 lock=$pins/$1.txt python
    if stamped "$place" "$lock"; then return; fi
    python=$(find_python)
    say "installing $1 into $place"
    rm -rf "$place"
    "$python" -m venv --without-pip "$place"
    .venv/bin/python -m pip --python "$place/bin/python" install -qq --no-compile --require-hashes --only-binary :all: -r "$lock" ||
        return 1
    stamp "$place" "$lock"
}

# Scripts of packages build modules for this machine: without them the files are the same everywhere.
install_npm() {
    local place=$folder/npm/$1 lock=$pins/$1
    if stamped "$place" "$lock"/*.json; then return; fi
    command -v npm >/dev/null || { say "no npm here; install nodejs and npm"; return 1; }
    say "installing $1 into $place"
    rm -rf "$place"
    mkdir -p "$place"
    cp "$lock"/package.json "$lock"/package-lock.json "$place"
    # Not `npm ci`: it wants a pin for every machine, and a registry may not have the packages of all.
    (cd "$place" && npm install --silent --no-save --ignore-scripts --no-audit --no-fund --no-update-notifier) || return 1
    stamp "$place" "$lock"/*.json
}

# --- pinning ---

package_of() {
    case $1 in
        aider) echo aider-chat ;;
        codex) echo @openai/codex ;;
        claude-code) echo @anthropic-ai/claude-code ;;
        gemini-cli) echo @google/gemini-cli ;;
        opencode) echo opencode-ai ;;
        *) echo "$1" ;;
    esac
}

lock_python() {
    package_of "$1" | .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
        --no-emit-index-url --no-annotate --custom-compile-command "scripts/agents.sh --lock $1" - -o "$pins/$1.txt"
}

lock_npm() {
    mkdir -p "$pins/$1"
    printf '{\n  "name": "agent-%s",\n  "private": true\n}\n' "$1" >"$pins/$1/package.json"
    rm -f "$pins/$1/package-lock.json"
    (cd "$pins/$1" && npm install --silent --package-lock-only --save-exact --ignore-scripts --no-audit --no-fund \
        --omit-lockfile-registry-resolved "$(package_of "$1")")
}

# --- which ---

each() { # each PREFIX NAME...: calls PREFIX_python or PREFIX_npm
    local prefix=$1 name failed=""
    shift
    for name in "$@"; do
        case " $python_agents | $npm_agents " in
            *" $name "*"|"*) "${prefix}_python" "$name" || failed="$failed $name" ;;
            *"|"*" $name "*) "${prefix}_npm" "$name" || failed="$failed $name" ;;
            *) fail "no agent $name; known are $python_agents $npm_agents" ;;
        esac
    done
    [ -z "$failed" ] || fail "not done:$failed; the lines above say why"
}

[ -x .venv/bin/python ] || fail "run make dev-env first"
if [ "${1:-}" = --lock ]; then
    shift
    each lock "$@"
    exit
fi
# shellcheck disable=SC2086 # names without spaces
[ $# -gt 0 ] || set -- $python_agents $npm_agents
each install "$@"
[ "${AGENTS_FOR:-}" = demo ] || say "ready; to run the tests that use them: TALLY_AGENTS=$folder .venv/bin/python -m pytest -m agents"
