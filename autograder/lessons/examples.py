"""Small examples of errors and rules: code that brings one up, and the same code repaired.

Those of errors are in `autograder/model/errors.toml`, those of other rules in `rules.toml` beside
this file. An error's example is run; a rule's is checked, by a rubric of one exercise.
"""

from __future__ import annotations

import ast
import symtable
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from autograder.grading.pipeline import grade_attempts
from autograder.grading.plan import plan_attempts
from autograder.grading.run import Processes
from autograder.judge.client import Judge
from autograder.model.error_table import EXAMPLES_BEGIN
from autograder.model.notebook import Cell, Notebook
from autograder.model.report import Report
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms
from autograder.sandbox import PlainWorkers, Zygotes


class RuleExample(NamedTuple):
    """The example of a rule.

    Attributes:
        broken: the code that the rule finds; empty where there is none to show.
        repaired: the same code repaired.
        not_run: why it is not checked; empty where it is.
        exercise: the source of the exercise that it is checked with.
        arguments: the source of the arguments of its calls, of a vector `x`.
        repaired_arguments: those of the repaired code, where they are others.
        helpers: source that the exercise needs.
        lesson: the lesson about the rule, where the hints of none name it.
    """

    broken: str = ""
    repaired: str = ""
    not_run: str = ""
    exercise: str = ""
    arguments: str = "x"
    repaired_arguments: str = ""
    helpers: str = ""
    lesson: str = ""


@cache
def _read_rules() -> tuple[str, dict[str, RuleExample]]:
    rows = tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))
    rubric, exercise = rows.pop("rubric"), rows.pop("exercise")
    return rubric, {
        name: RuleExample(**{"exercise": exercise, **_stripped(row)}) for name, row in rows.items()
    }


def _stripped(row: dict[str, str]) -> dict[str, str]:
    return {key: text.strip("\n") for key, text in row.items()}


def rule_examples() -> Mapping[str, RuleExample]:
    """Return the examples of rules that are no errors of JAX's, by rule."""
    return _read_rules()[1]


def whole_code(code: str) -> str:
    """Return an example with the imports and names that it uses, so that it runs as it stands.

    >>> print(whole_code("y = jnp.ones(3)"))
    import jax.numpy as jnp
    <BLANKLINE>
    y = jnp.ones(3)
    """
    wanted, lines = free_names(code), []
    for line in reversed(list(_lines_before())):
        made = _names_made(line)
        if made & wanted:
            wanted = (wanted - made) | free_names(line)
            lines.append(line)
    begin = "\n".join(sorted(lines, key=_place))
    return f"{begin}\n\n{code.strip()}" if begin else code.strip()


def _place(line: str) -> tuple[int, int]:
    lines = list(_lines_before())
    return (not line.startswith(("import", "from")), lines.index(line))


@cache
def _lines_before() -> tuple[str, ...]:
    """Return what examples may use, one name a line."""
    lines = []
    for node in ast.parse(EXAMPLES_BEGIN).body:
        if isinstance(node, ast.Import):
            lines += [ast.unparse(ast.Import([name])) for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            lines += [ast.unparse(ast.ImportFrom(node.module, [n], 0)) for n in node.names]
        else:
            lines.append(ast.unparse(node))
    return tuple(lines)


def _names_made(line: str) -> set[str]:
    (node,) = ast.parse(line).body
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {name.asname or name.name.partition(".")[0] for name in node.names}
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} - free_names(line)


def free_names(code: str) -> set[str]:
    """Return the names that code uses and does not define."""

    def tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
        yield table
        for child in table.get_children():
            yield from tables(child)

    top = symtable.symtable(code, "example", "exec")
    own = {one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_imported()}
    own |= {child.get_name() for child in top.get_children()}
    used = {
        one.get_name()
        for table in tables(top)
        for one in table.get_symbols()
        if one.is_referenced() and (table is top or one.is_global())
    }
    return used - own


def check_example(
    example: RuleExample, judge: Judge, workers: Zygotes | PlainWorkers, *, repaired: bool = False
) -> Report:
    """Check the example of a rule, as a learner's notebook is checked.

    Args:
        example: of the rule.
        judge: runs its programs.
        workers: run its code.
        repaired: check the repaired code instead of the broken one.
    """
    code = example.repaired if repaired else example.broken
    arguments = (repaired and example.repaired_arguments) or example.arguments
    rubric = _read_rules()[0].replace("{arguments}", arguments)
    rubric = rubric.replace("{exercise}", example.exercise)
    with tempfile.TemporaryDirectory(prefix="autograder-") as folder:
        file = Path(folder) / "example.py"
        file.write_text(f"{example.helpers}\n{rubric}", encoding="utf-8")
        loaded = load_rubric(file)
        terms = Terms(loaded, judge, timed=False)
        notebook = Notebook("example", (Cell("f-solution", whole_code(code), "solution"),))
        attempts = plan_attempts(notebook, loaded)
        return grade_attempts(attempts, terms, Processes(workers=workers)).reports[0]
