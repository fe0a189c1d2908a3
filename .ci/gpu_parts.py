"""The parts of `.ci/gpu`: `python .ci/gpu_parts.py PART FOLDER [--small]`.

Each function finds out one thing and keeps it in FOLDER/PART.json, row by row. With --small, it
does so on the CPU, at the smallest sizes: what must hold of speed is then not asked.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
KEYS = (5, 6)
"""Of the draws that submissions are timed with."""
UNTIMED = ("static_branch", "timing", "recompile_hunt", "safe_where")
"""Lessons without points for speed, whose notebooks run beside a GPU too."""


@dataclass
class Kept:
    """What a part has found so far. Every change is written at once: the part may be ended."""

    path: Path
    data: dict[str, Any] = field(
        default_factory=lambda: {"figures": [], "must": [], "problems": [], "rows": []}
    )

    def keep(self, **fields: Any) -> None:
        """Set fields; `figures` and `problems` are lines of the table."""
        self.data |= fields
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps(self.data, indent=1, default=str) + "\n", encoding="utf-8")
        new.replace(self.path)

    def add(self, **row: Any) -> None:
        """Add a row."""
        self.keep(rows=[*self.data["rows"], row])

    def must(self, what: str, holds: bool) -> None:
        """Say what must hold, with the figure that was found."""
        self.keep(must=[*self.data["must"], {"what": what, "holds": bool(holds)}])


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# --- tests --------------------------------------------------------------------------------------


MOST_SECONDS_OF_TESTS = 60.0


def tests(kept: Kept, small: bool) -> None:
    """`pytest -m gpu`, file by file on several cores."""
    import pytest

    files = [
        str(file)
        for folder in ("plnkit/tests", "autograder/tests")
        for file in sorted((ROOT / folder).rglob("test_*.py"))
        if "mark.gpu" in file.read_text(encoding="utf-8")
    ]
    rows: dict[str, dict[str, Any]] = {}

    class Recorder:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            row = rows.setdefault(
                report.nodeid, {"test": report.nodeid, "outcome": "passed", "seconds": 0.0}
            )
            row["seconds"] = round(row["seconds"] + report.duration, 2)
            if report.outcome != "passed":
                row |= {"outcome": report.outcome, "why": report.longreprtext[-2000:]}
            kept.keep(rows=list(rows.values()), figures=[count_outcomes(rows)])

    arguments = ["-q", "-m", "gpu", "-p", "no:cacheprovider", *files]
    if not small:
        arguments += ["-n", str(min(len(files), cores())), "--dist", "loadfile"]
    began = time.perf_counter()
    status = pytest.main(arguments, plugins=[Recorder()])
    seconds = time.perf_counter() - began
    passed = status == 0 and {row["outcome"] for row in rows.values()} == {"passed"}
    kept.must(f"all tests pass: {count_outcomes(rows)}", passed)
    if not small:
        most = MOST_SECONDS_OF_TESTS
        kept.must(f"they take {seconds:.0f} s, at most {most:g} s", seconds <= most)


def count_outcomes(rows: dict[str, dict[str, Any]]) -> str:
    outcomes = [row["outcome"] for row in rows.values()]
    return ", ".join(f"{outcomes.count(one)} {one}" for one in sorted(set(outcomes)))


# --- the model ----------------------------------------------------------------------------------

FIRST_CALL = """
import json, sys, time
begin = time.perf_counter()
import plnkit, numpy as np
Y, O, X = (np.repeat(array, {times}, axis=0) for array in plnkit.load_oaks()[:3])
imported = time.perf_counter()
for name in ("first", "second"):
    called = time.perf_counter()
    plnkit.fit(Y, O=O, X=X).coefficients
    print(json.dumps({{name: time.perf_counter() - called, "import": imported - begin}}))
