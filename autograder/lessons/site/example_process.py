"""A process that runs examples: JSON with their codes on stdin, JSON with what they did on stdout.

Each code is run as the file `example.py` in the current folder, so that tracebacks name its lines.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import linecache
import sys
import traceback
import warnings
from pathlib import Path
from types import ModuleType


def run_code(code: str, file: Path) -> dict[str, str]:
    """Run code, and return what it raises and what its last expression is.

    Args:
        code: a module.
        file: where it is written.

    Returns:
        Under "raised" the exception as Python prints it, and under "value" the last expression,
        each "" if there is none.
    """
    file.write_text(code, encoding="utf-8")
    linecache.checkcache(str(file))
    body = ast.parse(code)
    last = body.body.pop() if isinstance(body.body[-1], ast.Expr) else None
    module = sys.modules["example"] = ModuleType("example")  # where dataclasses look for it
    value = None
    try:
        exec(compile(body, str(file), "exec", dont_inherit=True), vars(module))
        if isinstance(last, ast.Expr):
            code_of_last = compile(ast.Expression(last.value), str(file), "eval", dont_inherit=True)
            value = eval(code_of_last, vars(module))
    except Exception as error:
        lines = traceback.format_exception_only(error)
        return {"raised": "".join(lines).replace(f"{file.parent}/", "").strip(), "value": ""}
    return {"raised": "", "value": "" if value is None else repr(value)}


def main() -> None:
    """Run the examples of stdin."""
    codes, file = json.load(sys.stdin), Path.cwd() / "example.py"
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(action="ignore"):
        done = [run_code(code, file) for code in codes]
    json.dump(done, sys.stdout)


if __name__ == "__main__":
    main()
