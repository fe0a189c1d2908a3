# ruff: noqa: E501
"""What only shows something is left out where the rest is admitted; marks stay those of the whole."""

from __future__ import annotations

import ast
import time

import pytest

from autograder.core.notebook import Cell, Notebook
from autograder.core.rubric_files import load_rubric
from autograder.grading.allow_list import find_not_admitted
from autograder.grading.pipeline import grade_cells
from autograder.grading.shown import leave_out_shown

HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n"
ENTRY = "@jax.jit\ndef f(x):\n    return jnp.sin(x) + 1"


def rest_of(*sources: str) -> str | None:
    cells = [Cell(str(i), source, "solution") for i, source in enumerate((HEAD, *sources))]
    rest = leave_out_shown(cells, ["f"])
    if rest is None:
        return None
    assert find_not_admitted(rest) is None
    for cell, left in zip(cells, rest, strict=True):
        assert len(cell.source.split("\n")) == len(left.source.split("\n"))  # lines stay
    return "\n".join(cell.source for cell in rest[1:])


LEFT_OUT = {
    "a figure": f"import matplotlib.pyplot as plt\n{ENTRY}\nplt.plot(f(1.0)); plt.title('é'); x = 1",
    "a helper": f"import matplotlib.pyplot as plt\n{ENTRY}\n\n@jax.jit\ndef g(y):\n    plt.plot(y)\ng(1)",
    "axes": f"{ENTRY}\nfrom matplotlib import pyplot\nfig, ax = pyplot.subplots()\nfor i in range(3):\n    z = i\n    ax.plot(f(i))\nax.legend()",
    "magics": f"%matplotlib inline\n{ENTRY}\nfor n in (1, 2):\n    %timeit f(n)",
    "versions": f"import sys, os\nprint(sys.version, os.cpu_count())\n{ENTRY}",
    "debugging": f"{ENTRY}\nwith jax.disable_jit():\n    f(1.0)\njax.clear_caches()",
    "a look at a jaxpr": f"{ENTRY}\nj = jax.make_jaxpr(f)(1.0)\nfor eqn in j.eqns:\n    print(eqn.primitive.name)\n",
    "a class that nobody needs": f"{ENTRY}\nclass A:\n    def __getattr__(self, name): return 1\nprint(A().x)",
}  # fmt: skip


@pytest.mark.parametrize("source", LEFT_OUT.values(), ids=LEFT_OUT)
def test_leaves_out(source: str) -> None:
    assert find_not_admitted([Cell("a", HEAD, ""), Cell("b", source, "solution")])
    rest = rest_of(source)
    assert rest is not None
    assert ENTRY in rest


KEPT = {
    "what is graded shows something": "import matplotlib.pyplot as plt\ndef f(x):\n    plt.plot(x)",
    "by way of a helper": f"import logging\ndef g(x): logging.info(x)\n{ENTRY}, g(x)",
    "a name that is graded": f"{ENTRY}\nimport pandas as pd\nf = pd.DataFrame",
    "of a library that does more": f"import os\n{ENTRY}\nos.system('ls')",
    "a setting": f"{ENTRY}\njax.config.update('jax_disable_jit', True)",
    "a change of what is graded": f"{ENTRY}\nsetattr(f, input(), 1)",
    "a helper that it needs": f"def g(x): return eval('x')\n{ENTRY} + g(x)",
    "not Python": f"{ENTRY}\nx = = 1",
}


@pytest.mark.parametrize("source", KEPT.values(), ids=KEPT)
def test_does_not_leave_out(source: str) -> None:
    assert rest_of(source) is None


def test_local_names_are_not_those_of_figures() -> None:
    source = f"import matplotlib.pyplot as plt\nfig, x = plt.subplots()\n{ENTRY}"
    assert rest_of(source) is not None


@pytest.mark.parametrize(
    "source",
    [
        "import pandas as a0\n" + "\n".join(f"a{i + 1} = a{i}" for i in range(3000, -1, -1)),
        "x = 1\nx" + ".real" * 20_000,
        "import pandas as p\n" + "print(p)\n" * 10_000,
        "print(x.__dict__)\n" * 5000,
        "import pandas as p\n" + "if p:\n" + "".join(" " * i + "if p:\n" for i in range(1, 90)) + " " * 90 + "p",
    ],
)  # fmt: skip
def test_hostile_source_takes_no_long_time(source: str) -> None:
    started = time.process_time()
    leave_out_shown([Cell("a", source, "solution")], ["f"])
    assert time.process_time() - started < 5


def test_what_is_left_is_python() -> None:
    source = "import pandas as pd\nif 1:\n    pd.x\nelse:\n    pd.y; z = 1 # é\n" + ENTRY
    rest = rest_of(source)
    assert rest is not None
    assert "z = 1" in ast.unparse(ast.parse(rest))


BOX_COX = """
from functools import partial

@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    if power == {zero}:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
"""
FIGURE = """
import matplotlib.pyplot as plt
%matplotlib inline
plt.plot(box_cox(np.ones(3), 2))
"""


@pytest.mark.slow
@pytest.mark.parametrize("zero", [0, 5])
def test_a_figure_changes_neither_marks_nor_evidence(judge, zero: int) -> None:
    def grade(source: str):
        cells = (Cell("imports", HEAD, ""), Cell("solution", source, "solution"))
        rubric = load_rubric("static_branch")
        (report,) = grade_cells(Notebook("static_branch", cells), "x.ipynb", rubric, judge).reports
        return [(c.name, c.status, c.earned, c.evidence) for c in report.criteria]

    plain = BOX_COX.format(zero=zero)
    assert grade(plain + FIGURE) == grade(plain)


def test_the_marks_of_the_whole_count(judge) -> None:
    """Where the rest needs what was left out, the whole is graded, and only observed."""
    source = BOX_COX.format(zero=0).replace("power == 0", "power == ZERO")
    start = (
        "import pandas as pd\nnumbers = []\n%time numbers.append(pd.Series([0])[0])\nZERO = None\n"
    )
    late = "def set_zero():\n    global ZERO\n    ZERO = int(pd.Series([0])[0])\nset_zero()\n"
    cells = (Cell("imports", HEAD, ""), Cell("solution", start + late + source, "solution"))
    rubric = load_rubric("static_branch")
    (report,) = grade_cells(Notebook("static_branch", cells), "x.ipynb", rubric, judge).reports
    assert report.criterion("outputs").status == "passed"
