"""`python -m autograder.speed BUNDLE`: time the programs of a bundle and write the results."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.criteria.speed import messages
from autograder.criteria.speed.bundle import Bundle, BundleError, read_bundle
from autograder.criteria.speed.results import ResultsError, load_results, record_of, save_results
from autograder.criteria.speed.runner import Child, ChildError, environment_for

LIMIT_SECONDS = 60.0


def has_gpu() -> bool:
    """Whether JAX finds a CUDA device; asked in another process, which gives it back."""
    code = "import jax; jax.devices('cuda')"
    command, environment = [sys.executable, "-P", "-c", code], environment_for("any")
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    return done.returncode == 0


def _line(exercise: str, record: dict[str, Any]) -> str:
    ratio, low, high = (record.get(name) for name in ("ratio", "low", "high"))
    figures = f" {ratio:.2f}x ({low:.2f} to {high:.2f})" if ratio else ""
    told = f" [{record['information']}]" if "information" in record else ""
    reason = f" - {record['reason']}" if record.get("reason") else ""
    return f"{exercise}: {record['status']}{told}{figures}{reason}"


def time_bundle(
    bundle: Bundle,
    platform: str,
    out: Path,
    limit_seconds: float = LIMIT_SECONDS,
    say: Callable[[str], None] = print,
) -> dict[str, dict[str, Any]]:
    """Time every program of a bundle, one after the other; results so far are kept in `out`.

    Args:
        bundle: as read.
        platform: ``"gpu"``, or ``"cpu"`` for information.
        out: results file, continued when it exists.
        limit_seconds: for one program.
        say: told one line a program.

    Returns:
        Results by `Entry.result_key`.

    Raises:
        ChildError: the process that runs programs does not start.
        ResultsError: `out` is of another device.
    """
    child: Child | None = Child(bundle.path, platform)
    device, jax = child.device, child.jax
    try:
        results = load_results(out, device, jax)
        save_results(out, platform, device, jax, results)
        if platform == "cpu":
            say(messages.FOR_INFORMATION.format(device=device))
        for index, entry in enumerate(bundle.entries):
            if entry.result_key in results:
                continue
            child = child or Child(bundle.path, platform)
            outcome = child.compare(index, limit_seconds, 2 * limit_seconds)
            if not outcome["alive"]:
                child = None
            # The required ratio is that of a GPU: a CPU's gives no points and takes none.
            record = record_of(outcome, entry.threshold, decides=platform == "gpu")
            results[entry.result_key] = record
            save_results(out, platform, device, jax, results)
            say(_line(entry.exercise, record))
    finally:
        if child is not None:
            child.close()
    return results


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m autograder.speed", description=__doc__)
    parser.add_argument("bundle", type=Path, help="folder with manifest.json")
    parser.add_argument("--device", choices=["gpu", "cpu"], default="gpu")
    parser.add_argument("--out", type=Path, help="results file (BUNDLE-results.json)")
    parser.add_argument("--limit", type=float, default=LIMIT_SECONDS, help="seconds a program")
    options = parser.parse_args(arguments)
    out = options.out or options.bundle.with_name(f"{options.bundle.name}-results.json")
    try:
        bundle = read_bundle(options.bundle)
        if options.device == "gpu" and not has_gpu():
            print(messages.NO_GPU.format(count=len(bundle.entries)))
            return 3
        time_bundle(bundle, options.device, out, options.limit)
    except (BundleError, ResultsError, ChildError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"results in {out}")
    return 0
