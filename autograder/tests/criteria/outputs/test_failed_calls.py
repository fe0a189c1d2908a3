"""A call of the student's function that raises is a failure of outputs, whatever its program is."""

from __future__ import annotations

import _thread
import linecache
import signal
import textwrap
import types
from pathlib import Path

import pytest

from autograder.criteria.purity.experiments import Lab
from autograder.grading.pipeline import grade_notebook
from autograder.judge.client import Judge
from autograder.model.notebook import Cell, Notebook
from autograder.model.report import CriterionResult, Report, Status
from autograder.model.student_code import is_interruption
from autograder.model.terms import Terms
from autograder.tests.helpers.grading_steps import report_on, write_rubric

IMPORTS = """
from dataclasses import dataclass, field
from functools import partial
import itertools
import jax, jax.numpy as jnp, numpy as np
"""
RUBRIC = """
import jax.numpy as jnp
import numpy as np
from autograder import Compilations, ProgramExercise, Rubric

exercise = ProgramExercise(
    name="doubled",
    draws=lambda rng: [{draws}],
    reference=lambda x: 2 * x,
    compilations=Compilations(programs=3, one_program=False),
    {fields}
    points={{{points}}},
)
rubric = Rubric(lesson="doubled", exercises=(exercise,))
"""
ONE = "(rng.uniform(1, 2, 6).astype(np.float32),)"
THREE = "(rng.uniform(1, 2, n).astype(np.float32),) for n in (6, 6, 7)"
ALL = '"outputs": 2, "purity": 1, "compilations": 1'

RAISE = {
    "one array, donated and used in the same call": (
        """
        @partial(jax.jit, donate_argnums=0)
        def add(x, y):
            return x + y
        def doubled(x):
            y = x.copy()
            return add(y, y)  # FAULT
        """,
        "donated-twice",
        "",
    ),
    "two leaves of a state are one array": (
        """
        @partial(jax.jit, donate_argnums=0)
        def add(state, x):
            return {"a": state["a"] + x, "b": state["b"] + x}
        def doubled(x):
            zeros = jnp.asarray(np.zeros(x.shape, np.float32))
            state = add({"a": zeros, "b": zeros}, x)  # FAULT
            return state["a"] + state["b"]
        """,
        "donated-twice",
        "",
    ),
    "an array that was given away": (
        """
        @partial(jax.jit, donate_argnums=0)
        def add(total, x):
            return total + x
        def doubled(x):
            start = jnp.asarray(np.zeros(x.shape, np.float32))
            total = add(add(start, x), x)
            return total + start * 0  # FAULT
        """,
        "donated",
        "",
    ),
    "an array in a static field": (
        """
        @jax.tree_util.register_dataclass
        @dataclass
        class Scale:
            by: np.ndarray = field(metadata={"static": True})
        @jax.jit
        def apply(scale, x):
            return scale.by * x
        def doubled(x):
            return apply(Scale(np.full(x.size, 2, np.float32)), x)  # FAULT
        """,
        "array-as-metadata",
        "if it was called before. As the first call, this one returns.",
    ),
    "a test for a tracer": (
        """
        @jax.jit
        def twice(x):
            return 2 * x
        def doubled(x):
            if not isinstance(x, jax.core.Tracer):
                raise ValueError("no numbers, please")  # FAULT
            return twice(x)
        """,
        "error",
        "when it runs with numbers. While jit traces it, without numbers, it does not fail.",
    ),
    "the end of the process": (
        """
        @jax.jit
        def twice(x):
            return 2 * x
        def doubled(x):
            if not isinstance(x, jax.core.Tracer):
                raise SystemExit("enough")  # FAULT
            return twice(x)
        """,
        "error",
        "SystemExit: enough",
    ),
    "an interruption of its own": (
        """
        @jax.jit
        def twice(x):
            return 2 * x
        def doubled(x):
            if not isinstance(x, jax.core.Tracer):
                raise KeyboardInterrupt  # FAULT
            return twice(x)
        """,
        "error",
        "KeyboardInterrupt",
    ),
    "an exception that is no Exception": (
        """
        class Stop(BaseException): pass
        @jax.jit
        def twice(x):
            return 2 * x
        def doubled(x):
            if not isinstance(x, jax.core.Tracer):
                raise Stop("here")  # FAULT
            return twice(x)
        """,
        "error",
        "Stop: here",
    ),
    "something else than arrays, for numbers": (
        """
        @jax.jit
        def twice(x):
            return 2 * x
        def doubled(x):
            return twice(x) if isinstance(x, jax.core.Tracer) else None
        """,
        "not-an-array",
        "result is None",
    ),
    "the second call": (
        """
        calls = itertools.count()
        @jax.jit
        def twice(x):
            return 2 * x
        def doubled(x):
            if not isinstance(x, jax.core.Tracer) and next(calls):
                raise ValueError("only once")  # FAULT
            return twice(x)
        """,
        "error",
        "only once",
    ),
}


