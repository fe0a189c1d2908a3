# ruff: noqa: E501
"""The allow-list admits what students write, and nothing that reaches further."""

from __future__ import annotations

import ast
import sys
import types
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.core.notebook import Cell, cells_of
from autograder.grading.allow_list import find_not_admitted
from autograder.grading.allow_list.listed import read_list
from autograder.grading.shown import leave_out_shown
from autograder.lessons.authoring import build_source
from autograder.lessons.course import find_course
from autograder.lessons.solutions import lesson_cells
from autograder.lessons.verification.submissions import find_submissions
from autograder.tests.grading.values_in_reach import reached, values

HEAD = """
import dataclasses, functools, math, operator, time, typing
from dataclasses import dataclass
from functools import partial, wraps
from typing import NamedTuple
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax
"""
ROOT = Path(__file__).parents[3]
CORPUS = ROOT / "autograder" / "tests" / "corpus"


def refused(*sources: str) -> str | None:
    cells = [Cell(f"cell-{i}", source, "solution") for i, source in enumerate(sources)]
    found = find_not_admitted(cells)
    return found and found.what


ADMITTED = {
    "jit, scan and a closure": """
@partial(jax.jit, static_argnums=1)
def f(x, n):
    def step(carry, y):
        return carry + y, jnp.sin(carry)
    return lax.scan(step, x, jnp.arange(n))[0]
""",
    "a class with a method, fields and a property": """
@jax.tree_util.register_pytree_node_class
class PLN:
    def __init__(self, B, shape):
        self.B, self.shape = B, shape
    @property
    def size(self):
        return self.B.size
    def tree_flatten(self):
        return (self.B,), self.shape
    @classmethod
    def tree_unflatten(cls, aux, children):
        new = object.__new__(cls)
        new.B = children[0]
        return new
    def step(self):
        self.B = self.B + 1
        return type(self).__name__, super().__init__
""".replace(", super().__init__", ""),
    "a dataclass registered by a decorator": """
@partial(jax.tree_util.register_dataclass, data_fields=["x"], meta_fields=["n"])
@dataclass(frozen=True)
class State:
    x: jax.Array
    n: int = 3
s = dataclasses.replace(State(jnp.ones(2)), n=4)
jax.tree_util.register_static(State)
""",
    "a named tuple": "class C(NamedTuple):\n    i: int\n    v: jax.Array\nC(1, 2)._replace(i=3).v",
    "named fields by text": "import collections\nP = collections.namedtuple('P', 'a b')\nP(1, 2).a",
    "an impure counter": "n = 0\nlog = []\ndef f(x):\n    global n\n    n += 1\n    log.append(x)",
    "a decorator of one's own": """
def timed(g):
    @wraps(g)
    def inner(*args, **kwargs):
        start = time.perf_counter()
        return g(*args, **kwargs), time.perf_counter() - start
    return inner
""",
    "getattr with a name": "getattr(jnp, 'sin')(1.0), getattr((1).real, 'imag', 0)",
    "getattr with constant names": """
class A:
    x, y = 1, 2
NAMES = ["x", "y"]
a = A()
[getattr(a, name) for name in NAMES], {n: getattr(a, n) for i, n in enumerate(("x", "y"))}
""",
    "an attribute of a global object": "class A:\n    def __init__(self): self.b = 1\na = A()\na.b = 2",
    "options by spreading": "def f(g, **given):\n    return g(**given)\nf(dict, a=1)\n@jax.jit\ndef h(x): return x\njax.jit(h, **{'static_argnums': 0})",
    "format": "'{:.2f} of {}'.format(1.0, 2), f'{jnp.ones(2).shape!r:>{10}}'",
    "a class of a value, compared": "x = 1\ntype(x) == int, type(x).__name__, isinstance(2, type(x))",
    "an attribute on a function": "def f(x):\n    f.calls += 1\n    return x\nf.calls = 0",
    "a derivative of one's own": """
@jax.custom_jvp
def f(x):
    return x
@f.defjvp
def f_jvp(primals, tangents):
    return primals[0], tangents[0]
""",
    "try and error": "try:\n    1 / 0\nexcept (ZeroDivisionError, ValueError) as e:\n    print(e)\nelse:\n    pass\nfinally:\n    print()",
    "match": "match (1, 2):\n    case (a, 2) | [a, *_]:\n        print(a)\n    case {'k': v, **rest}:\n        print(v, rest)",
    "timeit with a function": "import timeit\ndef f(): pass\ntimeit.timeit(f, number=3) + min(timeit.repeat(lambda: f(), repeat=2))",
    "a setting": "jax.config.update('jax_enable_x64', True)\nX64 = False\njax.config.update('jax_enable_x64', X64)",
    "a local that is called like a built-in": "def f(input, vars):\n    dir = input\n    return dir + vars",
    "a local that is called like a module": "def f(np):\n    return np.shape, [np for np in (1, 2)]",
    "a method by way of its class": "class A:\n    def go(self): return 1\nstep = jax.jit(A.go, static_argnums=0)",
    "a pattern of one's own class": "@dataclass\nclass A:\n    x: int\nmatch A(1):\n    case A(x=x) | A(x): print(x)\n    case int(x) | str(): pass",
    "attributes looked at": "class A:\n    def __repr__(self): return f'{dict(vars(self))} {[k for k in self.__dict__.items()]}'",
    "a context that lets errors pass": "class C:\n    def __enter__(self): return self\n    def __exit__(self, kind, *rest):\n        print(kind is None)\n        return False",
    "an operator by another name": "class V:\n    def __add__(self, other): return self\n    __radd__ = __add__",
    "identity": "M = object()\ndef f(x=M, y=None): return x is M or y is not None or type(x) is int",
    "attributes set anywhere": "class A:\n    def __init__(self): self.count = 0\n    def go(self):\n        self.count += 1\n        self.mean = 2\na = A()\na.mean = 3",
    "a class as a decorator": "class Counted:\n    def __init__(self, func): self.func, self.count = func, 0\n    def __call__(self, x):\n        self.count += 1\n        return self.func(x)\n@Counted\ndef g(x): return x",
    "private names": "class A:\n    def __init__(self): self.__n = 0\n    def __go(self):\n        self.__n += 1\n    def go(self): self.__go()",
    "a namespace": "import types\ns = types.SimpleNamespace(i=0, x=1)\ns.i += 1",
    "indices": "for i in np.ndindex(2, 3): print(i)\n[x for _, x in np.ndenumerate(np.ones(2))]",
    "precision": "def f(x):\n    with jax.default_matmul_precision('float32'):\n        return x @ x",
    "optax": "o = optax.adam(0.1)\ns = o.init(1.0)\nu, s = o.update(1.0, s)\noptax.apply_updates(1.0, u)",
}  # fmt: skip


