"""What runs for each exercise: slices together where they can, all cells if nothing is proved."""

from __future__ import annotations

import pytest

from autograder.model.notebook import Cell
from autograder.source import PlannedRun, plan


def code(name: str, text: str, role: str = "") -> Cell:
    return Cell(name, text, role)


HEAD = code("head", "import jax\nimport jax.numpy as jnp\nshown = 3")
ONE = code("one", "@jax.jit\ndef one(x):\n    return helper(x)")
TWO = code("two", "@jax.jit\ndef two(x):\n    return helper(x) + 1")
HELPER = code("helper", "def helper(x):\n    return 2 * x")
IMPURE = code("one", "seen = []\n@jax.jit\ndef one(x):\n    seen.append(x)\n    return x")
BOTH = {"one": ("one",), "two": ("two",)}
FIRST = {"one": ("one",)}


def check(name: str) -> Cell:
    return code(name, f'check("{name}")', "check")


def ran(run: PlannedRun, cells: list[Cell]) -> list[str]:
    """Return the first line of each statement that runs."""
    return [cells[i].id for i, _ in run.cells]


def test_slices_run_together():
    cells = [HEAD, HELPER, ONE, check("one"), TWO, check("two")]
    (run,) = plan(cells, BOTH)
    assert run.exercises == ("one", "two") and run.unproved is None and not run.fallback
    assert run.cells == ((0, (0,)), (1, (0,)), (2, (0,)), (4, (0,)))
    assert {name: jitted.parameters for name, jitted in run.jitted.items()} == {
        "one": ("x",),
        "two": ("x",),
    }


def test_slices_that_bind_a_name_in_two_ways_run_apart():
    other = code("other", "def helper(x):\n    return 3 * x")
    cells = [HEAD, HELPER, ONE, check("one"), other, TWO, check("two")]
    first, second = plan(cells, BOTH)
    assert (first.exercises, ran(first, cells)) == (("one",), ["head", "helper", "one"])
    assert (second.exercises, ran(second, cells)) == (("two",), ["head", "other", "two"])


def test_what_is_not_proved_runs_with_all_cells_above_its_check():
    cells = [HEAD, HELPER, IMPURE, check("one"), TWO, check("two")]
    proved, unproved = plan(cells, BOTH)
    assert (proved.exercises, ran(proved, cells)) == (("two",), ["head", "helper", "two"])
    assert unproved.exercises == ("one",)
    assert unproved.cells == ((0, None), (1, None), (2, None)) and not unproved.jitted
    assert unproved.unproved is not None and unproved.unproved.cell == "one"
    assert not unproved.fallback


@pytest.mark.parametrize(
    "text",
    [
        "globals()['shown'] = 4",
        "import os\nos.environ['JAX_ENABLE_X64'] = '1'",
        "import helpers",
        "jax.set_mesh(jax.make_mesh((1,), ('a',)))",
        "import numpy as np\nnp.set_printoptions(precision=2)",
        "seen = jnp.ones(3).__array__",
        "import sys\nmine = sys.modules['builtins'].print",
        "helper.__defaults__ = (1,)",
        "import numpy as jax",
        "def beside():\n    exec('shown = 4')",
    ],
)
def test_what_is_left_out_and_could_reach_further_may_matter(text):
    cells = [HEAD, HELPER, ONE, code("beside", text)]
    (run,) = plan(cells, FIRST)
    assert run.fallback or run.unproved is not None
    (shown,) = plan([*cells[:3], code("beside", text, "show")], FIRST)
    assert not shown.fallback or shown.unproved is not None


DEMO = code("demo", "import time\ntable = [1]\nprint(time.time())", "show")


def test_what_only_shows_something_does_not_run():
    cells = [HEAD, DEMO, IMPURE, check("one"), code("below", "shown = one(1.0)", "show")]
    (run,) = plan(cells, FIRST)
    assert ran(run, cells) == ["head", "one"] and run.unproved is not None and not run.fallback
    changed = [*cells, code("again", "seen = None")]
    (run,) = plan(changed, FIRST)
    assert [changed[i].id for i in run.fallback] == ["head", "one", "again"]


@pytest.mark.parametrize(
    "text",
    [
        "def one(x):\n    seen.append(x)\n    return x + time.time()",  # a name
        "def one(x):\n    table.append(x)\n    return x",
        "def before(x):\n    return time.time()\ndef one(x):\n    return before(x)",
        "table = table + [2]\nseen = []\ndef one(x):\n    seen.append(x)\n    return x",
    ],
)
def test_what_shows_something_and_binds_what_others_read_runs(text):
    cells = [HEAD, DEMO, code("one", text), check("one")]
    (run,) = plan(cells, FIRST)
    assert run.unproved is not None and ran(run, cells) == ["head", "demo", "one"]


