"""Counting, lines, reasons and what is left behind, on student modules of every kind."""

from __future__ import annotations

import functools
import sys
import textwrap
import threading
import types

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.criteria.compilations.count import count_compilations, count_with_repeats, nudge
from autograder.criteria.compilations.observe import check_compilations as check_counted
from autograder.criteria.compilations.observe import record_operations
from autograder.model.exercise import Compilations
from autograder.model.finding import Finding
from autograder.programs.exported import concrete, signature

X = np.arange(6, dtype=np.float32)


def module_of(source: str, filename: str = "<cell 1>") -> types.ModuleType:
    """A module whose cell was only exec'ed: no file, nothing in linecache."""
    module = types.ModuleType("student")
    code = compile(textwrap.dedent(source), filename, "exec")
    exec(code, vars(module))
    return module


def check_compilations(function, calls, module, **allowed) -> list[Finding]:
    counted = count_with_repeats(function, calls, module)
    return check_counted(function, counted, module, Compilations(**allowed))


def counts(records) -> list[int]:
    return [len(record.programs) for record in records]


def lines(records) -> list[list[int | None]]:
    return [[program.line for program in record.programs] for record in records]


STEP = """
import jax
@jax.jit
def step(x, rate):
    return x - rate * x
def entry(x):
    return step(x, 0.5)
"""


@pytest.mark.parametrize("filename", ["<cell 1>", "<string>", "<ipython-input-3-ab>"])
def test_cells_without_file_or_source(filename: str) -> None:
    module = module_of(STEP, filename)
    records = count_compilations(module.entry, [(X,), (X + 1,), (X[:3],)], module)
    assert counts(records) == [1, 0, 1]
    assert lines(records) == [[7], [], [7]]
    assert check_compilations(module.entry, [(X,), (X[:3],)], module) == []


def test_cells_spread_over_files() -> None:
    module = module_of("import jax\ntable = {'half': jax.jit(lambda x: x / 2)}\n", "<cell 1>")
    exec(compile("def entry(x):\n    return table['half'](x)\n", "<cell 2>", "exec"), vars(module))
    records = count_compilations(module.entry, [(X,), (X,)], module)
    assert counts(records) == [1, 0]
    assert lines(records)[0] == [2]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda m: m.step,
        lambda m: functools.partial(m.step),
        lambda m: lambda x, rate: m.step(x, rate),
        lambda m: types.MethodType(lambda _, x, rate: m.step(x, rate), object()),
    ],
    ids=["jitted", "partial", "lambda", "method"],
)
def test_every_kind_of_function(wrap) -> None:
    module = module_of(STEP)
    calls = [(X, 0.1), (X, 0.2), (X, np.float32(0.1)), (X, 0.3)]
    records = count_compilations(wrap(module), calls, module)
    assert counts(records) == [1, 0, 1, 0]
    assert [p.cause for p in records[2].programs] == [
        "`step` (line 3) was compiled again because `rate` was float32[] from a Python scalar "
        "(weak type) and is now float32[]: a Python number is weakly typed, which is another type "
        "to jit; pass jnp.asarray(v, dtype) every time, and build arrays with a dtype, as in "
        "jnp.full(shape, 0.0, dtype)."
    ]


def test_compiled_ahead_of_time() -> None:
    module = module_of(STEP)
    compiled = module.step.lower(X, 0.1).compile()
    records = count_compilations(compiled, [(X, 0.1), (X, 0.2)], module)
    assert [(len(r.programs), r.ahead) for r in records] == [(0, True), (0, True)]
    assert check_compilations(compiled, [(X, 0.1)], module) == []


def test_eager_operations_are_not_the_students() -> None:
    module = module_of("import jax.numpy as jnp\ndef entry(x):\n    return jnp.tanh(x) + 1\n")
    (record,) = count_compilations(module.entry, [(X,)], module)
    assert len(record.programs) == 0
    assert len(record.operations) == 2
    assert [each.line for each in record.operations] == [3, 3]


def test_eager_grad_of_a_student_function_is_eager() -> None:
    module = module_of(
        """
        import jax, jax.numpy as jnp
        def loss(x):
            return jnp.sum(jnp.tanh(x))
        def entry(x):
            return jax.grad(loss)(x)
        """
    )
    (record,) = count_compilations(module.entry, [(X,)], module)
    assert len(record.programs) == 0
    assert len(record.operations) > 2


