'''Files of cases: many short sources in one file, each under a line `# %% NAME`.

    """Repairs of the lesson; this text belongs to no case."""

    # %% right_where
    # right: jnp.where; exercise: clip_values
    @jax.jit
    def clip_values(x):
        return jnp.where(x > 1, 1, x)

    # %% starter
    # starter: as shipped; exercise: clip_values; must fail: outputs; says: truth value

Editors and jupytext show each case as a cell. A line number in a header counts from the header.
'''

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from autograder.lessons.lesson import LessonError

_MARK = re.compile(r"^# %%(.*)\n", re.MULTILINE)

NO_CASES = "{path} has no cases: begin each one with a line `# %% NAME`."
BAD_NAME = (
    "{path}: {name!r} cannot be the name of a case. Write `# %% NAME`, with a NAME of letters, "
    "digits and underscores, as in `# %% right_where`."
)
NAME_TAKEN = "{path}: two cases have the name {name}. Give one of them another name."
UNKNOWN_FIELD = (
    "{case}: the header has no field {field!r}. Its fields are: {known}. The header is {line!r}"
)


@dataclass(frozen=True)
class CaseText:
    """One case of a file; its text begins with the header."""

    path: Path
    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}, case {self.name}"

    @property
    def header(self) -> str:
        """Return the first line."""
        return self.text.partition("\n")[0]


def read_cases(path: Path) -> list[CaseText]:
    """Read a file of cases, in its order.

    Raises:
        LessonError: it has no cases, two of one name, or a name that is not one word.
    """
    _, *parts = _MARK.split(path.read_text(encoding="utf-8") + "\n")
    cases: dict[str, CaseText] = {}
    for name, text in zip(map(str.strip, parts[::2]), parts[1::2], strict=True):
        if not name.isidentifier():
            raise LessonError(BAD_NAME.format(path=path, name=name))
        if name in cases:
            raise LessonError(NAME_TAKEN.format(path=path, name=name))
        cases[name] = CaseText(path, name, text.strip("\n") + "\n")
    if not cases:
        raise LessonError(NO_CASES.format(path=path))
    return list(cases.values())


def read_fields(case: CaseText, line: str, known: Collection[str]) -> dict[str, str]:
    """Read `# FIELD: VALUE; FIELD: VALUE`, in order.

    A value may hold semicolons: what follows one is a field if it has a colon. `says` takes the
    rest of the line.

    Args:
        case: whose header has the line.
        line: of the header.
        known: the fields that there are.

    Raises:
        LessonError: the line has another field.
    """
    head, _, says = line.removeprefix("# ").partition("; says: ")
    parts = re.split("; (?=[^;]*:)", head)
    fields = {name.strip(): value.strip() for name, _, value in (p.partition(":") for p in parts)}
    if says:
        fields["says"] = says.strip()
    for field in fields:
        if field not in known:
            text = UNKNOWN_FIELD.format(case=case, field=field, known=", ".join(known), line=line)
            raise LessonError(text)
    return fields
