"""What `check` returns: a number for nbgrader, a card for the reader."""

from __future__ import annotations

from typing import Any

from autograder.core.report import Report
from autograder.render import html_card, text_card

REPORT_MIME = "application/vnd.autograder.core.report+json"


class Score(float):
    """The points earned, as a float, carrying the report it came from.

    nbgrader takes a grade cell's first ``text/plain`` that parses as a number as its mark, so the
    representation is the bare number; notebooks show the HTML card beside it, and the report
    travels along as JSON for the programs that make tables of it.
    """

    report: Report

    def __new__(cls, report: Report) -> Score:
        score = super().__new__(cls, report.earned)
        score.report = report
        return score

    def __repr__(self) -> str:
        return float.__repr__(self)

    def __str__(self) -> str:
        return text_card(self.report)

    def _repr_html_(self) -> str:
        return html_card(self.report)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict:
        return {
            # A number here would be a mark, and where the kit failed there is none.
            "text/plain": self.report.mark() if self.report.failed_by_kit else repr(self),
            "text/html": self._repr_html_(),
            REPORT_MIME: self.report.to_json(),
        }


def reports_shown(cell: Any) -> list[Report]:
    """The reports that a check cell of an executed notebook left in its outputs."""
    shown = [output.get("data", {}) for output in cell.get("outputs", ())]
    return [Report.from_json(data[REPORT_MIME]) for data in shown if REPORT_MIME in data]
