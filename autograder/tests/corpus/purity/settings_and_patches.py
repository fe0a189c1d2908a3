"""Functions that change settings of Python, NumPy or JAX, or patch a module."""

# %% numpy_seterr
# impure, line 8
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    np.seterr(all="ignore")
    return x / 2

# %% builtins_patched
# impure: module-patched, line 10
import jax
import jax.numpy as jnp
import numpy as np

import builtins


def f(x):
    builtins.double = lambda v: v * 2
    return builtins.double(x)

# %% context_decimal
# impure, line 10
import jax
import jax.numpy as jnp
import numpy as np

import decimal


def f(x):
    decimal.getcontext().prec += 1
    return x

# %% enable_x64_config
# impure: jax-config-changed, line 8
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    jax.config.update("jax_enable_x64", True)
    return x * 2

# %% import_then_filters
# impure: interpreter-changed
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    import warnings

    warnings.filters.insert(0, ("ignore", None, Warning, None, 0))
    return x * 2

# %% jax_config
# impure: jax-config-changed, line 8
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    jax.config.update("jax_default_matmul_precision", "float32")
    return x * 2

# %% monkeypatch
# impure: module-patched, line 8
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    jnp.sin = jnp.cos
    return jnp.sin(x)

# %% patch_numpy_inside
# impure: module-patched, line 8
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    np.float_sum = lambda v: v
    return x

# %% print_options
# impure, line 8
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    np.set_printoptions(precision=3)
    return x

# %% recursion_limit
# impure: interpreter-changed, line 10
import jax
import jax.numpy as jnp
import numpy as np

import sys


def f(x):
    sys.setrecursionlimit(5000)
    return x

# %% sys_path
# impure, line 10
import jax
import jax.numpy as jnp
import numpy as np

import sys


def f(x):
    sys.path.append("/nowhere")
    return x

# %% warnings_filter
# impure, line 10
import jax
import jax.numpy as jnp
import numpy as np

import warnings


def f(x):
    warnings.filterwarnings("ignore", message="never seen")
    return x

# %% debug_nans
# impure
import jax


def f(x):
    jax.config.update("jax_debug_nans", True)
    return x

# %% errstate_left_open
# impure

import numpy as np


def f(x):
    np.errstate(all="ignore").__enter__()
    np.seterr(over="raise")
    return x

# %% filterwarnings
# impure

import warnings


def f(x):
    warnings.filterwarnings("ignore", message="some text of mine")
    return x

# %% seterr_all
# impure

import numpy as np


def f(x):
    np.seterr(all="ignore")
    return x

# %% logging_disabled
# impure: interpreter-changed, line 9
import logging

import jax


@jax.jit
def f(x):
    logging.disable(logging.INFO)
    return x - x.mean()

# %% screen_replaced
# impure: interpreter-changed
import io
import sys


def f(x):
    sys.stdout = io.StringIO()
    return x - x.mean()