def student(source: str) -> types.ModuleType:
    """A module as a notebook makes one."""
    module = types.ModuleType("student")
    text = IMPORTS + "\n".join(line[8:] for line in source.splitlines())
    name = f"<cell {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec", dont_inherit=True), module.__dict__)
    return module


def grade(
    folder: Path,
    judge: Judge,
    source: str,
    draws: str = ONE,
    points: str = '"outputs": 2, "purity": 1',
    fields: str = "",
) -> Report:
    text = RUBRIC.format(draws=draws, points=points, fields=fields)
    rubric = write_rubric(folder, "doubled", text)
    return report_on(rubric, rubric.exercises[0], student(source), judge)


def failed(report: Report) -> CriterionResult:
    """The outputs, which alone are told to be wrong; nothing else earns a point."""
    assert report.earned == 0
    outputs, *others = report.criteria
    assert outputs.status is Status.FAILED
    assert outputs.evidence == "observed"
    assert {other.reason for other in others} <= {"outputs-first"}
    return outputs


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draws", "points"),
    [(ONE, '"outputs": 2, "purity": 1'), (THREE, ALL)],
    ids=["one call", "three calls, counted"],
)
@pytest.mark.parametrize("name", RAISE)
def test_a_call_that_raises(name, draws, points, tmp_path, judge):
    source, rule, text = RAISE[name]
    (finding,) = failed(grade(tmp_path, judge, source, draws, points)).findings
    assert finding.rule == rule
    assert "doubled(float32[6])" in finding.message or rule == "not-an-array"
    assert text in finding.message
    assert finding.code.endswith("# FAULT") or rule == "not-an-array"


@pytest.mark.slow
def test_only_one_of_the_signatures_raises(tmp_path, judge):
    source = """
        @jax.jit
        def twice(x):
            return 2 * x
        def doubled(x):
            if x.size == 7 and not isinstance(x, jax.core.Tracer):
                raise ValueError("seven")  # FAULT
            return twice(x)
        """
    (finding,) = failed(grade(tmp_path, judge, source, THREE)).findings
    assert finding.message == (
        "ValueError: seven\nThe function fails with this error in the call `doubled(float32[7])`, "
        "when it runs with numbers. While jit traces it, without numbers, it does not fail."
    )


@pytest.mark.slow
def test_what_cannot_be_exported_says_so_once(tmp_path, judge):
    source = """
        @jax.jit
        def doubled(x):
            return 2 * x + y  # FAULT
        """
    (finding,) = grade(tmp_path, judge, source, THREE, ALL).criteria[0].findings
    assert finding.message.startswith("NameError: name 'y' is not defined")


