"""What `check` returns: a number for nbgrader, a card for the reader."""

from __future__ import annotations

from html import escape
from typing import Any

from autograder.model.kit_fault import kit_message
from autograder.model.messages import NO_CARD
from autograder.model.report import Report
from autograder.render import html_card, text_card

REPORT_MIME = "application/vnd.autograder.report+json"


class Score(float):
    """The points earned, as a float that carries its report.

    nbgrader takes the first ``text/plain`` of a grade cell that is a number as the cell's mark, so
    the representation is the bare number. Notebooks show the HTML card. Programs read the report,
    which is added as JSON.
    """

    report: Report

    def __new__(cls, report: Report) -> Score:
        score = super().__new__(cls, report.earned)
        score.report = report
        return score

    def __repr__(self) -> str:
        return float.__repr__(self)

    def __str__(self) -> str:
        try:
            return text_card(self.report)
        except Exception as error:
            return self._without_card(error)

    def _repr_html_(self) -> str:
        try:
            return html_card(self.report)
        except Exception as error:
            return escape(self._without_card(error))

    def _without_card(self, error: Exception) -> str:
        report = self.report
        return f"{report.exercise}: {report.mark()}. {kit_message(error, NO_CARD)}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict:
        return {
            # nbgrader would take a number for a mark; where the kit failed, there is none.
            "text/plain": self.report.mark() if self.report.failed_by_kit else repr(self),
            "text/html": self._repr_html_(),
            REPORT_MIME: self.report.to_json(),
        }


def reports_shown(cell: Any) -> list[Report]:
    """Return the reports in the outputs of a check cell."""
    shown = [output.get("data", {}) for output in cell.get("outputs", ())]
    return [Report.from_json(data[REPORT_MIME]) for data in shown if REPORT_MIME in data]
