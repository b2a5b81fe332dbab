"""Every bound on what an attacker controls, in one place, with its unit and reason.

A bound is generous for honest use and small enough that the worst input costs seconds and megabytes, not a machine.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "ATTEMPTS",
    "BLOB_BYTES",
    "BUNDLE_JSON_BYTES",
    "BUNDLE_MEMBERS",
    "C1_DEPTH",
    "C1_VALUES",
    "COHORT_ARTIFACTS",
    "COHORT_COMMITS",
    "COHORT_ENTRIES",
    "COHORT_FINDINGS",
    "COHORT_HISTORY_BYTES",
    "COHORT_OPENINGS",
    "COHORT_OPENING_BYTES",
    "COHORT_PENDING_BYTES",
    "COHORT_VERSIONS_BYTES",
    "DESCRIPTION_CHARS",
    "DOCUMENT_BYTES",
    "EVENTS_PER_ATTEMPT",
    "FLOOR_ATTEMPTS",
    "INFLATE_RATIO",
    "INFLATE_SLACK_BYTES",
    "INFLATE_TOTAL_RATIO",
    "INFLATE_TOTAL_SLACK_BYTES",
    "INLINE_BLOBS_BYTES",
    "JSON_PREFERRED_BYTES",
    "KEY_BYTES",
    "NAME_BYTES",
    "PATH_BYTES",
    "PYJSON_BYTES",
    "PYJSON_DEPTH",
    "PYJSON_VALUES",
    "RECEIPT_BYTES",
    "SCHEMA_ERRORS",
    "SUITE_BYTES",
    "TAR_BYTES",
    "TASKS",
    "TASK_RESULTS",
    "TESTS",
    "TREE_RECORDS",
]

KIB: Final = 1024
MIB: Final = 1024 * KIB

C1_DEPTH: Final = 64
"""Nesting levels of a C1 document: ours need seven; parsers of other languages stop at 100 or more."""

C1_VALUES: Final = 4_000_000
"""Values of a C1 document: an attempt in a bundle has about a hundred; two bytes of `{}` become some 70 in memory."""

DOCUMENT_BYTES: Final = 16 * MIB
"""Bytes of one document without a cap of its own (trees of large workspaces are the biggest)."""

KEY_BYTES: Final = 4 * KIB
"""Bytes of a key file."""

EVENTS_PER_ATTEMPT: Final = 100_000
"""Events of one journal: a thousand model turns make a few thousand."""

RECEIPT_BYTES: Final = 64 * MIB
"""Bytes of one receipt."""

SUITE_BYTES: Final = 64 * MIB
"""Bytes of a compiled suite document (task texts and trees, no file contents)."""

BUNDLE_JSON_BYTES: Final = 96 * MIB
"""Bytes of a bundle in its `.json` container, and of `bundle.json` in the `.tally` container."""

JSON_PREFERRED_BYTES: Final = 32 * MIB
"""Bytes up to which the writer chooses the `.json` container: it is read whole into memory."""

INLINE_BLOBS_BYTES: Final = 128 * MIB
"""Bytes of all blobs of a `.json` container after inflating: they are held in memory."""

BUNDLE_MEMBERS: Final = 1_000_000
"""Receipts, and blobs, of a `.tally` container: its index is held in memory, some 300 bytes for each."""

TAR_BYTES: Final = 64 * 1024 * MIB
"""Bytes of a `.tally` container; it is read as a stream, so this bounds time, not memory."""

BLOB_BYTES: Final = 256 * MIB
"""Bytes of one blob after inflating."""

INFLATE_RATIO: Final = 200
"""Largest ratio of inflated to deflated bytes. Source text reaches 10, logs 50; raw deflate can reach 1,032."""

INFLATE_SLACK_BYTES: Final = 1 * MIB
"""Inflated bytes allowed whatever the ratio, so that small, very regular files pass."""

INFLATE_TOTAL_RATIO: Final = 20
"""Largest ratio of inflated to stored bytes over all receipts and blobs of a `.tally` container: it bounds a reader's time."""

INFLATE_TOTAL_SLACK_BYTES: Final = 512 * MIB
"""Inflated bytes allowed over all of them whatever that ratio: a second or two of reading."""

ATTEMPTS: Final = 10_000
"""Attempts at one task: with so many its 95 % interval is two points wide."""

FLOOR_ATTEMPTS: Final = 100
"""Attempts at one task of which a floor is computed: every j up to it is listed, and arithmetic grows with its square."""

TASKS: Final = 10_000
"""Tasks of a suite: each is parsed and hashed before anything runs."""

TESTS: Final = 10_000
"""Tests that one grader script may report."""

TASK_RESULTS: Final = 1_000_000
"""Task results in a bundle: tasks times attempts."""

TREE_RECORDS: Final = 200_000
"""Records of one file tree."""

NAME_BYTES: Final = 255
"""Bytes of one part of a path: what the file systems of Linux hold."""

PATH_BYTES: Final = 1024
"""Bytes of a relative path in a tree."""

COHORT_ENTRIES: Final = 20_000
"""Acts in the history of a cohort, each a signature to check: a thousand tasks with eight attempts each make ten thousand."""

COHORT_HISTORY_BYTES: Final = 64 * MIB
"""Bytes of the history of a cohort; an entry has about a thousand."""

COHORT_OPENING_BYTES: Final = MIB
"""Bytes of a plan with its salt: a plan lists texts and names, and no files. Encrypted it has a third more."""

COHORT_OPENINGS: Final = 10_000
"""Openings in the private folder of a cohort: one for each task of the largest suite. Each is read, one after the other."""

COHORT_PENDING_BYTES: Final = 160 * MIB
"""Bytes of an act under way: a cohort and its history, as strings within a document."""

COHORT_COMMITS: Final = 10_000
"""Commits that changed one cohort and are looked at: more of them are no cohort that somebody keeps by hand."""

COHORT_VERSIONS_BYTES: Final = 1024 * MIB
"""Bytes of all versions of a cohort and its history in a repository: they are read in turn, so this bounds time, not memory."""

PYJSON_BYTES: Final = 32 * MIB
"""Bytes of a document of a cohort: a thousand tasks with eight attempts each make some 8 MiB."""

PYJSON_DEPTH: Final = 128
"""Nesting levels of a document of a cohort: its schemas need eight, and what others put into `extensions` is theirs."""

PYJSON_VALUES: Final = 4_000_000
"""Values of a document of a cohort, counted by its separators: some 100 bytes of memory for each."""

SCHEMA_ERRORS: Final = 1_000
"""Offences that are listed of one document: more of them are one."""

COHORT_ARTIFACTS: Final = 1_000
"""Files that one ResultManifest of a cohort may name: each of them is opened and hashed."""

COHORT_FINDINGS: Final = 10_000
"""Findings of one validation of a cohort that are kept, and as many of strict ones; further ones are counted."""

DESCRIPTION_CHARS: Final = 200_000
"""Characters of a task's instruction."""
