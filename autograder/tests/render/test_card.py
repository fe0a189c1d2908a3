"""The card as text and as HTML: golden lines for small cases, and nothing let through."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.model.figures import (
    CallEffect,
    CallSeen,
    Curve,
    JaxprDiff,
    JaxprLine,
    SpeedBars,
    Timeline,
)
from autograder.model.finding import Finding
from autograder.model.report import CriterionResult, Report, Status
from autograder.render import criterion_text, html_card, text_card
from autograder.render.words import STATUS_WORDS, SYMBOL

CALLS = Timeline(
    (
        CallSeen("(float32[4], 0)", CallEffect.COMPILED, 1),
        CallSeen("(float32[4], 0)", CallEffect.AGAIN, 2),
        CallSeen("(float32[4], 0)", CallEffect.REUSED),
    ),
    repeats=1,
)
BARS = SpeedBars(ratio=4.0, low=2.0, high=5.0, threshold=10.0, where="CPU")
CURVE = Curve("ELBO", (-4.0, None, -1.0), (-4.0, -2.0, 0.0))
JAXPRS = JaxprDiff(
    (
        JaxprLine("both", "float32[] = cond"),
        JaxprLine("lesson", "  float32[] = log"),
        JaxprLine("yours", "float32[] = <log>"),
    )
)
HINTS = ("Look at `f`.", "Look harder.", "Write <g>.")


def criterion(figure=None, status=Status.FAILED, **changes):
    made = CriterionResult("compilations", status, 0.0, 3.0, "observed", figure=figure)
    return replace(made, **changes)


def card(*criteria: CriterionResult) -> str:
    return html_card(Report("lesson", "exercise", criteria))


def luminance(colour: str) -> float:
    """WCAG 2.2's relative luminance."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


