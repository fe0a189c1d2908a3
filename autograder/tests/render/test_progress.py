"""How far a command is: a bar on a terminal, plain lines elsewhere, nothing for what is short."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from autograder.render import progress as module
from autograder.render.progress import progress, track


def console(*, terminal: bool) -> Console:
    return Console(file=io.StringIO(), force_terminal=terminal, width=80, highlight=False)


def shown(on: Console) -> str:
    return on.file.getvalue()  # type: ignore[attr-defined]


def test_nothing_is_printed_of_what_is_short() -> None:
    on = console(terminal=False)
    assert list(track([1, 2, 3], "counting", on)) == [1, 2, 3]
    assert shown(on) == ""


def test_plain_lines_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SECONDS_BETWEEN_LINES", -1.0)
    on = console(terminal=False)
    with progress("copying", on) as steps:
        steps.expect(3)
        steps.finish()
        steps.begin("copying [b]")
        steps.finish()
        steps.finish()
    assert shown(on) == "copying: 1 of 3\ncopying [b]: 2 of 3\n"


def test_a_command_that_prints_its_own_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SECONDS_BETWEEN_LINES", -1.0)
    on = console(terminal=False)
    with progress("grading", console=on, lines=False) as steps:
        steps.expect(2)
        steps.finish()
    assert shown(on) == ""


def test_a_bar_on_a_terminal() -> None:
    on = console(terminal=True)
    with progress("grading", console=on) as steps:
        steps.expect(2)
        steps.begin("grading [i] anna")
        steps.finish()
        on.print("a line above the bar")
    text = shown(on)
    assert "grading [i] anna" in text and "1/2" in text and "━" in text
    assert "a line above the bar\n" in text
    assert text.endswith("\x1b[2K") or "\x1b[?25h" in text  # it is gone at the end
