"""Findings end with the page of their rule, and each cause has one sentence and one fix."""

from __future__ import annotations

import re

import pytest

from autograder.criteria.compilations import messages
from autograder.model.templates import recipe_of, remake


def test_what_was_seen_comes_before_the_page() -> None:
    seen = messages.CALL_FAILED.format(call=2, error="ValueError: no")
    text = messages.page_text("call-failed", seen)
    assert text == (
        "call 2 raised ValueError: no.\nCompilations can only be judged when all calls return, and "
        "one raised an error. Fix the error that the card shows first."
    )
    assert remake(recipe_of(text), str) == text


def test_a_page_alone() -> None:
    text = messages.page_text("jit-disabled")
    assert text.startswith("jit is switched off here") and text.endswith("remove it.")


@pytest.mark.parametrize("fix", messages.REPAIRS)
def test_a_difference_is_one_sentence_with_its_fix(fix: str) -> None:
    cause = messages.CAUSES[fix].format(where="`f`", change="CHANGE")
    assert cause.startswith("`f` was compiled again because CHANGE: ") and cause.endswith(".")
    assert re.search("; (pass|keep|make|take|register|convert|place|set) ", cause)


def test_plural() -> None:
    assert messages.plural(1, "program") == "1 program"
    assert messages.plural(0, "program") == "0 programs"
