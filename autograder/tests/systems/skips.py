"""Says at the end why tests were skipped: one line for each reason, however many tests have it.

`--skipped-to FILE` writes which they were; with `pytest @FILE`, another environment runs them.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "write the ids of skipped tests to this file, one a line"
    parser.getgroup("skips").addoption("--skipped-to", type=Path, metavar="FILE", help=text)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    file = terminalreporter.config.getoption("skipped_to")
    if file is not None:
        ids = dict.fromkeys(report.nodeid for report in skipped)
        file.write_text("".join(f"{one}\n" for one in ids), encoding="utf-8")
    reasons = Counter(_reason(report) for report in skipped)
    if reasons:
        terminalreporter.section("skipped", sep="-")
    for reason, count in sorted(reasons.items()):
        terminalreporter.line(f"{count:4} {reason}")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
    return " ".join(text.removeprefix("Skipped: ").split())
