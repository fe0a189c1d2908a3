"""`pytest -m gpu`, file by file on several cores."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from findings import Findings

ROOT = Path(__file__).resolve().parents[2]
MOST_SECONDS = 60.0


class Recorder:
    """A plug-in that keeps the outcome of each test."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.rows: dict[str, dict[str, Any]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        row = self.rows.setdefault(
            report.nodeid, {"test": report.nodeid, "outcome": "passed", "seconds": 0.0}
        )
        row["seconds"] = round(row["seconds"] + report.duration, 2)
        if report.outcome != "passed":
            row |= {"outcome": report.outcome, "why": report.longreprtext[-2000:]}
        self.findings.keep(rows=list(self.rows.values()), figures=[self.summary()])

    def summary(self) -> str:
        outcomes = [row["outcome"] for row in self.rows.values()]
        return ", ".join(f"{outcomes.count(one)} {one}" for one in sorted(set(outcomes)))


def run(findings: Findings, small: bool) -> None:
    files = [
        str(file)
        for folder in ("plnkit/tests", "autograder/tests")
        for file in sorted((ROOT / folder).rglob("test_*.py"))
        if "mark.gpu" in file.read_text(encoding="utf-8")
    ]
    recorder = Recorder(findings)
    workers = min(len(files), len(os.sched_getaffinity(0)))
    arguments = ["-q", "-m", "gpu", "-p", "no:cacheprovider", "--dist", "loadfile"]
    began = time.perf_counter()
    status = pytest.main([*arguments, "-n", str(workers), *files], plugins=[recorder])
    seconds = time.perf_counter() - began
    passed = status == 0 and {row["outcome"] for row in recorder.rows.values()} == {"passed"}
    findings.require(f"all tests pass: {recorder.summary()}", passed)
    if not small:
        most = MOST_SECONDS
        findings.require(f"they take {seconds:.0f} s, at most {most:g} s", seconds <= most)
