"""`compiles`, as the tests of another project use it."""

import functools
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from autograder import TooManyCompilations, compiles

THREE, FOUR = np.ones(3, np.float32), np.ones(4, np.float32)


@pytest.fixture
def step():
    @jax.jit
    def step(x, rate=0.5):
        return jnp.sum(x * rate)

    return step


@pytest.fixture
def scale():
    return jax.jit(lambda x: 2.0 * x)


def test_what_was_compiled_before_is_not_compiled_again(step):
    with compiles(at_most=1) as programs:
        step(THREE)
        step(THREE + 1)
    assert [program.name for program in programs] == ["step"]
    with compiles(at_most=0) as programs:
        step(THREE)
    assert programs == []


def test_the_message_names_the_line_and_the_argument_that_differed(step):
    with pytest.raises(TooManyCompilations) as failure, compiles(at_most=1):
        step(THREE)
        step(FOUR)
    head, first, second = str(failure.value).splitlines()
    assert head == "this block compiled 2 programs, at most 1 allowed:"
    line = failure.traceback[0].lineno + 2
    assert "test_limit.py" in first and f":{line}: `step`" in first
    assert f":{line + 1}: `step`" in second
    assert "because `x` was float32[3] and is now float32[4]" in second


def test_a_new_jit_for_each_call_is_reported():
    def fit(x):
        return jax.jit(lambda y: y - 1.0)(x)

    with pytest.raises(AssertionError, match="a new function object each"), compiles(at_most=1):
        fit(THREE)
        fit(THREE)


def test_single_operations_do_not_count(step):
    with compiles(at_most=0):
        _ = jnp.tanh(THREE) + jnp.arange(3.0)


def test_the_programs_of_one_function(step, scale):
    with compiles(at_most=0, of=step):
        scale(THREE)
    with pytest.raises(TooManyCompilations), compiles(at_most=0, of=step):
        step(THREE)


@pytest.mark.parametrize(
    "wrap",
    [
        jax.jit,
        lambda f: jax.jit(jax.grad(f)),
        lambda f: jax.jit(functools.partial(f, rate=0.25)),
        lambda f: functools.partial(jax.jit(f), rate=0.25),
    ],
    ids=["jit", "grad", "partial", "partial of jit"],
)
def test_a_function_is_known_behind_what_wraps_it(wrap):
    def loss(x, rate=0.5):
        return jnp.sum(x * rate)

    wrapped = wrap(loss)
    with compiles(at_most=1, of=wrapped) as programs:
        wrapped(THREE)
    assert len(programs) == 1


def test_a_method():
    class Model:
        @functools.partial(jax.jit, static_argnums=0)
        def predict(self, x):
            return x + 1.0

    first, second = Model(), Model()
    identity = pytest.raises(TooManyCompilations, match="compared by identity")
    with identity, compiles(at_most=1, of=Model.predict):
        first.predict(THREE)
        second.predict(THREE)


def test_a_function_of_an_installed_package():
    apply = jax.jit(optax.apply_updates)
    with compiles(at_most=1, of=optax.apply_updates) as programs:
        apply(THREE, THREE)
    assert len(programs) == 1


def test_what_is_no_function_is_refused():
    refused = pytest.raises(TypeError, match="`of` must be a Python function, jitted or not, not 3")
    with refused, compiles(at_most=1, of=3):  # pyright: ignore[reportArgumentType]
        pass


def test_an_error_of_the_block_comes_out_as_it_is(step):
    with pytest.raises(ZeroDivisionError), compiles(at_most=0):
        step(THREE)
        _ = 1 / 0


@pytest.mark.slow
def test_the_fixture_in_a_project_of_its_own(tmp_path):
    (tmp_path / "test_step.py").write_text(
        "import sys, jax\n"
        "def test_step(compiles):\n"
        "    with compiles(at_most=1):\n"
        "        for n in (3, 4):\n"
        "            jax.jit(lambda x: x + 1)(jax.numpy.zeros(n))\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "TooManyCompilations: this block compiled 2 programs, at most 1 allowed" in done.stdout
    assert "test_step.py:5:" in done.stdout


@pytest.mark.slow
def test_nothing_of_the_course_is_imported():
    code = (
        "import sys; from autograder import compiles\n"
        "for name in ('autograder.rubrics', 'autograder.lessons', 'nbgrader', 'plnkit.data'):\n"
        "    assert name not in sys.modules, name"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
