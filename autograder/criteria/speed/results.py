"""The results file: a record for each program. It is saved after each, and continued later."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.criteria.speed import messages
from autograder.processes.files import write_whole

_SCHEMA = 2
_KIND = "speed results"
_STATUSES = {"passed", "failed", "inconclusive", "pending"}


Records = dict[str, dict[str, Any]]
"""By `Entry.result_key`. Each has at least ``status`` (passed, failed, inconclusive or pending),
``threshold``, ``factor`` and ``reason``, and where timed the fields of
`autograder.criteria.speed.pairs.SpeedComparison`: None where it has no number.
"""


class ResultsError(Exception):
    """A results file that must not be continued; the message says why."""


@dataclass(frozen=True)
class ResultsFile:
    """What a results file holds.

    Attributes:
        platform: ``"gpu"``, or ``"cpu"`` when timed for information only.
        device: its name as JAX gives it.
        jax: release that ran the programs.
        records: of the programs timed so far.
    """

    platform: str
    device: str
    jax: str
    records: Records

    def save(self, path: Path) -> None:
        """Write all records at once."""
        fields = {"platform": self.platform, "device": self.device, "jax": self.jax}
        results = dict(sorted(self.records.items()))
        data = {"schema": _SCHEMA, "kind": _KIND, **fields, "results": results}
        write_whole(path, json.dumps(data, indent=1, allow_nan=False) + "\n")


def read_results(path: Path) -> ResultsFile:
    """Read a results file.

    Raises:
        ResultsError: it is not a results file of this release.
    """
    try:
        data = json.loads(path.read_bytes())
        records = {str(key): dict(record) for key, record in data["results"].items()}
        statuses = {record["status"] for record in records.values()}
        if (data["kind"], data["schema"]) != (_KIND, _SCHEMA) or statuses - _STATUSES:
            raise ValueError
        return ResultsFile(str(data["platform"]), str(data["device"]), str(data["jax"]), records)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ResultsError(messages.NO_RESULTS.format(path=path)) from None


def continue_results(path: Path, platform: str, device: str, jax: str) -> ResultsFile:
    """Read the results of an earlier run on the same device, or begin a file.

    Raises:
        ResultsError: the file is of another device or release, or not a results file.
    """
    results = ResultsFile(platform, device, jax, {})
    if path.exists():
        earlier = read_results(path)
        if (earlier.device, earlier.jax) != (device, jax):
            then, now = f"{earlier.device}, jax {earlier.jax}", f"{device}, jax {jax}"
            raise ResultsError(messages.OTHER_RESULTS.format(path=path, then=then, now=now))
        results.records.update(earlier.records)
    results.save(path)
    return results


def make_record(
    outcome: dict[str, Any], threshold: float, factor: float, *, decides: bool
) -> dict[str, Any]:
    """Make a record of a comparison.

    Args:
        outcome: as `autograder.criteria.speed.speed_process.SpeedProcess.compare` gives it.
        threshold, factor: what is required (`autograder.model.exercise.Speed`).
        decides: whether it gives points. Where not, the verdict is kept as information.
    """
    record: dict[str, Any] = {"status": outcome["verdict"] if decides else "pending"}
    record |= {"threshold": threshold, "factor": factor}
    for name, value in outcome.items():
        if name != "verdict":
            # JSON has neither NaN nor infinity.
            is_finite = not isinstance(value, float) or math.isfinite(value)
            record[name] = value if is_finite else None
    return record if decides else {**record, "information": outcome["verdict"]}
