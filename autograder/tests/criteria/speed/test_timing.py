"""Timing real programs: verdicts, resuming, programs that hang, lie or cannot be loaded."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

from autograder.criteria.speed import child, pairs, speed_process
from autograder.criteria.speed.bundle import BundleWriter, read_bundle
from autograder.criteria.speed.child import compile_program
from autograder.criteria.speed.pairs import SpeedComparison, Standard, TimedProgram
from autograder.criteria.speed.results import ResultsError, read_results
from autograder.criteria.speed.speed_process import (
    SpeedProcess,
    compile_ahead,
    environment_for,
    find_parts,
)
from autograder.model.program import ProgramError
from autograder.processes.child_process import caching_in
from autograder.speed import main, time_bundle
from autograder.tests.benchmarks.example_bundle import add_example, draws, exported, steps, unjudged

CPU = jax.devices("cpu")[0]
INPUTS = draws()
DRAWS = unjudged(INPUTS)


def runner(count: int, iterations: int = 1) -> TimedProgram:
    return TimedProgram(jax.jit(steps(count)).lower(*INPUTS[0]).compile(), CPU, iterations)


def compare(baseline: TimedProgram | Standard, program: TimedProgram, threshold: float, **how: Any):
    shared = Standard(baseline, DRAWS) if isinstance(baseline, TimedProgram) else baseline
    return pairs.compare(shared, program, threshold, **how)


def one_entry(path: Path, program: bytes, **fields: Any) -> Path:
    writer = BundleWriter(path)
    add_example(writer, "task", program, exported(steps(64), INPUTS[0]), steps(4), **fields)
    return writer.close()


@pytest.mark.slow
def test_verdicts_of_known_ratios() -> None:
    slow, fast = runner(256), runner(16)
    assert compare(slow, fast, 3.0).verdict in ("passed", "inconclusive")
    assert compare(fast, slow, 3.0).verdict in ("failed", "inconclusive")


@pytest.mark.slow
def test_the_solution_decides_whatever_the_baseline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The ratio to the baseline is told, and says nothing new: all ran in the same turns."""
    monkeypatch.setattr(pairs, "MAX_NOISE", float("inf"))  # whatever else runs here
    for baseline in (1024, 4):
        standard = Standard(runner(baseline), DRAWS, runner(64))
        fast, slow = (compare(standard, runner(n), 10.0, limit_seconds=5) for n in (64, 1024))
        # On a busy machine there may be no verdict, but never a wrong one.
        assert fast.verdict in ("passed", "inconclusive")
        assert slow.verdict in ("failed", "inconclusive")
        assert 0.3 < fast.slower < 3 < slow.slower
        assert slow.slower_low <= slow.slower <= slow.slower_high
        assert slow.own_ratio > 3 * slow.ratio  # the program is as far behind there


@pytest.mark.slow
def test_a_baseline_of_several_programs_is_settled_once_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settled, real = [], pairs._find_window
    monkeypatch.setattr(pairs, "_find_window", lambda *a: settled.append(a) or real(*a))
    monkeypatch.setattr(pairs, "MAX_NOISE", float("inf"))  # whatever else runs here
    shared = Standard(runner(64), DRAWS)
    for count in (8, 16):
        assert compare(shared, runner(count), 1e9).pairs > 0
    assert len(settled) == 1
    monkeypatch.setattr(pairs, "SETTLED_SECONDS", -1.0)
    shared = Standard(runner(64), DRAWS)
    for count in (8, 16):
        compare(shared, runner(count), 1e9)
    assert len(settled) == 3


