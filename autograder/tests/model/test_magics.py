"""IPython's magics are left out; text that looks like one stays."""

from __future__ import annotations

import pytest

from autograder.model.magics import without_magics

LEFT_OUT = {
    "x = 1\n%timeit f(x)": "x = 1\npass",
    "for n in ns:\n    %timeit -n 3 f(n)\ny = 2": "for n in ns:\n    pass\ny = 2",
    "%matplotlib inline\n!pip install x\nx = 1": "pass\npass\nx = 1",
    "%time y = f(x)": "y = f(x)",
    "%time": "pass",
    "%%time\nx = 1": "pass\nx = 1",
    "%%capture out\nx = 1": "pass\nx = 1",
    "%%timeit x = 1\nx + 1": "pass\npass",
    "jnp.where?\n?jnp.sum\nx = 1": "pass\npass\nx = 1",
}


@pytest.mark.parametrize("source", LEFT_OUT)
def test_magics_are_left_out(source: str) -> None:
    assert without_magics(source) == LEFT_OUT[source]


@pytest.mark.parametrize(
    "source",
    [
        "x = (7\n% 3)\n",
        's = """\n%timeit f(x)\n!ls\nwhat?\n"""',
        "times = %timeit -o f(x)",
        "%%bash\nls -l",
        "%%writefile a.py\nx = 1",
        "%timeit f(x)\ndef broken(:",
        "x = \0",
        "(" * 10_000,
        "%a\n" * 100,
    ],
)
def test_other_text_stays(source: str) -> None:
    assert without_magics(source) == source
