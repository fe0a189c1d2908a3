"""The purity criterion: the corpus, its promises (state restored, same findings), its messages."""

from __future__ import annotations

import asyncio
import linecache
import logging
import os
import random
import re
import subprocess
import sys
import threading
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.criteria.purity import check_purity, remember_state
from autograder.criteria.purity.messages import LESSONS, severity_of
from autograder.criteria.purity.observe import observe
from autograder.criteria.shape import Subject
from autograder.lessons.verification.cases import CaseText
from autograder.model.exercise import ProgramExercise
from autograder.model.finding import Finding
from autograder.tests.benchmarks.purity_corpus import (
    arguments_of,
    attacks_on_purity,
    expected,
    judge,
    purity_cases,
)
from autograder.tests.helpers.corpus import load, write_case
from autograder.tests.helpers.drawn import drawn_of
from autograder.tests.helpers.fast_tier import mostly_slow

PURITY, ATTACKS = purity_cases(), attacks_on_purity()
BY_NAME = {case.name: case for case in (*ATTACKS, *PURITY)}
_IMPORTS = "import jax, jax.numpy as jnp, numpy as np\n"


def module_of(source: str, name: str = "student", linecached: bool = True) -> types.ModuleType:
    """A module as a notebook makes one: cells executed in a namespace, no file."""
    module = types.ModuleType(name)
    filename = f"<cell of {name} {abs(hash(source))} {linecached}>"
    if linecached:
        linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec", dont_inherit=True), module.__dict__)
    return module


def vector() -> tuple:
    return (jnp.arange(3.0),)


def findings(source: str, make_args: Callable[[], tuple] = vector, **how) -> list[Finding]:
    module = module_of(_IMPORTS + source, **how)
    return check_purity(module.f, make_args, module)


def mechanism(case: CaseText) -> str:
    """The rule that must find a case; without one, or where there is nothing to find, its theme."""
    return expected(case).rule or case.path.stem


def errors(found: list[Finding]) -> list[tuple[str, int | None]]:
    return [(f.rule, f.line) for f in found if f.severity == "error"]


# Students forget to close files.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("case", mostly_slow(PURITY + ATTACKS, mechanism))
def test_corpus(case: CaseText, tmp_path: Path) -> None:
    row = judge(case, tmp_path)
    shown = [(f.rule, f.severity, f.line) for f in row.findings]
    assert row.right, f"expected {row.expected}, found {shown}"
    assert row.exact, f"expected {row.expected}, found {shown}"


def test_corpus_is_large_enough() -> None:
    kinds = [expected(p).kind for p in PURITY]
    assert kinds.count("impure") >= 75
    assert kinds.count("pure") >= 60
    assert len(ATTACKS) >= 15


def test_every_error_rule_is_met_by_the_corpus_or_by_a_test() -> None:
    met = {expected(p).rule for p in PURITY}
    elsewhere = {"retrace-differs", "results-differ", "inspects-interpreter"}
    rules = {rule for rule in LESSONS if severity_of(rule) == "error"}
    assert rules - met - elsewhere == set()


def test_names_are_given_once() -> None:
    assert len(BY_NAME) == len(PURITY + ATTACKS)


@pytest.mark.parametrize("case", [c for c in PURITY if expected(c).line], ids=lambda c: c.name)
def test_source_line_of_a_finding_is_the_students(case: CaseText) -> None:
    """The header's line is where the corpus says it is: the case has that many lines."""
    line = expected(case).line
    assert line and case.text.splitlines()[line - 1].strip()


def test_a_message_says_what_where_why_and_how_to_repair() -> None:
    (found,) = findings("log = []\ndef f(x):\n    log.append(1)\n    return x * 2\n")
    assert (found.rule, found.severity, found.line) == ("global-mutated", "error", 4)
    assert found.code == "log.append(1)"
    what, why, repair = found.message.split("\n")
    assert what == "Line 4: `log` changes from a list of 0 to a list of 1."
    assert why.startswith("Why: jit runs the Python body only while tracing")
    assert repair == "Repair: Pass the old value in as an argument and return the new one."


@pytest.mark.parametrize("rule", sorted(LESSONS))
def test_every_lesson_has_a_reason_and_a_repair(rule: str) -> None:
    why, repair = LESSONS[rule]
    assert len(why) > 40 and why.endswith(".")
    assert len(repair) > 20 and repair.endswith(".")


@pytest.mark.slow
def test_the_same_input_gives_the_same_findings() -> None:
    source = (
        "import time\nlog = []\n@jax.jit\ndef f(x):\n    t = time.time()\n    print(t)\n"
        "    log.append(x)\n    return x * np.random.rand()\n"
    )
    first, second = findings(source), findings(source)
    assert first == second
    assert {f.rule for f in first} >= {"reads-clock", "prints", "leaked-tracer", "random-state"}
    module = module_of(_IMPORTS + source)
    again = [check_purity(module.f, vector, module) for _ in range(2)]
    assert again[0] == again[1]


def test_messages_hold_no_memory_address() -> None:
    found = findings("kept = {}\n@jax.jit\ndef f(x):\n    kept[id(x)] = x\n    return x\n")
    assert "`kept[...]`" in found[0].message
    assert not re.search(r"\d{9}", found[0].message)


