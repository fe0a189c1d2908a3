"""Prints what the purity checks find in the corpus: caught, missed, false alarms, seconds.

    python -m autograder.tests.corpus_table [FOLDER or FILE ...]

Each file of the corpus defines `f` and, when one vector is not enough, `arguments()`. Its first
line says what must be found: `# pure`, or `# impure: RULE, line N` (rule and line optional), or
`# attack: WHAT; must find: purity`.
"""

from __future__ import annotations

import importlib.util
import re
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from types import ModuleType

import jax.numpy as jnp
import pytest

from autograder.criteria.purity import check_purity
from autograder.model.finding import Finding

CORPUS = Path(__file__).parent / "corpus"
_HEADER = re.compile(r"# (pure|impure|attack)(?:: *(.*?))?(?:, line (\d+))?$")


@dataclass(frozen=True)
class Expected:
    """What a file's header promises: `rule` and `line` are None when any will do."""

    kind: str
    rule: str | None
    line: int | None


def expected(path: Path) -> Expected:
    first = path.read_text().splitlines()[0]
    match = _HEADER.fullmatch(first)
    if match is None:
        raise ValueError(f"{path}: the first line must be a header, not {first!r}")
    kind, rule, line = match.groups()
    return Expected(kind, rule if kind == "impure" else None, int(line) if line else None)


def mostly_slow(paths: list[Path], every: int) -> list:
    """Test parameters: each `every`-th file in the fast tier, the others marked slow."""
    return [
        pytest.param(
            path,
            id=f"{path.parent.name}/{path.stem}",
            marks=() if i % every == 0 else pytest.mark.slow,
        )
        for i, path in enumerate(paths)
    ]


def load(path: Path) -> ModuleType:
    """Run a corpus file as a module of its own; it is not left in `sys.modules`."""
    name = f"corpus_{path.parent.name}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def arguments_of(module: ModuleType) -> Callable[[], tuple]:
    return getattr(module, "arguments", lambda: (jnp.arange(3.0),))


@dataclass(frozen=True)
class Row:
    path: Path
    expected: Expected
    findings: list[Finding]
    seconds: float

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


def judge(path: Path) -> Row:
    module = load(path)
    start = perf_counter()
    findings = check_purity(module.f, arguments_of(module), module)
    return Row(path, expected(path), findings, perf_counter() - start)


def files(*folders: str) -> list[Path]:
    """Files of these folders, without the attacks that another criterion must find."""
    found = (p for folder in folders for p in (CORPUS / folder).glob("*.py"))
    return sorted(p for p in found if not p.name.startswith("compilations_"))


def chosen(names: tuple[str, ...]) -> list[Path]:
    """The files that are named, and those of the folders that are."""
    single = [Path(name) for name in names if name.endswith(".py")]
    if missing := [str(path) for path in single if not path.is_file()]:
        raise SystemExit(f"no such file: {', '.join(missing)}")
    return [*single, *files(*(name for name in names if not name.endswith(".py")))]


def main(names: tuple[str, ...] = ("purity", "attacks")) -> int:
    rows = [judge(path) for path in chosen(names)]
    if not rows:
        raise SystemExit(f"no files in {', '.join(names)}; the folders are purity and attacks")
    for row in rows:
        if not row.exact:
            found = ", ".join(f"{f.rule}:{f.line}" for f in row.errors) or "nothing"
            print(f"{row.path.parent.name}/{row.path.name}: {row.expected} found {found}")
    print(f"\n{'kind':8} {'files':>5} {'right':>5} {'rule and line':>13}")
    for kind in ("impure", "attack", "pure"):
        some = [r for r in rows if r.expected.kind == kind]
        right, exact = sum(r.right for r in some), sum(r.exact for r in some)
        print(f"{kind:8} {len(some):5} {right:5} {exact:13}")
    seconds = [r.seconds for r in rows]
    print(f"median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s a function")
    return sum(not r.right for r in rows)


if __name__ == "__main__":
    raise SystemExit(main(tuple(sys.argv[1:]) or ("purity", "attacks")))
