"""The head of every page that we write: style and script within it, and a policy (CSP) that allows these and nothing else."""

from __future__ import annotations

import base64
from importlib.resources import files

from tallystick.core.digest import raw, sha256
from tallystick.flows.markup import Markup, el

__all__ = ["page_asset", "page_head"]


def page_asset(name: str) -> str:
    """The text of a file of ours beside this module, such as `page.css`."""
    return files("tallystick.flows.page").joinpath(name).read_text(encoding="utf-8")


def page_head(title: str, style: str, script: str = "") -> Markup:
    """A page up to its body. `style` and `script` are ours and stand as they are; without a script none is allowed."""
    scripts = f"script-src {_hash(script)}; " if script else ""
    policy = f"default-src 'none'; {scripts}style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    # Escaping would change what the policy's hashes are of.
    ours = f"<style>{style}</style>" + (f"<script>{script}</script>" if script else "")
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=policy),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="referrer", content="no-referrer"),
        el("title", title),
        Markup(ours),
    )
    return Markup(f'<!doctype html>\n<html lang="en">\n{head}\n')


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(raw(sha256(text.encode()))).decode()}'"
