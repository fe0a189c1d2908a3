# ruff: noqa: E501
"""A second process is saved only for source that cannot do something else there."""

import pytest

from autograder.core.notebook import Cell
from autograder.core.rubric_files import load_rubric
from autograder.grading.trust import read_source

STEADY = (
    "import jax\nimport jax.numpy as jnp\n@jax.jit\ndef f(x):\n    return jnp.log(x)",
    "import jax\ndef f(key):\n    return jax.random.normal(key)",
    "from jax import random\ndef f(key):\n    return random.normal(key)",
    "import jax.numpy as jnp\ndef f(p):\n    return {k: 2 * v for k, v in p.items()}",
    "import numpy as np\nTABLE = np.arange(3.0)\ndef f(x):\n    return x + TABLE",
)

VARYING = (
    "import time\nNOW = time.time()\ndef f(x):\n    return x + NOW",
    "from time import time\nNOW = time()\ndef f(x):\n    return x + NOW",
    "import random\nR = random.random()\ndef f(x):\n    return x + R",
    "import random as jax\nR = jax.random()\ndef f(x):\n    return x + R",
    "import numpy as np\nR = np.random.rand()\ndef f(x):\n    return x + R",
    "from numpy import random\nR = random.rand()\ndef f(x):\n    return x + R",
    "import numpy.random as npr\nR = npr.rand()\ndef f(x):\n    return x + R",
    "import datetime\nNOW = datetime.datetime.now().hour\ndef f(x):\n    return x + NOW",
    "def f(p):\n    return sum(p[k] for k in {'a', 'b'})",
    "def f(p):\n    return sum(p[k] for k in {k for k in p})",
    "def f(p):\n    return sum(p[k] for k in set(p))",
    "def f(p):\n    return sum(p[k] for k in frozenset(p))",
    "def f(p, q):\n    return sum(p[k] for k in p.keys() & q.keys())",
    "def f(p, q):\n    return [k for k, _ in p.items() & q.items()]",
    "def f(x):\n    return x * (hash('a') % 7)",
    "def f(x):\n    return x * (id(x) % 7)",
    "def f(x):\n    return x + len(repr(f))",
    "def f(p, q):\n    return [k for k in getattr(p, 'keys')() & getattr(q, 'keys')()]",
    "from operator import methodcaller as m\ndef f(p, q):\n    return [*(m('keys')(p) & m('keys')(q))]",
    "def f(p, q):\n    match p, q:\n        case object(keys=a), object(keys=b):\n            return [*(a() & b())]",
)


RUBRIC = load_rubric("static_branch")


def steady(source: str) -> bool:
    return read_source([Cell("a", source, "solution")], RUBRIC).steady


@pytest.mark.parametrize("source", STEADY)
def test_steady(source):
    assert steady(source)


@pytest.mark.parametrize("source", VARYING)
def test_varying(source):
    assert not steady(source)


def test_what_is_not_admitted_is_not_steady():
    assert not steady("import os\ndef f(x):\n    return x")


def test_every_cell_counts():
    cells = [Cell("a", "import time\nNOW = time.time()", ""), Cell("b", STEADY[0], "solution")]
    assert not read_source(cells, RUBRIC).steady