@pytest.mark.parametrize("source", ADMITTED.values(), ids=ADMITTED)
def test_admits(source: str) -> None:
    assert refused(HEAD, source) is None


REFUSED = {
    # a way to a module or to the grader
    "import os": "`import os`",
    "import autograder.rubrics": "`import autograder.rubrics`",
    "from autograder.rubrics.tracing import rubric": "`from autograder.rubrics.tracing import rubric`",
    "from . import x": "`from .None import x`",
    "from jax import *": "`from jax import *`",
    "import jax._src.core": "`import jax._src.core`",
    "from jax import _src": "`from jax import _src`",
    "dataclasses.sys.modules": "`dataclasses.sys`",
    "jax._src.core": "`jax._src`",
    "np.lib": "`numpy.lib`",
    "m = jnp": "the module `jax.numpy` as a value",
    "print(jax.numpy)": "the module `jax.numpy` as a value",
    "[np for np in [np]]": "the module `numpy` as a value",
    "def f(np=np): pass": "the module `numpy` as a value",
    "class A:\n    np = np": "`np` assigned",
    "class A:\n    jnp = [jnp]": "`jnp` assigned",
    "(lambda jnp=jnp: jnp)()": "the module `jax.numpy` as a value",
    "def f():\n    [0 for jnp in ()]\n    return jnp": "the module `jax.numpy` as a value",
    "def f():\n    [(lambda: (jnp := 1)) for _ in ()]\n    return jnp": "`jnp` assigned",
    "def f():\n    import math as m\n    m = 1": "`m`, imported and assigned",
    "np = 3": "`np` assigned",
    "for np in (): pass": "`np` assigned",
    "def f():\n    global np\n    np = 1": "`np` assigned",
    "def np(): pass": "`np` assigned",
    "match 1:\n    case int(gi_frame=x): pass": "`.gi_frame`",
    "match 1:\n    case jax.Array(x): pass": "a pattern of a class in this form",
    "class A:\n    __match_args__ = ('__dict__',)\nmatch 1:\n    case A(x): pass": "a pattern of a class with `__match_args__`",
    # names that Python always has
    "eval('1')": "`eval`",
    "from math import prod as eval\neval": "`eval`",
    "from math import pi as __builtins__": "`__builtins__` assigned",
    "__builtins__": "`__builtins__`",
    "globals()": "`globals`",
    "vars(1)": "`vars`",
    "open('x')": "`open`",
    "get_ipython()": "`get_ipython`",
    "class A:\n    open = 1\n    def f(self): open('x')": "`open`",
    "async def f(): pass": "`AsyncFunctionDef`",
    "map(getattr, [], [])": "`getattr`",
    "g = getattr": "`getattr`",
    "getattr(*[1, 'x'])": "`getattr`",
    "getattr(1, 're' + 'al')": "`getattr`",
    "getattr(1, '__class__')": "`.__class__` as a value",
    "getattr(jnp, '__dict__')": "`jax.numpy.__dict__`",
    "type('A', (), {})": "`type`",
    "type(int)('A', (), {})": "a class made from that of a value, with these arguments",
    "(1).__class__.__class__('A', (), {})": "a class made from that of a value, with these arguments",
    "type(1)(*[1, 2, 3])": "a class made from that of a value, with these arguments",
    # attributes
    "(i for i in ()).gi_frame": "`.gi_frame`",
    "(lambda: 0).__globals__": "`.__globals__`",
    "(lambda: 0).__code__": "`.__code__`",
    "class A:\n    gi_frame = 1\n(i for i in ()).gi_frame": "`.gi_frame`",
    "class A:\n    def __init__(self): self.tb_frame = 1\n    def f(self): return self.tb_frame": "`.tb_frame`",
    "try: pass\nexcept ValueError as e: e.__traceback__": "`.__traceback__`",
    "try: pass\nexcept: pass": "`except:` without a class",
    "try: pass\nexcept BaseException: pass": "`BaseException`",
    "def f():\n    try: pass\n    finally: return": "a `finally` that jumps",
    "class A:\n    def __getattribute__(self, n): pass": "`def __getattribute__`",
    "class A:\n    __class__ = int": "`__class__` in a class",
    "class A:\n    for __class__ in [int]: pass": "`__class__` in a class",
    "class A(metaclass=type): pass": "keywords of a class",
    "class A(jax.core.Tracer): pass": "a class derived from `jax.core.Tracer`",
    "'{0.__globals__}'.format(len)": "a format string that reads attributes",
    "'{0:{1.x}}'.format(len, 2)": "a format string that reads attributes",
    "s = '{0.x}'\ns.format(len)": "a format string that reads attributes",
    "s = '{0}'\ns += '{0.x}'\ns.format(len)": "`.format`",
    # changes to libraries
    "jax.jit = len": "`jax.jit` assigned",
    "jnp.sin.__wrapped__ = len": "`jax.numpy.sin.__wrapped__` assigned",
    "setattr(jax, 'jit', len)": "`jax.jit` assigned",
    "setattr(1, input(), 2)": "`setattr`",
    "x = jax.Array\nx.mean = 1": "`.mean` assigned",
    "class A:\n    def put(self): self.mean = 1\nA.put(jax.Array)": "`.put`, which sets attributes, of a class",
    "class A:\n    def __init__(self):\n        self = jax.Array\n        self.mean = 1": "`.mean` assigned",
    "def steal(f): pass\nclass A:\n    @steal\n    def __init__(self): self.mean = 1": "`.mean` assigned",
    "object.__setattr__(1, 'mean', 2)": "`.mean` assigned",
    "object.__setattr__(*[1, 'mean', 2])": "`.__setattr__`",
    # NumPy reads memory at the address that an object names in its `__array_interface__`
    "class _MutableMapping:\n    def f(self, x): return x.__marker": "`._MutableMapping__marker`",
    "class A:\n    def __go(self): self.x = 1\n    def f(self): A.__go(jax.Array)": "`._A__go`, which sets attributes, of a class",
    "class A:\n    def f(self): return __eval": "`_A__eval`",
    "class A:\n    def f(self): vars(self)['a'] = 1": "`vars`",
    "class A:\n    def f(self): self.__dict__.update(a=1)": "`.__dict__`",
    "import types\ntypes.SimpleNamespace(**dict(a=1))": "`types.SimpleNamespace` used as a value",
    "import types\ntypes.SimpleNamespace(__a=1)": "`types.SimpleNamespace` used as a value",
    "import types\nf = types.SimpleNamespace": "`types.SimpleNamespace` used as a value",
    # state where the checks of purity do not see it, and what they rely on
    "@jax.jit\ndef f(x): return x\nf.calls = 1": "`.calls` assigned",
    "def f(x):\n    f.lower = x": "`.lower` assigned",
    "def f(a, b): return a is b": "`is` between values",
    "def f(): jax.config.update('jax_enable_x64', True)": "`jax.config.update` used as a value",
    "i = np.ndindex(3)": "`numpy.ndindex` used as a value",
    "c = jax.default_matmul_precision('float32')": "`jax.default_matmul_precision` used as a value",
    "import contextlib\n@contextlib.contextmanager\ndef c():\n    with jax.named_scope('a'): yield": "`yield` inside `with`",
    "wraps(len)(jnp.sin)": "`wraps` used as a value",
    "functools.wraps(len, assigned=['__code__'])(jnp.sin)": "`functools.wraps` used as a value",
    "def f(): pass\n@wraps(f)\n@jax.jit\ndef g(): pass": "`wraps` used as a value",
    "functools.update_wrapper(jnp.sin, len)": "`functools.update_wrapper` used as a value",
    "dataclass(jax.Array)": "`dataclass` used as a value",
    "class A: pass\nA = jax.Array\ndataclass(A)": "`dataclass` used as a value",
    "def steal(c): return jax.Array\n@dataclass\n@steal\nclass A: pass": "a decorator of classes above another decorator",
    "def steal(c): return jax.Array\n@steal\nclass A: pass\ndataclass(A)": "`dataclass` used as a value",
    "d = dataclass": "`dataclass` used as a value",
    "jax.tree_util.register_static(len)": "`jax.tree_util.register_static` used as a value",
    "jax.nn.relu.defjvp(len)": "`.defjvp`",
    "from jax.nn import relu\nrelu.defjvp(len)": "`.defjvp`",
    "f = jax.custom_jvp(len)\nf.defjvp(len)": "`.defjvp`",
    "jax.config.update('jax_disable_jit', True)": "`jax.config.update` used as a value",
    "u = jax.config.update": "`jax.config.update` used as a value",
    "jax.clear_caches()": "`jax.clear_caches`",
    "jax.monitoring.clear_event_listeners()": "`jax.monitoring`",
    "np.load('x')": "`numpy.load`",
    "import timeit\ntimeit.timeit('import os')": "`timeit.timeit` used as a value",
    "operator.attrgetter('x.gi_frame')": "`operator.attrgetter` used as a value",
    "%timeit f()": "a cell that is not plain Python",
}  # fmt: skip