"""
MOST_SECONDS = {"cold": 3.0, "cached": 2.0}


def first_calls(kept: Kept, small: bool) -> None:
    """The first `plnkit.fit` of a process, coefficients included, without and with a cache."""
    from autograder.core.child_process import caching_in

    sizes, repeats = ((1,), 1) if small else ((1, 100), 2)
    found: dict[tuple[str, int], list[float]] = {}

    def call(kind: str, times: int, cache: str) -> None:
        settings = caching_in(Path(cache)) if cache else {"JAX_ENABLE_COMPILATION_CACHE": "0"}
        command = [sys.executable, "-c", FIRST_CALL.format(times=times)]
        began = time.perf_counter()
        done = subprocess.run(
            command, env={**os.environ, **settings}, stdout=subprocess.PIPE, check=True
        )
        whole = time.perf_counter() - began
        first, second = map(json.loads, done.stdout.splitlines())
        kept.add(kind=kind, times=times, process=whole, **{**second, **first})
        if kind != "filling":
            found.setdefault((kind, times), []).append(first["first"])
            kept.keep(
                figures=[
                    f"x{n} {kind}: first call {statistics.median(seconds):.2f} s"
                    for (kind, n), seconds in found.items()
                ]
            )

    with tempfile.TemporaryDirectory() as cache:
        for _ in range(repeats):
            for times in sizes:
                call("cold", times, "")
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda times: call("filling", times, cache), sizes))
        for _ in range(repeats):
            for times in sizes:
                call("cached", times, cache)
    for (kind, times), seconds in found.items():
        if not small:
            median, most = statistics.median(seconds), MOST_SECONDS[kind]
            kept.must(f"x{times} {kind}: {median:.2f} s, at most {most:g} s", median <= most)


RACES = ((1, None), (100, None), (100, "tree"))
LEAST_RATIO = {100: 40.0}
"""By copies of the oaks: how many times as fast as pyPLNmodels."""
MOST_BEHIND = 0.05
"""Nats that pyPLNmodels may end above."""


def race(kept: Kept, small: bool) -> None:
    """`plnkit.fit` with its coefficients beside pyPLNmodels, both on the device."""
    from plnkit import race

    for times, covariate in RACES[:1] if small else RACES:
        found = race.race([times], [covariate], (), 1 if small else 2, print, quick=True)
        ((name, one),) = found["races"].items()
        kept.add(data=name, **one)
        ratio, elbo = one["ratio"][race.PYPLN], one["elbo"]
        seconds = one["warm_seconds"]
        line = f"{name}: {ratio:.1f}x ({seconds[race.OURS]:.4f} s, {seconds[race.PYPLN]:.3f} s)"
        kept.keep(figures=[*kept.data["figures"], line])
        behind = elbo[race.PYPLN] - elbo[race.OURS]
        kept.must(f"{name}: ELBO {-behind:+.3f} nats beside theirs", behind <= MOST_BEHIND)
        if not small and times in LEAST_RATIO:
            least = LEAST_RATIO[times]
            kept.must(f"{name}: {ratio:.1f}x, at least {least:g}x", ratio >= least)


def ladder(kept: Kept, small: bool) -> None:
    """Every level at the tutorial's size, and PyTorch where it is."""
    from plnkit.benchmark import BASELINE, SOLVER, TORCH, ladder
    from plnkit.ladder import LEVELS
    from plnkit.machine import find_device

    began, steps = time.perf_counter(), []

    def tell(what: str) -> None:
        steps.append([round(time.perf_counter() - began, 1), what])
        kept.keep(steps=steps)

    if small:
        found = ladder(find_device("cpu"), 1, 50, 1, tell, torch=False)
    else:
        found = ladder(find_device("gpu"), 100, 1000, 2, tell)
    rows = found["rows"]
    figures = [
        f"{name}: {row['ms_per_iteration']:.3f} ms an iteration, {row['speedup']:.0f}x"
        for name, row in rows.items()
        if name in (BASELINE, "2 scan in jit", SOLVER, *TORCH)
    ]
    kept.keep(figures=figures, ladder=found)
    elbos = [row["elbo"] for name, row in rows.items() if name in LEVELS and name != BASELINE]
    spread = (max(elbos) - min(elbos)) / abs(elbos[0])
    kept.must(f"the levels end at one ELBO, to {spread:.1e} of it", spread < 1e-4)
    again = [name for name in LEVELS if "jit" in name and rows[name]["compilations_later"]]
    kept.must(f"no level compiles again: {again or 'none'}", not again)


# --- the kit ------------------------------------------------------------------------------------


def export_one(lesson: str, exercise: str, source: str, keys: tuple[int, ...]) -> list[bytes]:
    """Return the programs of a submission, one for each key."""
    from autograder.core.program import export_program
    from autograder.core.yardstick import TRUSTED_SECONDS
    from autograder.grading.run import calls_to_export
    from autograder.lessons.course import find_course
    from autograder.lessons.solutions import lesson_cells
    from autograder.lessons.verification.in_process import as_notebook
    from autograder.sandbox.cells import run_cells

    found = next(one for one in find_course().lessons() if one.name == lesson)
    wanted = found.rubric.exercise(exercise)
    with tempfile.TemporaryDirectory() as folder, as_notebook():
        module, errors = run_cells(lesson_cells(found, exercise, source), Path(folder))
        if errors:
            raise RuntimeError(f"a cell fails: {errors[0].error}")
        function = wanted.function(vars(module))
        calls = (calls_to_export(wanted, key)[-1] for key in keys)
        return [export_program(function, call, TRUSTED_SECONDS).blob for call in calls]


