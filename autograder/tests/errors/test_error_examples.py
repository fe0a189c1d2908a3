"""Each entry of the table of errors is brought up by its own example, and by no other."""

import linecache

import pytest

from autograder.errors import jax_errors
from autograder.errors.error_examples import BEFORE, EXAMPLES
from autograder.errors.error_finding import error_finding
from autograder.model.student_code import called
from autograder.model.templates import recipe_of
from autograder.programs.jax_private import whole_tracebacks

TABLE = "errors.jax_errors:"
_STATIC = '@functools.partial(jax.jit, static_argnames="x")'
TABLES = ("EXPLANATIONS", "CLOSER", "SETTINGS")


def spoken_by(code: str, file: str) -> str:
    """Return the name of the entry that explains what `code` raises, and the blamed line."""
    names: dict[str, object] = {}
    exec(BEFORE, names)
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    with whole_tracebacks(), pytest.raises(Exception) as error:
        if code.startswith(_STATIC):
            # The kit calls the student's function so: JAX's own text names no argument.
            exec(compile(code.removesuffix("scaled(x, 2)"), file, "exec"), names)
            called(names["scaled"], names["x"], 2)  # type: ignore[arg-type]
        exec(compile(code, file, "exec"), names)
    found = error_finding(error.value, {file})
    recipe = recipe_of(found.message)
    assert recipe is not None, found.message
    _, (_, _, (entry, _)) = recipe
    return entry.removeprefix(TABLE)


@pytest.mark.parametrize(("entry", "code"), EXAMPLES.items(), ids=EXAMPLES)
@pytest.mark.filterwarnings("ignore:Some donated buffers were not usable")
def test_the_entry_speaks_for_its_example(entry: str, code: str) -> None:
    assert spoken_by(code, f"<example {entry}>") == entry + ".1" * entry.startswith("EXPL")


def test_every_entry_has_an_example() -> None:
    entries = {f"{table}.{rule}" for table in TABLES for rule in getattr(jax_errors, table)}
    assert entries | {"FIELD", "STATIC_ARRAY", "PRODUCT", "PARTS"} == set(EXAMPLES)
