"""Speed measured on the learner's own machine: a verdict beside a GPU, information elsewhere.

Where there is no GPU, what one would measure is put in place of the child that times; what the
child does is tested with the CPU as the device that decides.
"""

import ast
import subprocess
import sys
from dataclasses import replace
from types import ModuleType

import jax.numpy as jnp
import pytest
from typer.testing import CliRunner

from autograder.cli import app
from autograder.criteria.speed import here as speed_here
from autograder.criteria.speed.here import time_here
from autograder.learner import timing
from autograder.learner.checking import content_digest, grader_digest
from autograder.learner.notebook_record import Record, read_record, write_record
from autograder.learner.timing import time_notebook
from autograder.model.figures import SpeedBars
from autograder.model.report import CriterionResult, Report, Status
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import load_rubric
from autograder.programs.exported import export_program
from autograder.render import text_card
from autograder.tests.benchmarks.example_bundle import write_example
from autograder.tests.helpers.timed_rubric import RIGHT, RUBRIC
from plnkit.machine import find_device
from plnkit.tests.gpu import KIND

FIGURES = {"reason": "", "ratio": 40.0, "low": 39.0, "high": 41.0, "pairs": 11}
FAST = ({"verdict": "passed", **FIGURES}, "gpu", 16)
SLOW = ({"verdict": "failed", **FIGURES}, "gpu", 16)
CPU = ({"verdict": "passed", **FIGURES}, "cpu", 16)
HERE = Report("l", "repeat", (CriterionResult("speed", Status.PENDING, 0.0, 3.0, "proved"),))
LESSON = "scan_fit"


@pytest.fixture
def rubric(tmp_path):
    file = tmp_path / "loops.py"
    file.write_text(RUBRIC)
    return load_rubric(file)


def program_of(rubric, source=RIGHT):
    namespace: dict = {}
    exec(source, namespace)
    exercise = rubric.exercise("repeat")
    (call,) = exercise.speed_calls(PUBLIC_KEY)
    return exercise, export_program(namespace["repeat"], call).blob


def timed(rubric):
    exercise, blob = program_of(rubric)
    return time_here(HERE, rubric, exercise, blob).criterion("speed")


@pytest.mark.parametrize(("threshold", "verdict"), [(0.01, "passed"), (1e4, "failed")])
@pytest.mark.slow
def test_the_device_that_decides_gives_the_verdict(rubric, threshold, verdict, monkeypatch):
    """By the rule of a class's results: the CPU stands in for a GPU."""
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    real = speed_here.measure
    monkeypatch.setattr(speed_here, "measure", lambda *a: (real(*a)[0], "gpu", 0))
    exercise, blob = program_of(rubric)
    exercise = replace(exercise, speed=replace(exercise.speed, threshold=threshold))
    report = time_here(HERE, rubric, exercise, blob)
    speed = report.criterion("speed")
    assert speed.status in (verdict, Status.INCONCLUSIVE)  # by how busy it is here
    assert speed.earned == (speed.possible if speed.status is Status.PASSED else 0)
    if speed.status is Status.INCONCLUSIVE:
        assert speed.reason
    else:
        assert "On the GPU" in speed.findings[0].message


@pytest.mark.slow
def test_elsewhere_the_cpus_ratio_informs(rubric, monkeypatch):
    monkeypatch.setenv("NPROC", "1")
    speed = timed(rubric)
    assert (speed.status, speed.reason, speed.earned) == (Status.PENDING, "needs a GPU", 0)
    (finding,) = speed.findings
    assert (finding.rule, finding.severity) == ("cpu-speed", "warning")
    assert "On this CPU, with 1 thread, " in finding.message or "cannot be" in finding.message
    assert "a gpu decides" in finding.message.lower()
    assert "Required: 3 times" in finding.message or "cannot be" in finding.message


@pytest.mark.parametrize(
    ("found", "status", "earned", "words"),
    [
        (FAST, Status.PASSED, 3, "On the GPU 40.0 times faster"),
        (SLOW, Status.FAILED, 0, "Required: 3 times."),
        (CPU, Status.PENDING, 0, "On this CPU, with 16 threads, 40.0 times faster"),
    ],
)
def test_what_each_kind_of_device_means(rubric, monkeypatch, found, status, earned, words):
    monkeypatch.setattr(speed_here, "measure", lambda *a: found)
    speed = timed(rubric)
    assert (speed.status, speed.earned) == (status, earned)
    assert words in speed.findings[0].message
    assert speed.figure is not None


WITH_OWN = {**FIGURES, "own_ratio": 60.0, "slower": 1.5, "slower_low": 1.4, "slower_high": 1.6}


