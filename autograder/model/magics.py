"""IPython's magics, left out of a cell: what a grader runs is plain Python."""

from __future__ import annotations

import ast
import re

_MAX_MAGICS = 20  # in one cell, which is parsed again for each
_MAGIC = re.compile(
    r"(?P<indent>\s*)"
    r"(?:%%?time\b(?P<timed>.*)|%%(?:capture|prun)\b.*|%(?!run\b)[^%].*|!.*|\?+[\w.]+|[\w.]+\?+)\s*"
)
_SHOWN_CELL = re.compile(r"\s*%%(?:timeit|html|javascript|js|latex|markdown|svg)\b")


def without_magics(source: str) -> str:
    """Return a cell as plain Python, without IPython's magics, as far as they can be left out.

    `%time` runs its statement, and `%run` stays, as it defines names; others only show something.
    Only lines at which Python stops reading are changed, so text that looks like a magic stays.
    """
    lines = source.split("\n")
    if _SHOWN_CELL.match(source):
        return "\n".join("pass" for _ in lines)
    for _ in range(_MAX_MAGICS):
        try:
            ast.parse("\n".join(lines))
        except SyntaxError as error:
            at = (error.lineno or 1) - 1
            found = _MAGIC.fullmatch(lines[at]) if at < len(lines) else None
            if found is None:
                return source
            lines[at] = found["indent"] + ((found["timed"] or "").strip() or "pass")
        except (ValueError, RecursionError, MemoryError):
            return source
        else:
            return "\n".join(lines)
    return source