def test_library_function_given_to_jit_inside_the_call() -> None:
    module = module_of(
        "import jax, jax.numpy as jnp\ndef entry(x):\n    return jax.jit(jnp.linalg.norm)(x)\n"
    )
    records = count_compilations(module.entry, [(X,), (X,)], module)
    assert [(len(r.programs), len(r.operations)) for r in records] == [(1, 0), (0, 0)]


def test_error_of_one_call_leaves_the_others() -> None:
    module = module_of(
        """
        import jax
        double = jax.jit(lambda x: 2 * x)
        def entry(x):
            return double(x) if x.shape[0] != 3 else 1 // 0
        """
    )
    records = count_compilations(module.entry, [(X,), (X[:3],), (X,)], module)
    assert [type(record.raised) for record in records] == [
        type(None),
        ZeroDivisionError,
        type(None),
    ]
    assert counts(records) == [1, 0, 0]


def test_thread_without_student_frames() -> None:
    module = module_of(
        """
        import threading, jax
        def entry(x):
            worker = threading.Thread(target=jax.jit(lambda v: v + 1), args=(x,))
            worker.start()
        """
    )
    records = count_compilations(module.entry, [(X,), (X,)], module)
    assert lines(records) == [[4], [4]]


def test_a_thread_that_python_has_not_started() -> None:
    module = module_of(
        """
        import _thread, threading, time
        begun = threading.Event()
        def work():
            threading.current_thread(), begun.set(), time.sleep(0.5)
        def entry(x):
            _thread.start_new_thread(work, ())
            begun.wait()
        """
    )
    (record,) = count_compilations(module.entry, [(X,)], module)
    assert record.raised is None


def test_everything_is_put_back() -> None:
    module = module_of(STEP)
    heard: list[str] = []

    def listener(event: str, duration_secs: float, **kwargs: str | int) -> None:
        heard.append(event)

    def profile(*_: object) -> None:
        pass

    jax.monitoring.register_event_duration_secs_listener(listener)
    before = threading.getprofile()
    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        count_compilations(module.entry, [(X,)], module)
        assert sys.getprofile() is profile
        assert threading.getprofile() is profile
    finally:
        sys.setprofile(None)
        threading.setprofile(before)
        jax.monitoring.unregister_event_duration_listener(listener)
    assert any("backend_compile" in event for event in heard)
    from jax._src import monitoring

    left = [f for f in monitoring.get_event_duration_listeners() if "autograder" in f.__module__]
    assert left == []


def test_arguments_stay_the_callers() -> None:
    module = module_of(
        """
        import functools, jax
        @functools.partial(jax.jit, donate_argnums=0)
        def entry(x):
            return x + 1
        """
    )
    x = jnp.arange(3.0)
    records = count_compilations(module.entry, [(x,), (x,)], module)
    assert not any(record.raised for record in records)
    assert not x.is_deleted()


@pytest.mark.slow
def test_the_same_is_seen_every_time() -> None:
    def seen(module) -> list[list[tuple]]:
        records = count_compilations(module.again, [(X,), (X,), (X[:2],)], module)
        return [[(p.source, p.line, p.cause) for p in record.programs] for record in records]

    source = STEP + "def again(x):\n    return jax.jit(lambda v: step(v, 1))(x)\n"
    module = module_of(source)
    first = seen(module)
    assert all(seen(module) == first for _ in range(3))
    assert seen(module_of(source)) == first


def test_persistent_cache_hits_count(tmp_path) -> None:
    module = module_of("import jax\ndef entry(x):\n    return jax.jit(lambda v: v * 7)(x)\n")
    kept = {
        name: jax.config.values[name]
        for name in (
            "jax_compilation_cache_dir",
            "jax_persistent_cache_min_compile_time_secs",
            "jax_persistent_cache_min_entry_size_bytes",
        )
    }
    try:
        jax.config.update("jax_compilation_cache_dir", str(tmp_path))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        records = count_compilations(module.entry, [(X,), (X,)], module)
    finally:
        for name, value in kept.items():
            jax.config.update(name, value)
        from jax.experimental.compilation_cache import compilation_cache

        compilation_cache.reset_cache()
    assert counts(records) == [1, 1]


