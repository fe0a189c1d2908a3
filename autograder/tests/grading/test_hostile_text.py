"""Text of a submission, of its files and of its folders: shown as text, everywhere, in no time."""

from __future__ import annotations

import io
import json
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from nbformat import NotebookNode
from rich.console import Console
from typer.testing import CliRunner

from autograder.classroom import grading_class
from autograder.classroom.assignment import Assignment, Task
from autograder.classroom.class_page import class_page
from autograder.classroom.command import run
from autograder.classroom.course_config import read_config
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.demo import submit
from autograder.classroom.gradescope import write_results
from autograder.classroom.marks import Outcome, make_showable
from autograder.classroom.report_command import write_report
from autograder.classroom.table import Display, csv_rows, csv_text, outcome_line, rich_table
from autograder.cli import app
from autograder.criteria import rules
from autograder.errors.jax_errors import explain_error
from autograder.grading.pipeline import prepare
from autograder.learner.folder import LessonNotebook
from autograder.learner.notebook_record import read_record
from autograder.learner.standing import Standing, show_checked, show_table
from autograder.model import magics
from autograder.model.finding import Finding
from autograder.model.graded import Graded
from autograder.model.observation import MAX_FINDINGS, Blobs, Observation, decode, encode
from autograder.model.printable import clean
from autograder.model.reasons import UNKNOWN
from autograder.model.report import EVIDENCE, CriterionResult, Report, Status
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import load_rubric
from autograder.render import criterion_text, html_card, text_card
from autograder.render.progress import Steps
from autograder.render.terminal import plain
from autograder.sandbox import Limits, cells, worker_answers
from autograder.sandbox.zygote_client import Answer
from autograder.tests.helpers.active_html import active_parts
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT
from autograder.tests.helpers.fast_tier import mostly_slow
from autograder.tests.helpers.hostile_texts import CONTROL, TEXTS
from plnkit.cli import app as plnkit_app

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800]")


def evil_report(text: str) -> Report:
    """A report that bypassed every check at the wire."""
    finding = Finding(text, "error", 3, text, text)
    criteria = [
        CriterionResult(
            name, Status.NOT_GRADED, 0.0, 4.0, EVIDENCE[name], text, (finding,), (text,)
        )
        for name in ("outputs", "purity")
    ]
    return Report("static_branch", "static_branch", tuple(criteria), notes=(text,))


def outcome(text: str, student: str = "eve") -> Outcome:
    return Outcome(student, Graded((evil_report(text),), {}, 1.0, (text,)), (text,))


def honest(student: str = "ada") -> Outcome:
    passed = [
        CriterionResult(name, Status.PASSED, 4.0, 4.0, EVIDENCE[name])
        for name in ("outputs", "purity")
    ]
    return Outcome(student, Graded((Report("static_branch", "static_branch", tuple(passed)),)))


def shown(*parts, terminal: bool = False) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=200, force_terminal=terminal, color_system=None)
    console.print(*parts)
    return stream.getvalue()


@pytest.mark.parametrize("text", TEXTS)
def test_text_is_neither_markup_nor_control(text):
    printed = shown(plain(text))
    assert not CONTROLS.search(printed)
    kept = re.sub(CONTROLS, "", text.encode("utf-8", "replace").decode())
    assert re.sub(r"\s", "", printed) == re.sub(r"\s", "", kept)


@pytest.mark.parametrize("text", TEXTS)
def test_a_class_with_one_hostile_report_is_shown(text, tmp_path):
    outcomes = [honest(), outcome(text), replace(honest(text), review=(text,))]
    printed = shown(rich_table("static_branch", outcomes))
    assert "ada" in printed and "8 / 8" in printed
    assert not CONTROLS.search(printed)

    made = class_page("a course", "static_branch", outcomes)
    assert "ada" in made and not CONTROLS.search(made)
    own = active_parts(class_page("a course", "static_branch", [honest()]))
    assert active_parts(made) == own

    rows = csv_text(csv_rows("static_branch", outcomes))
    assert rows.splitlines()[1].startswith("static_branch,ada,4,4,8,8,0,8,graded")
    write_results(tmp_path, [honest(), outcome(text)])
    assert json.loads((tmp_path / "ada" / "results.json").read_text())["score"] == 8


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("text", TEXTS)
def test_the_run_shows_it_as_it_goes(text, terminal):
    stream = io.StringIO()
    console = Console(file=stream, width=200, force_terminal=terminal)
    steps = Steps()
    steps.expect(3)
    display = Display(console, steps, several=True)
    display.add("static_branch", outcome(text))
    display.add("static_branch", honest(text))
    console.print(plain(outcome_line(outcome(text), "")))
    own = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", stream.getvalue())  # rich's, for the bar
    assert not CONTROLS.search(own)
    assert "\x1b[2J" not in stream.getvalue()


