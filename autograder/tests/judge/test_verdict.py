"""What is proved on programs beside right outputs: one meaning everywhere, no unrolled loop."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax import lax

from autograder.criteria.compilations.judge import judge_unrolling
from autograder.criteria.purity.judge import judge_agreement, judge_second_process
from autograder.model.exercise import Comparison, Draws, Loop, ProgramExercise
from autograder.model.observation import Returned
from autograder.model.program import Program
from autograder.model.rubric import PUBLIC_KEY
from autograder.programs.exported import export_program
from autograder.programs.runner import LocalRunner
from autograder.tests.helpers.drawn import drawn_of

X = np.arange(4, dtype=np.float32)
COUNTED = ProgramExercise(
    name="x",
    draws=lambda rng: [(X, 3)],
    reference=lambda x, n: x,
    points={"outputs": 1},
    loop=Loop(1),
)


def programs(function, *more, located=False):
    return [export_program(function, (X, *args), located=located) for args in (more or [()])]


def test_same_program_whatever_the_file_it_stands_in():
    source = "import jax\n@jax.jit\ndef f(x):\n    return x * 2\n"
    made, located = [], []
    for file in ("/tmp/one.py", "/tmp/two.py"):
        namespace: dict = {}
        exec(compile(source, file, "exec"), namespace)
        made.append(programs(namespace["f"]))
        located.append(programs(namespace["f"], located=True))
    assert made[0][0].blob == made[1][0].blob
    assert located[0][0].blob != located[1][0].blob  # they hold the name of the file
    assert judge_second_process(made[0], located[1], LocalRunner()) is None


def test_what_was_baked_in_is_found_with_its_line():
    def baked(number, *, located):
        return programs(jax.jit(lambda x: x + number), located=located)

    one, other = (np.array([1, 2, 3, last], np.float32) for last in (4, 5))
    finding = judge_second_process(
        baked(one, located=False), baked(other, located=True), LocalRunner()
    )
    assert finding is not None and finding.rule == "differs-between-processes"
    assert "`stablehlo.constant` differs" in finding.message
    assert finding.line == baked.__code__.co_firstlineno + 1


def test_traced_in_one_process_only():
    finding = judge_second_process(programs(lambda x: x), [None], LocalRunner())
    assert finding is not None
    assert "can be traced with some inputs and not with others" in finding.message


@pytest.mark.parametrize(
    ("reference", "off", "agrees"),
    [
        (abs, 1e-4, True),
        (abs, 5e-3, False),
        (Comparison(lambda args, got: None), 5e-3, True),  # an optimizer's, say
        (Comparison(lambda args, got: None), 5e-2, False),
        (Comparison(lambda args, got: None, agree=lambda args, *fits: True), 5e-2, True),
        (Comparison(lambda args, got: None, agree=lambda args, *fits: False), 5e-2, False),
    ],
)
def test_how_far_notebook_and_program_may_be_apart(reference, off, agrees):
    points = {"outputs": 1, "purity": 1}
    exercise = ProgramExercise(
        name="x",
        draws=lambda rng: [(X,)],
        points=points,
        reference=reference,
    )
    (program,) = programs(jax.jit(lambda x: x * 2))
    seen = Returned(("",), (X * np.float32(2 + 2 * off),))
    finding = judge_agreement(drawn_of(exercise), [program], [seen], LocalRunner())
    assert (finding is None) == agrees
    assert finding is None or finding.rule == "disagrees-with-program"


@pytest.mark.parametrize("scales", [{}, {"": 1.0}])
def test_terms_that_cancel_may_be_apart_by_their_own_rounding(scales):
    exercise = ProgramExercise(
        name="x",
        draws=lambda rng: [(X,)],
        points={"outputs": 1, "purity": 1},
        reference=abs,
        scales=scales,
    )
    compiled = programs(jax.jit(lambda x: x * 0))
    returned = [Returned(("",), (np.full(X.shape, 1e-7, X.dtype),))]
    finding = judge_agreement(drawn_of(exercise), compiled, returned, LocalRunner())
    assert (finding is None) == bool(scales)


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        (
            np.array([0, 2, 4, 9], np.float32),
            "the result, entry [3], is 9 where the notebook calls the function, and 6 where",
        ),
        (np.arange(4.0) * 2, "returns float64[4], but its compiled program returns float32[4]"),
    ],
)
def test_what_differs_is_named(seen, words):
    """The entry that differs most: the first ones may be the same number."""
    exercise = ProgramExercise(
        name="x", draws=lambda rng: [(X,)], points={"outputs": 1, "purity": 1}, reference=abs
    )
    compiled = programs(jax.jit(lambda x: x * 2))
    returned = [Returned(("",), (seen,))]
    finding = judge_agreement(drawn_of(exercise), compiled, returned, LocalRunner())
    assert finding is not None and words in finding.message


def python_loop(x, n):
    for _ in range(n):
        x = jnp.sin(x) * 2
    return x


LOOPS = {
    "fori_loop": lambda x, n: lax.fori_loop(0, n, lambda i, x: jnp.sin(x) * 2, x),
    "scan": lambda x, n: lax.scan(lambda x, _: (jnp.sin(x) * 2, x.sum()), x, length=n),
    "while_loop": lambda x, n: lax.while_loop(
        lambda s: s[0] < n, lambda s: (s[0] + 1, jnp.sin(s[1]) * 2), (0, x)
    ),
}


@pytest.mark.parametrize("name", LOOPS)
def test_loops_that_do_not_grow(name):
    assert judge_unrolling(programs(LOOPS[name], (8,), (16,)), (8, 16), LocalRunner()) is None


@pytest.mark.parametrize(
    "loop",
    [python_loop, lambda x, n: lax.scan(lambda x, _: (jnp.sin(x), x), x, length=n, unroll=n)],
)
def test_unrolled_loops(loop):
    finding = judge_unrolling(programs(loop, (8,), (16,)), (8, 16), LocalRunner())
    assert finding is not None and finding.rule == "unrolled"
    assert "from 8 to 16 iterations the program grows from" in finding.message


SPREAD = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 20, 21, 22, 23, 24, 25, 30, 32, 33)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(unroll=st.sampled_from(SPREAD), key=st.integers(0, 2**64))
def test_a_scan_that_unrolls_some_steps_is_no_unrolled_loop(unroll, key):
    def loop(x, n):
        return lax.scan(lambda x, _: (jnp.sin(x) * 2, x.sum()), x, length=n, unroll=unroll)

    few, more, many = (n for _, n in COUNTED.unrolling_calls(Draws(key)))
    found = judge_unrolling(
        programs(loop, (few,), (more,), (many,)), (few, more, many), LocalRunner()
    )
    assert found is None


@pytest.mark.slow
@pytest.mark.parametrize("chunk", [1, 5, 10, 20])
def test_a_python_loop_over_chunks_is_unrolled(chunk):
    def loop(x, n):
        for _ in range(n // chunk):
            x = lax.fori_loop(0, chunk, lambda _, x: python_loop(x, 15), x)
        return x

    numbers = [n for _, n in COUNTED.unrolling_calls(Draws(PUBLIC_KEY))]
    first, *others = ((n,) for n in numbers)
    found = judge_unrolling(programs(loop, first, *others), numbers, LocalRunner())
    assert found is not None and found.rule == "unrolled"


def one_step(x, _):
    return jnp.sin(x) * 2, x.sum()


@jax.jit
def sixteen_steps(x):
    return lax.scan(one_step, x, length=16)


def scan_for_each_chunk(x, n):
    kept = []
    for first in range(0, n, 16):
        x, sums = lax.scan(one_step, x, length=min(16, n - first))
        kept.append(sums)
    return x, jnp.concatenate(kept)


def jitted_for_each_chunk(x, n):
    kept = []
    for _ in range(0, n, 16):
        x, sums = sixteen_steps(x)
        kept.append(sums)
    return x, jnp.concatenate(kept)


@pytest.mark.parametrize("loop", [scan_for_each_chunk, jitted_for_each_chunk])
def test_chunks_of_few_operations_are_known_by_their_loops(loop):
    """Their programs grow by less than one operation for each iteration."""
    made = programs(loop, (32,), (80,), (144,))
    finding = judge_unrolling(made, (32, 80, 144), LocalRunner())
    assert finding is not None and finding.rule == "unrolled"
    assert finding.message == (
        "A loop is unrolled: from 32 to 144 iterations the program grows from 2 to 9 loops, and "
        "compiling takes ever longer.\nWrite the loop as `lax.scan` or `lax.fori_loop` over all "
        "iterations: its program does not grow unless `unroll` tells it to."
    )


@pytest.mark.gate
@pytest.mark.parametrize("unroll", [1, 2, 6, 20])
def test_loops_inside_of_a_loop_are_no_chunks(unroll):
    """Where steps are written out, before the loop or after it, so are the loops in them."""

    def loop(x, n):
        inner = lambda x, _: (lax.fori_loop(0, 3, lambda _, x: jnp.sin(x), x), x.sum())
        return lax.scan(inner, x, length=n, unroll=unroll)

    numbers = (15, 35, 69, 215)
    made = programs(loop, *((n,) for n in numbers))
    assert judge_unrolling(made, numbers, LocalRunner()) is None


def chunked(x, n):
    """Steps in chunks of eight; those that are left over have a loop of their own."""

    def steps(x, count):
        def body(x, _):
            for _ in range(10):
                x = jnp.sin(x) * 2
            return x, None

        return lax.scan(body, x, length=count)[0]

    x, _ = lax.scan(lambda x, _: (steps(x, 8), None), x, length=n // 8)
    return steps(x, n % 8) if n % 8 else x


@pytest.mark.parametrize("numbers", [(16, 28, 40), (20, 32, 44), (16, 26, 36), (14, 24, 34)])
def test_a_loop_more_for_steps_left_over_is_no_unrolled_loop(numbers):
    first, *others = ((n,) for n in numbers)
    assert judge_unrolling(programs(chunked, first, *others), numbers, LocalRunner()) is None


@pytest.mark.slow
def test_unrolled_beyond_all_bounds():
    """A worker sends no such program, unless it is forged."""

    def forged(n):
        jitted = jax.jit(lambda x: python_loop(x, n**3))
        exported = jax.export.export(jitted, platforms=("cpu", "cuda"))(X)
        return Program(bytes(exported.serialize()), ())

    finding = judge_unrolling((forged(8), forged(16)), (8, 16), LocalRunner())
    assert finding is not None and finding.rule == "unrolled"
    assert "iterations the program grows from 1537 to 12289 operations" in finding.message
