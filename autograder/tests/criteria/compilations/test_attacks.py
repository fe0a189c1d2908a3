"""Code that works on the counting is found out, and the next count is not harmed by it."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest

from autograder.core import jax_access
from autograder.criteria.compilations.budget import check_compilations
from autograder.criteria.compilations.count import count_compilations

ATTACKS = sorted((Path(__file__).parents[2] / "corpus" / "attacks").glob("compilations_*.py"))


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_attack_is_found(path: Path) -> None:
    assert re.match(r"# attack: .*; must find: compilations$", path.read_text().splitlines()[0])
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
        findings = check_compilations(module.entry, module.CALLS, module)
    finally:
        del sys.modules[path.stem]
    assert [finding for finding in findings if finding.severity == "error"]
    assert all(getattr(owner, name) is value for owner, name, value in jax_access.GUARDED)

    honest = sys.modules[__name__]
    records = count_compilations(jax.jit(_square), [(jnp.arange(3.0),)] * 2, honest)
    assert [record.compilations for record in records] == [1, 0]
    assert not any(record.tampered for record in records)


def _square(x: jax.Array) -> jax.Array:
    return x * x


def test_there_are_attacks() -> None:
    assert len(ATTACKS) >= 10