@pytest.mark.parametrize(("platform", "where"), [("gpu", "On the GPU"), ("cpu", "On this CPU")])
def test_both_ratios_are_reported(rubric, monkeypatch, platform, where):
    """That to the lesson's own solution, which decides, and those to the baseline."""
    found = ({"verdict": "passed", **WITH_OWN}, platform, 2)
    monkeypatch.setattr(speed_here, "measure", lambda *a: found)
    speed = timed(rubric)
    words = speed.findings[0].message
    assert words.startswith(where)
    assert "takes 1.50 times as long as the lesson's own solution (between 1.40 and 1.60)" in words
    assert "Required: at most 3 times. It is 40.0 times faster than the baseline" in words
    assert "own solution is 60.0 times faster" in words
    bars = speed.figure
    assert isinstance(bars, SpeedBars)
    assert (bars.own, bars.threshold, bars.ratio) == (60.0, 20.0, 40.0)
    card = text_card(replace(HERE, criteria=(speed,)))
    assert "1.50 times as long" in " ".join(card.split())


def test_only_what_waits_is_timed(rubric, monkeypatch):
    monkeypatch.setattr(speed_here, "measure", lambda *a: pytest.fail("timed"))
    wrong = CriterionResult("speed", Status.NOT_GRADED, 0.0, 3.0, "proved", "outputs-first")
    report = Report("l", "repeat", (wrong,))
    exercise, blob = program_of(rubric)
    assert time_here(report, rubric, exercise, blob) is report
    assert time_here(HERE, rubric, exercise, None) is HERE


@pytest.mark.slow
def test_a_baseline_that_fails_is_reported(tmp_path, monkeypatch):
    """Also that of one's own rubric, run without jit: the child finds it by its file."""
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    file = tmp_path / "broken.py"
    eager = RUBRIC.replace("baseline=slow,", "baseline=slow, eager=True,")
    file.write_text(
        eager.replace("def slow(x, n):", "def slow(x, n):\n    raise TypeError('no')\n")
    )
    speed = timed(load_rubric(file))
    (finding,) = speed.findings
    assert (speed.status, finding.rule) == (Status.PENDING, "cpu-speed-failed")
    assert "TypeError: no" in finding.message


def test_a_child_that_does_not_start_is_reported(rubric, monkeypatch):
    monkeypatch.setattr(
        "autograder.criteria.speed.speed_process.module_command",
        lambda *a: [sys.executable, "-c", ""],
    )
    (finding,) = timed(rubric).findings
    assert finding.rule == "cpu-speed-failed"
    assert "the process did not get ready" in finding.message