@pytest.mark.parametrize(("limit", "windows"), [(60.0, 3), (0.0, 1)])
def test_a_noisy_machine_is_given_up_on_at_the_limit(
    limit: float, windows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A learner at a busy laptop, who gets no verdict from its CPU anyway, need not wait long."""
    tried, real = [], pairs._time_turn
    monkeypatch.setattr(pairs, "_time_turn", lambda *a: tried.append(a[2]) or real(*a))
    monkeypatch.setattr(pairs, "MAX_NOISE", -1.0)
    monkeypatch.setattr(pairs, "WINDOWS", (1e-4, 2e-4, 3e-4))
    comparison = compare(runner(4), runner(4), 1.0, limit_seconds=limit)
    assert "too noisy" in comparison.reason
    assert len(set(tried)) == windows


@pytest.mark.slow
def test_times_are_per_iteration() -> None:
    comparison = compare(runner(128, 128), runner(16, 16), 3.0)
    assert comparison.verdict in ("failed", "inconclusive")
    assert not comparison.ratio > 3.0


@pytest.mark.slow
def test_program_that_changes_its_mind_fails() -> None:
    counter = itertools.count()
    good = runner(16)

    def moody(*arrays: jax.Array) -> jax.Array:
        return good.run(*arrays) * (1 if next(counter) < 8 else 2)

    comparison = compare(good, TimedProgram(moody, CPU), 0.1)  # which it reaches, however busy
    assert comparison.verdict in ("failed", "inconclusive")
    if comparison.verdict == "failed":
        assert comparison.reason == "the program gave another result on the same inputs."
    baseline = compare(TimedProgram(moody, CPU), good, 0.1)
    assert baseline.verdict in ("passed", "inconclusive")


@pytest.mark.slow
def test_nan_results_are_equal_to_themselves() -> None:
    nan = TimedProgram(lambda *_: jnp.full(3, jnp.nan), CPU)
    assert "another result" not in compare(nan, nan, 100.0).reason


@pytest.mark.slow
def test_stops_at_the_limit() -> None:
    long = runner(1024)
    comparison = compare(long, long, 1.0, limit_seconds=0.0)
    assert comparison.verdict == "inconclusive"
    assert comparison.reason.startswith(
        ("stopped after 0 s and 11 pairs", "the machine is too noisy")
    )


@pytest.mark.slow
def test_short_runs_are_judged_on_a_busy_machine_if_the_verdict_is_clear(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its waiting times draw a ratio to one, but not to the other side of what is required."""
    monkeypatch.setattr(pairs, "_QUIET", -1.0)
    monkeypatch.setattr(pairs, "_SHORT_SECONDS", 1.0)
    monkeypatch.setattr(pairs, "MAX_NOISE", float("inf"))
    assert compare(runner(256), runner(4), 0.01).verdict == "passed"
    monkeypatch.setattr(pairs, "_FAR", 1e9)
    comparison = compare(runner(64), runner(4), 0.01)
    assert comparison.verdict == "inconclusive"
    assert "too short to be compared" in comparison.reason


def load(blob: bytes, draw: list[np.ndarray] = INPUTS[0]) -> TimedProgram:
    return compile_program(blob, draw, CPU, 1)


def test_loading_refuses_other_things() -> None:
    with pytest.raises(ProgramError) as error:
        load(b"no program")
    assert error.value.rule == "unreadable-program"
    program = exported(steps(4), INPUTS[0])
    with pytest.raises(ProgramError, match="called with"):
        load(program, [INPUTS[0][0], INPUTS[0][1].astype("f8")])
    only_cuda = export.export(jax.jit(steps(4)), platforms=("cuda",))(
        *[jax.ShapeDtypeStruct(a.shape, a.dtype) for a in INPUTS[0]]
    )
    with pytest.raises(ProgramError, match=r"made for 1 x \('cuda',\)"):
        load(bytes(only_cuda.serialize()))


def test_loading_refuses_foreign_custom_calls() -> None:
    def call_out(matrix: jax.Array, start: jax.Array) -> jax.Array:
        return jax.ffi.ffi_call("run_anything", start)(matrix, start)

    specs = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in INPUTS[0]]
    program = export.export(
        jax.jit(call_out),
        platforms=("cpu", "cuda"),
        disabled_checks=[export.DisabledSafetyCheck.custom_call("run_anything")],
    )(*specs)
    with pytest.raises(ProgramError, match=r"^run_anything$"):
        load(bytes(program.serialize()))
    choleskys = exported(lambda m, x: jnp.linalg.cholesky(m @ m.T + 9 * jnp.eye(96)), INPUTS[0])
    load(choleskys)


