"""`autograder pack gradescope`: the zip file, and what its scripts do in Gradescope's folders."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

from autograder.classroom.course_config import CONFIG_FILE, ClassError, read_key, source_notebook
from autograder.classroom.course_folder import config_text
from autograder.classroom.gradescope import results
from autograder.classroom.marks import Outcome
from autograder.classroom.packs import messages
from autograder.classroom.packs.grade_upload import NothingToGrade, find_notebook, main
from autograder.classroom.packs.gradescope_pack import Pack, pythons, read_pack, write_gradescope
from autograder.cli import app
from autograder.lessons.authoring import build_source, notebook_text
from autograder.lessons.course import Course
from autograder.model.finding import Finding
from autograder.model.graded import Graded
from autograder.model.notebook import nbformat
from autograder.model.report import CriterionResult, Report, Status
from autograder.model.rubric import PUBLIC_KEY
from autograder.tests.helpers.hostile_texts import TEXTS

LESSON = "static_branch"
VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["score", "tests"],
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "number"},
        "output": {"type": "string"},
        "output_format": FORMAT,
        "test_output_format": FORMAT,
        "test_name_format": FORMAT,
        "visibility": VISIBILITY,
        "stdout_visibility": VISIBILITY,
        "extra_data": {"type": "object"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["score", "max_score", "name", "visibility"],
                "properties": {
                    "score": {"type": "number"},
                    "max_score": {"type": "number"},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "number": {"type": "string"},
                    "output": {"type": "string"},
                    "visibility": VISIBILITY,
                    "extra_data": {"type": "object"},
                },
            },
        },
    },
}
"""What Gradescope's specification lists; it gives no schema of its own."""

HOSTILE = """
import glob, os
found = []
def attempt(do):
    try:
        do()
        found.append("done")
    except PermissionError:
        found.append("refused")
    except OSError as error:
        found.append(type(error).__name__)
root = "ROOT"
attempt(lambda: open(f"{root}/source/pack.json").read())
attempt(lambda: os.listdir(glob.glob(f"{root}/venv/lib/*/site-packages/autograder/rubrics")[0]))
attempt(lambda: open(f"{root}/results/results.json", "w").write('{"score": 100}'))
attempt(lambda: open(f"{root}/run_autograder", "a"))
attempt(lambda: os.kill(os.getppid(), 9))
attempt(lambda: os.setuid(0))
raise ValueError("<script>alert(1)</script> " + " ".join(found))
"""


