"""`tally bench`: running and verifying under the names that benchmark users know; the same functions."""

from __future__ import annotations

from typing import Final

import typer

from tallystick.cli.compare import comparison
from tallystick.cli.gate import gate
from tallystick.cli.reliability import reliability_check, reliability_verify
from tallystick.cli.run import AgentCommand, BenchCommand, run
from tallystick.cli.verify import replay, verify

__all__ = ["app"]

app: Final = typer.Typer(
    no_args_is_help=True,
    help="tally run, verify and compare under other names; without an agent, run tries the suite itself.",
)

app.command(
    "run",
    cls=BenchCommand,
    help="""Run a suite and write one signed bundle, as tally run.

    Without an agent it applies the reference solutions (oracle): that proves
    suite and harness, and measures no agent.""",
    short_help="Run a suite and write one signed bundle.",
)(run)
app.command("verify", cls=AgentCommand)(verify)
app.command("compare")(comparison)
app.command("replay", cls=AgentCommand)(replay)
app.command("gate", cls=AgentCommand)(gate)
app.command("reliability-verify")(reliability_verify)
app.command("reliability-check", cls=AgentCommand)(reliability_check)