def refused() -> bytes:
    """A program that is not loaded: it is for one platform only."""
    specs = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in INPUTS[0]]
    return bytes(export.export(jax.jit(steps(4)), platforms=("cpu",))(*specs).serialize())


@pytest.mark.slow
def test_what_cannot_be_loaded_is_reported_in_the_students_words(tmp_path: Path) -> None:
    """Not by the name of a file, which is a hash, on a machine that the student never sees."""
    bundle = read_bundle(one_entry(tmp_path / "b", refused()))
    (record,) = time_bundle(bundle, "cpu", tmp_path / "r.json", say=lambda _: None).values()
    assert record["information"] == "failed"
    assert record["reason"].startswith("The program contains something that JAX never exports")
    assert bundle.entries[0].program not in record["reason"]
    assert str(tmp_path) not in record["reason"]


@pytest.mark.slow
def test_a_faulty_bundle_is_nobodys_submission(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whoever times is told which file; the report on a submission is not."""
    writer = BundleWriter(tmp_path / "b")
    program, baseline = exported(steps(4), INPUTS[0]), refused()
    add_example(writer, "task", program, baseline, steps(4))
    bundle = read_bundle(writer.close())
    (record,) = time_bundle(bundle, "cpu", tmp_path / "r.json", say=lambda _: None).values()
    assert (record["information"], record["fault"]) == ("inconclusive", True)
    assert "The program is not to blame" in record["reason"]
    assert str(tmp_path) not in record["reason"]
    name = f"{bundle.entries[0].baseline}.stablehlo cannot be loaded (made for 1 x ('cpu',))"
    assert name in capfd.readouterr().err


@pytest.mark.slow
def test_a_program_that_does_not_run_has_failed_and_memory_is_the_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = read_bundle(one_entry(tmp_path / "b", exported(steps(4), INPUTS[0])))

    def timed(says: str) -> SpeedComparison:
        def broken(*arrays: jax.Array) -> jax.Array:
            raise RuntimeError(says)

        monkeypatch.setattr(child, "compile_program", lambda *a: TimedProgram(broken, CPU))
        return child.compare_entry(CPU, str(bundle.path), 0, 1.0, lambda what: None)

    monkeypatch.setattr(pairs, "MAX_NOISE", float("inf"))  # whatever else runs here
    settled = Standard(runner(64), DRAWS)
    monkeypatch.setattr(child, "load_standard", lambda *a: settled)
    comparison = timed("INVALID_ARGUMENT: no kernel\n  at /home/me/x.cc")
    assert comparison.verdict == "failed"
    assert "cannot be run (RuntimeError: INVALID_ARGUMENT: no kernel)" in comparison.reason
    comparison = timed("RESOURCE_EXHAUSTED: out of memory")
    assert (comparison.verdict, comparison.fault) == ("inconclusive", True)
    assert "the machine that timed the program ran out of memory" in comparison.reason


def test_a_child_takes_only_the_memory_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """JAX would take three quarters of a GPU's, of which a notebook's kernel has as much."""
    monkeypatch.setenv("XLA_PYTHON_CLIENT_PREALLOCATE", "true")
    monkeypatch.setenv("JAX_PLATFORMS", "tpu")
    monkeypatch.setenv("JAX_DISABLE_JIT", "1")
    for platform, wanted in (("gpu", "cuda"), ("cpu", "cpu"), ("any", "tpu")):
        environment = environment_for(platform)
        assert environment["XLA_PYTHON_CLIENT_PREALLOCATE"] == "false"
        assert environment["JAX_PLATFORMS"] == wanted
        assert "JAX_DISABLE_JIT" not in environment
        assert ("xla_gpu_enable_triton_gemm" in environment.get("XLA_FLAGS", "")) == (
            platform == "gpu"
        )


@pytest.mark.slow
@pytest.mark.parametrize("platforms", ["cpu", "abacus"])
def test_without_a_gpu_any_device_is_the_cpu(
    platforms: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAX_PLATFORMS", platforms)
    monkeypatch.setenv("NPROC", "3")  # as XLA is told on shared machines
    with closing(SpeedProcess("any", silent=True)) as found:
        found.start()
    assert (found.platform, found.threads) == ("cpu", 3)


@pytest.mark.slow
def test_bundle_is_timed_and_taken_up_where_it_was_left(tmp_path: Path) -> None:
    bundle = read_bundle(one_entry(tmp_path / "b", exported(steps(4), INPUTS[0])))
    out = tmp_path / "results.json"
    lines: list[str] = []
    results = time_bundle(bundle, "cpu", out, say=lines.append)
    (key,) = results
    assert key == bundle.entries[0].result_key
    record = results[key]
    assert record["status"] == "pending"
    assert record["information"] in ("passed", "inconclusive")
    assert (
        lines[0] == "timed on cpu for information: the criterion stays pending until a GPU decides."
    )
    assert lines[1].startswith("task: pending [")
    written = read_results(out)
    assert (written.platform, written.jax) == ("cpu", jax.__version__)
    assert written.records.keys() == {key}
    assert json.loads(out.read_text())["schema"] == 2
    assert [file.name for file in tmp_path.glob(".results*")] == []

    lines.clear()
    assert time_bundle(bundle, "cpu", out, say=lines.append).keys() == results.keys()
    assert len(lines) == 1


@pytest.mark.slow
def test_programs_are_compiled_before_one_process_times_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever times finds all of them in the cache; a program that hangs there does no harm."""
    writer = BundleWriter(tmp_path / "b")
    baseline = exported(steps(64), INPUTS[0])
    for count in (4, 8, 16):
        program = exported(steps(count), INPUTS[0])
        add_example(writer, f"steps {count}", program, baseline, steps(count))
    add_example(writer, "refused", refused(), baseline, steps(4))
    bundle = read_bundle(writer.close())
    cache = tmp_path / "cache"
    monkeypatch.setattr(speed_process, "_MOST_PROCESSES", 2)
    compile_ahead(bundle, range(4), "cpu", cache, 120.0)
    ready = {file.name for file in cache.glob("*-cache")}
    assert len(ready) == 4  # one is refused
    with closing(SpeedProcess("cpu", caching_in(cache))) as timing:
        outcomes = [timing.compare(bundle, index, 1.0, 120.0) for index in range(4)]
    assert not any("ended the process" in outcome["reason"] for outcome in outcomes)
    assert "JAX never exports" in outcomes[-1]["reason"]
    assert {file.name for file in cache.glob("*-cache")} == ready


@pytest.mark.slow
def test_each_thing_is_compiled_once_and_baselines_first(tmp_path: Path) -> None:
    writer = BundleWriter(tmp_path / "b")
    baseline, own = (exported(steps(count), INPUTS[0]) for count in (64, 4))
    for name, program in (("own", own), ("other", exported(steps(8), INPUTS[0]))):
        add_example(writer, name, program, baseline, steps(4), reference_solution=own)
    bundle = read_bundle(writer.close())
    parts = find_parts(bundle, range(2))
    assert parts == [(0, "baseline"), (0, "reference_solution"), (1, "program")]
    assert find_parts(bundle, [1]) == [
        (1, p) for p in ("baseline", "reference_solution", "program")
    ]


def test_a_few_programs_are_compiled_by_whoever_times_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed_process, "SpeedProcess", None)  # none is started
    bundle = read_bundle(one_entry(tmp_path / "b", exported(steps(4), INPUTS[0])))
    compile_ahead(bundle, [0], "cpu", tmp_path / "cache", 1.0)


