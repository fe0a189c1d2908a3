import nbformat
from IPython.core.formatters import DisplayFormatter
from nbgrader.utils import determine_grade

from autograder.core.finding import Finding
from autograder.core.report import CriterionResult, Report, Status
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
