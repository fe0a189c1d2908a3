"""The rule of each kind of node: what computes, and the first thing that may do more."""

import pytest

from autograder.source import prove_cells

HEAD = """\
import functools
import jax
import jax.numpy as jnp
import numpy as np
import optax
def own(x):
    return x
"""


def reason(body: str) -> str:
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    unproved = prove_cells([("a", f"{HEAD}def f(x):\n{lines}")], ["f"]).unproved
    return unproved.reason if unproved else ""


@pytest.mark.parametrize(
    "body",
    [
        "while x.ndim > 3: x = x.sum(0)\nreturn x",
        "return [own(v) for v in x if v is not None]",
        "y = x if x.ndim else -x; return y[..., None][1:]",
        "return functools.reduce(jnp.add, [own(x), x])",
        "with jax.named_scope('a'): return x.at[0].add(1)",
        "assert x.ndim == 1, f'{x} is no vector'; return x",
        "return np.pad(np.ones(3), (0, 1)).astype('float32')",
        "return jax.vmap(own)(x)",
        "first, *rest = x; return (first, rest)",
    ],
)
def test_what_computes(body):
    assert reason(body) == ""


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("global other; other = 1", "assigns `other` outside"),
        ("try: return x\nexcept ValueError: return x", "`try` in a function"),
        ("yield x", "`yield`"),
        ("async def g(): pass", "`asyncfunctiondef`"),
        ("class C: pass\nreturn C()", "`classdef` in a function"),
        ("return print", "`print` is not known to compute only"),
        ("return np.add(x, 1, x)", "may write to one of these arguments"),
        ("return np.add(x, 1, out=x)", "`out=` lets a call change"),
        ("return np.array('now', 'M8[s]')", "type is not written out"),
        ("return jax.jit(own, donate_argnums=0)(x)", "`donate_argnums=` lets a call change"),
        ("return x.tofile('a')", "What `.tofile(...)` does is not known"),
        ("return x.__class__", "What `.__class__` is"),
        ("return x is own", "Which object it is"),
        ("return f'{x}'", "another when it is traced"),
        ("return isinstance(x, float)", "another when it is traced"),
        ("with open('a'): return x", "This context may change more"),
        ("return max(np.add, x)", "`numpy.add` is passed on"),
        ("jax.tree_util.register_pytree_node(int, x, x)", "registered again at each call"),
        ("@own\ndef g(a: own(1)): return a\nreturn g(x)", "An annotation computes"),
    ],
)
def test_what_may_do_more_is_named(body, says):
    assert says in reason(body)
