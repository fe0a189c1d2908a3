"""The results file: one record a program, written whole after each, taken up where it was left."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.core.files import write_whole
from autograder.criteria.speed import messages

SCHEMA = 1
KIND = "speed results"
_STATUS = ("passed", "failed", "inconclusive", "pending")


class ResultsError(Exception):
    """A results file that must not be continued; the message says why."""


@dataclass(frozen=True)
class Results:
    """A results file that was read.

    Attributes:
        platform: ``"gpu"``, or ``"cpu"`` when timed for information only.
        device: its name as JAX gives it.
        jax: release that ran the programs.
        records: by `Entry.result_key`; each has at least ``status`` (passed, failed, inconclusive
            or pending), ``threshold`` and ``reason``, and ``ratio``, ``low``, ``high``, ``pairs``,
            ``noise``, ``baseline_seconds``, ``program_seconds`` (of one iteration) where timed.
    """

    platform: str
    device: str
    jax: str
    records: dict[str, dict[str, Any]]


def read_results(path: Path) -> Results:
    """Read a results file, as the gradebook does.

    Raises:
        ResultsError: it is no results file, or of another schema.
    """
    try:
        data = json.loads(path.read_text())
        if data["schema"] != SCHEMA or data["kind"] != KIND:
            raise ValueError
        records = {str(key): dict(record) for key, record in data["results"].items()}
        if any(record["status"] not in _STATUS for record in records.values()):
            raise ValueError
        return Results(str(data["platform"]), str(data["device"]), str(data["jax"]), records)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ResultsError(messages.NO_RESULTS.format(path=path)) from None


def load_results(path: Path, device: str, jax: str) -> dict[str, dict[str, Any]]:
    """Results of an earlier run on the same device and release, empty when there is no file.

    Raises:
        ResultsError: the file is of another device or release, or no results file.
    """
    if not path.exists():
        return {}
    earlier = read_results(path)
    if (earlier.device, earlier.jax) != (device, jax):
        then, now = f"{earlier.device}, jax {earlier.jax}", f"{device}, jax {jax}"
        raise ResultsError(messages.OTHER_RESULTS.format(path=path, then=then, now=now))
    return earlier.records


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
        "results": {key: results[key] for key in sorted(results)},
    }
    write_whole(path, json.dumps(data, indent=1, allow_nan=False) + "\n")


def record_of(outcome: dict[str, Any], threshold: float, *, decides: bool) -> dict[str, Any]:
    """What is written down of a comparison.

    Args:
        outcome: as `autograder.criteria.speed.runner.Child.compare` gives it.
        threshold: the ratio that is required.
        decides: whether points hang on it. Where not, the verdict is kept as information.
    """
    fields = {k: _finite(v) for k, v in outcome.items() if k not in ("event", "alive", "verdict")}
    verdict = outcome["verdict"]
    if decides:
        return {"status": verdict, "threshold": threshold, **fields}
    return {"status": "pending", "threshold": threshold, **fields, "information": verdict}


def _finite(value: Any) -> Any:
    """JSON has no NaN and no infinity: null stands for a number that does not exist."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