@pytest.mark.parametrize("text", TEXTS)
def test_cards_show_it_as_text(text):
    report = Report.from_json(json.loads(json.dumps(evil_report(text).to_json())))
    card = html_card(report)
    assert not active_parts(card)
    assert not CONTROLS.search(card)
    assert not CONTROLS.search(shown(plain(text_card(report))))


@pytest.mark.slow
@pytest.mark.parametrize("text", mostly_slow(["[/]", "\x1b[2J", "<script>"]))
def test_learners_commands_show_names_as_text(text, tmp_path, write_notebook):
    name = f"03_{text.replace('/', '_')}[/".replace("/", "")
    path = write_notebook("static_branch", True).rename(tmp_path / f"{name}.ipynb")
    notebook = LessonNotebook("static_branch", path)
    record = replace(read_record(path), reports=(evil_report(text),))
    here = Standing(notebook, notebook.rubric(), record)
    stream = io.StringIO()
    console = Console(file=stream, width=200)
    show_checked(console, here, 1.0)
    show_table(console, [here])
    assert not CONTROLS.search(stream.getvalue())
    for command in (["progress"], ["hint", "nothing[/]\x1b[2J"], ["solution", "[/]"]):
        done = CliRunner().invoke(app, [*command, "--in", str(tmp_path)])
        assert done.exit_code == (command != ["progress"]), done.output
        assert not CONTROLS.search(re.sub(r"\x1b\[\d*m", "", done.output))


def test_plnkit_shows_a_files_names_as_text(tmp_path):
    table = tmp_path / "counts.csv"
    table.write_text("sample,[/],b\nx,1,-2\n")
    done = CliRunner().invoke(plnkit_app, ["fit", str(table), "--out", str(tmp_path / "o")])
    assert done.exit_code == 2, done.exception


# --- a whole class ------------------------------------------------------------------------------

FORGED = """
import json, os, struct, sys

frame = sys._getframe()
while "answers" not in frame.f_locals:
    frame = frame.f_back
finding = {{"rule": {text!r}, "severity": {text!r}, "line": 3, "message": {text!r}}}
entry = {{"refused": [{text!r}, finding]}}
header = json.dumps({{"exercises": {{"static_branch": entry}}, "blobs": []}}).encode()
frame.f_locals["answers"].write(struct.pack(">I", len(header)) + header)
frame.f_locals["answers"].flush()
os._exit(0)
"""


@pytest.mark.slow
def test_a_forged_reason_ends_neither_grade_nor_report(course):
    submit(course, ASSIGNMENT, "ada", RIGHT)
    submit(course, ASSIGNMENT, "eve", FORGED.format(text="[/]"))
    strange = course / "submitted" / "mal[bold]\x1b[2J" / ASSIGNMENT
    strange.mkdir(parents=True)
    (strange / "my [red]\x1b[31m.ipynb").write_text("{")
    stream = io.StringIO()
    console = Console(file=stream, width=200)
    run(course, [ASSIGNMENT], console=console)
    write_report(course, ASSIGNMENT, console=console)
    printed = stream.getvalue()
    assert not CONTROLS.search(printed)
    rows = {
        cells[0]: cells[1:]
        for cells in map(str.split, re.sub("[│┃]", " ", printed).splitlines())
        if cells
    }
    assert rows["ada"][:3] == ["4", "2", "3"]
    assert "unknown" in " ".join(rows["eve"])
    assert "mal[bold][2J" in printed
    graded = CourseGrader(read_config(course))
    known = [graded.store.get(digest) for digest in graded.store._offsets]
    reasons = {c.reason for g in known if g for r in g.reports for c in r.criteria}
    assert reasons == {"", "unknown"}
    made = (course / f"{ASSIGNMENT}.html").read_text()
    assert active_parts(made) == active_parts(class_page("a", ASSIGNMENT, [honest()]))


