"""Each rule and each cause of compiling again has code that brings it up, and a repair."""

from __future__ import annotations

import pytest

from autograder.criteria.compilations.messages import CAUSES, REPAIRS
from autograder.judge.client import Judge
from autograder.lessons.examples import free_names, recompilations, rule_examples, whole_code
from autograder.lessons.rule_pages import rule_pages
from autograder.lessons.site.running import check_code, names_rule, run_codes
from autograder.render import text_card
from autograder.sandbox import shared_zygotes
from autograder.tests.helpers.fast_tier import mostly_slow

CHECKED = {rule: one for rule, one in rule_examples().items() if one.rubric and not one.not_run}


def test_every_rule_has_an_example_or_says_why_not() -> None:
    assert set(rule_examples()) == set(rule_pages())
    for rule, example in rule_examples().items():
        assert (example.broken and example.repaired) or example.not_run.endswith("."), rule
        assert example.broken != example.repaired or not example.broken, rule


def test_an_example_is_shown_with_what_it_uses_and_nothing_else() -> None:
    code = whole_code("same = jax.eval_shape(lambda x: x, mesh)")
    assert code.splitlines()[:2] == ["import jax", "from jax.sharding import AbstractMesh"]
    assert "numpy" not in code and "mesh = AbstractMesh" in code
    assert free_names("def f(x):\n    return np.sum(x) + y") == {"np", "y"}
    assert whole_code("1 + 1") == "1 + 1"


def rule_of(rule: str) -> str:
    return rule_pages()[rule].group


@pytest.mark.parametrize("rule", mostly_slow(list(CHECKED), rule_of))
def test_a_check_finds_the_rule_and_passes_the_repair(rule: str, judge: Judge) -> None:
    example, workers = CHECKED[rule], shared_zygotes()
    broken = check_code(example.broken, example.rubric, judge, workers)
    assert names_rule(broken, rule), text_card(broken)
    repaired = check_code(example.repaired, example.repaired_rubric, judge, workers)
    assert repaired.earned == repaired.possible, text_card(repaired)


@pytest.mark.slow
def test_each_block_compiles_twice_for_its_cause_and_its_repair_once() -> None:
    examples = recompilations()
    assert set(examples) <= set(CAUSES) | set(REPAIRS)
    codes = [whole_code(code) for one in examples.values() for code in (one.broken, one.repaired)]
    shown = run_codes(codes)
    for cause, broken, repaired in zip(examples, shown[::2], shown[1::2], strict=True):
        words = CAUSES[cause].rpartition("}")[2] or CAUSES[cause]
        assert "TooManyCompilations" in broken.raised and words in broken.raised, cause
        assert repaired.raised == "", cause


def test_running_code_gives_its_error_or_its_last_value() -> None:
    error, value, nothing = run_codes(["1 / 0", "x = 2\nx + 1", "x = 2"])
    assert error.raised == "ZeroDivisionError: division by zero"
    assert (value.raised, value.value) == ("", "3")
    assert (nothing.raised, nothing.value) == ("", "")
