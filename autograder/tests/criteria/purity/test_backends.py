"""What a device other than a CPU changes for purity."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograder.core import jax_access
from autograder.criteria.purity.observe import _report_differences
from autograder.criteria.purity.runs import CallResult, Run


def run(value: float) -> Run:
    return Run(mode="plain", result=CallResult([np.array([1.0, value], np.float32)], "*"))


@pytest.mark.parametrize(
    ("backend", "value", "found"),
    [
        *(("cpu", 2.0, []), ("cpu", 2.0000002, ["results-differ"])),
        *(("gpu", 2.0000002, []), ("gpu", 2.5, ["results-differ"])),
    ],
)
def test_the_last_bits_of_a_gpu_may_differ(monkeypatch, backend, value, found):
    """It may add up in another order each time; a CPU does not."""
    monkeypatch.setattr(jax_access, "default_backend", lambda: backend)
    rules: list[str] = []
    findings: Any = SimpleNamespace(
        first_line=lambda function: 1, add=lambda rule, *rest: rules.append(rule)
    )
    bench: Any = SimpleNamespace(function=len, student=None)
    nothing = Run(mode="nojit")
    runs = [run(2.0), run(value), nothing, nothing, nothing, run(2.0)]
    _report_differences(bench, findings, runs)
    assert rules == found