@pytest.mark.parametrize("source", REFUSED)
def test_refuses(source: str) -> None:
    assert refused(HEAD, source) == REFUSED[source]


def test_gives_the_cell_and_the_line() -> None:
    cells = [Cell("one", HEAD, ""), Cell("two", "x = 1\n\nx = eval('2')\n", "solution")]
    found = find_not_admitted(cells)
    assert found is not None
    assert (found.cell, found.line, found.code) == ("two", 3, "x = eval('2')")


def test_grade_cells_are_passed_over() -> None:
    assert find_not_admitted([Cell("one", "import os", "check")]) is None


@pytest.mark.parametrize(
    "source", ["(" * 5000 + ")" * 5000, "-" * 50_000 + "1", "x" + ".real" * 50_000]
)
def test_a_deep_cell_is_not_admitted(source: str) -> None:
    assert refused("x = 1\n" + source) is not None


def test_a_name_of_another_cell() -> None:
    assert refused("def open(x): return x", "open(1)") == "`open`"
    assert refused("import math", "math = 1") == "`math` assigned"
    assert refused("def helper(x): return x", "helper(1)") is None


def test_the_list_covers_the_installed_versions() -> None:
    """Whatever leads on from a value that a solution can hold is a listed member or reserved."""
    listed = read_list()
    further, settable = reached(listed.public)
    named = listed.members | listed.kit_members
    assert sorted(further - named - listed.reserved) == []
    assert sorted(settable - listed.kit_members - listed.reserved - listed.settable) == []
    assert listed.reserved.isdisjoint(listed.members)