def test_total_budget() -> None:
    module = module_of("import jax\nentry = jax.jit(lambda x: 2 * x)\n")
    calls = [(X[:n],) for n in (2, 3, 4)]
    assert check_compilations(module.entry, calls, module, budget=3) == []
    (finding,) = check_compilations(module.entry, calls, module, budget=2)
    assert finding.rule == "too-many-compilations"
    assert finding.message.startswith(
        "all calls together compiled 3 programs, at most 2 are allowed.\n`<lambda>` (line 2) was "
        "compiled again because `x` was float32[2] and is now float32[3]: each new shape is a"
    )


def test_total_budget_of_functions_that_are_each_compiled_once() -> None:
    module = module_of(
        """
        import jax
        double, triple = jax.jit(lambda x: 2 * x), jax.jit(lambda x: 3 * x)
        def entry(x):
            return double(x) if len(x) > 2 else triple(x)
        """
    )
    (finding,) = check_compilations(
        module.entry, [(X,), (X[:2],)], module, budget=1, one_program=False
    )
    assert finding.message.endswith(
        "at most 1 are allowed.\njit compiles once for each combination of shapes, dtypes and "
        "static values: more than needed. Make static only what sets a shape, convert to one "
        "dtype, pad to a few sizes."
    )


def test_new_static_value_may_compile() -> None:
    module = module_of(
        """
        import functools, jax
        @functools.partial(jax.jit, static_argnums=1)
        def entry(x, n):
            return x * n
        """
    )
    calls = [(X, 2), (X, 3)]
    assert check_compilations(module.entry, calls, module) == []
    (finding,) = check_compilations(module.entry, calls, module, budget=1)
    assert finding.rule == "too-many-compilations"
    assert "`n` was the static value 2 and is now the static value 3" in finding.message


def test_static_fields_of_a_class_are_named() -> None:
    module = module_of(
        """
        import jax
        @jax.tree_util.register_pytree_node_class
        class Model:
            def __init__(self, x, ridge):
                self.x, self.ridge = x, ridge
            def tree_flatten(self):
                return (self.x,), self.ridge
            @classmethod
            def tree_unflatten(cls, ridge, children):
                return cls(*children, ridge)
            @jax.jit
            def loss(self):
                return self.x * self.ridge
        def entry(x, ridge):
            return Model(x, ridge).loss()
        """
    )
    (finding,) = check_compilations(module.entry, [(X, 2.0), (X, 3.0)], module)
    assert finding.rule == "compiled-again"
    words = "`self.ridge` was the static value 2.0 and is now the static value 3.0: a static field"
    assert words in finding.message


def test_equations_are_programs_or_eager() -> None:
    module = module_of(
        """
        import jax, jax.numpy as jnp
        half = jax.jit(lambda x: x / 2)
        def entry(x):
            y = half(x)
            return jnp.where(y > 1, y, 0)
        """
    )

    def ran(function) -> list[tuple]:
        operations = record_operations(function, (X,), module)
        return [(each.name, each.line, each.is_program) for each in operations]

    assert ran(module.entry) == [
        ("<lambda>", 5, True),
        ("greater", 6, False),
        ("_where", 6, False),
    ]
    adapted = ran(lambda x: jnp.sum(module.half(x)))
    assert adapted == [("<lambda>", None, True), ("_reduce_sum", None, False)]


def test_numbers_made_of_pythons_are_no_work() -> None:
    module = module_of(STEP + "import jax.numpy as jnp\nrate = lambda: jnp.asarray(2, 'float32')\n")
    function = eval("lambda x: step(x, rate())", vars(module))
    assert check_compilations(function, [(X,)], module) == []


def test_a_result_that_was_kept_is_no_lack_of_a_program() -> None:
    module = module_of(STEP)
    kept: list = []

    def once(x):
        return kept[0] if kept else kept.append(module.step(x, 1.0)) or kept[0]

    assert check_compilations(once, [(X,)], module) == []


def test_eager_message_names_line_and_operation() -> None:
    module = module_of("import jax.numpy as jnp\ndef entry(x):\n    return jnp.tanh(x)\n")
    (finding,) = check_compilations(module.entry, [(X,)], module)
    assert (finding.rule, finding.severity, finding.line) == ("eager-code", "error", 3)
    assert finding.message.startswith(
        "1 operation outside jit (tanh).\nOperations outside of jit are sent"
    )
    assert "Put the whole function under one jax.jit; where several programs" in finding.message