def exports(kept: Kept, small: bool) -> None:
    """The right submissions of the timed lessons as programs in a bundle, and those compiled."""
    os.environ["JAX_PLATFORMS"] = "cpu"  # to export them; the GPU's are compiled in other processes
    if not small:
        os.nice(19)  # beside parts with a limit
    from autograder.criteria.speed.bundle import BundleWriter, read_bundle
    from autograder.criteria.speed.compile_ahead import compile_ahead
    from autograder.criteria.speed.standards import add_to_bundle, prepare_standards
    from autograder.lessons.course import find_course
    from autograder.lessons.verification.submissions import find_submissions

    course, keys = find_course(), KEYS[:1] if small else KEYS
    timed = [
        (course.rubric(lesson.name), exercise.name)
        for lesson in course.lessons()
        for exercise in lesson.rubric.exercises
        if exercise.speed is not None
    ]
    jobs = [
        (rubric, name, one.name, one.source)
        for rubric, name in timed[: 1 if small else None]
        for one in find_submissions(course.root, rubric.lesson)
        if one.kind == "right" and one.exercise == name and one.source
    ]
    jobs = jobs[: 2 if small else None]
    rubrics = {name: rubric for rubric, name, *_ in jobs}
    writer = BundleWriter(kept.path.parent / "bundle")
    programs: dict[str, str] = {}
    spawn = multiprocessing.get_context("spawn")
    with (
        ThreadPoolExecutor() as threads,
        ProcessPoolExecutor(min(cores(), len(jobs)), mp_context=spawn) as processes,
    ):
        exported = [
            processes.submit(export_one, rubric.lesson, name, source, keys)
            for rubric, name, _, source in jobs
        ]
        standards = {
            (name, key): threads.submit(
                prepare_standards, writer, rubric, rubric.exercise(name), key
            )
            for name, rubric in rubrics.items()
            for key in keys
        }
        for (name, key), made in standards.items():
            own, rubric = writer.read_program(made.result()["yardstick"]), rubrics[name]
            entry = add_to_bundle(writer, rubric, rubric.exercise(name), own, key)
            programs[entry.result_key] = f"{rubric.lesson}: its own solution, key {key}"
        for (rubric, name, file, _), future in zip(jobs, exported, strict=True):
            try:
                blobs = future.result()
            except Exception as error:  # whatever the submission raises
                kept.keep(problems=[*kept.data["problems"], f"{rubric.lesson}: {file}: {error}"])
                continue
            for key, blob in zip(keys, blobs, strict=True):
                entry = add_to_bundle(writer, rubric, rubric.exercise(name), blob, key)
                programs[entry.result_key] = f"{rubric.lesson}: {file}, key {key}"
    writer.close()
    kept.keep(programs=programs, figures=[f"{len(programs)} programs of {len(jobs)} submissions"])
    kept.must("every right submission can be exported", not kept.data["problems"])
    if not small:
        cache = Path(os.environ["JAX_COMPILATION_CACHE_DIR"])
        compile_ahead(read_bundle(writer.path), range(len(programs)), "gpu", cache, 60.0)


LEAST_PROGRAMS = 60
MOST_SECONDS_EACH = 3.0


def submissions(kept: Kept, small: bool) -> None:
    """What `exports` wrote, timed as the programs of a class are."""
    from autograder.criteria.speed.bundle import read_bundle
    from autograder.criteria.speed.results import read_results
    from autograder.speed import time_bundle

    folder = kept.path.parent
    if not (folder / "exports.json").is_file():
        sys.exit("there is no bundle: run the part `exports` too")
    programs = json.loads((folder / "exports.json").read_bytes())["programs"]
    out = folder / "submissions-results.json"
    out.unlink(missing_ok=True)
    began = last = time.perf_counter()
    verdicts: dict[str, str] = {}

    def tell(line: str) -> None:
        nonlocal last
        print(line, flush=True)
        now = time.perf_counter()
        for key, record in read_results(out).records.items():
            if key not in verdicts:
                verdicts[key] = record.get("information", record["status"])
                kept.add(program=programs[key], seconds=now - last, verdict=verdicts[key], **record)
        last = now
        told = list(verdicts.values())
        each = (now - began) / max(1, len(told))
        counts = ", ".join(f"{told.count(verdict)} {verdict}" for verdict in sorted(set(told)))
        kept.keep(figures=[f"{len(told)} of {len(programs)}: {counts}; {each:.1f} s each"])

    bundle = read_bundle(folder / "bundle")
    time_bundle(bundle, "cpu" if small else "gpu", out, 20.0 if small else 60.0, tell)
    failed = [programs[key] for key, verdict in verdicts.items() if verdict == "failed"]
    kept.must(f"no right program fails: {', '.join(failed) or 'none'}", not failed)
    if not small:
        each = (time.perf_counter() - began) / max(1, len(verdicts))
        kept.must(f"{each:.1f} s each, at most {MOST_SECONDS_EACH:g} s", each <= MOST_SECONDS_EACH)
        passed = list(verdicts.values()).count("passed")
        kept.must(f"{passed} pass, at least {LEAST_PROGRAMS}", passed >= LEAST_PROGRAMS)


