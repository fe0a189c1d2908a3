"""The results file: one record a program, written whole after each, taken up where it was left."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

from autograder.speed import messages

SCHEMA = 1
KIND = "speed results"


class ResultsError(Exception):
    """A results file that must not be continued; the message says why."""


def load_results(path: Path, device: str, jax: str) -> dict[str, dict[str, Any]]:
    """Results of an earlier run on the same device and release, empty when there is no file.

    Raises:
        ResultsError: the file is of another device or release, or no results file.
    """
    if not path.exists():
        return {}
    now = f"{device}, jax {jax}"
    try:
        data = json.loads(path.read_text())
        if data["schema"] != SCHEMA or data["kind"] != KIND:
            raise ValueError
        then = f"{data['device']}, jax {data['jax']}"
        results = dict(data["results"])
    except (ValueError, KeyError, TypeError):
        raise ResultsError(
            messages.OTHER_RESULTS.format(path=path, then="something else", now=now)
        ) from None
    if then != now:
        raise ResultsError(messages.OTHER_RESULTS.format(path=path, then=then, now=now))
    return results


def save_results(
    path: Path, platform: str, device: str, jax: str, results: dict[str, dict[str, Any]]
) -> None:
    """Write all results at once: a reader sees the old file or the new one, never half of one."""
    data = {
        "schema": SCHEMA,
        "kind": KIND,
        "platform": platform,
        "device": device,
        "jax": jax,
        "results": {key: _finite(results[key]) for key in sorted(results)},
    }
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(json.dumps(data, indent=1, allow_nan=False) + "\n")
    os.replace(temporary, path)


def _finite(record: dict[str, Any]) -> dict[str, Any]:
    """JSON has no NaN and no infinity: null stands for a number that does not exist."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in record.items()
    }
