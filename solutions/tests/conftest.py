"""A course key of this run's own: what holds with one fixed key may not hold with a course's.

``PLNKIT_TEST_KEY`` repeats the run that printed it.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator

import pytest

from autograder.model.rubric import PUBLIC_KEY

KEY = "PLNKIT_TEST_KEY"
REDRAWS = "redraws"


def pytest_configure() -> None:
    """Draw a key as long as a course's, before pytest-xdist starts processes: they find it in their environment."""
    os.environ.setdefault(KEY, str(PUBLIC_KEY + 1 + secrets.randbelow(2**128 - 1)))


@pytest.fixture
def fresh_key() -> int:
    """The course key of this run."""
    return int(os.environ[KEY])


def _redraws(reporter: pytest.TerminalReporter) -> Iterator[str]:
    for report in reporter.stats.get("passed", ()):
        yield from (str(value) for name, value in report.user_properties if name == REDRAWS)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the key, even of a run that passed, and what the slow tier counted."""
    terminalreporter.write_line(f"course key of this run: {KEY}={os.environ[KEY]}")
    if counts := sorted(_redraws(terminalreporter)):
        terminalreporter.write_line("draws passed over, of 50 keys: " + "; ".join(counts))