_POWERFUL = (types.ModuleType, types.FrameType, types.CodeType, types.TracebackType)


def test_no_member_leads_to_a_module_or_frame() -> None:
    """Follows all members from all values, four steps far."""
    listed = read_list()
    namespaces = {id(vars(m)) for m in sys.modules.values() if type(m) is types.ModuleType}
    frontier, seen = values(), set()
    frontier = [value for value in frontier if not isinstance(value, (*_POWERFUL, dict))]
    for _ in range(4):
        found: list[Any] = []
        for value in frontier:
            for name in listed.members | listed.kit_members:
                try:
                    reached_value = getattr(value, name)
                except Exception:
                    continue
                assert not isinstance(reached_value, _POWERFUL), (type(value), name)
                assert id(reached_value) not in namespaces, (type(value), name)
                key = (type(value), name, type(reached_value))
                if key not in seen:
                    seen.add(key)
                    found.append(reached_value)
        frontier = found
    assert seen


def _submissions() -> list[Any]:
    found = []
    for lesson in find_course().lessons():
        for submission in find_submissions(ROOT, lesson.name):
            if submission.kind in ("right", "wrong"):
                found.append((lesson, submission))
    return found


OBSERVED = {
    "many_devices": "a mesh can be changed, and is shared by all that use the same devices",
    "static_self": "the code to repair sets attributes by names that only running shows",
}
"""Lessons whose own code is not admitted, and why: what is seen of them is observed."""


