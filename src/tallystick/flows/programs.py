"""Programs that runs, or people who write tasks, may want: which are there, and which variables are set for them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Final

from tallystick.flows.findings import Finding, Mend, Surroundings
from tallystick.runner.presets import load_presets
from tallystick.runner.programs import find_program
from tallystick.sandbox.drivers import install_command

__all__ = ["PROVIDER_VARIABLES", "found_agents", "look_at_programs"]


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
    presets = load_presets().items()
    return tuple(name for name, preset in presets if find_program(preset.file.program, search_path) is not None)


def look_at_programs(around: Surroundings) -> Iterator[Finding]:
    """git, agents, and the variables with their keys. Nothing here keeps a run from working."""
    yield _program("git", ("git",), "git", around, "no run needs it; making tasks from a repository does")
    agents = found_agents(around.search_path)
    none = "none of those in tally agent list is on PATH; any program of yours is an agent"
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
    told = "only the gateway gets it, outside the sandbox"
    names = ", ".join(sorted(around.variables))
    none = f"no variable with a provider key is set; {told} where one is"
    return Finding("provider", "ok", f"set: {names} (not read; {told})" if names else none)
