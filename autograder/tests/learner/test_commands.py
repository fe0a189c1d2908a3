"""The learner's commands as typed, one learner's way through one lesson."""

import json

import nbformat
import pytest
from typer.testing import CliRunner

from autograder.cli import app
from autograder.lessons.scaffolding import new_lesson
from autograder.lessons.solutions import own_solution
from autograder.model.rubric_files import load_rubric

HINTS = load_rubric("static_branch").exercise("static_branch").hints


@pytest.fixture
def autograder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()

    def run(*arguments, status=0):
        result = runner.invoke(app, [str(a) for a in arguments])
        assert result.exit_code == status, result.output
        # Lines are wrapped to the terminal's width.
        return " ".join((result.stdout + result.stderr).split())

    return run


def squeezed(text):
    return " ".join(text.split())


def test_start_never_overwrites(autograder, root, tmp_path):
    shipped = sorted(path.name for path in (root / "exercises").glob("*.ipynb"))
    assert f"{len(shipped)} new lessons, 0 left" in autograder("start", "mine", "--lessons", root)
    mine = tmp_path / "mine"
    assert sorted(path.name for path in mine.glob("*.ipynb")) == shipped
    (mine / shipped[0]).write_text("my work")
    (mine / shipped[1]).unlink()
    printed = autograder("start", "mine", "--lessons", root)
    assert f"1 new lessons, {len(shipped) - 1} left as they are" in printed
    assert (mine / shipped[0]).read_text() == "my work"


def test_start_says_when_the_name_is_taken_by_a_file(autograder, root, tmp_path):
    (tmp_path / "mine").write_text("")
    assert "is a file, not a folder" in autograder("start", "mine", "--lessons", root, status=1)


@pytest.mark.slow
def test_next_says_what_is_asked(autograder, write_notebook):
    write_notebook("static_branch")
    printed = autograder("next")
    assert "Lesson 2, static_branch: A branch that jit cannot take" in printed
    assert "`box_cox(counts, power)`" in printed or "box_cox(counts, power)" in printed
    assert "it stays one jitted function" in printed
    assert "line 3: if power == 0:" in printed
    assert "jupyter lab 02_static_branch.ipynb" in printed


@pytest.mark.gate
def test_hints_come_one_by_one(autograder, write_notebook):
    write_notebook("static_branch")
    # They are about this very error, not about wrong outputs in general.
    hints = HINTS["python-branch"]
    for tier, hint in enumerate(hints, 1):
        printed = autograder("hint", "static_branch")
        assert f"static_branch, outputs: hint {tier} of 3" in printed
        assert squeezed(hint) in printed
        # The card of `watch` and `next` stops at what was seen; the cause comes with the first.
        assert ("outputs: 0 of 4 points" in printed) == (tier == 1)
    printed = autograder("hint", "2")
    assert "These were all hints" in printed and squeezed(hints[2]) in printed


@pytest.mark.slow
def test_hints_depend_on_what_failed(autograder, write_notebook):
    without_jit = "def box_cox(counts, power):\n    "
    right = "return jnp.log(counts + 1) if power == 0 else ((counts + 1) ** power - 1) / power\n"
    write_notebook("static_branch", without_jit + right)
    assert squeezed(HINTS["compilations"][0]) in autograder("hint")
    write_notebook("static_branch", "def boxcox(counts, power):\n    return counts\n")
    printed = autograder("hint")
    assert "cannot be judged yet" in printed and "Rename it to `box_cox`" in printed


def test_lessons_of_ones_own_hide_none_of_the_kits(autograder, write_notebook, tmp_path):
    new_lesson("clip_it", tmp_path / "ours")
    path = write_notebook("static_branch")
    with_ours = "--lessons", tmp_path / "ours"
    assert 'static_argnames="power"' in autograder("solution", "2", "--spoil", *with_ours)
    path.write_text(path.read_text().replace("power == 0", "power == 1"))
    assert "your work is kept" in autograder("reset", "static_branch", *with_ours).lower()


@pytest.mark.slow
def test_the_solution_is_shown_after_success_or_when_asked_twice(autograder, write_notebook):
    write_notebook("static_branch")
    assert "is not solved yet" in autograder("solution", "static_branch", status=1)
    assert 'static_argnames="power"' in autograder("solution", "2", "--spoil")
    write_notebook("static_branch", True)
    printed = autograder("solution", "static_branch")
    assert 'static_argnames="power"' in printed and "Model answer" in printed
    assert "no hint is needed" in autograder("hint", "static_branch")
    assert "All checks pass" in autograder("next")
    # Once solved it stays open, also after another try.
    write_notebook("static_branch")
    assert 'static_argnames="power"' in autograder("solution", "static_branch")


def test_no_line_of_a_solution_is_cut(write_notebook, lessons, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.chdir(tmp_path)
    write_notebook("early_stop")
    printed = CliRunner().invoke(app, ["solution", "early_stop", "--spoil"]).stdout.splitlines()
    lines = own_solution(lessons["early_stop"], "early_stop").strip("\n").splitlines()
    assert max(map(len, lines)) > 80
    assert [line for line in lines if line not in printed] == []


@pytest.mark.slow
def test_progress(autograder, write_notebook):
    write_notebook("tracing")
    write_notebook("static_branch", True)
    printed = autograder("progress")
    assert "1 of 2 lessons, 9 of 18 points" in printed
    assert "Next: 01_tracing.ipynb" in printed
    assert "2 static_branch 9 / 9 solved" in printed


def test_reset_keeps_the_work(autograder, write_notebook, tmp_path):
    path = write_notebook("static_branch")
    assert "nothing was changed" in autograder("reset", "static_branch")
    write_notebook("static_branch", "mine = 1")
    printed = autograder("reset", "static_branch")
    (kept,) = (tmp_path / ".autograder" / "kept").glob("02_static_branch-*.ipynb")
    assert kept.name in printed.replace(" ", "")
    assert "mine = 1" in kept.read_text()
    assert "mine = 1" not in path.read_text()
    nbformat.validate(nbformat.read(path, as_version=4))
    path.write_text('{"cells": [')  # saved halfway
    autograder("reset", "static_branch")
    assert json.loads(path.read_text())["nbformat"] == 4


def test_an_unknown_lesson_is_a_sentence(autograder, write_notebook):
    write_notebook("static_branch")
    assert "there is no lesson 'nonsense' here" in autograder("hint", "nonsense", status=1)
    assert "autograder start" in autograder("hint", "--in", "nowhere", status=1)