def blend(text: str, page: str, opacity: float) -> str:
    pairs = [(int(text[i : i + 2], 16), int(page[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(t * opacity + p * (1 - opacity)):02x}" for t, p in pairs)


class Tags(HTMLParser):
    """Tags, attributes and text of a page; fails on tags that are not closed in turn."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert not self._open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self._open.pop()

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.text += f"{data} "


# --- text ---------------------------------------------------------------------------------------


def test_calls_in_one_line():
    assert criterion_text(criterion(CALLS)).splitlines() == [
        "compilations: 0 of 3 points",
        "calls C!, then again · (C compiled, ! compiled again, · reused)",
    ]


def test_a_long_line_of_calls_fits_a_terminal():
    many = Timeline(tuple([CallSeen("()", CallEffect.COMPILED, 1)] * 48), 0)
    lines = text_card(Report("l", "e", (criterion(many),))).splitlines()
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("curve", "line"),
    [
        (CURVE, "ELBO after 3 iterations: -1 (reference: 0)"),
        (Curve("ELBO", (None,), ()), "ELBO after 1 iterations: not finite"),
    ],
)
def test_a_curve_in_one_line(curve, line):
    assert criterion_text(criterion(curve)).splitlines()[1:] == [line]


def test_speed_is_reported_by_its_finding_alone():
    assert criterion_text(criterion(BARS)).splitlines() == ["compilations: 0 of 3 points"]


# --- HTML ---------------------------------------------------------------------------------------


def test_one_box_a_call_with_the_compile_marked():
    html = card(criterion(CALLS))
    words = " ".join(Tags(html).text.split())
    assert "calls 1 C 2 ! the same with other numbers 3 C compiled ! compiled again reused" in words
    assert 'title="call 2 (float32[4], 0): compiled again 2"' in html


def test_bars_of_time_with_interval_and_threshold():
    html = card(criterion(BARS))
    label = "4 times the baseline&#39;s speed on this CPU (2 to 5); required: 10x"
    assert f'aria-label="{label}"' in html
    for part in ("width:100.00%", "width:25.00%", "left:20.00%;width:30.00%", "left:10.00%"):
        assert part in html
    words = " ".join(Tags(html).text.split())
    assert "time per iteration on a CPU; dashed line: required, 10x the baseline's speed" in words


def test_bars_of_a_program_slower_than_the_baseline_fit_the_frame():
    html = card(criterion(SpeedBars(0.5, 0.25, 1.0, 10.0, "GPU")))
    for part in ("width:25.00%", "width:50.00%", "left:25.00%;width:75.00%"):
        assert part in html


def test_a_curve_is_broken_where_a_value_is_missing():
    html = card(criterion(CURVE))
    assert '<path d="M4.0 96.0 M316.0 27.0" fill="none" stroke="#4a80d2"' in html
    assert '<path d="M4.0 96.0 L160.0 50.0 L316.0 4.0" fill="none" stroke="currentColor"' in html
    assert "from -4 to 0: yours is blue, the reference is dashed; 1 of your values are not" in html


def test_a_curve_without_any_number():
    assert "ELBO: no finite value" in card(criterion(Curve("ELBO", (None,), (None,))))


def test_lines_of_jaxprs_are_marked_and_folded():
    html = card(criterion(JAXPRS))
    words = " ".join(Tags(html).text.split())
    assert "1 line only in yours, 1 only in the lesson's" in words
    assert "+ float32[] = &lt;log&gt;</div>" in html and "-   float32[] = log</div>" in html
    assert "- in the lesson's only" in words
    assert "operation for operation" in card(criterion(JaxprDiff(())))
    text = " ".join(criterion_text(criterion(JAXPRS)).split())
    assert text.endswith(
        "do the same in different ways: 1 line only in yours, 1 only in the lesson's"
    )


def test_the_next_hint_is_folded_inside_the_one_before():
    html = card(criterion(hints=HINTS))
    assert Tags(html).tags.count("details") == 3
    first, second, third = (html.index(f"hint {tier} of 3</summary>") for tier in (1, 2, 3))
    assert first < html.index("Look at <code>f</code>.") < second < third
    assert html.index("Write &lt;g&gt;.") > third
    assert "<details open" not in html


def test_what_is_checked_later_is_folded():
    later = criterion(
        status=Status.NOT_GRADED,
        reason="outputs-first",
        findings=(Finding("call-failed", "error", None, "call 1 raised"),),
    )
    assert "found so far</summary>" in card(later)
    assert "checked once the outputs are right" in card(later)
    assert "found so far" not in card(replace(later, reason=""))


def test_the_status_is_in_words_too():
    everything = [criterion(status=status) for status in Status]
    words = " ".join(Tags(card(*everything)).text.split())
    lines = text_card(Report("lesson", "exercise", tuple(everything))).splitlines()
    for status, line in zip(Status, lines[1:], strict=False):
        assert f"{SYMBOL[status]} {STATUS_WORDS[status]}" in words
        assert line.split(maxsplit=3)[0] == SYMBOL[status]
        assert STATUS_WORDS[status] in line or "graded" in line


def test_readable_on_every_page():
    """Text has the page's colour; what else is drawn stands out on light and dark pages alike."""
    statuses = [criterion(figure, status) for status in Status for figure in (CALLS, BARS, CURVE)]
    html = card(*statuses, criterion(hints=HINTS))
    assert not re.search(r"[;\"\s]color:", html)
    opacities = [float(x) for x in re.findall(r"opacity:([.\d]+)", html)]
    assert min(opacities) >= 0.75
    colours = set(re.findall(r"#[0-9a-f]{6}\b", html))
    assert len(colours) == 5
    for colour in colours:
        for page in ("#ffffff", "#f7f7f7", "#111111", "#1e1e1e"):
            assert contrast(colour, page) >= 3
    for page, text in (("#ffffff", "#3b3b3b"), ("#1e1e1e", "#cccccc"), ("#111111", "#e0e0e0")):
        assert contrast(blend(text, page, min(opacities)), page) >= 4.5


def test_no_fixed_widths_for_text():
    """So that it can be zoomed and stands in a narrow column: sizes go with the text's."""
    html = card(criterion(CALLS), criterion(BARS), criterion(CURVE))
    assert not re.search(r"[^-]width:\d+px", html)
    assert 'style="max-width:100%' in html  # the curve's frame


def test_figures_have_words_for_screen_readers():
    html = card(criterion(CALLS), criterion(BARS), criterion(CURVE))
    labels = re.findall(r'role="img" aria-label="([^"]*)"', html)
    assert len(labels) == 3
    assert labels[0].startswith("call 1 (float32[4], 0): compiled 1; call 2 (float32[4], 0): comp")
    assert labels[2].startswith("ELBO over 3 iterations, from -4 to 0")
    assert html.count('role="list"') == 1 and html.count('role="listitem"') == 3
    assert 'aria-label="Check of exercise: 0 / 9"' in html


def test_no_tables():
    """JupyterLab gives all columns of a table one width, so that they lie over each other."""
    assert "<table" not in card(criterion(CALLS, hints=HINTS))


@settings(deadline=None)  # the first card compiles the template
@given(st.text(max_size=60), st.sampled_from([*CallEffect]))
def test_nothing_of_a_student_becomes_markup(text, what):
    finding = Finding("rule", "error", 3, f"{text}\n`{text}`", text)
    figures = [
        Timeline((CallSeen(text, what, 1),)),
        Curve(text, (1.0, 2.0), (1.0, 2.0)),
        Curve(text, (None,), (None,)),
        replace(BARS, where=text),
    ]
    report = Report(
        text,
        text,
        tuple(criterion(p, findings=(finding,), hints=(text,), reason=text) for p in figures),
        notes=(text,),
    )
    page = Tags(html_card(report))
    allowed = {"section", "div", "span", "b", "code", "details", "summary", "svg", "path"}
    assert set(page.tags) <= allowed
    assert page.attributes <= {
        *("class", "style", "title", "role", "aria-label", "aria-hidden"),
        *("viewbox", "width", "height", "d", "fill", "stroke", "stroke-width", "opacity"),
        "stroke-dasharray",
    }
