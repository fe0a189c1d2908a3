"""The card as Markdown, for pages such as GitHub's job summaries; `card.md` holds its layout.

Whatever may come from a submission stands escaped in blocks of HTML without blank lines, and
Markdown reads no markup inside these (https://spec.commonmark.org/0.31.2/#html-blocks).
"""

from __future__ import annotations

from autograder.model.finding import Finding
from autograder.model.printable import one_line
from autograder.model.report import Report
from autograder.render import words
from autograder.render.markup import load_template
from autograder.render.text import figure_text

_LONG = 1000
"""Characters of a line of code or of a note."""


def markdown_card(report: Report) -> str:
    """Return the report as Markdown, with blocks of HTML."""

    def lines(finding: Finding) -> list[str]:
        return [line for line in words.message_of(finding).splitlines() if line.strip()]

    return load_template("autograder.render", "card.md").render(
        report=report,
        words=words,
        lines=lines,
        figure_text=figure_text,
        one_line=lambda text: one_line(text, _LONG),
    )