@pytest.fixture(scope="module")
def pack(root, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("pack") / "static_branch.zip"
    printed = write_gradescope(Course(root), LESSON, path, limits_only=True)
    assert "autograder points to 9" in printed and "2 for answers in words" in printed
    assert "a new secret key" in printed and "show it to no student" in printed
    return path


@pytest.fixture
def tree(pack) -> Iterator[Path]:
    """Gradescope's folders, with the pack unzipped as `unzip` does, and nobody's submission."""
    with tempfile.TemporaryDirectory(prefix="gradescope-") as folder:
        root = Path(folder)
        root.chmod(0o755)
        for name in ("source", "submission", "results"):
            (root / name).mkdir()
        with zipfile.ZipFile(pack) as archive:
            for entry in archive.infolist():
                path = Path(archive.extract(entry, root / "source"))
                path.chmod(entry.external_attr >> 16 & 0o777)
        shutil.copy2(root / "source" / "run_autograder", root)
        yield root


def result_of(root: Path) -> dict[str, Any]:
    data = json.loads((root / "results" / "results.json").read_text())
    jsonschema.validate(data, SCHEMA)
    return data


@pytest.mark.gate
def test_what_is_in_the_zip_file(pack):
    assert stat.S_IMODE(pack.stat().st_mode) == 0o600  # it holds the key
    with zipfile.ZipFile(pack) as archive:
        modes = {e.filename: oct(e.external_attr >> 16 & 0o777) for e in archive.infolist()}
        setup = archive.read("setup.sh").decode()
    assert modes.pop("setup.sh") == modes.pop("run_autograder") == "0o755"
    assert modes.pop("pack.json") == "0o600"
    wheel = next(name for name in modes if name.endswith("-py3-none-any.whl"))
    assert set(modes) == {wheel, "requirements.txt", "released.ipynb"}
    assert f'pythons="{" ".join(pythons())}"' in setup and "{{" not in setup


def test_the_scripts_are_valid(tree):
    for script in (tree / "source" / "setup.sh", tree / "run_autograder"):
        done = subprocess.run(["bash", "-n", script], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


def test_the_result_that_stays_when_the_grader_is_killed(tree):
    """No Python is there, so what the script wrote before it is all there is."""
    env = {**os.environ, "AUTOGRADER_ROOT": str(tree)}
    done = subprocess.run([tree / "run_autograder"], env=env, capture_output=True, text=True)
    assert done.returncode == 127
    data = result_of(tree)
    (test,) = data["tests"]
    assert (data["score"], data["visibility"], test["visibility"]) == (0, "hidden", "visible")
    assert test["output"].startswith("The grader ended before it was done, so there is no mark.")
    assert {stat.S_IMODE((tree / n).stat().st_mode) for n in ("source", "results")} == {0o700}


@pytest.mark.slow
def test_the_key_of_a_course(root, lessons, tmp_path):
    course = tmp_path / "mycourse"
    source = source_notebook(course, LESSON)
    source.parent.mkdir(parents=True)
    source.write_text(notebook_text(build_source(lessons[LESSON])))
    (course / CONFIG_FILE).write_text(config_text("mycourse"))
    paths = [tmp_path / name for name in ("a.zip", "b.zip")]
    for path in paths:
        printed = write_gradescope(
            Course(root), LESSON, path, marked_in=course, visibility="visible"
        )
        assert f"the secret key of static_branch in {course}" in printed
    assert paths[0].read_bytes() == paths[1].read_bytes()
    with pytest.raises(ClassError, match="has no assignment 'scan_fit': there is no source/scan_f"):
        write_gradescope(Course(root), "scan_fit", tmp_path / "c.zip", marked_in=course)
    with zipfile.ZipFile(paths[0]) as archive:
        archive.extract("pack.json", tmp_path)
    assert read_pack(tmp_path) == Pack(
        LESSON, "02_static_branch.ipynb", read_key(course).for_lesson(LESSON), "visible"
    )


def test_a_new_key_is_secret(tree):
    assert read_pack(tree / "source").key > PUBLIC_KEY
    (tree / "source" / "pack.json").write_text('{"schema": 99}')
    with pytest.raises(ValueError, match="another schema than 1; make the pack again"):
        read_pack(tree / "source")


@pytest.mark.gate
@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["stattic", "-o", "x.zip"], "there is no lesson 'stattic'. The lessons are: puzzles,"),
        ([LESSON, "-o", "x.tar"], "x.tar must end in .zip: Gradescope takes nothing else."),
        ([LESSON, "-o", "no/x.zip"], "no does not exist. Make it first, or name another file"),
        ([LESSON, "-o", "."], ". is a folder. Name the file to write with -o, such as"),
        ([LESSON, "-o", "x.zip", "--course", "no"], "no is not a course folder"),
    ],
)
def test_what_cannot_be_packed(arguments, printed, tmp_path, monkeypatch, root):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["pack", "gradescope", *arguments, "--lessons", str(root)])
    assert done.exit_code == 1 and printed in done.output.replace("\n", " "), done.output
    assert not list(tmp_path.iterdir())


