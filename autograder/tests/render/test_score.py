import re
from dataclasses import replace

import nbformat
from bs4 import BeautifulSoup
from IPython.core.formatters import DisplayFormatter
from nbconvert.exporters import HTMLExporter
from nbgrader.utils import determine_grade

from autograder.model.figures import CallEffect, CallSeen, Curve, Timeline
from autograder.model.finding import Finding
from autograder.model.report import CriterionResult, Report, Status
from autograder.render.score import REPORT_MIME, Score


def score() -> Score:
    finding = Finding("print", "error", 3, "It prints <b>.\nWhy it matters.", "print('<i>')")
    criteria = (
        CriterionResult("outputs", Status.PASSED, 4.0, 4.0, "proved"),
        CriterionResult("purity", Status.FAILED, 0.0, 2.0, "observed", "", (finding,)),
    )
    return Score(Report("lesson", "exercise", criteria))


def test_is_a_plain_number_for_nbgrader():
    data, _ = DisplayFormatter().format(score())
    assert data["text/plain"] == "4.0"
    cell = nbformat.v4.new_code_cell(
        outputs=[nbformat.v4.new_output("execute_result", data)],
        metadata={"nbgrader": {"grade": True, "solution": False, "points": 6, "grade_id": "x"}},
    )
    assert determine_grade(cell) == (4.0, 6.0)


def test_carries_card_and_report():
    bundle = score()._repr_mimebundle_()
    assert Report.from_json(bundle[REPORT_MIME]) == score().report
    assert "4 / 6" in bundle["text/html"]


def test_html_card_escapes_what_the_student_wrote():
    html = score()._repr_html_()
    assert "print(&#39;&lt;i&gt;&#39;)" in html
    assert "prints &lt;b&gt;." in html
    assert "<script" not in html


def test_prints_as_text():
    text = str(score())
    assert text.splitlines() == [
        "~ exercise  4 / 6",
        "  ✓ outputs        4/4  passed",
        "  ✗ purity         0/2  failed",
        "      line 3: print('<i>')",
        "      It prints <b>.",
        "      Why it matters.",
        "  Provisional: checked on the public inputs; an instructor grades with others.",
    ]


VS_CODE_ORDER = (
    *("application/json", "application/javascript", "text/html", "image/svg+xml", "text/latex"),
    *("text/markdown", "image/png", "image/jpeg", "text/plain"),
)
"""In which VS Code prefers the formats of an output; one that it cannot show comes last."""


def drawn() -> Score:
    """Return a score whose card has all that a card can have."""
    calls = Timeline((CallSeen("f()", CallEffect.COMPILED, 1), CallSeen("f()", CallEffect.REUSED)))
    curve, hints = Curve("ELBO", (-4.0, -1.0), (-4.0, 0.0)), ("Look.", "Look harder.")
    (outputs, *others) = score().report.criteria
    figures = [replace(outputs, figure=figure, hints=hints) for figure in (calls, curve)]
    return Score(Report("lesson", "exercise", (*others, *figures), notes=("In `f`.",)))


def test_vs_code_shows_the_card():
    """It runs no script in a folder that is not trusted, and has none of Jupyter's colours."""
    bundle = drawn()._repr_mimebundle_()
    assert min(bundle.keys() & {*VS_CODE_ORDER}, key=VS_CODE_ORDER.index) == "text/html"
    (own,) = bundle.keys() - {*VS_CODE_ORDER}
    assert own == REPORT_MIME  # no extension has a renderer for it
    card = bundle["text/html"]
    assert not re.search(r"<(script|style|link)|var\(|url\(|@import|\son\w+=|\sid=", card)
    styled = re.findall(r"<(\w+)[^>]*\sclass=", card)
    assert styled == ["section"]  # the name for tests; no rule of a page's gives the card its look


def test_nbconvert_keeps_the_card():
    data = drawn()._repr_mimebundle_()
    output = nbformat.v4.new_output("execute_result", data=data, execution_count=1)
    cell = nbformat.v4.new_code_cell("check('x')", outputs=[output])
    page, _ = HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    kept = BeautifulSoup(page, "html.parser").find("section", class_="autograder-card")
    made = BeautifulSoup(data["text/html"], "html.parser").find("section")
    assert kept is not None and made is not None
    assert kept.get_text(" ", strip=True) == made.get_text(" ", strip=True)
    assert [tag.get("style") for tag in kept.find_all(True)] == [
        tag.get("style") for tag in made.find_all(True)
    ]
