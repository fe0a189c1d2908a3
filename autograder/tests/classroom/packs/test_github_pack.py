"""`autograder pack github`: the repository, and what GitHub reads of a push."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import zipfile
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from markdown_it import MarkdownIt
from typer.testing import CliRunner

from autograder.classroom.packs.github_pack import WORKFLOW, write_github
from autograder.classroom.packs.grade_push import (
    annotate,
    annotation,
    classroom_result,
    encoded,
    main,
    summary,
)
from autograder.cli import app
from autograder.lessons.course import Course
from autograder.model.finding import Finding
from autograder.model.printable import printable
from autograder.model.reasons import KIT_ERROR
from autograder.model.report import CriterionResult, Report, Status
from autograder.tests.helpers.active_html import active_parts
from autograder.tests.helpers.hostile_texts import TEXTS
from plnkit.tests.needs import reason_without

NAMES = ("scan_fit", "static_branch")
MARKDOWN = (
    "[click](javascript:alert(1))",
    "![x](https://example.org/x.png)",
    "</p></td></table>\n\n# heading\n\n<https://example.org>",
    "a\n\n::error::mine\n\n- item",
    "`code` | **bold** | </code>",
    "\n::set-output name=result::e30=",
)


@pytest.fixture(scope="module")
def repository(root, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("github") / "template"
    assert "Marks there are provisional" in write_github(Course(root), NAMES, folder)
    return folder


@pytest.mark.slow
def test_what_is_in_the_repository(repository, root):
    names = sorted(str(p.relative_to(repository)) for p in repository.rglob("*") if p.is_file())
    (wheel,) = (name for name in names if name.endswith(".whl"))
    notebooks = ["02_static_branch.ipynb", "11_scan_fit.ipynb"]
    others = [".github/workflows/classroom.yml", ".gitignore", "README.md", "requirements.txt"]
    assert names == sorted([*notebooks, *others, wheel])
    assert f"./{wheel}" in (repository / "requirements.txt").read_text().splitlines()
    assert zipfile.ZipFile(repository / wheel).testzip() is None
    for name in notebooks:
        assert (repository / name).read_bytes() == (root / "exercises" / name).read_bytes()
    readme = (repository / "README.md").read_text()
    assert "**provisional**" in readme and "<<" not in readme
    assert repository.stat().st_mode & 0o777 == 0o755


def test_git_keeps_all_of_it(repository, tmp_path):
    """No .gitignore, of hatchling's or the template's, hides the wheel."""
    git = ["git", f"--git-dir={tmp_path}/git", f"--work-tree={repository}"]
    subprocess.run([*git, "init", "-q"], check=True)
    seen = subprocess.run(
        [*git, "ls-files", "-o", "--exclude-standard"],
        cwd=repository,
        capture_output=True,
        text=True,
    )
    assert len(seen.stdout.splitlines()) == 7, seen.stdout + seen.stderr


def test_the_workflow(repository):
    workflow = yaml.safe_load((repository / WORKFLOW).read_text())
    ((_, job),) = workflow["jobs"].items()
    for step in job["steps"]:
        assert ("uses" in step) != ("run" in step)
    ids = [step["id"] for step in job["steps"] if "id" in step]
    assert ids == ["static_branch", "scan_fit"]  # in course order
    reporter = job["steps"][-1]
    assert reporter["with"]["runners"].split(",") == ids
    assert reporter["env"] == {
        f"{name.upper()}_RESULTS": f"${{{{ steps.{name}.outputs.result }}}}" for name in ids
    }
    for step in job["steps"]:
        if "id" in step:
            assert "(provisional)" in step["name"]
            module, lesson, notebook = step["run"].split()[3:]
            assert find_spec(module) and lesson == step["id"] and (repository / notebook).is_file()


@pytest.mark.slow
@pytest.mark.skipif(
    find_spec("check_jsonschema") is None, reason=reason_without("check_jsonschema", "dev")
)
def test_the_workflow_has_githubs_schema(repository):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    command += ["vendor.github-workflows", str(repository / WORKFLOW)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["static_branch", "scan_fitt", "-o", "x"], "there is no lesson 'scan_fitt'."),
        (["static_branch", "-o", "full"], "full already exists and is not empty; nothing was"),
        (["static_branch", "-o", "no/x"], "no does not exist. Make it first"),
    ],
)
def test_what_cannot_be_packed(arguments, printed, tmp_path, monkeypatch, root):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    done = CliRunner().invoke(app, ["pack", "github", *arguments, "--lessons", str(root)])
    assert done.exit_code == 1 and printed in done.output.replace("\n", " "), done.output
    assert [p.name for p in tmp_path.iterdir()] == ["full"]


# --- What GitHub reads ----------------------------------------------------------------------------


def read_command(line: str) -> tuple[str, dict[str, str], str]:
    """Read a workflow command as GitHub's runner does: level, properties and message."""
    match = re.fullmatch(r"::(\w+) (.*?)::(.*)", line)
    assert match, line

    def data(text: str) -> str:
        return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")

    pairs = (part.split("=", 1) for part in match[2].split(","))
    properties = {name: data(text.replace("%3A", ":").replace("%2C", ",")) for name, text in pairs}
    return match[1], properties, data(match[3])


