"""What a device other than a CPU changes for purity."""

from typing import Any

import numpy as np
import pytest

from autograder.criteria.purity.experiment_rules import DISAGREEMENTS
from autograder.criteria.purity.experiments import Experiment, Result
from autograder.programs import jax_access


def record(value: float) -> Experiment:
    result = Result([np.array([1.0, value], np.float32)], "*")
    calls: Any = None
    return Experiment("plain", tuple, (), calls, result=result)


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
    lab: Any = None
    rows = [row for row in DISAGREEMENTS if (row.first, row.second) == ("plain", "again")]
    rules = [row.rule for row in rows if row.part(lab, record(2.0), record(value))]
    assert rules == found
