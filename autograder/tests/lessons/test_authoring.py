import re
import shutil
import tomllib
from dataclasses import replace
from email.message import Message

import nbformat
import pytest
from typer.testing import CliRunner

from autograder.cli import app
from autograder.learner.helping import read_task
from autograder.lessons import lesson as lesson_module
from autograder.lessons.authoring import (
    MARKERS,
    build_exercise,
    build_source,
    notebook_text,
    put_starter,
)
from autograder.lessons.course import Course, LessonError, find_course
from autograder.lessons.exercises import check_exercises, find_repository, write_exercises
from autograder.model.exercise import ProgramExercise

CELL = """\
before = 1
### BEGIN SOLUTION
def f(x):
    return jax.jit(x)
### END SOLUTION
### BEGIN STARTER
# def f(x):
#
#     return x
### END STARTER
after = 2
"""


@pytest.fixture
def kit(tmp_path, root):
    """A small checkout, of a few lessons, that tests may spoil."""
    (tmp_path / "solutions").mkdir()
    for name in ("01_tracing", "02_static_branch", "03_traced_branch", "19_capstone"):
        shutil.copy(root / "solutions" / f"{name}.py", tmp_path / "solutions")
    (tmp_path / "autograder").mkdir()
    write_exercises(Course(tmp_path))
    return tmp_path


def spoil(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_starter_takes_the_solutions_place():
    assert put_starter(CELL) == "before = 1\ndef f(x):\n\n    return x\nafter = 2"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("### END STARTER\n", "", "a solution cell needs the lines"),
        ("### BEGIN SOLUTION\n", "", "a solution cell needs the lines"),
        ("# def f(x)", "def f(x)", "a starter line must begin with '# '"),
    ],
)
def test_malformed_solution_cells(old, new, words):
    with pytest.raises(LessonError, match=words):
        put_starter(CELL.replace(old, new))


@pytest.mark.slow
def test_generation_is_deterministic(lessons):
    for lesson in lessons.values():
        texts = {notebook_text(build_exercise(lesson)) for _ in range(3)}
        assert len(texts) == 1


def test_student_notebook(lessons):
    notebook = build_exercise(lessons["static_branch"])
    nbformat.validate(notebook)
    text = notebook_text(notebook)
    assert not [m for m in MARKERS if m in text]
    by_id = {cell["id"]: cell for cell in notebook["cells"]}
    assert by_id["static_branch"]["metadata"]["nbgrader"]["points"] == 9
    assert by_id["static_branch-solution"]["source"].startswith("@jax.jit\ndef box_cox")
    assert notebook["metadata"]["autograder"] == {"schema": 1, "lesson": "static_branch"}


def test_source_notebook_keeps_both(lessons):
    text = notebook_text(build_source(lessons["static_branch"]))
    assert all(marker in text for marker in MARKERS)


@pytest.mark.gate
def test_drift(kit):
    spoil(kit / "exercises" / "02_static_branch.ipynb", "See it fail", "See it work")
    (problem,) = check_exercises(Course(kit))
    assert problem.startswith("exercises/02_static_branch.ipynb is not what solutions/ generates")
    assert write_exercises(Course(kit)) == [kit / "exercises" / "02_static_branch.ipynb"]
    assert check_exercises(Course(kit)) == []


def test_missing_and_stray_notebooks(kit):
    (kit / "exercises" / "02_static_branch.ipynb").rename(kit / "exercises" / "99_old.ipynb")
    assert check_exercises(Course(kit)) == [
        "exercises/02_static_branch.ipynb is missing: run `autograder build`",
        "exercises/99_old.ipynb belongs to no lesson: delete it",
    ]


@pytest.mark.gate
@pytest.mark.parametrize("prefix", ["", "# "])
def test_leaked_solution(kit, prefix):
    line = '@partial(jax.jit, static_argnames="power")'
    script = kit / "solutions" / "02_static_branch.py"
    place = "# ## Why\n" if prefix else "counts.shape\n"
    spoil(script, place, f"{place}{prefix}{line}\n")
    write_exercises(Course(kit))
    assert check_exercises(Course(kit)) == [
        f"exercises/02_static_branch.ipynb shows this line of the solution: {line!r}"
    ]