def test_loop_of_steps_says_scan() -> None:
    module = module_of(
        STEP + "def loop(x):\n    for _ in range(9):\n        x = step(x, 1.)\n    return x\n"
    )
    (finding,) = check_compilations(module.loop, [(X,)], module)
    assert (finding.rule, finding.line) == ("many-programs-run", 10)
    assert "one call runs 9 programs one after another" in finding.message
    assert "jax.lax.scan" in finding.message
    (finding,) = check_compilations(module.loop, [(X,)], module, dispatches=4)
    assert "at most 4 are allowed" in finding.message and "a whole step" in finding.message
    assert check_compilations(module.loop, [(X,)], module, dispatches=9) == []
    assert check_compilations(module.loop, [(X,)], module, one_program=False) == []


def test_a_loop_in_python_must_run_a_program() -> None:
    code = "def loop(x):\n    for _ in range(9):\n        x = {}(x, 1.) * 2\n    return x\n"
    module = module_of(STEP + code.format("step"))
    assert check_compilations(module.loop, [(X,)], module, one_program=False) == []
    module = module_of(STEP + code.format("step.__wrapped__"))
    (finding,) = check_compilations(module.loop, [(X,)], module, one_program=False)
    assert finding.rule == "no-program"


def test_a_function_that_needs_numbers_must_run_a_program() -> None:
    code = "def checked(x):\n    if x.min() < -9:\n        raise ValueError\n    return {}(x, 1.)\n"
    calls = [(X,), (X[:2],)]
    module = module_of(STEP + code.format("step"))
    assert check_compilations(module.checked, calls, module, one_program=False) == []
    module = module_of(STEP + code.format("step.__wrapped__"))
    (finding,) = check_compilations(module.checked, calls, module, one_program=False)
    assert finding.rule == "no-program"


def test_dispatches_of_a_loop_in_python_are_counted_where_they_are_given() -> None:
    code = "def loop(x):\n    for _ in range(9):\n        x = step(x, 1.) * 2\n    return x\n"
    module = module_of(STEP + code)
    (finding,) = check_compilations(module.loop, [(X,)], module, one_program=False, dispatches=3)
    assert finding.rule == "many-programs-run"


@pytest.mark.slow
def test_eager_scan_says_where_it_belongs() -> None:
    module = module_of(
        """
        import jax
        def entry(x):
            return jax.lax.scan(lambda c, _: (c * 2, None), x, None, length=3)[0]
        """
    )
    findings = check_compilations(module.entry, [(X,)], module)
    again = next(finding for finding in findings if finding.rule == "compiled-again")
    assert "scan was called outside jit with a new function object" in again.message


@pytest.mark.slow
@given(
    st.lists(st.sampled_from(["float32", "int32", "bool"]), min_size=1, max_size=4),
    st.lists(st.integers(0, 4), max_size=3),
)
@settings(max_examples=40, deadline=None)
def test_other_numbers_keep_the_signature(dtypes: list[str], shape: list[int]) -> None:
    arrays = {f"k{9 - i}": np.ones(shape, dtype) for i, dtype in enumerate(dtypes)}
    args = (arrays, [jnp.full(tuple(shape), 1.0), 2.5, None, 3], jnp.float32(1))
    assert signature(nudge(args)) == signature(concrete(args)) == signature(args)
    nudged = jax.tree.leaves(nudge(args)[0])
    is_float = [leaf.dtype == np.float32 for leaf in jax.tree.leaves(arrays)]
    assert all((x != 1).all() == by or x.size == 0 for x, by in zip(nudged, is_float, strict=True))


def test_an_eager_scan_over_a_dataclass_blames_the_scan() -> None:
    module = module_of(
        """
import dataclasses
import jax
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class State:
    x: jax.Array
class Rate:
    value = 2
def entry(x):
    rate = Rate()
    def body(state, _):
        return dataclasses.replace(state, x=rate.value * state.x), None
    return jax.lax.scan(body, State(x), length=3)[0].x
"""
    )
    findings = check_compilations(module.entry, [(X,)], module, one_program=False)
    (again,) = (f for f in findings if f.rule == "compiled-again")
    assert "jax.lax.scan was called outside jit" in again.message
