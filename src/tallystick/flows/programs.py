"""Programs that runs, or people who write tasks, may want: which are there, and which variables are set for them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from tallystick.flows.findings import Finding, Mend, Surroundings
from tallystick.sandbox.drivers import install_command

__all__ = ["PRESETS", "PROVIDER_VARIABLES", "Preset", "found_agents", "look_at_programs"]


@dataclass(frozen=True, slots=True)
class Preset:
    """How a well-known agent is started on one task: `{instruction}` is the task's text, `{model}` the model's name."""

    argv: tuple[str, ...]
    variable: str
    """Where it looks for its provider key."""


PRESETS: Final[Mapping[str, Preset]] = {
    "mini": Preset(("mini", "-m", "{model}", "-t", "{instruction}", "-y", "--exit-immediately"), "OPENAI_API_KEY"),
    "aider": Preset(
        ("aider", "--model", "{model}", "--message", "{instruction}", "--yes-always", "--no-gitignore"), "OPENAI_API_KEY"
    ),
    "codex": Preset(
        (
            "codex",
            "exec",
            "-m",
            "{model}",
            "--skip-git-repo-check",
            "--dangerously-bypass-approvals-and-sandbox",
            "{instruction}",
        ),
        "OPENAI_API_KEY",
    ),
    "claude": Preset(
        ("claude", "--model", "{model}", "-p", "{instruction}", "--dangerously-skip-permissions"), "ANTHROPIC_API_KEY"
    ),
    "gemini": Preset(("gemini", "-m", "{model}", "--yolo", "--skip-trust", "-p", "{instruction}"), "GEMINI_API_KEY"),
    "opencode": Preset(("opencode", "run", "-m", "{model}", "--auto", "{instruction}"), "OPENAI_API_KEY"),
    "qwen": Preset(("qwen", "-m", "{model}", "--auth-type", "openai", "-y", "-p", "{instruction}"), "OPENAI_API_KEY"),
}
"""The agents whose command lines were tried; the sandbox around them makes their own asking for permission needless."""

PROVIDER_VARIABLES: Final = (
    "ANTHROPIC_API_KEY",
    "AZURE_OPENAI_API_KEY",
    "DASHSCOPE_API_KEY",
    "DEEPSEEK_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "GROQ_API_KEY",
    "MISTRAL_API_KEY",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
    "XAI_API_KEY",
)


def found_agents(search_path: str) -> tuple[str, ...]:
    """Names of the well-known agents that are on the search path."""
    return tuple(name for name, preset in PRESETS.items() if shutil.which(preset.argv[0], path=search_path))


def look_at_programs(around: Surroundings) -> Iterator[Finding]:
    """git, agents, and the variables with their keys. Nothing here keeps a run from working."""
    yield _program("git", ("git",), "git", around, "no run needs it; making tasks from a repository does")
    agents = found_agents(around.search_path)
    none = f"none of {', '.join(PRESETS)} on PATH; any program of yours is an agent"
    yield Finding("agents", "ok", f"{', '.join(agents)} on PATH" if agents else none)
    yield _provider(around)


def _program(check: str, names: tuple[str, ...], package: str, around: Surroundings, use: str) -> Finding:
    path = next((found for name in names if (found := shutil.which(name, path=around.search_path))), None)
    if path is not None:
        return Finding(check, "ok", f"{path}; {use}")
    return Finding(check, "advice", f"none on PATH; {use}", Mend(install_command(package), "root"))


def _provider(around: Surroundings) -> Finding:
    wanted = around.key_variable
    if wanted is not None and wanted not in around.variables:
        return Finding(
            "provider", "advice", f"your settings name {wanted}, and it is not set", Mend(f"export {wanted}=...", "you")
        )
    told = "agents in the sandbox reach no provider yet, so no run uses it"
    names = ", ".join(sorted(around.variables))
    return Finding(
        "provider", "ok", f"set: {names} (not read; {told})" if names else f"no variable with a provider key is set; {told}"
    )
