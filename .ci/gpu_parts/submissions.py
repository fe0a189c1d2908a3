"""What `exports` wrote, timed as the programs of a class are."""

from __future__ import annotations

import json
import sys
import time

from findings import Findings

from autograder.criteria.speed.bundle import read_bundle
from autograder.criteria.speed.results import read_results
from autograder.speed import time_bundle

LEAST_PASSED = 60
MOST_SECONDS_EACH = 3.0
LEAST_MARGIN = 3.0
"""How many times as fast as its threshold each lesson's own solution is."""


def run(findings: Findings, small: bool) -> None:
    folder = findings.path.parent
    exports = folder / "exports.json"
    programs: dict[str, list[str]] = {}
    if exports.is_file():
        programs = json.loads(exports.read_bytes()).get("programs", {})
    if not programs:
        sys.exit("there is no bundle: run the part `exports` too")
    out = folder / "submissions-results.json"
    out.unlink(missing_ok=True)
    began = time.perf_counter()
    verdicts: dict[str, str] = {}

    def seconds_each() -> float:
        return (time.perf_counter() - began) / max(1, len(verdicts))

    def submissions_that(verdict: str) -> list[str]:
        return [name for key, one in verdicts.items() if one == verdict for name in programs[key]]

    def tell(line: str) -> None:
        print(line, flush=True)
        for key, record in read_results(out).records.items():
            if key not in verdicts:
                verdicts[key] = record.get("information", record["status"])
                findings.add("rows", {"submissions": programs[key], **record})
        known = sorted(set(verdicts.values()))
        counts = ", ".join(f"{len(submissions_that(verdict))} {verdict}" for verdict in known)
        counted = f"{len(verdicts)} of {len(programs)} programs, {seconds_each():.1f} s each"
        findings.keep(figures=[f"{counted}; submissions: {counts}"])

    platform, limit = ("cpu", 20.0) if small else ("gpu", 60.0)
    time_bundle(read_bundle(folder / "bundle"), platform, out, limit, tell)
    failed = submissions_that("failed")
    findings.require(f"no right submission fails: {', '.join(failed) or 'none'}", not failed)
    if small:
        return
    each, most = seconds_each(), MOST_SECONDS_EACH
    findings.require(f"{each:.1f} s each, at most {most:g} s", each <= most)
    passed = len(submissions_that("passed"))
    findings.require(f"{passed} pass, at least {LEAST_PASSED}", passed >= LEAST_PASSED)
    timed = [row for row in findings.data["rows"] if row.get("own_ratio")]
    margin = min((row["own_ratio"] / row["threshold"] for row in timed), default=0.0)
    findings.require(
        f"own solutions reach {margin:.1f} times their threshold, at least {LEAST_MARGIN:g}",
        margin >= LEAST_MARGIN,
    )
