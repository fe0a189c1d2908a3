import dataclasses
import io
import subprocess
import sys
import time
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax._src.interpreters import mlir
from jax.core import Tracer
from jaxlib.mlir import ir

from autograder.model.program import ProgramError
from autograder.programs.exported import abstract, export_program, load_program
from autograder.programs.jax_private import unrolled_size, written_size
from autograder.programs.runner import LocalRunner


def bytecode(text):
    """MLIR text as the bytes that an exported program holds."""
    written = io.BytesIO()
    with mlir.make_ir_context():
        ir.Module.parse(text).operation.write_bytecode(written)
    return written.getvalue()


X = np.arange(6, dtype=np.float32).reshape(2, 3)


def run(function, *args):
    program = export_program(function, abstract(args))
    return program, LocalRunner().run(program.blob, args)


def test_round_trip_through_bytes():
    program, (result,) = run(jax.jit(lambda x: 2 * x + 1), X)
    assert program.names == ("",)
    np.testing.assert_array_equal(result, 2 * X + 1)


def test_statics_stay_plain_values():
    function = jax.jit(lambda x, power: x**power if power > 1 else x, static_argnums=1)
    _, (result,) = run(function, X, 3)
    np.testing.assert_allclose(result, X**3)


def test_results_are_named_leaves():
    class Pair(NamedTuple):
        total: jax.Array
        parts: dict

    program, (total, left) = run(lambda x: Pair(x.sum(), {"left": x[:, 0]}), X)
    assert program.names == (".total", ".parts['left']")
    assert total == 15
    np.testing.assert_array_equal(left, X[:, 0])


def test_linear_algebra_is_on_the_allow_list():
    def solve(a):
        return jnp.linalg.slogdet(a @ a.T + jnp.eye(2)), jnp.linalg.cholesky(a @ a.T + jnp.eye(2))

    _, results = run(jax.jit(solve), X)
    assert len(results) == 3
    np.testing.assert_allclose(results[1], np.linalg.slogdet(X @ X.T + np.eye(2))[1], rtol=1e-5)


LOADED = """
import sys
import numpy as np
from autograder.programs.runner import LocalRunner
blob = open(sys.argv[1], "rb").read()
print(LocalRunner().run(blob, (np.full((1, 1), 9, np.float32),))[0])
"""


@pytest.mark.slow
def test_linear_algebra_in_a_process_that_lowered_none(tmp_path):
    matrix = jax.ShapeDtypeStruct((1, 1), jnp.float32)
    file = tmp_path / "program"
    file.write_bytes(export_program(jax.jit(jnp.linalg.cholesky), (matrix,)).blob)
    command = [sys.executable, "-c", LOADED, str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "[[3.]]\n"), done.stderr


def test_shapes_alone_are_traced():
    seen = []
    export_program(lambda x: seen.append(type(x).__mro__) or x, abstract((X,)))
    assert all(Tracer in mro for mro in seen)


@pytest.mark.parametrize(
    ("function", "rule", "words"),
    [
        (lambda x: jax.debug.print("{}", x) or x, "effects", "Debug"),
        (
            lambda x: jax.pure_callback(lambda v: v, jax.ShapeDtypeStruct((2, 3), jnp.float32), x),
            "callback",
            "callback",
        ),
        (lambda x: {"name": "oak", "x": x}, "not-an-array", r"result\['name'\] is a str"),
        (lambda x: (x, None), "not-an-array", r"result\[1\] is None"),
    ],
)
def test_what_cannot_be_a_program(function, rule, words):
    with pytest.raises(ProgramError, match=words) as error:
        export_program(function, abstract((X,)))
    assert error.value.rule == rule


OUTER = jax.new_ref(jnp.zeros(3))


def keeps_outside(x):
    OUTER[0] = x.sum()
    return x


def keeps_inside(x):
    sums = jax.new_ref(jnp.zeros(2))
    for i in range(2):
        sums[i] = x[i].sum()
    return sums[...]


def test_a_reference_of_the_functions_own_is_no_side_effect():
    with pytest.raises(ProgramError) as error:
        export_program(keeps_outside, abstract((X,)))
    assert error.value.rule == "outer-reference"
    assert "made outside of it" in error.value.finding().message
    _, (got,) = run(keeps_inside, X)
    np.testing.assert_allclose(got, X.sum(axis=1), rtol=1e-6)


def test_endless_tracing_is_stopped():
    def hang(x):
        while True:
            time.sleep(0.01)

    with pytest.raises(ProgramError, match=r"longer than 0\.3 s") as error:
        export_program(hang, abstract((X,)), seconds=0.3)
    assert error.value.rule == "trace-timeout"


