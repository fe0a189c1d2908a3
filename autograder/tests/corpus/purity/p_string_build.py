# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import textwrap, re, json


def f(x):
    text = textwrap.dedent("  a b\n").strip()
    n = len(re.sub("a", "bb", text)) + len(json.dumps({"k": [1]}))
    return x * n
