"""Lines of cells are found in the notebook's file, however it is written."""

from __future__ import annotations

import json

import pytest

from autograder.classroom.packs.notebook_lines import find_lines

TEXT = {
    "cell_type": "markdown",
    "source": ['a "quoted" {text}, [here]:\n', "cells"],
    "metadata": {},
}
BEFORE = {"cell_type": "code", "id": "first", "source": ["x = 1\n", "\n", "y = 2"], "metadata": {}}
SOLUTION = {
    "cell_type": "code",
    "id": "f-solution",
    "outputs": [{"text": ["x = 1\n", "cells: source: if n:\n"]}],
    "source": ["def f(n):\n", '    # { \\" é\n', "    if n:\n", "        x = 1\n", "    return n"],
    "metadata": {"source": ["not this"], "cells": []},
}
CELLS = [TEXT, BEFORE, SOLUTION]


def notebook(indent: int | None = 1, **more: object) -> bytes:
    data = {"nbformat": 4, "cells": CELLS, "metadata": {"cells": [{"source": ["x"]}]}, **more}
    return json.dumps(data, indent=indent, ensure_ascii=False).encode()


def line_text(raw: bytes, number: int) -> str:
    return raw.decode(json.detect_encoding(raw)).split("\n")[number - 1].strip()


def find(raw: bytes, line: int | None, code: str = "") -> int:
    """The file's line for a line of `f`."""
    (found,) = find_lines([("f", line, code)], raw)
    return found


@pytest.mark.parametrize("indent", [0, 1, 4])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_line_of_code_has_a_line_of_its_own(indent, encoding):
    raw = notebook(indent).decode().encode(encoding)
    for number, source in enumerate(SOLUTION["source"], 1):
        wanted = json.dumps(source, ensure_ascii=False)
        for code in (source.strip(), ""):
            assert line_text(raw, find(raw, number, code)).rstrip(",") == wanted
    assert line_text(raw, find(raw, None)).startswith('"def f(n):')


def test_the_code_tells_which_cell_it_is():
    raw = notebook()
    assert line_text(raw, find(raw, 3, "y = 2")) == '"y = 2"'
    assert line_text(raw, find(raw, 3, "if n:")) == '"    if n:\\n",'
    # No cell has this line: then the solution cell as a whole.
    assert line_text(raw, find(raw, 3, "gone()")).startswith('"def f(n):')
    assert line_text(raw, find(raw, 99)).startswith('"def f(n):')


def test_a_source_of_one_string_or_of_other_pieces():
    whole = {**SOLUTION, "source": "".join(SOLUTION["source"])}
    raw = notebook(cells=[TEXT, whole])
    assert line_text(raw, find(raw, 4, "x = 1")).startswith('"source": "def f')
    pieces = {
        **SOLUTION,
        "source": ["def f(n):\n    # a", "nd b\n", "    if n:\n", "        x = 1"],
    }
    raw = notebook(cells=[pieces])
    assert line_text(raw, find(raw, 2, "# and b")).startswith('"def f(n):')
    assert line_text(raw, find(raw, 4, "x = 1")) == '"        x = 1"'


def test_on_one_line_all_is_on_line_1():
    assert find(notebook(None), 3, "if n:") == 1


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[]",
        b'{"cells": 1}',
        b'{"cells": [1]}',
        b'{"cells": [{"cell_type": "code", "source": [1]}]}',
        b'{"cells": [{"cell_type": "code", "source": ["x"], "metadata": []}]}',
        b'{"cells": ' + b"[" * 100_000,
        b'{"cells": [{"cell_type": "code", "id": "f-solution", "source": []}]}',
    ],
)
def test_what_is_no_notebook_is_line_1(raw):
    assert find(raw, 1, "x") == 1
