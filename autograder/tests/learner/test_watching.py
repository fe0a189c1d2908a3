"""`autograder watch`, with real saves; and every state that a learner's file can be in."""

import contextlib
import json
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

from autograder.learner.checking import check_notebook, content_digest, grader_digest
from autograder.learner.folder import LessonNotebook
from autograder.learner.helping import next_hint
from autograder.learner.notebook_record import Record, read_record, write_record
from autograder.learner.standing import check_lesson
from autograder.learner.watching import watch_folder
from autograder.model.finding import Finding
from autograder.model.report import CriterionResult, Report, Status
from autograder.model.rubric_files import load_rubric


@pytest.fixture
def rubric():
    return load_rubric("static_branch")


def checked(path, rubric, judge):
    (report,) = check_notebook(path, rubric, judge).reports
    return report


def edited(path, change):
    notebook = json.loads(path.read_text())
    change(notebook)
    path.write_text(json.dumps(notebook))


@pytest.mark.slow
def test_a_save_is_checked_and_the_next_one_too(write_notebook, tmp_path):
    path = write_notebook("static_branch")
    check_lesson(LessonNotebook("static_branch", path))  # the processes are warm from here on
    stop, printed = threading.Event(), []

    def save():
        time.sleep(1)
        write_notebook("static_branch", True)
        while not printed:
            time.sleep(0.1)
        time.sleep(1)
        write_notebook("static_branch", "def box_cox(counts, power):\n    return counts\n")

    saver = threading.Thread(target=save)
    saver.start()
    try:
        for result in watch_folder(tmp_path, stop=stop):
            printed.append(result)
            if len(printed) == 2:
                stop.set()
    finally:
        saver.join()
    assert [lesson.is_solved for lesson, _ in printed] == [True, False]
    assert read_record(path).solved  # remembered all the same


