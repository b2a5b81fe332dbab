#!/usr/bin/env bash
# Makes this checkout ready to use: scripts/setup.sh run|dev
#
#   run   what `tally` needs            dev   the same, and what the tests and checks need
#
# 1. System packages (Python 3.11 to 3.14 with venv, bubblewrap, make): installed with apt-get, through sudo for other
#    users than root, and only where one is missing. A C compiler, which pins the clock of recorded runs, is installed where
#    that is possible; without it tally says what it does without. For dev on Debian also chromium and npm, which look at pages, and for root
#    debootstrap, which installs a system to test on; without them those tests are skipped.
# 2. .venv, filled from the hash-pinned lock in requirements/, with the project installed to run from src/.
# A stamp in .venv makes the next call return at once. PYTHON=/path/to/python3 chooses the interpreter.
# pip's own configuration decides where packages come from.
set -euo pipefail

profile=${1:-}
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." >/dev/null
unset PYTHONHOME PYTHONPATH

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

case $profile in
    run | dev) ;;
    *) fail "usage: scripts/setup.sh run|dev" ;;
esac

# --- is there anything to do? ---

fingerprint() {
    { printf '%s\n' "$1" "$PWD" && cat pyproject.toml "requirements/$1.txt" scripts/setup.sh; } | cksum
}

stamped() {
    [ -f ".venv/stamp-$1" ] && [ "$(cat ".venv/stamp-$1")" = "$(fingerprint "$1")" ]
}

ready() {
    .venv/bin/python -c '' 2>/dev/null && { stamped dev || stamped "$profile"; }
}

# --- system packages ---

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif ! command -v sudo >/dev/null; then
        fail "installing system packages needs root and there is no sudo here; as root run: apt-get install -y $missing"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

# install NAME...: the names are Debian's.
install() {
    missing=$*
    command -v apt-get >/dev/null ||
        fail "missing here: $missing; install them with this system's package manager and run this again"
    say "installing system packages: $missing"
    as_root apt-get -qq update || say "could not refresh the package lists; trying with the old ones"
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -y -o DPkg::Lock::Timeout=300 --no-install-recommends install "$@" >/dev/null ||
        fail "could not install: $missing; install them as root (apt-get install -y $missing) and run this again"
}

# A pyenv shim may stand for no interpreter at all, and Debian's python3 comes without venv: ask each one.
usable() {
    "$1" -c 'import sys, ensurepip, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' >/dev/null 2>&1
}

find_python() {
    local candidate
    for candidate in "${PYTHON:-python3}" python3.14 python3.13 python3.12 python3.11 /usr/bin/python3; do
        if usable "$candidate"; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    return 1
}

require_python() {
    if [ -n "${PYTHON:-}" ]; then
        usable "$PYTHON" || fail "PYTHON=$PYTHON is not a Python 3.11 to 3.14 with the venv module"
        python=$PYTHON
        return
    fi
    if python=$(find_python); then return; fi
    install python3 python3-venv
    if python=$(find_python); then return; fi
    install python3.11 python3.11-venv # releases whose python3 is older, such as Ubuntu 22.04
    python=$(find_python) || fail "found no Python 3.11 to 3.14 with the venv module; set PYTHON=/path/to/python3"
}

require_commands() {
    local packages=()
    command -v make >/dev/null || packages+=(make)
    if [ "$(uname -s)" != Linux ]; then
        say "the sandbox needs Linux: here tally verifies files but runs no agent"
    else
        command -v bwrap >/dev/null || packages+=(bubblewrap)
    fi
    if [ ${#packages[@]} -gt 0 ]; then install "${packages[@]}"; fi
}

# Recorded runs start agents below a small program in C that tally builds on first use. Everything else works without.
offer_compiler() {
    [ "$(uname -s)" = Linux ] || return 0
    if printf '#include <sys/ptrace.h>\nint main(void) { return 0; }\n' |
        "$(command -v cc || command -v gcc || command -v clang || echo false)" -fsyntax-only -x c - 2>/dev/null; then
        return 0
    fi
    (install gcc libc6-dev) ||
        say "going on without a C compiler and the C library's headers: the clock of recorded runs is not pinned"
}

# Ubuntu's package of that name only asks for a snap, so nothing is installed there.
offer_browser() {
    local packages=()
    grep -qs '^ID=debian$' /etc/os-release || return 0
    command -v chromium >/dev/null || packages+=(chromium)
    command -v npm >/dev/null || packages+=(nodejs npm)
    if [ ${#packages[@]} -gt 0 ]; then
        (install "${packages[@]}") || say "going on without ${packages[*]}: tests that look at pages in a browser are skipped"
    fi
}

# One test goes through docs/first-hour.md on a system that it installs into a folder, which only root can do.
offer_debootstrap() {
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null || command -v debootstrap >/dev/null; then return 0; fi
    (install debootstrap) || say "going on without debootstrap: the first hour is tested on this system only"
}

# --- the virtual environment ---

make_venv() {
    # Scripts in a virtual environment hold its path, so one that came along in a copy is made anew.
    if [ ! -f .venv/made-in ] || [ "$(cat .venv/made-in)" != "$PWD" ] || ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
        say "making .venv with $("$python" -c 'import sys; print(sys.executable, sys.version.split()[0])')"
        "$python" -m venv --clear .venv
        printf '%s\n' "$PWD" >.venv/made-in
    fi
}

fill_venv() {
    rm -f .venv/stamp-*
    say "installing what requirements/$profile.txt pins"
    .venv/bin/python -m pip install -qq --require-hashes --only-binary :all: -r "requirements/$profile.txt" ||
        fail "could not install the pinned packages; pip's lines above say which one and why"
    .venv/bin/python -m pip install -qq --no-deps --no-build-isolation --editable . ||
        fail "could not install the project itself; pip's lines above say why"
    fingerprint "$profile" >".venv/stamp-$profile"
}

if ready; then exit 0; fi
require_commands
offer_compiler
if [ "$profile" = dev ]; then
    offer_browser
    offer_debootstrap
fi
require_python
make_venv
fill_venv
say "ready (.venv)"