# --- check --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_check_in_a_script_tells_the_cpus_ratio(rubric, tmp_path):
    script = tmp_path / "mine.py"
    script.write_text(
        f"{RIGHT}\nfrom autograder import check\n"
        "print(check('repeat', 'speed', rubric='loops.py').report.to_json())\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path)
    assert done.stderr == ""  # nbgrader gives 0 to a cell that writes there
    report = Report.from_json(ast.literal_eval(done.stdout))
    (speed,) = report.criteria
    assert speed.status is Status.PENDING
    assert "a gpu decides" in speed.findings[0].message.lower()


@pytest.fixture
def in_a_notebook(rubric, monkeypatch):
    """Run `check` as a cell of a module of its own."""
    module = ModuleType("a_notebook")
    monkeypatch.setitem(sys.modules, "a_notebook", module)

    def run(*arguments, source=RIGHT):
        exec(source, vars(module))
        vars(module).update(arguments=arguments, rubric=rubric.file)
        exec("from autograder import check\ngot = check(*arguments, rubric=rubric)", vars(module))
        return vars(module)["got"]

    return run


@pytest.mark.slow
def test_check_gives_the_verdict_beside_a_gpu(in_a_notebook, monkeypatch):
    monkeypatch.setattr(speed_here, "measure", lambda *a: FAST)
    score = in_a_notebook("repeat", "speed")
    assert (score, score.report.mark()) == (3.0, "3 / 3")
    monkeypatch.setattr(speed_here, "measure", lambda *a: SLOW)
    assert in_a_notebook("repeat", "speed").report.mark() == "0 / 3"
    monkeypatch.setattr(speed_here, "measure", lambda *a: pytest.fail("timed"))
    wrong = in_a_notebook("repeat", "speed", source=RIGHT.replace("* 2", "* 3"))
    assert wrong.report.criterion("speed").reason == "outputs-first"


@pytest.mark.slow
def test_check_of_everything_tells_how_to_have_it_timed(in_a_notebook, monkeypatch):
    monkeypatch.setattr(speed_here, "measure", lambda *a: pytest.fail("timed"))
    score = in_a_notebook("repeat")
    assert score.report.mark() == "3 / 3 (+3 pending)"
    assert 'not timed yet; `check("repeat", "speed")` times it' in text_card(score.report)


# --- self-study ---------------------------------------------------------------------------------


@pytest.fixture
def checked(write_notebook):
    """A notebook remembered as checked: grading takes long, and is not what is tested here."""
    path = write_notebook(LESSON, True)
    rubric = load_rubric(LESSON)
    criteria = tuple(
        CriterionResult(n, Status.PENDING if n == "speed" else Status.PASSED, 0, p, "proved")
        for n, p in rubric.exercise(LESSON).points.items()
    )
    content, grader = content_digest(path.read_bytes()), grader_digest(rubric)
    reports = (Report(LESSON, LESSON, criteria),)
    write_record(path, Record(content, grader, reports, programs={LESSON: b"program"}))
    return path


@pytest.fixture
def autograder(checked, monkeypatch):
    monkeypatch.chdir(checked.parent)

    def run(*arguments, status=0):
        result = CliRunner().invoke(app, ["speed", *map(str, arguments)])
        assert result.exit_code == status, result.output
        return " ".join((result.stdout + result.stderr).split())

    return run


def test_the_command_gives_the_verdict_and_it_is_remembered(autograder, checked, monkeypatch):
    for found, words in (
        (CPU, "needs a GPU"),
        (SLOW, "Required: 10 times"),
        (FAST, "40.0 times"),
    ):
        monkeypatch.setattr("autograder.criteria.speed.here.measure", lambda *a, f=found: f)
        assert words in autograder("scan_fit" if found is SLOW else "11")
    record = read_record(checked)
    assert record.reports[0].criterion("speed").status is Status.PASSED
    assert record.solved and record.programs == {LESSON: b"program"}


@pytest.mark.slow
def test_the_command_times_what_was_begun(autograder, write_notebook, monkeypatch, tmp_path):
    monkeypatch.setattr("autograder.criteria.speed.here.measure", lambda *a: FAST)
    write_notebook("capstone")
    write_notebook("static_branch")
    words = autograder()
    assert "scan_fit, speed: 1 of 1 points" in words and "capstone" not in words
    assert "static_branch has no points for speed" in autograder("static_branch", status=1)
    bundle = write_example(tmp_path / "bundle", 1)
    assert f"`python -m autograder.speed {bundle}`" in autograder(bundle, status=1)


def test_a_verdict_is_not_measured_again_unasked(checked, monkeypatch):
    """Nor a CPU's ratio, where JAX has no plug-in that could find a GPU by now."""
    measured, rubric = [], load_rubric(LESSON)
    for found in (CPU, FAST, SLOW):
        monkeypatch.setattr(speed_here, "measure", lambda *a, f=found: measured.append(f) or f)
        for plugged in (False, True):
            monkeypatch.setattr(timing, "may_find_gpu", lambda plugged=plugged: plugged)
            time_notebook(checked, rubric)
    # The first; with a plug-in again; not without one; with one, then a verdict; and never again.
    assert measured == [CPU, CPU, FAST]


FAKE_GPU = """
from autograder.criteria.speed import here as speed_here
def measure(*arguments):
    return {measured}, "{platform}", 2
speed_here.measure = measure
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measured", "status", "words"),
    [
        (FAST, 0, "4 passed"),
        pytest.param(SLOW, 1, "Required: 10 times.", marks=pytest.mark.slow),
        pytest.param(
            CPU,
            0,
            "speed pending: needs a GPU. On this CPU, with 2 threads, 40.0 times faster",
            marks=pytest.mark.slow,
        ),
    ],
    ids=["fast", "slow", "cpu"],
)
def test_the_pytest_item_gives_the_verdict(checked, measured, status, words):
    fake = FAKE_GPU.format(measured=measured[0], platform=measured[1])
    (checked.parent / "conftest.py").write_text(fake)
    command = [sys.executable, "-m", "pytest", "--rootdir", checked.parent]
    done = subprocess.run(command, cwd=checked.parent, capture_output=True, text=True)
    assert done.returncode == status, done.stdout
    assert words in " ".join(done.stdout.split())


# --- what is started ----------------------------------------------------------------------------

NO_DEVICES = """
import os, sys
os.environ["JAX_PLATFORMS"] = "abacus"  # whoever asked JAX for its devices would fail
from autograder.criteria.speed import here as speed_here
from autograder.model.rubric_files import load_rubric
from autograder.criteria.speed.speed_process import may_find_gpu
may_find_gpu()
rubric = load_rubric("scan_fit")
outcome, device, _ = speed_here.measure(rubric, rubric.exercises[0], b"no program")
assert device == "cpu" and "cannot be read back" in outcome["reason"], (outcome, device)
from jax._src import xla_bridge
sys.exit(xla_bridge.backends_are_initialized())
"""


@pytest.mark.slow
def test_measuring_starts_no_device_in_this_process():
    done = subprocess.run([sys.executable, "-c", NO_DEVICES], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.gpu
def test_beside_a_process_that_holds_the_gpu(rubric):
    """This process has taken all that JAX lets it have, as a notebook's kernel does."""
    device = find_device(KIND)
    allowed = (device.memory_stats() or {}).get("bytes_limit", 2**24)
    held = jnp.zeros((int(0.9 * allowed) >> 20, 2**20), jnp.uint8, device=device)
    speed = timed(rubric)
    assert speed.status is (Status.PASSED if KIND == "gpu" else Status.PENDING), speed.findings
    assert held.nbytes > 0.8 * allowed