@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.slow), 4])
def test_what_students_write_is_admitted(every: int) -> None:
    """At least 96 of 100 submissions of the other lessons' corpora, right and wrong ones.

    Three in a hundred are wrong ones that keep results by `id`, which is not admitted.
    """
    refused = []
    submissions = [s for s in _submissions() if s[0].name not in OBSERVED][::every]
    before: dict[str, list[Cell]] = {}
    for lesson, submission in submissions:
        name = submission.exercise
        before[name] = before.get(name) or lesson_cells(lesson, name, "")
        cells = [*before[name][:-1], replace(before[name][-1], source=submission.source)]
        if found := find_not_admitted(cells):
            refused.append((submission.name, found.what))
    assert len(submissions) > 150
    assert len(refused) <= 0.04 * len(submissions), refused


@pytest.mark.parametrize(
    ("policy", "admitted"),
    [
        ("jax.checkpoint_policies.nothing_saveable", True),
        ("mine", False),
        ("jax.checkpoint_policies.save_from_both_policies(mine, mine)", False),
    ],
)
def test_a_policy_is_one_of_jax(policy: str, admitted: bool) -> None:
    source = (
        "import jax\ndef mine(primitive, *_, **__):\n    return True\n"
        f"@jax.jit\ndef f(x):\n    return jax.checkpoint(mine, policy={policy})(x)\n"
    )
    found = find_not_admitted([Cell("f", source, "solution")])
    assert (found is None) == admitted
    assert found is None or found.what == "the option `policy`"


GRADED = Cell("graded", "import jax\n@jax.jit\ndef graded(x):\n    return 2 * x", "solution")


def _cells_in(file: str) -> dict[str, list[Cell]]:
    """Return the cells of a file of the corpus by title, each between its head and a solution."""
    head, *cells = (CORPUS / file).read_text(encoding="utf-8").split("\n# %% ")
    return {
        title: [Cell("head", head, ""), Cell("cell", source, ""), GRADED]
        for title, _, source in (cell.partition("\n") for cell in cells)
    }


def is_witnessed(cells: list[Cell]) -> bool:
    """Whether the cells are admitted, as they are or without what only shows something."""
    return not find_not_admitted(cells) or leave_out_shown(cells, ["graded"]) is not None


STYLES = _cells_in("students_cells.ipy") | _cells_in("students_cells_held_out.ipy")
NOT_WITNESSED = {
    "linked structure",
    "except base exception chain",
    "new style generics",
    "h bare except",
    "h compare compile counts",
    "h numpy mutate",
}


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.replace(" ", "-"))
def test_styles_of_students_are_witnessed(style: str) -> None:
    assert is_witnessed(STYLES[style]) == (style not in NOT_WITNESSED)


