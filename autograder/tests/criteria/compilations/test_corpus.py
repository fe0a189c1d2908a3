"""Every file of the corpus is counted and judged as its header says."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import jax
import pytest

from autograder.criteria.compilations.count import count_compilations, count_with_repeats
from autograder.criteria.compilations.observe import check_compilations
from autograder.model.exercise import Compilations

CORPUS = Path(__file__).parents[2] / "corpus" / "compilations"
FILES = sorted(CORPUS.glob("*.py"))


@dataclass(frozen=True)
class Header:
    """What the comments at the top of a corpus file promise."""

    rule: str | None
    counts: list[int]
    lines: list[int | None] | None
    says: str
    budget: dict[str, object]


def header_of(path: Path) -> Header:
    fields = dict(re.findall(r"^# (\w+): (.*)$", path.read_text(), flags=re.M))
    verdict = re.fullmatch(r"right|wrong \(([\w-]+)\)", fields["verdict"])
    assert verdict, f"{path.name}: verdict {fields['verdict']!r}"
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


def load(path: Path) -> ModuleType:
    name = f"corpus_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest):
    options = dict(jax.config.values)
    yield request.param
    for name, value in options.items():
        if jax.config.values.get(name) != value:
            jax.config.update(name, value)
    sys.modules.pop(f"corpus_{request.param.stem}", None)


@pytest.mark.filterwarnings("default")  # the student's warnings are the student's
def test_counts(path: Path) -> None:
    header, module = header_of(path), load(path)
    records = count_compilations(module.entry, module.CALLS, module)
    assert [len(record.programs) for record in records] == header.counts
    if header.lines is not None:
        assert [r.programs[0].line if r.programs else None for r in records] == header.lines
    assert all(p.cause and isinstance(p.line, int) for r in records for p in r.programs)


@pytest.mark.filterwarnings("default")
def test_verdict(path: Path) -> None:
    header, module = header_of(path), load(path)
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
    names = [path.stem for path in FILES]
    assert sum(name.startswith("wrong_") for name in names) >= 40
    assert sum(name.startswith("right_") for name in names) >= 40
