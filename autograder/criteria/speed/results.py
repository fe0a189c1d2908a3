"""The results file: one record for each program, written whole after each, continued when found."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.core.files import write_whole
from autograder.criteria.speed import messages

_SCHEMA = 1
_KIND = "speed results"
_STATUSES = ("passed", "failed", "inconclusive", "pending")


class ResultsError(Exception):
    """A results file that must not be continued; the message says why."""


@dataclass(frozen=True)
class ResultsFile:
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


def read_results(path: Path) -> ResultsFile:
    """Read a results file.

    Raises:
        ResultsError: it is not a results file, or of another schema.
    """
    try:
        data = json.loads(path.read_text())
        records = {str(key): dict(record) for key, record in data["results"].items()}
        statuses = [record["status"] for record in records.values()]
        if data["schema"] != _SCHEMA or data["kind"] != _KIND or set(statuses) - set(_STATUSES):
            raise ValueError
        return ResultsFile(str(data["platform"]), str(data["device"]), str(data["jax"]), records)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ResultsError(messages.NO_RESULTS.format(path=path)) from None


def load_results(path: Path, device: str, jax: str) -> dict[str, dict[str, Any]]:
    """Return the records of an earlier run; none when there is no file.

    Raises:
        ResultsError: the file is of another device or release, or not a results file.
    """
    if not path.exists():
        return {}
    earlier = read_results(path)
    if (earlier.device, earlier.jax) != (device, jax):
        then, now = f"{earlier.device}, jax {earlier.jax}", f"{device}, jax {jax}"
        raise ResultsError(messages.OTHER_RESULTS.format(path=path, then=then, now=now))
    return earlier.records


def save_results(
    path: Path, platform: str, device: str, jax: str, records: dict[str, dict[str, Any]]
) -> None:
    """Write all records at once: a reader sees the old file or the new one, never half of one."""
    data = {
        "schema": _SCHEMA,
        "kind": _KIND,
        "platform": platform,
        "device": device,
        "jax": jax,
        "results": {key: records[key] for key in sorted(records)},
    }
    write_whole(path, json.dumps(data, indent=1, allow_nan=False) + "\n")


def make_record(outcome: dict[str, Any], threshold: float, *, decides: bool) -> dict[str, Any]:
    """Make a record of a comparison.

    Args:
        outcome: as `autograder.criteria.speed.timing_process.TimingProcess.compare` gives it.
        threshold: the required ratio.
        decides: whether it gives points. Where not, the verdict is kept as information.
    """
    fields = {k: _finite(v) for k, v in outcome.items() if k not in ("event", "alive", "verdict")}
    verdict = outcome["verdict"]
    if decides:
        return {"status": verdict, "threshold": threshold, **fields}
    return {"status": "pending", "threshold": threshold, **fields, "information": verdict}


def _finite(value: Any) -> Any:
    """Replace a NaN or an infinity, which JSON does not have, by null."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
