"""Small examples of errors and rules: code that brings one up, and the same code repaired.

Those of errors are in `autograder/model/errors.toml`, those of other rules in `rules.toml` beside
this file, and those about compiling again in `recompilations.toml`. An error's example is run; a
rule's is checked, with a rubric of one exercise.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from autograder.model.error_table import ERROR_RULES, ERRORS, EXAMPLES_BEGIN
from autograder.source import read_source


class Example(NamedTuple):
    """Code that brings something up, and the same code repaired.

    Attributes:
        broken: empty where there is none to show.
        repaired: the same code repaired.
        not_run: why neither is run; empty where both are.
        rubric: the source of the rubric that the broken code is checked with; empty where the code
            is run as it stands.
        repaired_rubric: that of the repaired code.
        title: what it shows; empty for a rule whose cause begins with that.
    """

    broken: str = ""
    repaired: str = ""
    not_run: str = ""
    rubric: str = ""
    repaired_rubric: str = ""
    title: str = ""


def _read_rows(file: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))


@cache
def rule_examples() -> Mapping[str, Example]:
    """Return the example of each rule, by rule."""
    rows = _read_rows("rules.toml")
    template, usual = rows.pop("rubric"), rows.pop("exercise")

    def read(row: dict[str, str]) -> Example:
        exercise, helpers = row.get("exercise", usual), row.get("helpers", "")
        arguments = row.get("arguments", "x")

        def rubric(arguments: str) -> str:
            text = template.replace("{exercise}", exercise).replace("{arguments}", arguments)
            return helpers + text

        return Example(
            row.get("broken", "").strip("\n"),
            row.get("repaired", "").strip("\n"),
            row.get("not_run", ""),
            rubric(arguments),
            rubric(row.get("repaired_arguments", arguments)),
            row.get("title", ""),
        )

    of_errors = {
        rule: Example(entry.example.strip("\n"), entry.repaired.strip("\n"))
        for rule, entry in ERRORS.items()
        if rule in ERROR_RULES
    }
    return {**of_errors, **{rule: read(row) for rule, row in rows.items()}}


@cache
def recompilations() -> Mapping[str, Example]:
    """Return a block that compiles twice, and its repair, for each cause that the kit names.

    The keys are those of `CAUSES` in `autograder.criteria.compilations.messages`.
    """
    rows = _read_rows("recompilations.toml")
    before = rows.pop("before")
    return {
        cause: Example(
            before + row["broken"].strip("\n"),
            before + row["repaired"].strip("\n"),
            title=row["title"],
        )
        for cause, row in rows.items()
    }


def whole_code(code: str) -> str:
    """Return an example with the imports and names that it uses, so that it runs as it stands.

    >>> print(whole_code("y = jnp.ones(3)"))
    import jax.numpy as jnp
    <BLANKLINE>
    y = jnp.ones(3)
    """
    wanted, lines = free_names(code), list[str]()
    for line in reversed(_lines_before()):
        used, made = _names(line)
        if made & wanted:
            wanted = (wanted - made) | used
            lines.insert(0, line)
    begin = "\n".join(lines)
    return f"{begin}\n\n{code.strip()}" if begin else code.strip()


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


def free_names(code: str) -> set[str]:
    """Return the names that code uses and does not define."""
    used, made = _names(code)
    return used - made


def _names(code: str) -> tuple[set[str], set[str]]:
    """Return the names that code uses, and those that it defines."""
    statements = read_source([("", code)]).statements
    used = {name for one in statements for name in one.now | one.later}
    return used, {name for one in statements for name in one.binds}
