"""How the kit starts its own processes: from its own files, whatever lies in the current folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

_HOME = str(Path(__file__).resolve().parents[1])


def module_command(module: str, *arguments: str) -> list[str]:
    """The command for one of the kit's modules; -P keeps the current folder from being imported."""
    return [sys.executable, "-P", "-m", module, *arguments]


def cpu_seconds(process: int) -> float | None:
    """CPU time that a process has used, in seconds; None where the system does not tell."""
    try:
        status = Path("/proc", str(process), "stat").read_text()
    except OSError:
        return None
    user, system = status.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def with_kit(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment in which the kit is imported from where this process has it from."""
    path = os.pathsep.join(filter(None, [_HOME, environment.get("PYTHONPATH", "")]))
    return {**environment, "PYTHONPATH": path}