def test_surviving_marker(kit):
    script = kit / "solutions" / "02_static_branch.py"
    spoil(script, "counts.shape", "### BEGIN SOLUTION")
    write_exercises(Course(kit))
    assert check_exercises(Course(kit)) == [
        "exercises/02_static_branch.ipynb still holds the marker '### BEGIN SOLUTION'"
    ]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('check="static_branch"', 'check="static_brunch"', "names exercise 'static_brunch'"),
        ('# %% check="static_branch"', "# %%", r"no check cell for \['static_branch'\]"),
    ],
)
def test_lesson_and_rubric_disagree(kit, old, new, words):
    spoil(kit / "solutions" / "02_static_branch.py", old, new)
    with pytest.raises(LessonError, match=words):
        write_exercises(Course(kit))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("branch.py", r"a lesson is named NN_name\.py"),
        ("03_cheese.py", r"03_cheese\.py has no rubric yet: write autograder/rubrics/cheese\.py"),
        (
            "03_static_branch.py",
            r"03_static_branch\.py and 03_traced_branch\.py have the same number",
        ),
    ],
)
def test_misnamed_lesson(kit, name, words):
    script = kit / "solutions" / "02_static_branch.py"
    script.rename(script.with_name(name))
    with pytest.raises(LessonError, match=words):
        Course(kit).lessons()


def test_a_rubric_of_another_name(kit, monkeypatch):
    real = lesson_module.load_lesson
    monkeypatch.setattr(
        lesson_module, "load_lesson", lambda name, folder: replace(real(name), lesson="racing")
    )
    with pytest.raises(LessonError, match=r'says lesson="racing", which must be "tracing"'):
        Course(kit).lessons()


def test_build_names_strays(kit):
    solutions = kit / "solutions"
    (solutions / "19_capstone.py").rename(solutions / "20_capstone.py")
    done = CliRunner().invoke(app, ["build", "--lessons", str(kit)])
    assert done.exit_code == 1
    assert "wrote exercises/20_capstone.ipynb" in done.stdout
    assert "exercises/19_capstone.ipynb belongs to no lesson: delete it" in done.stderr


def test_a_folder_named_by_hand_must_be_a_checkout(tmp_path):
    with pytest.raises(LessonError, match="Name a lesson folder with --lessons"):
        find_course(tmp_path)


QUESTION = """

# %% [markdown] question="again" points=2
# ### BEGIN SOLUTION
# Because a tracer has no value. Notes: 1 point for tracer, 1 for value.
# ### END SOLUTION
# ### BEGIN STARTER
# *Write your answer here.*
# ### END STARTER
"""


def test_links_to_other_lessons(kit):
    """They hold whatever number a lesson has, and where a course has left the lesson out."""
    with (kit / "solutions" / "02_static_branch.py").open("a") as script:
        script.write("\n# %% [markdown]\n# [here](lesson:tracing), [there](lesson:cheese)\n")
    (lesson,) = (lesson for lesson in Course(kit).lessons() if lesson.name == "static_branch")
    sources = [cell["source"] for cell in build_exercise(lesson)["cells"]]
    assert "[here](01_tracing.ipynb), there" in sources


def test_written_question(kit):
    with (kit / "solutions" / "02_static_branch.py").open("a") as script:
        script.write(QUESTION)
    (lesson,) = (lesson for lesson in Course(kit).lessons() if lesson.name == "static_branch")
    # The cells of the defence are above the drills, and so above it.
    model, given = build_source(lesson)["cells"][-1], build_exercise(lesson)["cells"][-1]
    assert "Because a tracer has no value" in model["source"]
    assert given["source"] == "*Write your answer here.*"
    expected = {"grade": True, "solution": True, "points": 2, "grade_id": "static_branch-again"}
    assert expected.items() <= given["metadata"]["nbgrader"].items()
    write_exercises(Course(kit))
    assert check_exercises(Course(kit)) == []
    assert "9 + 4 written" in (kit / "exercises" / "README.md").read_text()