@pytest.mark.slow
def test_one_submission_that_cannot_be_shown_or_read_is_named(course, monkeypatch):
    for student in ("ada", "bob"):
        submit(course, ASSIGNMENT, student, RIGHT)
    real = Assignment.task

    def task(self: Assignment, student: str) -> Task:
        if student == "bob":
            raise RecursionError("too deep")
        return real(self, student)

    monkeypatch.setattr(Assignment, "task", task)
    monkeypatch.setattr(grading_class, "READ_AHEAD", 1)
    console = Console(file=io.StringIO(), width=200)
    run(course, [ASSIGNMENT], console=console)
    write_report(course, ASSIGNMENT, console=console)
    table = (course / f"{ASSIGNMENT}.csv").read_text().splitlines()
    assert "ada,4,2,3,0,9,11,0,11,graded" in table[1]
    assert "bob" in table[2] and "cannot be shown (RecursionError)" in table[2]


def test_a_report_that_cannot_be_shown_leaves_the_others():
    class Odd(str):
        def __format__(self, spec: str) -> str:
            raise ValueError("odd")

    (report,) = outcome("x").reports
    odd = replace(report.criteria[0], name=Odd("outputs"))
    broken = Outcome("eve", Graded((replace(report, criteria=(odd, report.criteria[1])),)))
    outcomes = [make_showable(one) for one in (honest(), broken)]
    printed = shown(rich_table("static_branch", outcomes))
    assert "8 / 8" in printed and "cannot be shown (ValueError)" in printed
    assert "cannot be shown (ValueError)" in csv_text(csv_rows("static_branch", outcomes))
    assert "cannot be shown (ValueError)" in class_page("c", "static_branch", outcomes)


# --- at the wire --------------------------------------------------------------------------------


def entry(**changes) -> dict:
    blank = Observation(programs=(None,), failures=(Finding.error("error", "x"),))
    return {**json.loads(json.dumps(encode(blank, Blobs()))), **changes}


@pytest.mark.parametrize("text", [*TEXTS, "timeout", "worker-died", "outputs-first", 3, None, []])
def test_reasons_and_rules_are_those_that_are_known(text):
    reported = {"rule": text, "severity": text, "message": "m"}
    reason, finding = decode(entry(refused=[text, reported]), [], rules.RULES).refused or ("", None)
    assert reason == UNKNOWN and finding is not None
    assert (finding.rule, finding.severity) == (UNKNOWN, "error")
    seen = decode(
        entry(
            failures=[reported],
            observed={"purity": [reported], text if isinstance(text, str) else "x": [reported]},
        ),
        [],
        rules.RULES,
    )
    assert [f.rule for f in seen.failures if f] == [UNKNOWN]
    assert {f.rule for found in seen.observed.values() for f in found} == {UNKNOWN}
    assert set(seen.observed) == {"purity"}


@pytest.mark.parametrize("rule", sorted(rules.RULES))
def test_known_rules_cross(rule):
    seen = decode(entry(observed={"purity": [Finding.error(rule, "m").to_json()]}), [], rules.RULES)
    assert [f.rule for f in seen.observed["purity"]] == [rule]


def test_rules_that_a_rubric_has_hints_for_cross():
    reported = Finding.error("my-own", "m").to_json()
    assert (
        decode(entry(observed={"purity": [reported]}), [], {"my-own"}).observed["purity"][0].rule
        == "my-own"
    )


def test_every_rule_of_the_probes_is_known():
    """Rules are written as strings where findings are made: none may be missing from the set."""
    kit = Path(rules.__file__).parents[1]
    sources = [
        *kit.glob("sandbox/*.py"),
        *kit.glob("criteria/compilations/*.py"),
        *kit.glob("criteria/purity/**/*.py"),
        *kit.glob("rubrics/*.py"),
    ]
    sources = [source for source in sources if source.name != "judge.py"]  # trusted code
    written = re.compile(
        r"""(?:Finding(?:\.error|\.at)?|finding|_error|findings\.add|\.note)\(\s*"([a-z-]+)"|_RULES\s*=|rule\s*=\s*"([a-z-]+)\""""
    )
    found = {
        first or second
        for source in sources
        for first, second in written.findall(source.read_text())
        if first or second
    }
    tables = (kit / "criteria" / "purity" / f"{name}.py" for name in ("experiment_rules", "probes"))
    found |= {
        rule for table in tables for rule in re.findall(r'"([a-z]+-[a-z-]+)"', table.read_text())
    }
    assert len(found) > 25
    assert found <= rules.RULES, found - rules.RULES


