"""The experiments: which line is blamed, what jit hides, what nobody has called yet."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from autograder.criteria.purity import check_purity
from autograder.model.finding import Finding
from autograder.tests.helpers.student_modules import make_module

IMPORTS = "from functools import partial\nimport jax, jax.numpy as jnp\n"


def check(source: str, warm: bool = False) -> list[Finding]:
    module = make_module(IMPORTS + source)
    if warm:
        module.f(jnp.arange(3.0))
    return check_purity(module.f, lambda: (jnp.arange(3.0),), module)


@pytest.mark.parametrize("warm", [False, True])
def test_the_line_that_leaves_the_tracer(warm: bool) -> None:
    """The inner function has a program already, so its body does not run in the outer call."""
    source = (
        "class Totals:\n    last = 1.0\n@jax.jit\ndef double(x):\n    Totals.last = 2 * x\n"
        "    return Totals.last\n@jax.jit\ndef f(x):\n    Totals.last = 0.0\n    return double(x)\n"
    )
    found = [(f.rule, f.code) for f in check(source, warm) if f.severity == "error"]
    # Where the tracer was left before the check, a call with another shape shows the line.
    rule = "untaken-mutation" if warm else "leaked-tracer"
    assert (rule, "Totals.last = 2 * x") in found


def test_a_list_that_a_loop_counts_in() -> None:
    source = (
        "count = [0]\ndef halve(x):\n    count[0] += 1\n    return x / 2\n@jax.jit\ndef f(x):\n"
        "    return jax.lax.while_loop(lambda x: x[0] > 1, halve, x)\n"
    )
    (found,) = check(source)
    assert (found.rule, found.code) == ("global-mutated", "count[0] += 1")


def test_a_static_self_that_changes_is_stale() -> None:
    source = (
        "class Model:\n    def __init__(self):\n        self.w = 2.0\n"
        "    @partial(jax.jit, static_argnums=0)\n    def predict(self, x):\n"
        "        return x * self.w\n    def fit(self, w):\n        self.w = w\n"
        "model = Model()\ndef f(x):\n    return model.predict(x)\n"
    )
    (found,) = check(source)
    assert (found.rule, found.code) == ("stale-global", "return x * self.w")
    assert "the result depends on `Model.w`, which line 10 changes" in found.message
    bound = source.rpartition("def f")[0] + "f = model.predict\n"
    assert [f.rule for f in check(bound)] == ["stale-global"]


@pytest.mark.parametrize("changes", [True, False])
def test_a_static_self_that_is_compared_by_value(changes: bool) -> None:
    """Where jit keeps the object itself, as JAX 0.10 does, it finds a changed one again."""
    source = (
        "@dataclass\nclass Model:\n    w: float = 2.0\n"
        "    def __hash__(self):\n        return hash(self.w)\n"
        "    @partial(jax.jit, static_argnums=0)\n    def predict(self, x):\n"
        "        return x * self.w\n    def fit(self, w):\n"
    )
    fit = "        self.w = w\n" if changes else "        return replace(self, w=w)\n"
    source = "from dataclasses import dataclass, replace\n" + source + fit
    scope: dict[str, Any] = {"jax": jax, "partial": partial}
    exec(source + "model = Model()\n", scope)
    model = scope["model"]
    first = model.predict(1.0)
    model.fit(3.0)
    is_stale = changes and float(model.predict(1.0)) == float(first)
    found = check(source + "f = Model().predict\n")
    assert [f.rule for f in found] == (["stale-global"] if is_stale else [])


def test_the_body_of_a_jitted_function_that_tells_tracers() -> None:
    source = (
        "@jax.jit\ndef inner(x):\n    return x if isinstance(x, jax.core.Tracer) else 2 * x\n"
        "def f(x):\n    return inner(x)\n"
    )
    (found,) = check(source)
    assert found.rule == "jit-differs" and "another result without jit" in found.message


@pytest.mark.parametrize(
    ("source", "rule", "code"),
    [
        (
            "seen = []\ndef f(x):\n    if x.ndim > 1:\n        seen.append(1)\n    return x\n",
            "untaken-mutation",
            "seen.append(1)",
        ),
        (
            "def f(x, verbose=False):\n    if verbose:\n        print('x')\n    return x\n",
            "untaken-effect",
            "print('x')",
        ),
        (
            "import random\ndef f(x, noisy=False):\n"
            "    return x + random.random() if noisy else x\n",
            "untaken-mutation",
            "return x + random.random() if noisy else x",
        ),
    ],
)
def test_calls_that_nobody_has_made(source: str, rule: str, code: str) -> None:
    found = check(source)
    assert (rule, code) in [(f.rule, f.code) for f in found]
    assert all(f.rule.startswith("untaken-") for f in found)
    assert "in a call with other shapes or flags" in found[0].message


def test_a_call_that_nobody_has_made_touches_no_file(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = "def f(x):\n    if x.ndim > 1:\n        open('log.txt', 'w').close()\n    return x\n"
    assert [f.rule for f in check(source)] == ["untaken-mutation"]
    assert not (tmp_path / "log.txt").exists()
