"""Every case of the corpus is counted and judged as its header says."""

from __future__ import annotations

import ast
import itertools
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import jax
import pytest

from autograder.criteria.compilations.count import count_compilations, count_with_repeats
from autograder.criteria.compilations.observe import check_compilations
from autograder.lessons.lesson import LessonError
from autograder.lessons.verification.cases import CaseText, read_fields
from autograder.model.exercise import Compilations
from autograder.tests.helpers.corpus import corpus_cases, load, write_case
from autograder.tests.helpers.fast_tier import mostly_slow

CASES = corpus_cases("compilations")
FIELDS = ("verdict", "budget", "counts", "lines", "says")


@dataclass(frozen=True)
class Header:
    """What the comments at the top of a case promise."""

    rule: str | None
    counts: list[int]
    lines: list[int | None] | None
    says: str
    budget: dict[str, object]


def header_of(case: CaseText) -> Header:
    lines = itertools.takewhile(lambda line: line.startswith("# "), case.text.splitlines())
    fields = {k: v for line in lines for k, v in read_fields(case, line, FIELDS).items()}
    verdict = re.fullmatch(r"right|wrong \(([\w-]+)\)", fields.get("verdict", ""))
    if verdict is None:
        raise LessonError(f"{case}: the first line must be `# verdict: right` or `wrong (RULE)`")
    lines = fields.get("lines")
    budget = ast.parse(f"f({fields.get('budget', '')})", mode="eval").body
    assert isinstance(budget, ast.Call)
    return Header(
        rule=verdict[1],
        counts=[int(n) for n in fields["counts"].split()],
        lines=[None if n == "-" else int(n) for n in lines.split()] if lines else None,
        says=fields.get("says", ""),
        budget={str(k.arg): ast.literal_eval(k.value) for k in budget.keywords},
    )


def mechanism(case: CaseText) -> tuple[str, str | None, str]:
    """The cause, by which the files are named, the rule, and what its message must say of it."""
    header = header_of(case)
    return case.path.stem, header.rule, header.says


@pytest.fixture(params=mostly_slow(CASES, mechanism))
def case(request: pytest.FixtureRequest):
    options = dict(jax.config.values)
    yield request.param
    for name, value in options.items():
        if jax.config.values.get(name) != value:
            jax.config.update(name, value)
    sys.modules.pop(f"corpus_{request.param.name}", None)


@pytest.fixture
def module(case: CaseText, tmp_path: Path) -> ModuleType:
    return load(write_case(case, tmp_path))


@pytest.mark.filterwarnings("default")  # the student's warnings are the student's
def test_counts(case: CaseText, module: ModuleType) -> None:
    header = header_of(case)
    records = count_compilations(module.entry, module.CALLS, module)
    assert [len(record.programs) for record in records] == header.counts
    if header.lines is not None:
        assert [r.programs[0].line if r.programs else None for r in records] == header.lines
    assert all(p.cause and isinstance(p.line, int) for r in records for p in r.programs)


@pytest.mark.filterwarnings("default")
def test_verdict(case: CaseText, module: ModuleType) -> None:
    header = header_of(case)
    counted = count_with_repeats(module.entry, module.CALLS, module)
    allowed = Compilations(**header.budget)  # type: ignore[arg-type]
    findings = check_compilations(module.entry, counted, module, allowed)
    rules = [finding.rule for finding in findings]
    if header.rule is None:
        assert not findings
    else:
        assert header.rule in rules
        assert header.says in " ".join(finding.message for finding in findings)


def test_corpus_is_large_enough() -> None:
    wrong = sum(header_of(case).rule is not None for case in CASES)
    assert wrong >= 60 and len(CASES) - wrong >= 50
