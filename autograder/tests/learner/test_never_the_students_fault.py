"""A failure in any step of a check is reported as the kit's: no mark, no line, no traceback."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from autograder.cli import app
from autograder.grading import apart
from autograder.grading.apart import Reader
from autograder.judge.client import Judge
from autograder.learner.checking import check_notebook
from autograder.learner.notebook_record import read_record
from autograder.model.observation import Observation
from autograder.model.reasons import KIT_ERROR
from autograder.model.report import Status
from autograder.model.rubric_files import load_rubric
from autograder.processes.watched_child import WatchedChild
from autograder.render import text_card
from autograder.render.score import Score
from autograder.sandbox import PlainWorkers

BEFORE_THE_WORKER = [
    "autograder.learner.checking.build_exercise",
    "autograder.learner.checking.prepare",
    "autograder.grading.pipeline.read_apart",
    "autograder.grading.pipeline.plan_attempts",
    "autograder.grading.run.calls_to_export",
    "autograder.grading.run.find_draws",
    "autograder.sandbox.worker_answers.pack",
]
AFTER_THE_WORKER = [
    "autograder.grading.prove.judge_programs",
    "autograder.grading.prove.calls_to_export",
    "autograder.grading.pipeline.mark",
]
OF_PROCESSES = [
    "autograder.grading.apart.WatchedChild",
    "autograder.sandbox.plain_client.WatchedChild",
    "autograder.sandbox.worker_answers.decode",
    "autograder.judge.client.WatchedChild",
]
CHILDREN = [
    "autograder.grading.apart_process",
    "autograder.sandbox.plain_process",
    "autograder.judge.child",
]
ERRORS = [KeyError("the step"), OSError("the disk is gone"), AttributeError("no such thing")]


@pytest.fixture
def rubric():
    return load_rubric("static_branch")


@pytest.fixture
def fail(monkeypatch):
    def fail(step, error):
        def broken(*_, **__):
            raise error

        monkeypatch.setattr(step, broken)

    return fail


@pytest.fixture
def unstarted(monkeypatch):
    """A judge, a reader and workers of the test's own: none has started, and none waits."""
    reader, workers, judge = Reader(), PlainWorkers(), Judge()
    monkeypatch.setattr(apart, "_shared", reader)
    monkeypatch.setattr("autograder.learner.checking.shared_workers", lambda: workers)
    yield judge
    for started in (reader, workers, judge):
        started.close()


def expect_kits(path, rubric, judge):
    record = check_notebook(path, rubric, judge)
    for report in record.reports:
        assert {c.status for c in report.criteria} == {Status.NOT_GRADED}, text_card(report)
        assert {c.reason for c in report.criteria} == {KIT_ERROR}
        assert report.earned == 0 and report.failed_by_kit
        findings = [f for c in report.criteria for f in c.findings]
        assert findings and not any(f.line or f.code for f in findings)
        printed = " ".join(text_card(report).split())
        assert "not a fault in your code" in printed and "costs no points" in printed
        assert "issue tracker" in printed and "Traceback" not in printed
    return record


@pytest.mark.slow
@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("step", BEFORE_THE_WORKER)
def test_steps_before_the_worker(step, error, fail, monkeypatch, write_notebook, rubric, judge):
    monkeypatch.setattr(PlainWorkers, "launch", lambda self: None)
    fail(step, error)
    path = write_notebook("static_branch", True)
    expect_kits(path, rubric, judge)
    # It is not kept: the next check looks again.
    monkeypatch.undo()
    monkeypatch.setattr(PlainWorkers, "launch", lambda self: None)
    fail("autograder.grading.pipeline.grade_attempts", RuntimeError("asked again"))
    assert "asked again" in text_card(expect_kits(path, rubric, judge).reports[0])


@pytest.mark.gate
@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("step", AFTER_THE_WORKER)
def test_steps_after_the_worker(step, error, fail, monkeypatch, write_notebook, rubric, judge):
    monkeypatch.setattr(PlainWorkers, "launch", lambda self: None)
    nothing = {e.name: Observation() for e in rubric.exercises}
    monkeypatch.setattr("autograder.sandbox.Processes.observe", lambda *_: nothing)
    fail(step, error)
    expect_kits(write_notebook("static_branch", True), rubric, judge)


