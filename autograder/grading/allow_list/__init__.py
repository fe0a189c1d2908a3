"""The allow-list: whether a student's source can reach only public, harmless names.

Trusted code reads the source before any of it runs. Where all of it is admitted, nothing in it can
touch the grader, JAX's own state or another module, so nothing in it can have forged what the
worker saw. It is a list of what is admitted: a form, a name or an attribute that is not listed is
not admitted, whatever it does. It says nothing about style, and no points are taken from a student
whose source it does not admit.

The rules, with the names in `names.toml`:

- A module is only ever the left part of a dotted name that ends in a listed public name. No
  variable holds a module.
- An attribute of a value is a listed member, or a name that the student's own classes define and
  that leads nowhere on a value of Python's, NumPy's or JAX's (`reserved`).
- An attribute is set on an object or class of the student's own only, and on a function of the
  student's own if its name means nothing to a library (`settable`).
- A class with methods that set attributes is not handed on: such a method could be called with an
  object of a library.
- What holds state that the checks of purity cannot see is not admitted: identity of values,
  contexts that are entered by hand, settings and registries that a function changes.
- A class that is not admitted as a value is compared with classes only: an object of the student's
  own would be handed it.
- Functions that take a name as text, change a class that they are given, or evaluate text are
  admitted only in the forms in which they do that to the student's own classes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from autograder.core.notebook import Cell
from autograder.core.printable import clean
from autograder.core.report import NotAdmitted
from autograder.grading.allow_list.reach import Reach, Refused
from autograder.grading.allow_list.scopes import Names, PrivateNames

_MAX_TEXT = 200  # characters of a student's that are quoted


def find_not_admitted(cells: Sequence[Cell]) -> NotAdmitted | None:
    """Return the first thing in the cells that is not admitted, or None if all of it is.

    Args:
        cells: all cells of the submission that may run, in order. Grade cells never run and are
            passed over.
    """
    for cell, line, what in _refusals(cells):
        return _at(cell, line, what)
    return None


def refusals(cells: Sequence[Cell]) -> Iterator[tuple[Cell, int]]:
    """Yield the cell and line of each statement of the cells that is not admitted."""
    return ((cell, line) for cell, line, _ in _refusals(cells))


def _refusals(cells: Sequence[Cell]) -> Iterator[tuple[Cell, int, str]]:
    names = Names()
    trees: list[tuple[Cell, ast.Module]] = []
    for cell in cells:
        if cell.role == "check":
            continue
        try:
            tree = PrivateNames().visit(ast.parse(cell.source))
            names.collect(tree)
            trees.append((cell, tree))
        except SyntaxError as error:
            yield cell, error.lineno or 1, "a cell that is not plain Python"
        except (ValueError, RecursionError, MemoryError):
            yield cell, 1, "a cell that cannot be read"
    for cell, tree in trees:
        for statement in tree.body:
            try:
                Reach(names).visit(statement)
            except Refused as refused:
                yield cell, getattr(refused.node, "lineno", statement.lineno), refused.what
            except RecursionError:
                yield cell, statement.lineno, "a cell that is nested too deeply"
            except ValueError:  # a number that is too long to be quoted
                yield cell, statement.lineno, "a cell that cannot be read"


def _at(cell: Cell, line: int, what: str) -> NotAdmitted:
    lines = cell.source.splitlines()
    code = lines[line - 1].strip() if line <= len(lines) else ""
    return NotAdmitted(cell.id, line, clean(code, _MAX_TEXT), clean(what, _MAX_TEXT))
