"""A small bundle to try the timing with.

`python -m autograder.tests.benchmarks.example_bundle FOLDER` writes it.

Programs do a known multiple of the baseline's work, so the ratios are known too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import export

from autograder.criteria.speed.bundle import BundleWriter, Entry
from autograder.criteria.speed.right_results import Arrays, Draw, as_arrays
from autograder.programs.reference import expected_results

SIZE = 96


def steps(count: int) -> Callable[[jax.Array, jax.Array], jax.Array]:
    """A program whose run time is proportional to `count`: damped matrix products in a row."""

    def run(matrix: jax.Array, start: jax.Array) -> jax.Array:
        def step(_: Any, x: jax.Array) -> jax.Array:
            return 0.5 * x + 0.5 * jnp.tanh(matrix @ x)

        return jax.lax.fori_loop(0, count, step, start)

    return run


def detour(count: int) -> Callable[[jax.Array, jax.Array], jax.Array]:
    """What `steps(4)` returns, after `count` steps for nothing."""
    return lambda matrix, start: steps(4)(matrix, start) + 0 * steps(count)(matrix, start)


def draws(count: int = 2, seed: int = 0) -> list[list[np.ndarray]]:
    """Inputs of `steps`: a matrix and a start, both float32 [SIZE, SIZE]."""
    rng = np.random.default_rng(seed)
    shape = (SIZE, SIZE)
    return [
        [(rng.normal(size=shape) / SIZE).astype(np.float32), rng.normal(size=shape).astype("f4")]
        for _ in range(count)
    ]


def unjudged(draws: Sequence[Arrays]) -> list[Draw]:
    """Draws on which any result is right."""
    return [Draw(arrays, lambda got: None) for arrays in draws]


def exported(function: Callable[..., Any], draw: list[np.ndarray]) -> bytes:
    """A function exported for cpu and cuda with full float32 products, serialized."""
    specs = [jax.ShapeDtypeStruct(array.shape, array.dtype) for array in draw]
    with jax.default_matmul_precision("highest"):
        program = export.export(jax.jit(function), platforms=("cpu", "cuda"))(*specs)
    return bytes(program.serialize())


def add_example(
    writer: BundleWriter,
    name: str,
    program: bytes,
    baseline: bytes,
    right: Callable[..., Any],
    *,
    reference_solution: bytes | None = None,
    **fields: Any,
) -> Entry:
    """Add a program to time on `draws()`, whose results should be those of `right`."""
    inputs = draws()
    with jax.default_matmul_precision("highest"):
        expected = [expected_results(right, tuple(draw)) for draw in inputs]
    entry = Entry(
        exercise=name,
        program=writer.put_program(program),
        baseline=writer.put_program(baseline),
        reference_solution=""
        if reference_solution is None
        else writer.put_program(reference_solution),
        inputs=writer.put_arrays(inputs),
        expected=writer.put_arrays([as_arrays(one) for one in expected]),
        paths=tuple(leaf.path for leaf in expected[0]),
        **({"rubric": "0" * 64, "key": 1, "threshold": 3.0} | fields),
    )
    return writer.add(entry)


def write_example(folder: Path, programs: int = 4) -> Path:
    """A bundle whose programs are 1, 2, 4 ... times as quick as the baseline asks for."""
    inputs = draws()
    writer = BundleWriter(folder)
    most = 2**10
    baseline = exported(steps(most), inputs[0])
    for i in range(programs):
        count = most // 2 ** (i % 6)

        # The same loop, told apart so that each is timed.
        def right(m: Any, x: Any, count: int = count, i: int = i) -> Any:
            return steps(count)(m, x) + i

        name = f"example_{most // count}x_{i}"
        add_example(writer, name, exported(right, inputs[0]), baseline, right, key=i)
    return writer.close()


if __name__ == "__main__":
    print(write_example(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 4))
