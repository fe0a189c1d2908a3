"""Syntax of a newer Python is told from a mistake, and never told as one."""

from __future__ import annotations

import ast
import sys

import pytest

from autograder.model.finding import Finding
from autograder.sandbox.newer_python import HERE, blame_python, newer_syntax, read_version

OLD = (3, 11)
NEWER = {
    "type X = int": (3, 12),
    "def f[T: (int, str), *Ts](x: T) -> T:\n    return x": (3, 12),
    "class A[T: list[int]]:\n    pass": (3, 12),
    "async  def f[T](): ...": (3, 12),
    'f"power {names["p"]}"': (3, 12),
    "f'{a['b']}' 'c'": (3, 12),
    'f"{x # comment\n}"': (3, 12),
    "f\"{'\\n'.join(x)}\"": (3, 12),
    'f"{f"{f"{1}"}"}"': (3, 12),
    'f"{x!r:{w["a"]}}" "b"': (3, 12),
    'f"{x["a"] != 3} {x["b"]=} {x["c"]:=5} {{"': (3, 12),
    "try:\n    pass\nexcept A, B.C:\n    pass": (3, 14),
    'x = t"x{y}"': (3, 14),
    'type X = int\nx = t"a{b["c"]}"': (3, 14),
    '%time\ntype X = int\nprint(f"{a["b"]}")': (3, 12),
}
MISTAKES = [
    "def f(",
    'f"{x"',
    'f"{x["a"] +}"',
    'f"{}" + names["a"',
    'f"{a b["c"]}"',
    'f"{a["b"]!x}"',
    'f"{x["a"]}" + (',
    'f"}" f"{x["a"]}"',
    'names = {"p": 2\nprint(f"power {names["p"]}")',
    "type = ",
    "def f[T](:",
    "def f[T]\n    pass",
    "if x = 1: pass",
    "x = 'a",
    "print 'a'",
    'f"{' * 60,
    "",
]


@pytest.mark.parametrize("source", NEWER)
def test_newer_syntax_is_known(source):
    if HERE == OLD:
        with pytest.raises(SyntaxError):
            ast.parse(source.replace("%time", ""))
    elif NEWER[source] <= HERE:
        ast.parse(source.replace("%time", ""))
    if HERE == OLD:
        assert newer_syntax(source) == NEWER[source]
    elif NEWER[source] <= HERE:
        assert newer_syntax(source) is None


@pytest.mark.parametrize("source", MISTAKES)
def test_a_mistake_is_none(source):
    assert newer_syntax(source, OLD) is None


@pytest.mark.parametrize(
    ("text", "version"), [("3.13.2", (3, 13)), ("3.9", (3, 9)), ("", None), ("x", None)]
)
def test_versions(text, version):
    assert read_version(text) == version


def blamed(source: str, saved_with: str) -> Finding:
    finding = Finding.error("error", "SyntaxError: ...\nA bracket is missing.", 1)
    error = SyntaxError("invalid syntax")
    return blame_python(finding, error, source, saved_with)


HERES = f"{HERE[0]}.{HERE[1]}"


@pytest.mark.skipif(HERE >= (3, 14), reason="needs syntax that this Python cannot read")
def test_what_is_said_where_the_syntax_was_seen():
    finding = blamed('x = t"{a}"', "")
    assert (finding.rule, finding.line) == ("newer-python", 1)
    assert finding.message == (
        f"SyntaxError: invalid syntax\nPython {HERES}, which runs the notebook here, cannot read "
        "this line: it is written for Python 3.14 or newer. That is no mistake, and a person "
        f"decides. Written for Python {HERES}, it can be checked here too."
    )
    assert blamed('x = t"{a}"', "3.14.0").message == finding.message
    # The student's own Python could not read it either.
    assert blamed('x = t"{a}"', HERES).rule == "error"


def test_what_is_said_where_only_the_versions_are_known():
    finding = blamed("def f(", "3.99.1")
    assert finding.rule == "newer-python"
    assert finding.message == (
        f"SyntaxError: invalid syntax\nPython {HERES}, which runs the notebook here, cannot read "
        "this line. The notebook was saved with Python 3.99, which reads more. So this may be no "
        "mistake, and a person decides. If the cell runs where you wrote it, write the line for "
        f"Python {HERES}, and it can be checked here too."
    )
    assert blamed("return 1", "3.99").rule == "error"
    for saved_with in ("", HERES, "3.8", "2.7.18"):
        assert blamed("def f(", saved_with).message == "SyntaxError: ...\nA bracket is missing."


def test_the_version_is_that_of_this_python():
    assert sys.version_info[:2] == HERE