RIGHT = {
    "donates what it is given": """
        @partial(jax.jit, donate_argnums=0)
        def doubled(x):
            return 2 * x
        """,
    "donates what it made": """
        @partial(jax.jit, donate_argnums=0)
        def add(total, x):
            return total + x
        def doubled(x):
            return add(x.copy(), x)
        """,
    "does not donate": """
        @jax.jit
        def doubled(x):
            return x + x
        """,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize(
    "draws",
    [ONE, "(jnp.asarray(rng.uniform(1, 2, 6), jnp.float32),)"],
    ids=["NumPy", "JAX"],
)
@pytest.mark.parametrize("gradient", ["", "gradient=0,"])
@pytest.mark.filterwarnings("ignore:Some donated buffers were not usable")
def test_each_call_gets_arrays_of_its_own(name, draws, gradient, tmp_path, judge):
    """A function may use up its arguments: the kit needs them no more."""
    fields = f"permits=('argument-donated',), {gradient}"
    report = grade(tmp_path, judge, RIGHT[name], draws, ALL, fields)
    assert report.earned == report.possible, [c.findings for c in report.criteria]


GIVES = {
    "neither a value nor a program": ("return x[0].append(1)", False, []),
    "no program": ("return x if x[0] > 0 else -x", True, ["prints"]),
    "an effect explains it": ("return leave(x) + kept[0]", True, ["leaked-tracer", "prints"]),
}


@pytest.mark.gate
@pytest.mark.parametrize("name", GIVES)
def test_which_calls_purity_is_observed_for(name, tmp_path, judge, monkeypatch):
    last, is_observed, rules = GIVES[name]
    made, run = [], Lab.run

    def note(lab, *args, **how):
        made.append(lab)
        return run(lab, *args, **how)

    monkeypatch.setattr(Lab, "run", note)
    source = f"""
        kept = []
        @jax.jit
        def leave(x):
            kept[:] = [2 * x]
            return x
        def doubled(x):
            print("called")
            {last}
        """
    report = grade(tmp_path, judge, source, ONE, ALL)
    assert report.criterion("outputs").status is Status.FAILED
    assert report.criterion("purity").reason == "outputs-first"
    assert {f.rule for f in report.criterion("purity").findings} == {*rules}
    assert bool(made) == is_observed


@pytest.mark.slow
def test_only_the_gradient_raises(tmp_path, judge):
    source = """
        @jax.custom_vjp
        def twice(x):
            return 2 * x
        def forward(x):
            return twice(x), None
        def backward(_, g):
            raise ValueError("no way back")  # FAULT
        twice.defvjp(forward, backward)
        @jax.jit
        def doubled(x):
            return twice(x)
        """
    report = grade(tmp_path, judge, source, fields="gradient=0,")
    (finding,) = report.criteria[0].findings
    assert finding.message == (
        "ValueError: no way back\nThe function itself does not fail in the call "
        "`doubled(float32[6])`. Its gradient fails with this error: `argnums=0`, of the sum of "
        "what it returns."
    )


def test_who_interrupts_a_call():
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as raised:
        interrupt()
    assert not is_interruption(raised.value)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # xdist ignores it
    try:
        with pytest.raises(KeyboardInterrupt) as signalled:
            _thread.interrupt_main()
            for _ in range(10_000_000):
                pass
    finally:
        signal.signal(signal.SIGINT, before)
    assert is_interruption(signalled.value)
    assert not is_interruption(ValueError())


@pytest.mark.slow
def test_in_a_workers_process(tmp_path, judge):
    """It ends neither the process nor the marks of the other exercises."""
    source, _, text = RAISE["the end of the process"]
    rubric = write_rubric(tmp_path, "doubled", RUBRIC.format(draws=THREE, points=ALL, fields=""))
    cell = Cell("solution", IMPORTS + textwrap.dedent(source), "solution")
    notebook, terms = Notebook("doubled", (cell,)), Terms(rubric, judge, 77)
    (report,) = grade_notebook(notebook, "x.ipynb", terms).reports
    (finding,) = report.criterion("outputs").findings
    assert report.earned == 0
    assert finding.message.startswith(text)
    assert finding.code == 'raise SystemExit("enough")  # FAULT'


KEPT = {
    "returned": "return kept",
    "computed with": "return kept + 0 * x",
}


@pytest.mark.gate
@pytest.mark.parametrize("points", ['"outputs": 2, "purity": 1', ALL, '"outputs": 2'])
@pytest.mark.parametrize("name", KEPT)
def test_a_tracer_that_is_kept_while_the_kit_traces(name, points, tmp_path, judge):
    """Purity is lost; but no call of the student's own raises, who traces nothing of it."""
    source = f"""
        kept = None
        @jax.jit
        def twice(x):
            return 2 * x
        def doubled(x):
            global kept
            if kept is None or kept.shape != x.shape:
                kept = twice(x)
            {KEPT[name]}
        """
    report = grade(tmp_path, judge, source, ONE, points)
    assert report.criterion("outputs").status is Status.PASSED
    if "purity" in points:
        assert report.criterion("purity").status is Status.FAILED
