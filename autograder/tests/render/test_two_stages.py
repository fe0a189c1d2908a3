"""A card says at once what was seen; cause and repair come when they are asked for."""

from __future__ import annotations

from autograder.model.finding import Finding
from autograder.model.report import CriterionResult, Report, Status
from autograder.render import html_card, text_card

FINDING = Finding.error("wrong", "It is 3, expected 2.\nSomething is added.\nRemove it.", 4)
RESULT = CriterionResult(
    "outputs", Status.FAILED, 0, 4, "proved", findings=(FINDING,), hints=("Look.",)
)
REPORT = Report("lesson", "task", (RESULT,))


def test_html_folds_the_cause():
    seen, folded = html_card(REPORT).split("why?</summary>")
    assert "It is 3, expected 2." in seen and "Something is added." not in seen
    assert "Something is added." in folded and "Remove it." in folded


def test_text_is_whole_unless_asked_otherwise():
    assert "Remove it." in text_card(REPORT)
    short = text_card(REPORT, whole=False)
    assert "It is 3, expected 2." in short and "Something is added." not in short


def test_without_causes_nothing_but_what_was_seen_is_left():
    shorter = REPORT.without_causes()
    (criterion,) = shorter.criteria
    assert [finding.message for finding in criterion.findings] == ["It is 3, expected 2."]
    assert criterion.hints == () and shorter.mark() == REPORT.mark()
    assert "why?" not in html_card(shorter)
