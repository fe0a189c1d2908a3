"""What `exports` wrote, timed as the programs of a class are."""

from __future__ import annotations

import json
import sys
import time

from findings import Findings

from autograder.criteria.speed.bundle import read_bundle
from autograder.criteria.speed.results import read_results
from autograder.speed import time_bundle

LEAST_PROGRAMS = 60
MOST_SECONDS_EACH = 3.0


def run(findings: Findings, small: bool) -> None:
    folder = findings.path.parent
    if not (folder / "exports.json").is_file():
        sys.exit("there is no bundle: run the part `exports` too")
    programs = json.loads((folder / "exports.json").read_bytes())["programs"]
    out = folder / "submissions-results.json"
    out.unlink(missing_ok=True)
    began = time.perf_counter()
    verdicts: dict[str, str] = {}

    def seconds_each() -> float:
        return (time.perf_counter() - began) / max(1, len(verdicts))

    def tell(line: str) -> None:
        print(line, flush=True)
        for key, record in read_results(out).records.items() if out.exists() else ():
            if programs[key] not in verdicts:
                verdicts[programs[key]] = record.get("information", record["status"])
                findings.add("rows", {"program": programs[key], **record})
        told = list(verdicts.values())
        counts = ", ".join(f"{told.count(verdict)} {verdict}" for verdict in sorted(set(told)))
        findings.keep(
            figures=[f"{len(told)} of {len(programs)}: {counts}; {seconds_each():.1f} s each"]
        )

    platform, limit = ("cpu", 20.0) if small else ("gpu", 60.0)
    time_bundle(read_bundle(folder / "bundle"), platform, out, limit, tell)
    failed = [program for program, verdict in verdicts.items() if verdict == "failed"]
    findings.require(f"no right program fails: {', '.join(failed) or 'none'}", not failed)
    if not small:
        each, most = seconds_each(), MOST_SECONDS_EACH
        findings.require(f"{each:.1f} s each, at most {most:g} s", each <= most)
        passed = list(verdicts.values()).count("passed")
        findings.require(f"{passed} pass, at least {LEAST_PROGRAMS}", passed >= LEAST_PROGRAMS)
