"""`python -m autograder.speed BUNDLE`: time the programs of a class on this machine's GPU."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from autograder.criteria.speed import messages
from autograder.criteria.speed.bundle import Bundle, BundleError, read_bundle
from autograder.criteria.speed.results import (
    Records,
    ResultsError,
    continue_results,
    make_record,
)
from autograder.criteria.speed.speed_process import SpeedProcess, SpeedProcessError, compile_ahead
from autograder.processes.child_process import caching_in

_LIMIT_SECONDS = 60.0


def _has_gpu() -> bool:
    """Return whether JAX finds a GPU; asked in another process, which gives it back."""
    with closing(SpeedProcess("any", silent=True)) as process:
        process.start()
        return process.platform == "gpu"


def _describe(exercise: str, record: dict[str, Any]) -> str:
    ratio, low, high = (record.get(name) for name in ("ratio", "low", "high"))
    figures = f" {ratio:.2f}x the baseline ({low:.2f} to {high:.2f})" if ratio else ""
    if record.get("own_ratio"):
        figures += ", own solution {own_ratio:.2f}x; {slower:.2f} times its time".format(**record)
    verdict = f" [{record['information']}]" if "information" in record else ""
    reason = f" - {record['reason']}" if record.get("reason") else ""
    return f"{exercise}: {record['status']}{verdict}{figures}{reason}"


def time_bundle(
    bundle: Bundle,
    platform: str,
    out: Path,
    limit_seconds: float = _LIMIT_SECONDS,
    say: Callable[[str], None] = print,
) -> Records:
    """Compile the programs of a bundle on all cores, and time them one after the other.

    Args:
        bundle: as read.
        platform: ``"gpu"``, or ``"cpu"`` for information.
        out: results file, written after each program, and continued when it exists.
        limit_seconds: for one program.
        say: called with one line for each program.

    Raises:
        SpeedProcessError: the process that runs programs does not start.
        ResultsError: `out` is of another device.
    """
    with tempfile.TemporaryDirectory(prefix="autograder-") as folder:
        cache = Path(os.environ.get("JAX_COMPILATION_CACHE_DIR") or folder)
        with closing(SpeedProcess(platform, caching_in(cache))) as process:
            process.start()
            results = continue_results(out, platform, process.device, process.jax)
            if platform == "cpu":
                say(messages.FOR_INFORMATION.format(device=process.device))
            indices = {entry.result_key: index for index, entry in enumerate(bundle.entries)}
            left = [index for key, index in indices.items() if key not in results.records]
            compile_ahead(bundle, left, platform, cache, 2 * limit_seconds)
            for index in left:
                entry = bundle.entries[index]
                outcome = process.compare(bundle, index, limit_seconds, 2 * limit_seconds)
                # What is required is required on a GPU: a CPU gives no points and takes none.
                decides = platform == "gpu"
                record = make_record(outcome, entry.threshold, entry.factor, decides=decides)
                results.records[entry.result_key] = record
                results.save(out)
                say(_describe(entry.exercise, record))
    return results.records


def main(arguments: list[str] | None = None) -> int:
    """Run the command. Returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m autograder.speed", description=__doc__)
    parser.add_argument("bundle", type=Path, help="folder with manifest.json")
    parser.add_argument("--device", choices=["gpu", "cpu"], default="gpu")
    parser.add_argument("--out", type=Path, help="results file (BUNDLE-results.json)")
    parser.add_argument(
        "--limit", type=float, default=_LIMIT_SECONDS, help="seconds for each program"
    )
    options = parser.parse_args(arguments)
    out = options.out or options.bundle.with_name(f"{options.bundle.name}-results.json")
    try:
        bundle = read_bundle(options.bundle)
        if options.device == "gpu" and not _has_gpu():
            print(messages.NO_GPU.format(count=len(bundle.entries)))
            return 3
        time_bundle(bundle, options.device, out, options.limit)
    except (BundleError, ResultsError, SpeedProcessError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"results in {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