def test_every_lesson_asks_about_the_program_before_its_drills(lessons):
    for name, lesson in lessons.items():
        for points in (0.0, 2.0):
            cells = build_source(lesson, points)["cells"]
            ids = [cell["id"] for cell in cells]
            if lesson.rubric.quiz:
                assert f"{name}_defence" not in ids
                continue
            at = ids.index(f"{name}_defence")
            text, cell = cells[at - 1 : at + 1]
            below = [c for c in cells[at + 1 :] if c["cell_type"] == "markdown"]
            assert all(c["source"].startswith("## Drills") for c in below[:1])
            assert bool(below) == bool(lesson.drill_names)
            assert text["source"].startswith("## Defend your program\n")
            mark = cell["metadata"]["nbgrader"]
            assert cell["id"] == mark["grade_id"] == f"{name}_defence"
            has_program = isinstance(lesson.rubric.defended, ProgramExercise)
            assert mark["points"] == (points if has_program else 0.0)
            assert mark["grade"] and mark["solution"] and not mark["locked"]
            assert cell["source"].endswith(f'\ndefend("{lesson.rubric.defended.name}")')


def test_question_without_points(kit):
    with (kit / "solutions" / "02_static_branch.py").open("a") as script:
        script.write(QUESTION.replace(" points=2", ""))
    with pytest.raises(LessonError, match="must be a markdown cell with points"):
        write_exercises(Course(kit))


def test_stale_syllabus(kit):
    (kit / "exercises" / "README.md").write_text("# Old\n")
    assert check_exercises(Course(kit)) == [
        "exercises/README.md is not what solutions/ generates: run `autograder build`"
    ]


def test_a_badge_opens_each_lesson_in_colab(kit):
    """One line of `pyproject.toml` names the repository."""
    (kit / "pyproject.toml").write_text(
        '[project.urls]\nRepository = "https://github.com/me/my-kit/"\n'
    )
    assert write_exercises(Course(kit)) == [kit / "exercises" / "README.md"]
    text = (kit / "exercises" / "README.md").read_text()
    found = re.findall(r"\]\((https://colab\.research\.google\.com/github/.*?)\) \|", text)
    names = sorted(file.name for file in (kit / "exercises").glob("*.ipynb"))
    start = "https://colab.research.google.com/github/me/my-kit/blob/main/exercises/"
    assert len(names) == len(Course(kit).lessons()) and found == [start + name for name in names]


@pytest.mark.gate
@pytest.mark.parametrize(
    "text",
    [
        "",
        "[project]\nname = 'mine'\n",
        "[project.urls]\nRepository = 'https://git.example.org/me/mine'\n",
        "[project.urls]\nRepository = 'https://github.com/YOUR_ACCOUNT/plnkit'\n",
    ],
)
def test_no_badge_without_a_repository_on_github(kit, text):
    (kit / "pyproject.toml").write_text(text)
    write_exercises(Course(kit))
    assert "colab.research" not in (kit / "exercises" / "README.md").read_text()


def test_the_repository_of_an_installed_kit(kit, monkeypatch):
    installed = Message()
    installed["Project-URL"] = "Repository, https://github.com/them/plnkit"
    monkeypatch.setattr("autograder.model.published.metadata.metadata", lambda name: installed)
    assert find_repository(Course(kit)) == "them/plnkit"


def test_one_line_names_the_repository(root):
    urls = tomllib.loads((root / "pyproject.toml").read_text())["project"]["urls"]
    assert list(urls) == ["Repository"] and urls["Repository"].endswith("/plnkit")


def test_a_puzzle_is_shown_as_a_task_and_takes_one_minute(lessons, tmp_path):
    """`autograder next` finds the text above a puzzle as it finds a lesson's task."""
    path = tmp_path / "00_puzzles.ipynb"
    path.write_text(notebook_text(build_exercise(lessons["puzzles"])), encoding="utf-8")
    title, task = read_task(path, "sunny")
    assert title == "Ten jit puzzles"
    assert task.startswith("## Puzzle 2: sunny side up")
    assert task.endswith("*Easy, about 1 minute. Importance: ★★★*")