def process_state() -> dict[str, object]:
    return {
        "profile": sys.getprofile(),
        "trace": sys.gettrace(),
        "stdout": sys.stdout,
        "stderr": sys.stderr,
        "showwarning": warnings.showwarning,
        "filters": list(warnings.filters),
        "environ": dict(os.environ),
        "cwd": os.getcwd(),
        "random": random.getstate(),
        "numpy": repr(np.random.get_state()),  # noqa: NPY002
        "errstate": np.geterr(),
        "config": dict(jax.config.values),
        "sin": jnp.sin,
        "handlers": list(logging.getLogger().handlers),
        "path": list(sys.path),
        "limit": sys.getrecursionlimit(),
        "threads": set(threading.enumerate()),
    }


@pytest.mark.parametrize(
    "name", ["monkeypatch", "jax_config", "enable_x64_config", "environ_write", "numpy_seed",
             "numpy_seterr", "warnings_filter", "recursion_limit", "sys_path", "prints", "simple",
             "thread_started"],
)  # fmt: skip
def test_the_process_is_as_it_was(name: str, tmp_path: Path) -> None:
    module = load(write_case(BY_NAME[name], tmp_path))
    before = process_state()
    check_purity(module.f, arguments_of(module), module)
    after = process_state()
    assert {k for k in before if before[k] != after[k]} == set()


@pytest.mark.parametrize("name", ["profile_removed", "os_write"])
def test_the_process_is_as_it_was_after_an_attack(name: str, tmp_path: Path) -> None:
    module = load(write_case(BY_NAME[name], tmp_path))
    before = process_state()
    check_purity(module.f, arguments_of(module), module)
    assert process_state() == before


@pytest.mark.slow
def test_the_students_state_is_restored() -> None:
    module = module_of(
        _IMPORTS
        + "log, best, W, table = [], {'loss': 3.0}, np.zeros(3), {}\n"
        + "class M:\n    n = 0\nm = M()\n"
        + "def f(x):\n    log.append(1)\n    best['loss'] = 0.0\n    W[0] += 1\n    M.n += 1\n"
        + "    m.y = 2\n    f.calls = 1\n    table[x.shape] = 1\n    return x\n"
    )
    found = check_purity(module.f, vector, module)
    assert len(errors(found)) == 7
    assert module.log == [] and module.best == {"loss": 3.0} and module.table == {}
    assert module.W.tolist() == [0, 0, 0] and module.M.n == 0
    assert not hasattr(module.f, "calls") and not hasattr(module.m, "y")


def test_the_notebooks_own_event_loop_is_left_alone() -> None:
    module: Any = module_of(_IMPORTS + "def f(x):\n    return x * 2\n")
    loop: Any = asyncio.new_event_loop()
    module.loop = loop  # a figure leads to one
    timers: list[asyncio.TimerHandle] = []

    def make_args() -> tuple:
        timers.append(loop.call_later(1000, print))  # as another thread would
        return vector()

    try:
        assert check_purity(module.f, make_args, module) == []
        assert set(map(id, loop._scheduled)) == set(map(id, timers))
    finally:
        loop.close()


