"""Nothing of the corpora that has an effect is proved, and most right submissions are."""

import random
from collections import Counter

import pytest

from autograder.source import prove_cells
from autograder.tests.benchmarks import impure_mutations, proofs

FUNCTIONS_AND_CLASSES = ("containers", "pytree_class", "static_self", "mixed_quiz_3", "capstone")


def test_no_impure_function_of_the_corpus():
    cases = [case for case in proofs.purity_cases() if case.kind == "impure"]
    assert len(cases) > 200
    assert [case.name for case in cases if case.prove().is_pure] == []


def test_no_attack_but_those_that_do_nothing_in_their_slice():
    cases = list(proofs.attack_cases())
    assert len(cases) > 250
    proved = [case.name for case in cases if case.prove().is_pure]
    assert [name for name in proved if name not in proofs.HARMLESS] == []


def test_nothing_that_hides_an_effect():
    cases = list(proofs.hidden_cases())
    assert len(cases) > 150
    for case in cases:
        compile(case.cells[1][1], case.name, "exec")
    assert [case.name for case in cases if case.prove().is_pure] == []


@pytest.mark.slow
def test_most_right_submissions_and_no_impure_one():
    right, proved = Counter[bool](), Counter[bool]()
    for case in proofs.lesson_cases():
        is_pure = case.prove().is_pure
        assert not (is_pure and "purity" in case.lost), case.name
        if case.kind == "right" and not case.drill:
            is_function = case.group not in FUNCTIONS_AND_CLASSES
            right[is_function] += 1
            proved[is_function] += is_pure
    assert proved[True] / right[True] > 0.9
    assert proved.total() / right.total() > 0.75


SMALL = """
import jax
import jax.numpy as jnp
def step(x, rate):
    for i in range(3):
        x = x * rate
    return x
@jax.jit
def f(x, rate):
    return step(x, rate)
"""


def base() -> impure_mutations.Base:
    import ast

    return impure_mutations.Base("small", ast.parse(SMALL), ("f",))


def test_no_mutant_of_a_small_function():
    proved, reasons = impure_mutations.find_proofs([base()], 100, seed=random.randrange(10**9))
    assert [(m.effect, m.form) for m in proved] == []
    assert len(reasons) > 20


@pytest.mark.slow
def test_harmless_changes_leave_the_proof():
    assert impure_mutations.count_harmless([base()], 0) == {}


@pytest.mark.slow
def test_no_mutant_of_right_submissions():
    bases = impure_mutations.find_bases()
    proved, _ = impure_mutations.find_proofs(bases, 1000, seed=random.randrange(10**9))
    assert [(m.effect, m.form, m.place) for m in proved] == []


def test_an_empty_source_is_not_proved():
    assert not prove_cells([], ["f"]).is_pure
