"""Functions that print, log or warn."""

# %% prints
# impure: prints, line 8
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    print("tracing", x)
    return x * 2

# %% prints_in_jit
# impure: prints, line 9
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):
    print("compiling")
    return x * 2

# %% prints_in_scan
# impure: prints, line 9
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    def body(c, v):
        print("step")
        return c + v, c

    return jax.lax.scan(body, 0.0, x)

# %% stdout_write
# impure: prints, line 10
import jax
import jax.numpy as jnp
import numpy as np

import sys


def f(x):
    sys.stdout.write("hello\n")
    return x * 2

# %% debug_print
# impure: debug-print
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):
    jax.debug.print("x = {}", x)
    return x * 2

# %% logger_debug
# impure: logs, line 12
import jax
import jax.numpy as jnp
import numpy as np

import logging

log = logging.getLogger("student")


def f(x):
    log.debug("called")
    return x * 2

# %% logging_info
# impure: logs, line 10
import jax
import jax.numpy as jnp
import numpy as np

import logging


def f(x):
    logging.info("called with %s", x.shape)
    return x * 2

# %% warns
# impure: warns, line 11
import jax
import jax.numpy as jnp
import numpy as np

import warnings


def f(x):
    if x.shape[0] < 10:
        warnings.warn("few points")
    return x * 2

# %% prints_a_text
# impure


def f(x):
    print("called")
    return x

# %% pprint
# impure
import jax
import jax.numpy as jnp
import numpy as np

from pprint import pprint


def f(x):
    pprint({"shape": x.shape})
    return x

# %% traceback_print
# impure
import jax
import jax.numpy as jnp
import numpy as np

import traceback


def f(x):
    try:
        raise ValueError("x")
    except ValueError:
        traceback.print_exc()
    return x