@pytest.mark.slow
def test_without_source_lines_are_still_named(root: Path) -> None:
    # In a process of its own: attacks of the corpus leave modules patched in this one, and
    # without source nobody can tell whose patch that is.
    code = """
import plnkit
from autograder.tests.criteria.purity.test_purity import findings
source = "log = []\\ndef f(x):\\n    log.append(1)\\n    return x * 2\\n"
print([(f.rule, int(f.line), f.code) for f in findings(source, linecached=False)])
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.stdout.strip() == "[('global-mutated', 4, '')]", done.stderr


@pytest.mark.slow
def test_endless_recursion_is_not_tampering_and_leaves_the_audit_hook_on() -> None:
    assert errors(findings("def f(x):\n    return f(x)\n")) == []
    source = "import os\ndef f(x):\n    open(os.devnull).close()\n    return x\n"
    assert ("file-access", 4) in errors(findings(source))


def test_program_that_counts_its_traces() -> None:
    source = (
        "class Odd:\n    __slots__ = ()\n"
        "import sys\ndef f(x):\n    return x * (sys.getrefcount(x) * 0 + 1)\n"
    )
    assert errors(findings(source)) == [("inspects-interpreter", 6)]


def test_result_that_differs_from_call_to_call() -> None:
    source = (
        "import functools, time\nclock = functools.partial(time.perf_counter_ns)\n"
        "def f(x):\n    return x + clock() % 1009\n"
    )
    rules = {rule for rule, _ in errors(findings(source))}
    assert rules <= {"results-differ", "retrace-differs"} and rules


def test_concrete_result_that_differs_without_a_trace() -> None:
    source = (
        "import functools, time\nclock = functools.partial(time.perf_counter_ns)\n"
        "def f(x):\n    return float(x[0]) + clock() % 1000003\n"
    )
    assert [rule for rule, _ in errors(findings(source))] == ["results-differ"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    ["if x.sum() > 0:\n        return x\n    return -x", "return float(x[0])", "raise ValueError"],
)
def test_a_function_that_raises_in_some_mode_is_not_impure(body: str) -> None:
    assert errors(findings(f"def f(x):\n    {body}\n")) == []


@pytest.mark.slow
def test_arguments_that_are_not_arrays_stay_as_they_are() -> None:
    source = (
        "def f(x, name, n, flag, key):\n"
        "    assert type(name) is str and type(n) is int and type(flag) is bool\n"
        "    return getattr(jnp, name)(x) * n + jax.random.normal(key, x.shape)\n"
    )
    key = jax.random.key(1)
    assert findings(source, lambda: (jnp.ones(2), "sin", 2, True, key)) == []


def test_a_key_that_the_cells_make_anew() -> None:
    source = (
        "key = jax.random.key(0)\n"
        "def f(x):\n    return x + jax.random.normal(key, x.shape)\n"
        "key = jax.random.key(1)\n"
    )
    assert errors(findings(source, lambda: (jnp.ones(2),))) == [("stale-global", 4)]


@pytest.mark.slow
def test_debug_print_is_an_effect_and_a_static_memo_only_warns() -> None:
    found = findings("@jax.jit\ndef f(x):\n    jax.debug.print('{}', x)\n    return x\n")
    assert [(f.rule, f.severity, f.line) for f in found] == [("debug-print", "error", 4)]
    memo = (
        "C = {}\ndef f(x):\n    n = x.ndim\n    if n not in C:\n        C[n] = (n,)\n    return x\n"
    )
    found = findings(memo)
    assert [(f.rule, f.severity, f.line) for f in found] == [("static-memo", "warning", 6)]


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(
    values=st.lists(st.floats(-5, 5, width=32), min_size=1, max_size=4),
    scale=st.integers(1, 4),
)
def test_pure_functions_of_any_values_are_pure(values: list[float], scale: int) -> None:
    source = "@jax.jit\ndef f(x):\n    return jnp.tanh(x) * x.shape[0]\n"
    args = (jnp.asarray(values) * scale,)
    assert findings(source, lambda: args) == []


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(name=st.sampled_from(["n", "log_", "état"]), amount=st.integers(1, 5))
def test_a_counter_of_any_name_and_step_is_found(name: str, amount: int) -> None:
    source = f"{name} = 0\ndef f(x):\n    global {name}\n    {name} += {amount}\n    return x\n"
    assert errors(findings(source)) == [("global-mutated", 5)]


@pytest.mark.parametrize("setting", ["jax_log_compiles", "jax_explain_cache_misses"])
def test_what_jax_logs_is_not_the_functions(setting: str) -> None:
    """A student may ask JAX to tell what it compiles, once and for all functions."""
    before = jax.config.values[setting]
    jax.config.update(setting, True)
    try:
        source = "@jax.jit\ndef f(x): return jnp.sin(x) + jax.nn.relu(x)"
        assert findings(source) == []
        assert jax.config.values[setting] is True
    finally:
        jax.config.update(setting, before)


def test_a_name_makes_no_function_jitted() -> None:
    """What tells tracers from numbers gives another result under jit, whatever it is called."""
    source = """
def f(x):
    return x if isinstance(x, jax.core.Tracer) else 2 * x
f.lower = f
"""
    assert findings(source)


def test_a_default_value_is_called_by_its_parameter() -> None:
    source = """
@jax.jit
def f(x, scale=2.0, kept=[]):
    kept.append(x.sum())
    return scale * x
"""
    messages = [f.message for f in findings(source) if f.rule == "leaked-tracer"]
    assert any("`f.<default kept>[" in message for message in messages), messages


@pytest.mark.slow
def test_what_earlier_calls_have_changed_is_found() -> None:
    """A set that holds the shape already, or a global with the same value, changes no more."""
    source = """
shapes, last = set(), None

@jax.jit
def f(x):
    global last
    shapes.add(x.shape)
    last = x.ndim
    return 2 * x
"""
    module = module_of(_IMPORTS + source)
    restore = remember_state(module.f, module)
    calls = (np.arange(3, dtype=np.float32),)
    points = {"outputs": 1, "purity": 1}
    drawn = drawn_of(
        ProgramExercise(
            name="f", draws=lambda rng: [calls], reference=lambda x: 2 * x, points=points
        )
    )
    module.f(*calls)
    unknowing = observe(Subject(drawn, module.f, module))
    assert unknowing is not None
    assert {f.rule for f in unknowing.findings} == {"untaken-mutation"}  # at another shape
    seen = observe(Subject(drawn, module.f, module, restore=restore))
    assert seen is not None
    assert [f.rule for f in seen.findings] == ["global-mutated"] * 2
    assert module.shapes == set() and module.last is None


def test_a_tracer_in_the_key_of_a_jitted_function_is_the_checks_own() -> None:
    source = """
class Held:
    def __init__(self, x): self.x = x

held = jax.jit(lambda a: 2 * a.x, static_argnums=0)

def f(x): return held(Held(x))
"""
    assert not [f for f in findings(source) if f.rule == "leaked-tracer"]