def test_the_count_of_findings_is_bounded_on_both_sides_and_errors_stay():
    many = tuple(Finding("prints", "warning", i + 1, "w") for i in range(500))
    seen = Observation(observed={"purity": (*many, Finding.error("logs", "e"))})
    sent = encode(seen, Blobs())
    assert len(sent["observed"]["purity"]) == MAX_FINDINGS
    assert sent["observed"]["purity"][0]["rule"] == "logs"
    forged = entry(observed={"purity": [f.to_json() for f in many]})
    assert len(decode(forged, [], rules.RULES).observed["purity"]) == MAX_FINDINGS


LONG = ["/" * 10**6, "/a" * 10**6, "/autograder-" * 10**5, "/autograder-a" * 10**5, "0x" * 10**6]
LONG += [
    "0x" + "f" * 10**6,
    "\x00" * 10**6,
    "/autograder-x/" * 10**5,
    "'/" * 10**6,
    "\ud800" * 10**6,
]


@pytest.mark.parametrize("text", LONG, ids=range(len(LONG)))
def test_hostile_findings_take_no_time(text):
    """Thirty findings of 8000 slashes took minutes."""
    reported = {"rule": text, "severity": "error", "line": 1, "message": text, "code": text}
    forged = entry(observed={"purity": [reported] * 300, "compilations": [reported] * 300})
    began = time.process_time()
    decode(forged, [], rules.RULES)
    assert time.process_time() - began < 2


def test_scratch_folders_and_addresses_are_left_out_as_ever():
    text = (
        "in '/tmp/autograder-x1/cell.py' and /a/autograder-b/c/autograder-d/e.py at 0x7f12ab34cd56"
    )
    assert clean(text, 500) == "in 'cell.py' and e.py at 0x"
    assert (
        clean("autograder-x/ /autograder-y/ /usr/lib/x.py", 500)
        == "autograder-x/ /autograder-y/ /usr/lib/x.py"
    )


EXPRESSIONS = {
    "a check's call": lambda t: prepare(
        json.dumps(
            {
                "cells": [{"cell_type": "code", "source": t, "metadata": {}}],
                "metadata": {},
                "nbformat": 4,
                "nbformat_minor": 5,
            }
        ).encode(),
        "x",
        RELEASED,
    ),
    "magics": lambda t: cells._NEEDS_IPYTHON.search(t),
    "magics left out": lambda t: (magics._MAGIC.fullmatch(t), magics._SHOWN_CELL.match(t)),
    "errors": lambda t: explain_error(ValueError(t)),
    "card": lambda t: (html_card(evil_report(t[:4000])), text_card(evil_report(t[:4000]))),
    "criterion": lambda t: criterion_text(evil_report(t[:4000]).criteria[0]),
}
RELEASED = NotebookNode(cells=[], metadata={})
PIECES = [
    "\n",
    " ",
    "check(",
    "check('",
    "check('a'",
    "check('a' ,",
    "?",
    "? ",
    "=",
    "= ",
    "`",
    "`a",
]
PIECES += [
    "-",
    "a-",
    "--a",
    "carry ",
    "branch",
    "branchs ",
    "body ",
    "must ",
    "\t",
    "_",
    "/",
    "a b ",
]


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expressions_that_see_a_submission_are_linear(name, piece):
    """A pattern whose time grows with the square takes hours for this."""
    began = time.process_time()
    EXPRESSIONS[name](piece * (200_000 // len(piece)))
    assert time.process_time() - began < 3


def test_an_answer_of_many_parts_is_refused_before_it_is_taken_apart():
    for part in ("programs", "failures", "second_process", "watched"):
        with pytest.raises(Exception, match="too many parts"):
            decode(entry(**{part: [None] * 100_000}), [], rules.RULES)


def test_a_malformed_answer_is_a_dead_worker():
    drawn = load_rubric("static_branch").draw("static_branch", PUBLIC_KEY)
    answer = Answer({"exercises": {"static_branch": entry(failures="x")}}, [])
    seen = worker_answers._decode_answer(answer, {drawn: [()]}, Limits(), second=False, ask=False)
    assert seen["static_branch"].refused is not None
    assert seen["static_branch"].refused[0] == "worker-died"


def test_control_characters_are_in_the_table():
    assert all(CONTROLS.search(text) for text in CONTROL)