@pytest.mark.parametrize("text", [*TEXTS, *MARKDOWN, "a::b,c=d%0A%25", "x\r\ny"])
def test_an_annotation_is_one_line_whatever_it_says(text):
    line = annotation("error", text, 7, text, text)
    assert "\n" not in line and "\r" not in line
    printed = printable(text.replace("\r", "\n"))
    level, properties, message = read_command(line)
    assert (level, message) == ("error", printed)
    assert properties == {"file": printed, "line": "7", "title": printed}


def hostile_report(exercise: str = "f") -> Report:
    findings = tuple(
        Finding("rule", "warning" if i % 2 else "error", 1, text, text)
        for i, text in enumerate([*TEXTS, *MARKDOWN])
    )
    criteria = (
        CriterionResult("outputs", Status.FAILED, 0.0, 4.0, "proved", "", findings),
        CriterionResult("purity", Status.PASSED, 2.0, 2.0, "observed"),
        CriterionResult("speed", Status.PENDING, 0.0, 3.0, "proved"),
    )
    return Report("lesson", exercise, criteria, notes=(*TEXTS, *MARKDOWN))


def test_errors_come_first(tmp_path):
    path = tmp_path / "x.ipynb"
    path.write_text("{")
    levels = [read_command(line)[0] for line in annotate([hostile_report()], path)]
    assert levels == sorted(levels) and set(levels) == {"error", "warning"}


class _Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        assert not attrs, (tag, attrs)
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_summary_shows_hostile_text_as_text():
    card = summary(hostile_report())
    html = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(f"{card}# below\n")
    assert active_parts(html) == []
    page = _Tags(html)
    assert page.tags == {"pre", "h1"}
    text = " ".join(page.text.split())
    for shown in (
        "<script>alert(1)</script>",
        "[click](javascript:alert(1))",
        "{{ 7*7 }}",
        "# heading",
    ):
        assert shown in text
    assert html.count("<h1>") == 1 and "0 / 6 (+3 pending)" not in text
    assert "2 / 6 (+3 pending)" in text
    assert "Provisional: checked on the public inputs" in text


def test_the_marks_as_the_reporter_adds_them_up():
    reports = [hostile_report("f"), hostile_report("g")]
    result = json.loads(base64.b64decode(encoded(classroom_result(reports)), validate=True))
    assert (result["version"], result["status"]) == (1, "fail")
    assert (sum(test["score"] for test in result["tests"]), result["max_score"]) == (4, 12)
    assert [t["name"] for t in result["tests"]][:2] == ["f: outputs", "f: purity"]  # no speed
    # The reporter prints all of it to a log, in which GitHub looks for commands.
    texts = [text for test in result["tests"] for text in test.values() if isinstance(text, str)]
    assert not any("::" in text or "\n" in text for text in texts)


def test_a_fault_of_the_kit_is_an_error():
    criterion = CriterionResult("outputs", Status.NOT_GRADED, 0.0, 4.0, "proved", KIT_ERROR)
    result = classroom_result([Report("lesson", "f", (criterion,))])
    assert result == {"version": 1, "status": "error", "max_score": 0, "tests": []}


def run_step(path: Path, monkeypatch, capsys) -> tuple[list[str], str, dict]:
    """Grade as the workflow's step does: lines of the log, summary, and the decoded result."""
    summary, output = path.with_suffix(".md"), path.with_suffix(".out")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("GITHUB_OUTPUT", str(output))
    main("static_branch", path)
    name, _, value = output.read_text().partition("=")
    assert name == "result" and value.count("\n") == 1
    return (
        capsys.readouterr().out.splitlines(),
        summary.read_text(),
        json.loads(base64.b64decode(value)),
    )


def test_a_notebook_that_is_gone_or_broken(tmp_path, monkeypatch, capsys):
    path = tmp_path / "02_static_branch.ipynb"
    log, summary, result = run_step(path, monkeypatch, capsys)
    level, where, message = read_command(log[0])
    assert (level, where["line"]) == ("error", "1")
    assert message.startswith("There is no 02_static_branch.ipynb in this repository. Put the")
    assert (result["status"], result["max_score"]) == ("fail", 9)
    path.with_suffix(".out").unlink()
    path.write_text("{")
    log, summary, _ = run_step(path, monkeypatch, capsys)
    assert (
        "cannot be read as a notebook" in read_command(log[0])[2] and "could not be read" in summary
    )
    assert log[-1] == "static_branch: 0 / 9, provisional"


@pytest.mark.slow
def test_a_push(write_notebook, monkeypatch, capsys):
    wrong = (
        "import jax\nimport jax.numpy as jnp\n\n\ndef box_cox(counts, power):\n"
        "    print('::error::mine')\n    if power == 0:\n        return jnp.log(counts + 1)\n"
        "    return ((counts + 1) ** power - 1) / power\n"
    )
    path = write_notebook("static_branch", wrong)
    log, summary, result = run_step(path, monkeypatch, capsys)
    assert not any(line.startswith("::error::") for line in log)
    lines = path.read_text().splitlines()
    blamed = [lines[int(read_command(line)[1]["line"]) - 1] for line in log[:-1]]
    assert any('"    print(' in line for line in blamed), log
    assert result["status"] == "fail" and "static_branch  4 / 9" in summary
    path.with_suffix(".out").unlink()
    log, summary, result = run_step(write_notebook("static_branch", True), monkeypatch, capsys)
    assert log == ["static_branch: 9 / 9, provisional"] and result["status"] == "pass"
