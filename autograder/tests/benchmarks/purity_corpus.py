"""Prints what the purity checks find in the corpus: caught, missed, false alarms, seconds.

    python -m autograder.tests.benchmarks.purity_corpus [NAME ...]

A NAME is that of a case, or of a file with cases. Each case defines `f` and, when one vector is not
enough, `arguments()`. Its header says what must be found: `# pure`, or `# impure: RULE, line N`
(rule and line optional), or `# attack: WHAT; must find: purity`.
"""

from __future__ import annotations

import re
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from types import ModuleType

import jax
import jax.numpy as jnp

from autograder.criteria.purity import check_purity
from autograder.lessons.lesson import LessonError
from autograder.lessons.verification.cases import CaseText
from autograder.model.finding import Finding
from autograder.tests.helpers.corpus import corpus_cases, load, unpatched_libraries, write_case

_HEADER = re.compile(r"# (pure|impure|attack)(?:: *(.*?))?(?:, line (\d+))?$")


@dataclass(frozen=True)
class Expected:
    """What a case's header promises: `rule` and `line` are None when any will do."""

    kind: str
    rule: str | None
    line: int | None


def expected(case: CaseText) -> Expected:
    match = _HEADER.fullmatch(case.header)
    if match is None:
        raise LessonError(
            f"{case}: the first line must be `# pure`, `# impure: RULE, line N` or `# attack: "
            f"WHAT; must find: purity`; it is {case.header!r}"
        )
    kind, rule, line = match.groups()
    return Expected(kind, rule if kind == "impure" else None, int(line) if line else None)


def purity_cases() -> list[CaseText]:
    """Return the functions with and without side effects."""
    return corpus_cases("purity")


def attacks_on_purity() -> list[CaseText]:
    """Return the functions that hide side effects."""
    return corpus_cases("attacks/on_purity")


def arguments_of(module: ModuleType) -> Callable[[], tuple]:
    """As the calls of an exercise are: JAX has rebuilt them, dicts in the order of their keys."""
    given = getattr(module, "arguments", lambda: (jnp.arange(3.0),))
    return lambda: jax.tree.map(lambda leaf: leaf, given())


@dataclass(frozen=True)
class Row:
    """What the checks find in a case."""

    case: CaseText
    findings: list[Finding]
    seconds: float

    @property
    def expected(self) -> Expected:
        return expected(self.case)

    @property
    def errors(self) -> list[Finding]:
        return [f for f in self.findings if f.severity == "error"]

    @property
    def right(self) -> bool:
        """Whether errors were found exactly when the header asks for them."""
        return bool(self.errors) == (self.expected.kind != "pure")

    @property
    def exact(self) -> bool:
        """Whether the rule and the line are those of the header as well."""
        wanted = self.expected
        return self.right and (
            wanted.rule is None
            or any(f.rule == wanted.rule and wanted.line in (None, f.line) for f in self.errors)
        )


def judge(case: CaseText, folder: Path) -> Row:
    """Check a case in a file of its own in a folder."""
    with unpatched_libraries():
        module = load(write_case(case, folder))
        start = perf_counter()
        findings = check_purity(module.f, arguments_of(module), module)
        return Row(case, findings, perf_counter() - start)


def choose(names: Sequence[str]) -> list[CaseText]:
    """Return the cases that have one of the names, or whose file has; all where there is none."""
    cases = [*purity_cases(), *attacks_on_purity()]
    known = {name for case in cases for name in (case.name, case.path.stem)}
    if missing := [name for name in names if name not in known]:
        files = ", ".join(dict.fromkeys(case.path.stem for case in cases))
        raise SystemExit(f"no case is called {missing[0]!r}; the files are {files}")
    return [case for case in cases if not names or {case.name, case.path.stem} & {*names}]


def main(names: Sequence[str] = ()) -> int:
    with tempfile.TemporaryDirectory() as folder:
        rows = [judge(case, Path(folder)) for case in choose(names)]
    for row in rows:
        if not row.exact:
            found = ", ".join(f"{f.rule}:{f.line}" for f in row.errors) or "nothing"
            print(f"{row.case}: {row.expected} found {found}")
    print(f"\n{'kind':8} {'cases':>5} {'right':>5} {'rule and line':>13}")
    for kind in ("impure", "attack", "pure"):
        some = [r for r in rows if r.expected.kind == kind]
        right, exact = sum(r.right for r in some), sum(r.exact for r in some)
        print(f"{kind:8} {len(some):5} {right:5} {exact:13}")
    seconds = [r.seconds for r in rows]
    print(f"median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s a function")
    return sum(not r.right for r in rows)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