@pytest.mark.slow
def test_results_of_another_device_are_not_continued(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = one_entry(tmp_path / "b", exported(steps(4), INPUTS[0]))
    out = tmp_path / "b-results.json"
    other = {"schema": 2, "kind": "speed results", "device": "H9", "jax": "1", "results": {}}
    out.write_text(json.dumps(other | {"platform": "gpu"}))
    assert main([str(folder), "--device", "cpu"]) == 2
    assert "holds results of H9, jax 1, not of cpu" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"schema": 1}',
        '{"schema": 2, "kind": "speed bundle"}',
        '{"schema": 1, "kind": "speed results", "platform": "", "device": "", "results": {}}',
        "{",
    ],
)
def test_other_files_are_no_results(tmp_path: Path, text: str) -> None:
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(ResultsError, match=r"r\.json is not a results file of `python -m"):
        read_results(tmp_path / "r.json")


def endless(matrix: jax.Array, start: jax.Array) -> jax.Array:
    return jax.lax.while_loop(lambda x: x[0, 0] == x[0, 0], lambda x: x * 0 + 1, start + matrix)


@pytest.mark.slow
def test_endless_program_fails_and_the_next_is_timed(tmp_path: Path) -> None:
    writer = BundleWriter(tmp_path / "b")
    baseline = exported(steps(8), INPUTS[0])
    for name, program in (("hangs", endless), ("lives", steps(8))):
        add_example(writer, name, exported(program, INPUTS[0]), baseline, steps(8))
    bundle = read_bundle(writer.close())
    results = time_bundle(bundle, "cpu", tmp_path / "out.json", 8.0, say=lambda _: None)
    hangs, lives = (results[entry.result_key] for entry in bundle.entries)
    assert hangs["information"] in ("failed", "inconclusive")  # by how busy the machine is
    if hangs["information"] == "failed":
        assert "did not finish within 16 s" in hangs["reason"]
        assert hangs["reason"].endswith("other work keeps this machine's cores from it.")
    assert lives["information"] in ("failed", "inconclusive")


