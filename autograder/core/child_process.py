"""How the kit starts its own processes: from its own files, whatever lies in the current folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

_HOME = str(Path(__file__).resolve().parents[2])


def module_command(module: str, *arguments: str) -> list[str]:
    """The command for one of the kit's modules; -P keeps the current folder from being imported."""
    return [sys.executable, "-P", "-m", module, *arguments]


def with_kit(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment in which the kit is imported from where this process has it from."""
    path = os.pathsep.join(filter(None, [_HOME, environment.get("PYTHONPATH", "")]))
    return {**environment, "PYTHONPATH": path}
