"""Custom calls run code that trusts stated shapes: only those pass that JAX itself makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax._src.export import _export
from jax.scipy import linalg as scipy_linalg

from autograder.model.program import Program, ProgramError
from autograder.programs.custom_calls import _TARGETS
from autograder.programs.exported import export_program, inspect_program, load_program
from autograder.programs.runner import LocalRunner

F32 = jnp.float32


def spec(*shape: int, dtype: Any = F32) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, dtype)


def letters(**given: str) -> dict[str, np.uint8]:
    return {name: np.uint8(ord(letter)) for name, letter in given.items()}


def column_major(rank: int) -> tuple[int, ...]:
    return (*range(rank - 2), rank - 1, rank - 2)


def lie(
    target: str,
    operands: list[jax.ShapeDtypeStruct],
    results: Any,
    aliases: dict[int, int] | None = None,
    by_rows: bool = False,
    **attributes: Any,
) -> Program:
    """Export a program that calls a routine on the CPU as stated, and something else on a GPU."""
    several = isinstance(results, tuple)

    def layout(leaf: jax.ShapeDtypeStruct) -> tuple[int, ...]:
        rank = len(leaf.shape)
        return tuple(range(rank)) if by_rows or rank < 2 else column_major(rank)

    def call(*arrays: jax.Array) -> Any:
        return jax.ffi.ffi_call(
            target,
            results,
            input_layouts=[layout(x) for x in operands],
            output_layouts=[layout(x) for x in results] if several else layout(results),
            input_output_aliases=aliases,
        )(*arrays, **attributes)

    def zeros(*_: jax.Array) -> Any:
        return jax.tree.map(lambda leaf: jnp.zeros(leaf.shape, leaf.dtype), results)

    def function(*arrays: jax.Array) -> Any:
        return lax.platform_dependent(*arrays, cpu=call, default=zeros)

    return export_program(jax.jit(function), tuple(operands))


POTRF = {"uplo": "L"}
NO_TRIANGLE = {"uplo": "X"}
TRSM = {"side": "L", "uplo": "L", "trans_x": "N", "diag": "N"}
INFO = spec(dtype=jnp.int32)

LIES = {
    # The first two were written past the end of the result, and read past that of an operand.
    "a result too small": ("lapack_spotrf_ffi", [spec(200, 200)], (spec(1, 1), INFO), {}, POTRF),
    "a batch too small": (
        "lapack_strsm_ffi",
        [spec(1, 3, 3), spec(40, 3, 5)],
        spec(40, 3, 5),
        {1: 0},
        TRSM,
    ),
    "another triangle": ("lapack_strsm_ffi", [spec(2, 2), spec(3, 5)], spec(3, 5), {1: 0}, TRSM),
    "no place for the status": (
        "lapack_spotrf_ffi",
        [spec(9, 3, 3)],
        (spec(9, 3, 3), spec(1, dtype=jnp.int32)),
        {0: 0},
        POTRF,
    ),
    "another dtype": (
        "lapack_spotrf_ffi",
        [spec(3, 3, dtype=jnp.int32)],
        (spec(3, 3, dtype=jnp.int32), INFO),
        {0: 0},
        POTRF,
    ),
    "another precision": (
        "lapack_zpotrf_ffi",
        [spec(3, 3)],
        (spec(3, 3), INFO),
        {0: 0},
        POTRF,
    ),
    "no square": ("lapack_spotrf_ffi", [spec(9, 3)], (spec(9, 3), INFO), {0: 0}, POTRF),
    "no alias": ("lapack_spotrf_ffi", [spec(3, 3)], (spec(3, 3), INFO), {}, POTRF),
    "another letter": (
        "lapack_spotrf_ffi",
        [spec(3, 3)],
        (spec(3, 3), INFO),
        {0: 0},
        {"uplo": "X"},
    ),
    "no letter": ("lapack_spotrf_ffi", [spec(3, 3)], (spec(3, 3), INFO), {0: 0}, {}),
    "too few pivots": (
        "lapack_sgetrf_ffi",
        [spec(9, 5)],
        (spec(9, 5), spec(2, dtype=jnp.int32), INFO),
        {0: 0},
        {},
    ),
    "more reflectors than columns": (
        "lapack_sorgqr_ffi",
        [spec(9, 3), spec(50)],
        spec(9, 3),
        {0: 0},
        {},
    ),
    "wide and thin at once": (
        "lapack_sgesdd_ffi",
        [spec(9, 3)],
        (spec(9, 3), spec(3), spec(9, 3), spec(3, 3), INFO),
        {0: 0},
        {"mode": "A"},
    ),
    "in the operand's place": (
        "lapack_sgesdd_ffi",
        [spec(9, 3)],
        (spec(9, 3), spec(3), spec(9, 9), spec(3, 3), INFO),
        {0: 0},
        {"mode": "O"},
    ),
    "one operand more": (
        "lapack_spotrf_ffi",
        [spec(3, 3), spec(3, 3)],
        (spec(3, 3), INFO),
        {0: 0},
        POTRF,
    ),
    "one result less": ("lapack_spotrf_ffi", [spec(3, 3)], spec(3, 3), {0: 0}, POTRF),
    "Schur, which no GPU has": (
        "lapack_sgees_ffi",
        [spec(3, 3)],
        (spec(3, 3), spec(3, 3), spec(3), spec(3), INFO, INFO),
        {0: 0},
        {"mode": "V", "sort": "N"},
    ),
    "a real name for complex numbers": (
        "lapack_csyevd_ffi",
        [spec(3, 3, dtype=jnp.complex64)],
        (spec(3, 3, dtype=jnp.complex64), spec(3), INFO),
        {0: 0},
        {"mode": "V", "uplo": "L"},
    ),
}


def forged(case: str, monkeypatch: pytest.MonkeyPatch) -> Program:
    target, operands, results, aliases, chars = LIES[case]
    known = _export._CUSTOM_CALL_TARGETS_GUARANTEED_STABLE
    name = "_CUSTOM_CALL_TARGETS_GUARANTEED_STABLE"
    monkeypatch.setattr(_export, name, known | {target})  # otherwise JAX refuses to export it
    return lie(target, operands, results, aliases, False, **letters(**chars))


@pytest.mark.parametrize("case", LIES)
def test_a_call_that_lies_is_refused(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = forged(case, monkeypatch)
    with pytest.raises(ProgramError, match=LIES[case][0]) as error:
        load_program(program.blob)
    assert error.value.rule == "custom-call"


@pytest.mark.parametrize("by_rows", [False, True])
def test_what_jax_states_itself_passes_and_works(by_rows: bool) -> None:
    """The lies above are refused for what they say, not for how they were made."""
    program = lie(
        "lapack_spotrf_ffi",
        [spec(2, 3, 3)],
        (spec(2, 3, 3), spec(2, dtype=jnp.int32)),
        {0: 0},
        by_rows,
        **letters(uplo="L"),
    )
    if by_rows:
        with pytest.raises(ProgramError, match="lapack_spotrf_ffi"):
            load_program(program.blob)
        return
    found, _ = LocalRunner().run(program.blob, (np.stack([np.eye(3, dtype=np.float32) * 4] * 2),))
    np.testing.assert_array_equal(np.diagonal(found, axis1=1, axis2=2), np.full((2, 3), 2.0))


def _solve(a: jax.Array, b: jax.Array) -> Any:
    return jnp.linalg.solve(a, b), jnp.linalg.lstsq(a, b)[0] if a.ndim == 2 else b


SQUARE: dict[str, Callable[[jax.Array], Any]] = {
    "cholesky": jnp.linalg.cholesky,
    "upper": lambda a: jnp.linalg.cholesky(a, upper=True),
    "slogdet": jnp.linalg.slogdet,
    "det": jnp.linalg.det,
    "inv": jnp.linalg.inv,
    "eigh": jnp.linalg.eigh,
    "eigvalsh": jnp.linalg.eigvalsh,
    "eigh upper": lambda a: jnp.linalg.eigh(a, UPLO="U"),
    "tridiagonal": lax.linalg.tridiagonal,
    "tridiagonal upper": lambda a: lax.linalg.tridiagonal(a, lower=False),
    "expm": scipy_linalg.expm,
    "matrix_power": lambda a: jnp.linalg.matrix_power(a, -2),
    "tridiagonal_solve": lambda a: lax.linalg.tridiagonal_solve(
        a[..., 0], a[..., 0] + 9, a[..., 0], a
    ),
}
ANY: dict[str, Callable[[jax.Array], Any]] = {
    "lu": lax.linalg.lu,
    "qr": jnp.linalg.qr,
    "qr complete": lambda a: jnp.linalg.qr(a, mode="complete"),
    "qr r": lambda a: jnp.linalg.qr(a, mode="r"),
    "qr raw": lambda a: jnp.linalg.qr(a, mode="raw"),
    "svd": jnp.linalg.svd,
    "svd thin": lambda a: jnp.linalg.svd(a, full_matrices=False),
    "svd values": lambda a: jnp.linalg.svd(a, compute_uv=False),
    "pinv": jnp.linalg.pinv,
    "norm": lambda a: jnp.linalg.norm(a, ord="nuc", axis=(-2, -1)),
    "cond": jnp.linalg.cond,
    "rank": jnp.linalg.matrix_rank,
}


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("batch", "dtype"),
    [
        ((2,), "float32"),
        *(
            pytest.param(batch, dtype, marks=SLOW)
            for dtype in ("float32", "complex64")
            for batch in ((), (2,), (2, 3), (0,))
        ),
    ],
)
@pytest.mark.parametrize("name", [*SQUARE, *ANY])
def test_linear_algebra_of_jax_is_admitted(name: str, batch: tuple[int, ...], dtype: str) -> None:
    shapes = [(4, 4)] if name in SQUARE else [(5, 3), (3, 5), (4, 4)]
    function = SQUARE.get(name) or ANY[name]
    for shape in shapes:
        program = export_program(jax.jit(function), (spec(*batch, *shape, dtype=dtype),))
        load_program(program.blob)


@pytest.mark.parametrize("shape", [(1, 1), (40, 33), (33, 40), (1100, 1050), (1050, 1100)])
def test_sizes_for_which_a_gpu_has_routines_of_its_own(shape: tuple[int, int]) -> None:
    for options in ({}, {"full_matrices": False}, {"compute_uv": False}):
        function = jax.jit(lambda a, options=options: jnp.linalg.svd(a, **options))
        load_program(export_program(function, (spec(*shape),)).blob)
        load_program(export_program(function, (spec(2, *shape),)).blob)


def total(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: sum(jnp.sum(leaf) for leaf in jax.tree.leaves(function(*args)))


ROUND = {
    "solve": (_solve, [spec(4, 4), spec(4, 2)]),
    "solve batched": (jax.vmap(_solve, (0, None)), [spec(3, 4, 4), spec(4, 2)]),
    "vector": (jnp.linalg.solve, [spec(4, 4), spec(4)]),
    "cho_solve": (lambda a, b: scipy_linalg.cho_solve((a, True), b), [spec(4, 4), spec(4)]),
    "from the right": (
        lambda a, b: lax.linalg.triangular_solve(a, b, transpose_a=True, unit_diagonal=True),
        [spec(4, 4), spec(2, 4)],
    ),
    "one factor, many sides": (
        jax.vmap(lambda a, b: scipy_linalg.solve_triangular(a, b, lower=True), (None, 0)),
        [spec(4, 4), spec(3, 4)],
    ),
    "vmap of vmap": (
        jax.vmap(jax.vmap(jnp.linalg.solve, (0, None)), (None, 0)),
        [spec(3, 5, 5), spec(2, 5)],
    ),
    "householder": (lax.linalg.householder_product, [spec(5, 3), spec(2)]),
    "gradient of slogdet": (jax.grad(total(jnp.linalg.slogdet)), [spec(4, 4)]),
    "gradient of svd": (
        jax.grad(total(lambda a: jnp.linalg.svd(a, full_matrices=False))),
        [spec(5, 3)],
    ),
    "gradient of eigh": (jax.grad(total(jnp.linalg.eigh)), [spec(4, 4)]),
    "gradient of qr": (jax.grad(total(jnp.linalg.qr)), [spec(5, 3)]),
    "Hessian of cholesky": (jax.hessian(total(jnp.linalg.cholesky)), [spec(3, 3)]),
    "normal": (
        lambda m, c: jax.random.multivariate_normal(jax.random.key(0), m, c, (3,)),
        [spec(4), spec(4, 4)],
    ),
    "in a loop": (
        lambda a: lax.fori_loop(0, 3, lambda _, x: jnp.linalg.cholesky(x @ x.T), a),
        [spec(4, 4)],
    ),
    "approximate top": (lambda x: lax.approx_max_k(x, 3), [spec(2, 70)]),
    "approximate top of a part": (
        lambda x: lax.approx_min_k(x, 3, reduction_dimension=0, aggregate_to_topk=False),
        [spec(70, 2)],
    ),
    "in another memory": (lambda x: jax.device_put(x, jax.memory.Space.Host) + 1, [spec(7)]),
}


@pytest.mark.parametrize("case", ROUND)
def test_other_functions_of_jax_are_admitted(case: str) -> None:
    function, specs = ROUND[case]
    load_program(export_program(jax.jit(function), tuple(specs)).blob)


def test_double_precision_and_random_numbers_of_the_gpu_are_admitted() -> None:
    with jax.enable_x64(True):
        for dtype in (jnp.float64, jnp.complex128):
            for name in ("cholesky", "eigh", "tridiagonal", "slogdet", "tridiagonal_solve"):
                program = export_program(jax.jit(SQUARE[name]), (spec(4, 4, dtype=dtype),))
                load_program(program.blob)
    before = jax.config.values["jax_threefry_gpu_kernel_lowering"]
    jax.config.update("jax_threefry_gpu_kernel_lowering", True)
    try:
        draw = jax.jit(lambda x: jax.random.normal(jax.random.key(1), (70, 2)) + x)
        found = inspect_program(export_program(draw, (spec(),)).blob)
        assert found.custom_calls == {"cu_threefry2x32_ffi"}
    finally:
        jax.config.update("jax_threefry_gpu_kernel_lowering", before)


def test_the_operands_or_a_rule_decide_every_size_of_a_result():
    """What a signature leaves open would be a size that a program may state as it likes."""
    for forms, _ in _TARGETS.values():
        for form in forms:
            operands, results = (
                set("".join(token.partition(":")[2] for token in side.split()))
                for side in form.signature.split(" -> ")
            )
            assert results - operands <= {*form.sizes, *"kp-"}, form