def test_custom_call_off_the_list_is_refused():
    def foreign(x):
        return jax.ffi.ffi_call("steal_secrets", jax.ShapeDtypeStruct(x.shape, x.dtype))(x)

    exported = jax.export.export(
        jax.jit(foreign),
        platforms=("cpu", "cuda"),
        disabled_checks=[jax.export.DisabledSafetyCheck.custom_call("steal_secrets")],
    )(jax.ShapeDtypeStruct((2, 3), jnp.float32))
    with pytest.raises(ProgramError, match="steal_secrets") as error:
        load_program(bytes(exported.serialize()))
    assert error.value.rule == "custom-call"


@pytest.mark.parametrize("blob", [b"", b"not a program", b"\0" * 100])
def test_bytes_that_are_no_program(blob):
    with pytest.raises(ProgramError) as error:
        load_program(blob)
    assert error.value.rule == "unreadable-program"


def test_unrolled_loop_is_too_large():
    def unrolled(x):
        for _ in range(3000):
            x = jnp.sin(x) + 1
        return x

    with pytest.raises(ProgramError, match=r"^6,\d{3} operations") as error:
        export_program(unrolled, abstract((X,)), seconds=60)
    assert error.value.rule == "too-large"
    load_program(
        export_program(
            lambda x: lax.fori_loop(0, 3000, lambda i, y: jnp.sin(y) + 1, x), abstract((X,))
        ).blob
    )


def test_a_loop_that_is_unrolled_in_part_counts_once():
    """Whichever release of JAX writes it out: as a function called 20 times, or 20 times."""

    def step(x, _):
        for _ in range(50):
            x = jnp.sin(x @ x.T) @ x + 1
        return x, None

    def fit(x):
        return lax.scan(step, x, length=40, unroll=20)[0]

    jaxpr = jax.make_jaxpr(fit)(X)
    assert 200 < written_size(jaxpr) < 300 and unrolled_size(jaxpr) > 4000
    load_program(export_program(fit, abstract((X,))).blob)


def test_program_for_other_inputs():
    program = export_program(lambda x: x, abstract((X,)))
    with pytest.raises(ProgramError, match="made for") as error:
        LocalRunner().run(program.blob, (X.T,))
    assert error.value.rule == "other-inputs"


def test_operations_of_other_dialects_are_refused_whatever_the_program_claims():
    text = """
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
    %y = "mhlo.custom_call"(%x) {call_target_name = "xla_ffi_python_cpu_callback",
         has_side_effect = true, api_version = 4 : i32, backend_config = {index = 0 : ui64}}
         : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %y : tensor<2x3xf32>
  }
}"""
    right = jax.export.export(jax.jit(lambda x: x), platforms=("cpu", "cuda"))(X)
    forged = dataclasses.replace(
        right,
        mlir_module_serialized=bytecode(text),
        uses_global_constants=False,
    )
    with pytest.raises(ProgramError, match=r"mhlo\.custom_call") as error:
        load_program(bytes(forged.serialize()))
    assert error.value.rule == "foreign"


def test_what_xla_would_write_out_for_minutes_is_refused_before_it_is_exported():
    def fit(x, unroll):
        step = jax.grad(lambda x: jnp.sum(jnp.exp(jnp.sin(x) * x)))
        return lax.scan(lambda x, _: (x - 0.1 * step(x), None), x, length=5000, unroll=unroll)[0]

    began = time.monotonic()
    with pytest.raises(ProgramError, match="operations") as error:
        export_program(lambda x: fit(x, True), abstract((X,)))
    assert error.value.rule == "too-large" and time.monotonic() - began < 10
    export_program(lambda x: fit(x, 20), abstract((X,)))


def test_functions_that_call_each_other_are_counted_in_no_time():
    def twice(f):
        return jax.jit(lambda x: f(x) + f(x))

    function = jnp.sin
    for _ in range(40):
        function = twice(function)
    assert unrolled_size(jax.make_jaxpr(function)(X)) > 2**40


def test_a_program_that_holds_a_tracer_of_another_trace_is_reported_as_a_leak():
    pending = []

    @jax.jit
    def flush():
        return 2 * pending[0]

    def doubled(x):
        pending.append(x + 1)
        result = flush()
        pending.clear()
        return result

    export_program(doubled, abstract((X,)))
    with pytest.raises(jax.errors.UnexpectedTracerError, match=r"test_exported\.py"):
        export_program(doubled, abstract((X[:1],)))