@pytest.mark.slow
@pytest.mark.skipif(bool(os.environ.get("CUDA_VISIBLE_DEVICES")), reason="there may be a GPU")
def test_without_a_gpu_everything_stays_pending(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    folder = one_entry(tmp_path / "b", exported(steps(4), INPUTS[0]))
    assert main([str(folder)]) == 3
    assert "so 1 programs stay pending" in capsys.readouterr().out
    assert not (tmp_path / "b-results.json").exists()


@pytest.mark.slow
def test_command_line_says_what_is_wrong(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "autograder.speed", str(tmp_path / "none")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.strip() == f"{tmp_path}/none is not a folder with a speed bundle."


def test_precision_is_written_into_exported_programs() -> None:
    text = str(export.deserialize(bytearray(exported(steps(2), INPUTS[0]))).mlir_module())
    assert "precision = [HIGHEST, HIGHEST]" in text


FORBIDDEN = [
    "torch",
    "pandas",
    "nbgrader",
    "nbformat",
    "jupytext",
    "typer",
    "rich",
    "psutil",
    "pyPLNmodels",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["autograder.speed", "autograder.criteria.speed.child"])
def test_imports_nothing_that_gpu_machines_lack(name: str) -> None:
    code = f"import sys, {name}; print([m for m in {FORBIDDEN} + ['scipy'] if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    allowed: Callable[[str], bool] = lambda m: m == "scipy"  # jax.scipy may bring it
    assert [m for m in json.loads(done.stdout.replace("'", '"')) if not allowed(m)] == []