# They reach for nothing of the grader's. Those of functions are impure, or cache, and are found out by
# what they do; those of submissions hand in wrong programs, which the judge refuses or finds wrong.
HARMLESS_ATTACKS = {
    *("compilations_cached_by_value", "eq_lies", "partial_clock", "time_bomb", "tracer_sniff"),
} | {
    f"attack_{name}"
    for name in [
        "all_bool",
        "all_complex",
        "float0",
        "all_inf",
        "float64",
        "all_integer",
        "all_key",
        "all_nan",
        "always_equal",
        "bfloat16",
        "endless_program",
        "huge_constants",
        "huge_output",
        "huge_program",
        "int4",
        "io_callback",
        "keystr_lies",
        "long_names",
        "nothing",
        "other_platform",
        "right_by_callback",
        "shape_sniffing",
        "thousands_of_leaves",
        "tracer_sniffing",
        "tracer_sniffing_back",
        "tuple_subclass",
        "zero_size",
        "exception_lies",
        "surrogate_in_error",
    ]
}


@pytest.mark.parametrize(
    "path",
    [
        *sorted((CORPUS / "attacks").glob("*.py")),
        *sorted((CORPUS / "submissions").glob("attack_*.py")),
    ],
    ids=lambda path: path.stem,
)
def test_no_attack_is_admitted(path: Path) -> None:
    imports = Cell("imports", "import jax\nimport jax.numpy as jnp\nimport numpy as np", "")
    attack = Cell("one", path.read_text(encoding="utf-8"), "solution")
    assert (find_not_admitted([imports, attack]) is None) == (path.stem in HARMLESS_ATTACKS)


@pytest.mark.parametrize("path", sorted((CORPUS / "reaching").glob("*.py")), ids=lambda p: p.stem)
def test_no_way_further_is_admitted(path: Path) -> None:
    """Sources that once were admitted and reached modules, files, memory or JAX's own state."""
    imports = Cell("imports", "import jax\nimport jax.numpy as jnp\nimport numpy as np", "")
    reaching = Cell("one", path.read_text(encoding="utf-8"), "solution")
    assert find_not_admitted([imports, reaching])


_NAMES = st.sampled_from(["x", "np", "jnp", "f", "A", "eval", "open", "__builtins__", "self"])
_ATTRIBUTES = st.sampled_from(
    ["sin", "sys", "modules", "gi_frame", "f_globals", "__dict__", "func", "x", "at", "load", "jit"]
)


def _extend(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("({}).{}".format, inner, _ATTRIBUTES),
        st.builds("[{1} for {0} in [{2}]][0]".format, _NAMES, inner, inner),
        st.builds("(lambda {0}={1}: {2})()".format, _NAMES, inner, inner),
        st.builds("({0} := {1})".format, st.sampled_from(["x", "f"]), inner),
        st.builds("getattr({}, '{}', None)".format, inner, _ATTRIBUTES),
        st.builds("({})({})".format, inner, inner),
    )


@given(
    st.lists(
        st.one_of(
            st.builds("{} = {}".format, _NAMES, st.recursive(_NAMES, _extend, max_leaves=4)),
            st.builds("def {}({}): return {}".format, _NAMES, _NAMES, st.recursive(_NAMES, _extend, max_leaves=3)),
            st.builds("class {}:\n    {} = {}".format, _NAMES, _ATTRIBUTES, st.recursive(_NAMES, _extend, max_leaves=3)),
        ),
        min_size=1,
        max_size=5,
    )
)  # fmt: skip
@settings(max_examples=300, deadline=None)
def test_what_is_admitted_holds_no_module(statements: list[str]) -> None:
    """Runs what is admitted: no variable ends up as a module, frame or code."""
    source = "import numpy as np\nimport jax.numpy as jnp\nx = 1.5\n" + "\n".join(statements)
    try:
        ast.parse(source)
    except SyntaxError:
        return
    if find_not_admitted([Cell("one", source, "solution")]):
        return
    namespace: dict[str, Any] = {}
    try:
        exec(source, namespace)
    except Exception:
        return
    for name, value in namespace.items():
        if name not in ("np", "jnp", "__builtins__"):
            assert not isinstance(value, _POWERFUL), (name, source)
    assert namespace["jnp"] is jnp


def test_text_is_only_read(capsys: pytest.CaptureFixture[str]) -> None:
    """Reading a submission runs none of it."""
    assert refused("print('ran')", "@print\ndef f(x=print('ran')): ...") is None
    assert capsys.readouterr().out == ""


def test_a_lesson_is_admitted_as_it_is_graded() -> None:
    """The cells of a lesson's own that are run for a grade are within the list."""
    for lesson in find_course().lessons():
        if lesson.name not in OBSERVED:
            cells = [
                cell for cell in cells_of(build_source(lesson)) if cell.role in ("", "solution")
            ]
            assert find_not_admitted(cells) is None, lesson.name