@pytest.mark.slow
@pytest.mark.parametrize("step", OF_PROCESSES)
def test_processes_that_cannot_be_talked_to(step, fail, unstarted, write_notebook, rubric):
    fail(step, OSError("no more processes"))
    expect_kits(write_notebook("static_branch", True), rubric, unstarted)


@pytest.mark.slow
@pytest.mark.parametrize("child", CHILDREN)
def test_processes_that_have_closed_their_pipe(
    child, monkeypatch, unstarted, write_notebook, rubric
):
    send = WatchedChild.send

    def broken(self, *rest):
        if child in self.process.args:
            raise OSError("no more processes")
        send(self, *rest)

    monkeypatch.setattr(WatchedChild, "send", broken)
    expect_kits(write_notebook("static_branch", True), rubric, unstarted)


def test_no_process_can_be_started(fail, unstarted, write_notebook, rubric):
    for module in ("autograder.sandbox.plain_client", "autograder.judge.client"):
        fail(f"{module}.WatchedChild", OSError("no more processes"))
    record = expect_kits(write_notebook("static_branch", True), rubric, unstarted)
    assert "no more processes" in text_card(record.reports[0])


@pytest.mark.slow
def test_a_worker_that_something_else_killed(monkeypatch, write_notebook, rubric, judge):
    """It is tried once more; the learner sees nothing of it."""
    send, killed = WatchedChild.send, []

    def kill_once(self, *rest):
        send(self, *rest)
        if not killed and "autograder.sandbox.plain_process" in self.process.args:
            killed.append(self)
            self.process.kill()

    monkeypatch.setattr(WatchedChild, "send", kill_once)
    record = check_notebook(write_notebook("static_branch", True), rubric, judge)
    assert killed and record.all_passed


def test_the_record_cannot_be_written(fail, monkeypatch, write_notebook, rubric, judge):
    monkeypatch.setattr(PlainWorkers, "launch", lambda self: None)
    fail("autograder.learner.notebook_record.write_whole", OSError("the disk is full"))
    fail("autograder.grading.pipeline.read_apart", KeyError("the step"))
    path = write_notebook("static_branch", True)
    expect_kits(path, rubric, judge)
    assert not read_record(path).content


@pytest.mark.parametrize("command", ["next", "hint", "progress"])
def test_commands(command, fail, monkeypatch, write_notebook, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(PlainWorkers, "launch", lambda self: None)
    write_notebook("static_branch", True)
    fail("autograder.grading.pipeline.plan_attempts", KeyError("the step"))
    result = CliRunner().invoke(app, [command])
    printed = " ".join((result.stdout + result.stderr).split())
    assert result.exit_code == 0 and "Traceback" not in printed
    if command != "progress":
        assert "The kit itself failed here (KeyError: 'the step'" in printed


def test_a_command_that_cannot_show(fail, monkeypatch, write_notebook, tmp_path):
    monkeypatch.chdir(tmp_path)
    write_notebook("static_branch", True)
    fail("autograder.learner.standing.show_table", KeyError("the step"))
    monkeypatch.setattr("autograder.learner.checking.is_untouched", lambda *_: True)
    result = CliRunner().invoke(app, ["progress"])
    printed = " ".join((result.stdout + result.stderr).split())
    assert result.exit_code == 1 and "Traceback" not in printed
    assert "the kit itself failed here (KeyError: 'the step'" in printed


def test_a_card_that_cannot_be_drawn(fail, monkeypatch, write_notebook, rubric, judge):
    monkeypatch.setattr(PlainWorkers, "launch", lambda self: None)
    with monkeypatch.context() as patch:
        patch.setattr("autograder.grading.pipeline.plan_attempts", lambda *_: {}["the step"])
        (report,) = check_notebook(write_notebook("static_branch"), rubric, judge).reports
    score = Score(report)
    fail("autograder.render.score.text_card", KeyError("<the step>"))
    fail("autograder.render.score.html_card", KeyError("<the step>"))
    assert "the kit itself failed (KeyError: '<the step>'" in str(score)
    assert "&lt;the step&gt;" in score._repr_mimebundle_()["text/html"]
