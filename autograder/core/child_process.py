"""Starts the kit's own processes from its own files, whatever the current folder contains."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

_HOME = str(Path(__file__).resolve().parents[2])


def module_command(module: str, *arguments: str) -> list[str]:
    """The command that runs one of the kit's modules; -P ignores modules in the current folder."""
    return [sys.executable, "-P", "-m", module, *arguments]


def with_kit(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment, extended so that a child imports the same kit as this process."""
    path = os.pathsep.join(filter(None, [_HOME, environment.get("PYTHONPATH", "")]))
    return {**environment, "PYTHONPATH": path}