@pytest.mark.parametrize(
    "text", ["table['s'] = 2.0", "def tick():\n    global table\n    table = 3\ntick()"]
)
def test_what_shows_something_and_changes_what_is_read_is_seen(text):
    table = code("table", "table = {'s': 1.0}")
    reads = code("one", "def one(x):\n    return x * table['s']")
    cells = [HEAD, table, reads, code("demo", text, "show"), check("one")]
    (run,) = plan(cells, FIRST)
    assert run.unproved is not None and ran(run, cells) == ["head", "table", "one", "demo"]


@pytest.mark.parametrize("below", ["import numpy as np", "def np(x):\n    return x"])
def test_what_shows_something_runs_although_a_cell_below_binds_its_name_again(below):
    numpy = code("numpy", "import numpy as np", "show")
    reads = code("one", "def one(x):\n    return np.abs(x)")
    cells = [HEAD, numpy, reads, check("one"), code("below", below, "show")]
    (run,) = plan(cells, FIRST)
    assert ran(run, cells) == ["numpy", "one"] and run.unproved is None


def test_what_shows_something_is_no_reason_to_run_again():
    demo = code("demo", "import matplotlib.pyplot as plt\nhalf = 0.5\nplt.plot([half])", "show")
    scratch = code("scratch", "print(half)")
    (run,) = plan([HEAD, HELPER, ONE, demo, scratch, check("one")], FIRST)
    assert run.unproved is None and not run.fallback


def test_what_shows_something_runs_where_it_imports_everything():
    cells = [HEAD, code("demo", "from math import *", "show"), IMPURE, check("one")]
    (run,) = plan(cells, FIRST)
    assert ran(run, cells) == ["head", "demo", "one"]


def test_what_shows_something_runs_where_it_completes_an_entry_point_or_a_cell_cannot_be_read():
    register = code("register", "jax.tree_util.register_pytree_node_class(one)", "show")
    made = code("one", "from time import time as now\nclass one:\n    now = now()")
    cells = [HEAD, DEMO, made, register, check("one")]
    (run,) = plan(cells, FIRST)
    assert ran(run, cells) == ["head", "one", "register"]
    cells = [HEAD, DEMO, code("unread", "x ="), IMPURE, check("one")]
    (run,) = plan(cells, FIRST)
    assert ran(run, cells) == ["head", "demo", "unread", "one"]


def test_a_cell_that_cannot_be_read_may_matter():
    (run,) = plan([HEAD, HELPER, ONE, code("beside", "%run other.py")], FIRST)
    assert run.fallback


@pytest.mark.parametrize(
    "beside",
    [
        "from autograder import check\nprint(jnp.ones(3), shown)\ntwice = one(one(1.0))",
        "import numpy as np\nnp.random.seed(0)\ndraw = np.random.default_rng(1).uniform(size=3)",
        "import time, statistics\nfrom pathlib import Path\ntook = time.perf_counter()",
        "import matplotlib.pyplot as plt\nplt.plot(jnp.exp(jnp.ones(3)).cumsum())",
        "print(jax.__version__)",
        "import jax\nfrom jax import numpy as jnp",  # again
    ],
)
def test_what_is_left_out_and_names_what_it_does_does_not_matter(beside):
    (run,) = plan([HEAD, HELPER, ONE, code("beside", beside)], FIRST)
    assert run.unproved is None and not run.fallback


def test_cells_below_that_bind_a_name_again_may_change_what_is_observed():
    again = code("again", "seen = None")
    (run,) = plan([HEAD, IMPURE, check("one"), again], FIRST)
    assert run.fallback and [i for i, _ in run.cells] == [0, 1]


def test_the_last_check_counts_in_whatever_cell():
    beside = code("mine", 'check("one")\n' + ONE.source)
    cells = [HEAD, HELPER, ONE, check("one"), beside, code("below", "one = 3")]
    (run,) = plan(cells, FIRST)
    assert ran(run, cells) == ["head", "helper", "mine"]


def test_a_function_below_its_check_is_looked_for_in_all_cells():
    cells = [HEAD, check("one"), HELPER, ONE]
    (run,) = plan(cells, FIRST)
    assert ran(run, cells) == ["head", "helper", "one"]


def test_a_function_that_nobody_defines_is_looked_for_where_everything_runs():
    (run,) = plan([HEAD, check("one"), HELPER], FIRST)
    assert [i for i, _ in run.cells] == [0, 2]
    assert run.unproved is not None and run.unproved.reason == "`one` is not defined."


def test_only_a_jitted_function_is_counted_without_running_it():
    plain = code("one", "def one(x):\n    return helper(x)")
    (run,) = plan([HEAD, HELPER, plain], FIRST)
    assert run.unproved is None and run.jitted == {}
