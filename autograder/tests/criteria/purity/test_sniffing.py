"""Which code is run without jit as well: what might do something else there."""

from __future__ import annotations

import sys
import textwrap
import types

import jax.numpy as jnp
import pytest

from autograder.core.notebook import Cell
from autograder.core.program import concrete
from autograder.core.rubric import PUBLIC_KEY
from autograder.criteria.purity.runs import Bench
from autograder.criteria.purity.sniffing import may_tell_tracers
from autograder.criteria.purity.student import StudentModule
from autograder.lessons.solutions import lesson_cells, own_solution
from autograder.lessons.verification.in_process import as_notebook
from autograder.sandbox.cells import run_cells

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
        student = StudentModule.of(module, module.f)
        bench = Bench(student, module.f, lambda: (jnp.arange(3.0),))
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
        """
        from dataclasses import dataclass, replace
        @dataclass(frozen=True)
        class Model:
            x: object
            kind: str = "full"
            def __post_init__(self):
                self.total
            @property
            def total(self):
                return self.x.sum()
        def f(x):
            model = replace(Model(x), kind="diagonal")
            if model.kind == "full":
                return model.total
            return 2 * model.total if "diagonal" != model.kind else -model.total
        """,
        """
        from collections import namedtuple
        from typing import NamedTuple
        Pair = namedtuple("Pair", "a b")
        class Fit(NamedTuple):
            x: object
            steps: int = 0
        def f(x):
            return Fit(x)._replace(steps=1).x + Pair(x, x).b
        """,
        """
        class Model:
            pass
        def f(x):
            model = object.__new__(Model)
            model.x = x
            return model.x
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
        "def f(x):\n    return 1 if x.ndim == 1 else x",
        "def f(x):\n    return 1 if x.aval.dtype.name == 'float32' else x",
        "def f(x):\n    return 1 if type(x).__name__ == 'ArrayImpl' else x",
        "def f(x):\n    return 1 if 'Impl' in f'{x}' else x",
        """
        from dataclasses import dataclass
        @dataclass
        class Model:
            x: object
            def __post_init__(self):
                self.x = self.x if hasattr(self.x, "block_until_ready") else -self.x
        def f(x):
            return Model(x).x
        """,
        """
        from dataclasses import dataclass
        @dataclass(order=True)
        class Model:
            x: object
        def f(x):
            return x + (Model(x.sum) < Model(x.mean) if False else Model("a") == Model(x))
        """,
        "exec('def f(x): return x')",
        "f = eval('lambda x: jnp.stack([x for i in range(2)])')",
    ],
)
def test_code_that_could_tell(tells, source):
    assert tells(source)


@pytest.mark.parametrize(
    "name", ["scan_fit", "named_tuple_carry", "dataclass_pytree", "pytree_class", "capstone"]
)
def test_the_lessons_fits_are_not_run_without_jit(name, lessons, tmp_path):
    """It would take several seconds; and a rubric's adapter is not the student's code."""
    lesson = lessons[name]
    exercise = lesson.rubric.exercise(name)
    with as_notebook():
        source = own_solution(lesson, name)
        module, errors = run_cells(lesson_cells(lesson, name, source), tmp_path)
        assert not errors
        function = exercise.function(vars(module))
        student = StudentModule.of(module, function)
        args = exercise.calls(PUBLIC_KEY)[0]
        bench = Bench(student, function, lambda: concrete(args))
        assert bench.run("trace", watch=True).error is None
        assert not any("rubrics" in file for file in student.files)
        assert not may_tell_tracers(bench)
