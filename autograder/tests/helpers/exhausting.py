"""Submissions that are made to keep their reader busy, or to fill its memory, and such readings.

The functions are for `autograder.grading.apart`: they do at once what a submission may bring about.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

PAIRS = "t0 = (1, 1)\n" + "".join(f"t{i + 1} = (t{i}, t{i})\n" for i in range(60))

SLOW = "x = f'" + "{1}" * 25_000 + "'\n"
"""It takes more than a second to read, in proportion to its size; it runs in no time."""

SOURCES = {
    "bases of classes": "class A(A, A, A, A):\n    pass\n" * 4,
    "an attribute of an attribute": "for n in ('real', 'imag'):\n    "
    + "getattr(" * 60
    + "1"
    + ", n)" * 60,
    "the class of an attribute": "for n in ('__name__', '__qualname__'):\n    "
    + "getattr(type(" * 40
    + "1"
    + "), n)" * 40,
    "names of classes": "A0 = int\n"
    + "".join(f"A{i + 1} = A{i} | A{i}\n" for i in range(60))
    + "1 in A60",
    "a key to hash": f"{PAIRS}x = {{t60: 0}}\nanswers = {{t60: 0}}",
    "answers to compare": f"{PAIRS}answers = {{'a': t60, 'b': [t60, t60]}}",
    "a dictionary in itself": "answers = {}\nanswers['a'] = answers\n" * 60,
    "a power": "x = 10**10**9\nanswers = {'a': 10**10**9, 'b': 2**2**2**2**2**2}",
    "a power step by step": "answers = {'a': 9}\n" + "answers['a'] = answers['a'] ** 60\n" * 60,
    "a long text": "answers = {'a': 'a' * 10**10, 'b': [0] * 10**10}",
    "a text that doubles": "a = 'ab'\n" + "a = a + a\n" * 60 + "answers = {'a': a}",
    "a wide format": "x = '%099999999d' % 1\ny = '{:099999999d}'.format(1)\nf'{1:099999999d}'",
    "a long number": f"class A(0x{'f' * 60_000}):\n    pass\n(0x{'f' * 60_000}).real",
    "brackets": "x = " + "(" * 50_000 + ")" * 50_000,
    "lists": "x = " + "[" * 150 + "]" * 150,
    "unary operators": "x = " + "-" * 100_000 + "1",
    "attributes": "x = a" + ".b" * 50_000,
    "a sum": "x = " + "+".join(["1"] * 50_000),
    "lambdas": "x = " + "lambda: " * 3_000 + "1",
    "functions": "".join(" " * i + f"def f{i}(x):\n" for i in range(90)) + " " * 90 + "return x",
    "patterns": "match 1:\n    case " + "[" * 150 + "1" + "]" * 150 + ":\n        pass",
    "alternatives": "match 1:\n    case " + "(" * 80 + "1 | 2" + ")" * 80 + ":\n        pass",
    "a text with values": SLOW,
    "a nested text": "x = " + "f'{" * 80 + "1" + "}'" * 80,
    "magics": "!" + "a" * 1_000 + "\n%time " + "?" * 1_000 + "\n" + "a." * 20_000 + "a?\n! !",
    "many lines": "x = 1\n" * 20_000 + "1 1",
    "many names": "".join(f"a{i} = 1\n" for i in range(10_000)),
    "many functions": "".join(f"def f{i}(): 0\n" for i in range(6_000)),
    "nothing that can be read": "\0\ud800",
}
"""Sources by what they hold too much of. None is a joke: each has hung, ended or filled a reader,
or might."""


def _deep(depth: int) -> Any:
    made: Any = 0
    for _ in range(depth):
        made = [made]
    return made


def _with_metadata(notebook: dict[str, Any], data: str) -> bytes:
    cells = [*notebook["cells"]]
    cells[0] = {**cells[0], "metadata": {"nbgrader": "HERE", "tags": ["HERE"]}}
    return json.dumps({**notebook, "cells": cells}).replace('"HERE"', data).encode()


NOTEBOOKS: dict[str, Callable[[dict[str, Any]], bytes]] = {
    "a file of brackets": lambda _: b"[" * 10_000_000,
    "a file of nested lists": lambda _: b'{"cells":' + b"[" * 5_000_000 + b"]" * 5_000_000 + b"}",
    "nested metadata": lambda n: _with_metadata(n, "[" * 900 + "]" * 900),
    "deeply nested metadata": lambda n: _with_metadata(n, '{"a":' * 90_000 + "0" + "}" * 90_000),
    "a long number": lambda n: _with_metadata(n, "9" * 1_000_000),
    "many lists": lambda n: _with_metadata(n, f"[{'[],' * 3_000_000}0]"),
    "many cells": lambda n: json.dumps({**n, "cells": n["cells"] * 1_000}).encode(),
    "an old format": lambda n: json.dumps({**n, "nbformat": -(10**9)}).encode(),
    "an old format with nested cells": lambda n: json.dumps(
        {"nbformat": 3, "worksheets": _deep(300), "metadata": {}}
    ).encode(),
    "links": lambda n: _with_text(n, "[" * 9_000 + "x" + "](" * 9_000),
    "emphasis": lambda n: _with_text(n, "*a_ " * 2_000 + "<b"),
    "quotations": lambda n: _with_text(n, ">" * 9_000 + "<b>"),
    "lists in a text": lambda n: _with_text(n, "- " * 4_000 + "<b>"),
    "backquotes": lambda n: _with_text(n, "".join("`" * i + "a" for i in range(130)) + "<b>"),
    "mathematics": lambda n: _with_text(n, "$" * 9_000 + r"\begin{a}" * 900),
}
"""Files, made of a notebook, that do the same."""


def _with_text(notebook: dict[str, Any], text: str) -> bytes:
    cell = {"cell_type": "markdown", "metadata": {}, "source": text, "id": "text"}
    return json.dumps({**notebook, "cells": [*notebook["cells"], cell]}).encode()


def hang() -> None:
    while True:
        pass


def hang_in_c() -> int:
    made: tuple[Any, ...] = (1, 1)
    for _ in range(60):
        made = (made, made)
    return hash(made)


def fill() -> int:
    return len([bytearray(2**20) for _ in range(100_000)])


def fill_slowly() -> None:
    kept: list[bytearray] = []
    while True:
        kept.append(bytearray(2**22))
        time.sleep(0.01)


def ask_for_much() -> int:
    return len(bytearray(2**40))


def descend() -> None:
    descend()


def end() -> None:
    os._exit(3)


def answer_much() -> str:
    return "x" * (70 * 2**20)


def answer_deep() -> Any:
    return _deep(100_000)


def fail() -> None:
    raise KeyError("the step")


def repeat(value: Any, raw: bytes = b"") -> list[Any]:
    print("nobody reads this")
    return [value, len(raw)]


def imported(name: str) -> bool:
    return name in sys.modules
