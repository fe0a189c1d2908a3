"""Runs one part of `.ci/gpu` in a process of its own, and ends it at its limit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import util
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def run_part(
    name: str, command: Sequence[str], environment: Mapping[str, str], seconds: float, folder: Path
) -> dict[str, Any]:
    """Run a part, and end it and all that it has started when it is done or at its limit.

    Returns:
        What it kept in ``FOLDER/NAME.json``, with its `status`: passed, failed or stopped.
    """
    result, log = folder / f"{name}.json", folder / f"{name}.log"
    result.unlink(missing_ok=True)
    began = time.monotonic()
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, stdout=file, stderr=file, env=environment, cwd=ROOT, start_new_session=True
        )
        code: int | None = None
        with suppress(subprocess.TimeoutExpired):
            code = process.wait(seconds)
        end_family(process)
    found: dict[str, Any] = {"figures": [], "requirements": [], "problems": []}
    with suppress(OSError, ValueError):  # it was ended before it had found anything
        found |= json.loads(result.read_bytes())
    if code is None:
        found["status"] = "stopped"
    elif code:
        found["status"] = "failed"
        lines = log.read_text(errors="replace").strip().splitlines()
        found["problems"].append(f"exit status {code}: {' / '.join(lines[-2:])[-300:]}")
    else:
        holds = all(one["holds"] for one in found["requirements"])
        found["status"] = "passed" if holds else "failed"
    found |= {"seconds": round(time.monotonic() - began, 1), "limit": round(seconds, 1)}
    result.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return found


def end_family(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it has started, those in sessions of their own included."""
    with suppress(ProcessLookupError):
        if util.find_spec("psutil"):
            end_with_psutil(process.pid)
        else:  # then no part can run that starts such sessions
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def end_with_psutil(pid: int) -> None:
    import psutil

    family: list[psutil.Process] = []
    with suppress(psutil.NoSuchProcess):
        family = psutil.Process(pid).children(recursive=True)
    for one in family:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    os.killpg(pid, signal.SIGKILL)
    psutil.wait_procs(family, timeout=5)