def comparisons(kept: Kept, small: bool) -> None:
    """How often the rule of speed is wrong, on programs whose ratio is known."""
    from autograder.tests.benchmarks.speed_verdicts import benchmark

    def keep(results: dict[str, Any]) -> None:
        line = "{}: {false} of {runs} false, {inconclusive} inconclusive, {mean_seconds} s each"
        figures = [line.format(kind, **one) for kind, one in results.items()]
        kept.keep(results=results, figures=figures)

    runs = {"A/A": 4, "known ratio": 2} if small else {"A/A": 100}
    results = benchmark(runs, print, keep)
    false = sum(one["false"] for one in results.values())
    kept.must(f"no verdict is false: {false}", not false)
    if not small:
        each = results["A/A"]["mean_seconds"]
        kept.must(f"{each} s each, at most {MOST_SECONDS_EACH:g} s", each <= MOST_SECONDS_EACH)


def notebooks(kept: Kept, small: bool) -> None:
    """Solved notebooks, each in a kernel that has the GPU, whose checks time programs beside it."""
    from autograder.core.notebook import nbformat
    from autograder.core.rubric import speed_name
    from autograder.lessons.course import Lesson, find_course
    from autograder.lessons.verification.kernel_runs import (
        card_problems,
        fill_solutions,
        run_notebooks,
    )
    from autograder.render.score import reports_shown

    lessons = [one for one in find_course().lessons()]
    timed = [one for one in lessons if any(e.speed is not None for e in one.rubric.exercises)]
    chosen = timed[:1] if small else [*timed, *(one for one in lessons if one.name in UNTIMED)]

    def run(lesson: Lesson) -> None:
        began = time.perf_counter()
        notebook = fill_solutions(lesson)
        notebook.cells.append(nbformat.v4.new_code_cell("import jax\njax.default_backend()"))
        with tempfile.TemporaryDirectory() as folder:
            run_notebooks([[notebook]], Path(folder))
        backend = [one["data"]["text/plain"].strip("'") for one in notebook.cells[-1]["outputs"]]
        names = {speed_name(exercise.name) for exercise in lesson.rubric.exercises}
        speeds = [
            str(criterion.status)
            for cell in notebook["cells"]
            if cell["id"] in names
            for report in reports_shown(cell)
            for criterion in report.criteria
            if criterion.name == "speed"
        ]
        problems = card_problems(notebook)
        if backend != ["cpu" if small else "gpu"]:
            problems.append(f"{lesson.name}: the kernel's backend is {backend}")
        seconds = round(time.perf_counter() - began, 1)
        kept.add(lesson=lesson.name, seconds=seconds, problems=problems, speeds=speeds)
        kept.keep(
            problems=[*kept.data["problems"], *(f"{lesson.name}: {one}"[:300] for one in problems)],
            figures=[f"{len(kept.data['rows'])} of {len(chosen)} notebooks"],
        )

    with ThreadPoolExecutor(min(len(chosen), cores())) as pool:
        list(pool.map(run, chosen))
    kept.must("solved notebooks get full marks", not kept.data["problems"])
    if not small:
        speeds = [speed for row in kept.data["rows"] for speed in row["speeds"]]
        kept.must(
            f"speed: {', '.join(speeds)}; at least one passed, none is pending",
            "passed" in speeds and "pending" not in speeds,
        )


PARTS = (tests, first_calls, race, ladder, exports, submissions, comparisons, notebooks)


def end_with_parent() -> None:
    """End this process, and those that it has started, when `.ci/gpu` has been killed."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=[part.__name__ for part in PARTS])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    if os.getpgrp() == os.getpid():  # a group of its own, as `.ci/gpu` starts it
        end_with_parent()
    part = next(part for part in PARTS if part.__name__ == options.part)
    kept = Kept(options.folder / f"{options.part}.json")
    part(kept, options.small)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    kept.keep(cpu_seconds=round(sum(one.ru_utime + one.ru_stime for one in used), 1))


if __name__ == "__main__":
    main()