# A shell starts what it puts in the background deaf to Ctrl-C.
COMMAND = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from autograder.cli import app
app()
"""


def interrupted(folder, command, ready):
    """Run a command, press Ctrl-C two seconds after `ready` holds, and return what it said.

    It is pressed again, as people do, where nothing happens: Python ignores, with these words, what
    is raised in a callback of its garbage collector, and JAX has one.
    """
    command = [sys.executable, "-c", COMMAND, command]
    out = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, cwd=folder, **out) as process:
        deadline = time.monotonic() + 120
        while not ready() and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(2)
        deadline = time.monotonic() + 90
        while process.poll() is None and time.monotonic() < deadline:
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=20)
        process.kill()
        printed = process.communicate()[0]
    printed = re.sub(
        r"Exception ignored in.*?\nKeyboardInterrupt:? ?\n", "", printed, flags=re.DOTALL
    )
    assert "Stopped. What was finished is kept" in printed
    assert "Traceback" not in printed
    return printed


@pytest.mark.slow
def test_watch_ends_with_a_word(write_notebook, tmp_path):
    path = write_notebook("static_branch")
    kept = tmp_path / ".autograder" / "02_static_branch.json"

    def checked_after_a_save():
        path.touch()
        time.sleep(0.5)
        return kept.exists()

    assert "line 3: if power == 0:" in interrupted(tmp_path, "watch", checked_after_a_save)


@pytest.mark.slow
def test_cells_that_never_end_can_be_interrupted(write_notebook, tmp_path):
    write_notebook("static_branch", "while True:\n    pass\n")
    lock = tmp_path / ".autograder" / "02_static_branch.lock"
    interrupted(tmp_path, "hint", lock.exists)


def test_running_a_notebook_changes_nothing_that_is_checked(write_notebook):
    path = write_notebook("static_branch")
    before = content_digest(path.read_bytes())

    def run(notebook):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell["execution_count"] = 7
                cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "7"}]

    edited(path, run)
    assert content_digest(path.read_bytes()) == before


@pytest.mark.slow
def test_checked_once_for_each_content(write_notebook, rubric, judge, tmp_path):
    path = write_notebook("static_branch", True)
    assert checked(path, rubric, judge).earned == 9
    kept = tmp_path / ".autograder" / "02_static_branch.json"
    kept.write_text(kept.read_text().replace('"earned": 4.0', '"earned": 0.0'))
    assert checked(path, rubric, judge).earned == 5  # as the forged memory says


@pytest.mark.slow
def test_what_ran_out_of_time_is_checked_again(write_notebook, rubric, judge):
    path = write_notebook("static_branch", True)
    busy = Finding("run-timeout", "error", None, "The compiled program ran longer than 30 s.")
    failed = CriterionResult("outputs", Status.FAILED, 0, 4, "proved", "", (busy,))
    digests = content_digest(path.read_bytes()), grader_digest(rubric)
    write_record(path, Record(*digests, (Report("static_branch", "static_branch", (failed,)),)))
    assert checked(path, rubric, judge).status is Status.PASSED


@pytest.mark.slow
def test_names_from_cells_that_only_show_something_are_found(write_notebook, rubric, judge):
    # `time` is imported by the lesson's own last cells, which need not run for a check.
    source = "@jax.jit(static_argnames='power')\ndef box_cox(counts, power):\n    time.sleep(0)\n"
    right = (
        "    return jnp.log(counts + 1) if power == 0 else ((counts + 1) ** power - 1) / power\n"
    )
    path = write_notebook("static_branch", source + right)
    assert checked(path, rubric, judge).criterion("outputs").status is Status.PASSED


def test_saved_halfway(write_notebook, rubric, judge):
    path = write_notebook("static_branch")
    path.write_text(path.read_text()[:2000])
    criterion = checked(path, rubric, judge).criteria[0]
    assert criterion.reason == "unreadable-notebook"
    assert "`autograder reset static_branch` does that" in criterion.findings[0].message
    assert "cannot be judged yet" in next_hint(LessonNotebook("static_branch", path))


@pytest.mark.slow
def test_deleted_cells(write_notebook, rubric, judge):
    path = write_notebook("static_branch", True)

    def delete(notebook):
        notebook["cells"] = [c for c in notebook["cells"] if c["id"] != "static_branch"]

    edited(path, delete)
    report = checked(path, rubric, judge)
    assert report.status is Status.PASSED
    assert "deleted, doubled or unmarked" in report.notes[0]


@pytest.mark.slow
def test_stripped_marks_run_no_check_in_the_worker(write_notebook, rubric, judge):
    path = write_notebook("static_branch", True)

    def strip(notebook):
        for cell in notebook["cells"]:
            cell["metadata"] = {}
            cell.pop("id")

    edited(path, strip)
    assert checked(path, rubric, judge).status is Status.PASSED


@pytest.mark.slow
def test_a_kernel_of_another_language_and_of_another_python(write_notebook, rubric, judge):
    path = write_notebook("static_branch", True)
    edited(path, lambda n: n["metadata"].update(language_info={"name": "R"}))
    assert "kernel for R: choose one for Python 3" in checked(path, rubric, judge).notes[0]
    info = {"name": "python", "version": "3.7.1"}
    edited(path, lambda n: n["metadata"].update(language_info=info))
    edited(path, lambda n: n["cells"].append({**n["cells"][1], "source": "2", "id": "more"}))
    assert "run with Python 3.7.1 and checked with" in checked(path, rubric, judge).notes[0]


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_keeps_nothing_and_works(
    write_notebook, rubric, judge, tmp_path
):
    (tmp_path / ".autograder").write_text("in the way, as for root no folder is read-only")
    path = write_notebook("static_branch")
    assert (
        "TracerBoolConversionError" in checked(path, rubric, judge).criteria[0].findings[0].message
    )
    assert "so your progress is not kept" in next_hint(LessonNotebook("static_branch", path))


def test_a_file_without_permission_is_a_sentence(write_notebook, rubric, judge):
    path = write_notebook("static_branch")
    path.unlink()
    path.mkdir()  # as unreadable for root as for anybody
    assert checked(path, rubric, judge).criteria[0].reason == "unreadable-notebook"