@pytest.mark.gate
def test_which_notebook_is_graded(tree):
    pack, folder = read_pack(tree / "source"), tree / "submission"
    released = nbformat.read(tree / "source" / "released.ipynb", as_version=4)
    with pytest.raises(NothingToGrade, match=r"no notebook \(.ipynb\).*Hand in 02_static_branch"):
        find_notebook(folder, pack, released)
    (folder / "link.ipynb").symlink_to(tree / "source" / "released.ipynb")
    (folder / "folder.ipynb").mkdir()
    with pytest.raises(NothingToGrade, match="no notebook"):
        find_notebook(folder, pack, released)
    for name in ("mine.ipynb", "x/.ipynb_checkpoints/mine.ipynb"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("{}")
    assert find_notebook(folder, pack, released).name == "mine.ipynb"
    (folder / "\x1b[31mred.ipynb").write_text("{}")
    with pytest.raises(NothingToGrade, match="several notebooks") as caught:
        find_notebook(folder, pack, released)
    assert "\x1b" not in str(caught.value) and "mine.ipynb" in str(caught.value)
    (folder / "x" / "static_branch.ipynb").write_text("{}")
    assert find_notebook(folder, pack, released).name == "x/static_branch.ipynb"
    shutil.copy(tree / "source" / "released.ipynb", folder / "02_static_branch.ipynb")
    changed = json.loads((tree / "source" / "released.ipynb").read_text())
    changed["cells"][-1]["source"] = "mine"
    (folder / "02_static_branch (1).ipynb").write_text(json.dumps(changed))
    choice = find_notebook(folder, pack, released)
    assert choice.name == "02_static_branch (1).ipynb"
    assert "02_static_branch.ipynb (as released)" in " ".join(choice.notes)


def test_a_broken_notebook(tree, capsys):
    (tree / "submission" / "02_static_branch.ipynb").write_text("{")
    main(tree)
    data = result_of(tree)
    assert (data["score"], data["visibility"]) == (0, "hidden")
    notice = data["tests"][-1]
    assert notice["visibility"] == "visible"
    assert "cannot be read as a notebook: it is not JSON" in notice["output"]
    assert notice["output"].endswith(messages.REVIEWED)
    (tree / "submission" / "02_static_branch.ipynb").unlink()
    main(tree)
    assert result_of(tree)["output"].startswith("There is no notebook (.ipynb)")


def test_a_fault_of_the_kit_is_nobodys(tree, capsys):
    (tree / "source" / "pack.json").write_text("{")
    main(tree)
    data = result_of(tree)
    assert (data["visibility"], data["output"]) == ("hidden", messages.NO_MARK)
    assert "JSONDecodeError" in capsys.readouterr().err  # for the instructor, in Gradescope's log


def test_hostile_text_and_what_is_open():
    findings = tuple(Finding("rule", "error", 1, text, text) for text in TEXTS)
    criteria = (
        CriterionResult("outputs", Status.FAILED, 0.0, 4.0, "proved", findings=findings),
        CriterionResult("speed", Status.PENDING, 0.0, 3.0, "proved", findings=findings),
    )
    graded = Graded((Report("lesson", "f", criteria, False),), notes=TEXTS)
    data = results(Outcome("ada", graded, TEXTS), visibility="visible", notes=TEXTS)
    data = json.loads(json.dumps(data).encode())
    jsonschema.validate(data, SCHEMA)
    shown = "".join([data["output"], *(test["output"] for test in data["tests"])])
    assert "<script>alert(1)</script>" in shown  # as text, which Gradescope escapes
    assert data["output_format"] == data["test_output_format"] == data["test_name_format"] == "text"
    assert not set(shown) & {"\x00", "\b", "\r", "\x1b", "\x9b", "\u202e"}
    speed = data["tests"][1]
    assert (data["score"], speed["score"], speed["max_score"]) == (0, 0, 0)
    assert speed["output"].startswith("3 points are not counted here: speed is decided on a GPU")
    assert (
        sum(test["max_score"] for test in data["tests"]) == 4 and data["extra_data"]["pending"] == 3
    )


@pytest.mark.slow
def test_the_scripts_in_gradescopes_folders(tree, write_notebook, tmp_path):
    """Set up once, with bubblewrap refused as in most containers, then four submissions."""
    fake = tmp_path / "bin" / "bwrap"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\nexit 1\n")
    fake.chmod(0o755)
    # A Python under root's home folder cannot be started by another user.
    system = os.pathsep.join([str(fake.parent), "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin"])
    env = {**os.environ, "PATH": system, "AUTOGRADER_ROOT": str(tree)}
    setup = [tree / "source" / "setup.sh"]
    done = subprocess.run(setup, env=env, cwd=tree, capture_output=True, text=True)
    printed = done.stdout + done.stderr
    if "No matching distribution" in printed or "Unable to locate package" in printed:
        pytest.skip("no package index here")
    assert done.returncode == 0, printed
    alone = ["unshare", "-n"]
    if subprocess.run([*alone, "true"], capture_output=True).returncode:
        alone = []

    def grade(solution: str | bool, raw: str = "") -> dict[str, Any]:
        shutil.rmtree(tree / "submission")
        (tree / "submission").mkdir()
        path = write_notebook(LESSON, solution, folder=tree / "submission")
        if raw:
            path.write_text(raw)
        done = subprocess.run(
            [*alone, tree / "run_autograder"], env=env, cwd=tree, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return result_of(tree)

    right = grade(True)
    assert (right["score"], right["output"]) == (9, "9 / 9 (+2 pending)")
    impure = (
        "seen = []\n\n@jax.jit\ndef box_cox(counts, power):\n    seen.append(1)\n    return counts"
    )
    wrong = grade(impure)
    assert wrong["score"] == 0 and wrong["visibility"] == "after_published"
    assert wrong["tests"][0]["status"] == "failed"
    assert grade(True, raw="{")["visibility"] == "hidden"
    hostile = grade(HOSTILE.replace("ROOT", str(tree)))
    assert (hostile["score"], hostile["visibility"]) == (0, "hidden")
    if os.geteuid() == 0:
        words = " ".join(hostile["tests"][0]["output"].split())
        assert "<script>alert(1)</script> " + " ".join(["refused"] * 6) in words, words
