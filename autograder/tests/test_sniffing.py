"""Which code is run without jit as well: what might do something else there."""

from __future__ import annotations

import sys
import textwrap
import types

import jax.numpy as jnp
import pytest

from autograder.cells import run_cells
from autograder.intake import Cell
from autograder.purity import state
from autograder.purity.hits import Hits
from autograder.purity.runs import Bench
from autograder.purity.sniffing import may_tell_tracers
from autograder.purity.student import Student

IMPORTS = "import jax, jax.numpy as jnp, numpy as np\n"


@pytest.fixture
def tells(tmp_path):
    def tells(source):
        main = sys.modules["__main__"]
        cell = Cell("f-solution", IMPORTS + textwrap.dedent(source), "solution")
        module, errors = run_cells([cell], tmp_path)
        sys.modules["__main__"] = main
        assert isinstance(module, types.ModuleType)
        assert not errors
        student = Student.of(module, module.f)
        start = state.snapshot(student, module.f, saving=True)
        bench = Bench(student, module.f, lambda: (jnp.arange(3.0),), Hits(student), start)
        assert bench.run("trace", watch=True).error is None
        return may_tell_tracers(bench)

    return tells


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    return jnp.sum(x * 2)",
        "f = jax.jit(lambda x: x + 1)",
        "def f(x):\n    return jnp.stack([x * i for i in range(3)])",
        "def f(x):\n    return sum(a + b for a, b in zip([x], [y * 2 for y in (x,)]))",
        """
        def half(x):
            return x / 2
        def f(x):
            return jax.lax.fori_loop(0, 3, lambda i, y: half(y), x)
        """,
    ],
)
def test_plain_code(tells, source):
    assert not tells(source)


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    return x if isinstance(x, jax.core.Tracer) else x + 1",
        "def f(x):\n    return jnp.stack([x for i in range(3) if hasattr(x, 'block')] or [x])",
        "def f(x):\n    return x + (type(x).__name__ == 'ArrayImpl')",
        "def f(x):\n    return x + (getattr(x, 'aval', 0) is None)",
        "exec('def f(x): return x')",
        "f = eval('lambda x: jnp.stack([x for i in range(2)])')",
    ],
)
def test_code_that_could_tell(tells, source):
    assert tells(source)
