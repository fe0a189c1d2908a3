"""Pure functions: NumPy's buffers, imports, and settings that a context restores."""

# %% numpy_copy
# pure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (np.arange(3.0),)


def f(y):
    y = y.copy()
    y[0] = 5
    y += 1
    return jnp.asarray(y)

# %% numpy_on_shapes
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    n = int(np.prod(x.shape))
    return x.reshape(n) / np.sqrt(n)

# %% numpy_accumulator
# pure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (np.arange(12.0).reshape(4, 3), 3)


def f(y, n):
    acc = np.zeros(3)
    for i in range(n):
        acc += y[i]
    return jnp.asarray(acc)

# %% local_python_rng
# pure
import jax
import jax.numpy as jnp
import numpy as np

import random


def f(x):
    order = list(range(3))
    random.Random(0).shuffle(order)
    return x[jnp.array(order)]

# %% local_rng_seeded
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    rng = np.random.default_rng(0)
    return x + rng.normal(size=3)

# %% import_in_helper
# pure
import jax
import jax.numpy as jnp
import numpy as np


def helper(x):
    import decimal, fractions, unittest.mock, scipy.stats

    return x * float(fractions.Fraction(1, 2))


def f(x):
    return jax.jit(helper)(x)

# %% import_scipy_special
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    import scipy.special

    return x * scipy.special.gamma(5.0)

# %% import_sets_state
# pure
import jax
import jax.numpy as jnp
import numpy as np


import sys
import tempfile
from pathlib import Path

_FOLDER = Path(tempfile.mkdtemp(prefix="package-"))
_PACKAGE = _FOLDER / "site-packages" / "noisy_on_import"
_PACKAGE.mkdir(parents=True)
(_PACKAGE / "__init__.py").write_text("""
import atexit, codecs, logging, os, sys, types, warnings
import noisy_on_import.inner
warnings.filterwarnings("ignore", message="noisy")
logging.getLogger().addHandler(logging.NullHandler())
logging.getLogger("noisy").warning("hello")
os.environ["NOISY_THREADS"] = "1"
atexit.register(str)
codecs.register(lambda name: None)
sys.modules["noisy_alias"] = types.ModuleType("noisy_alias")
FACTOR = 2.0
""")
(_PACKAGE / "inner.py").write_text("import random\nrandom.random()\n")
sys.path.insert(0, str(_PACKAGE.parent))


def f(x):
    from noisy_on_import import FACTOR

    return x * FACTOR

# %% import_statistics
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    import statistics

    return x * statistics.median([1.0, 2.0, 4.0])

# %% lazy_import
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    from jax.scipy.special import gammaln
    import math

    return gammaln(x + 1) * math.pi

# %% import_matplotlib
# pure


def f(x):
    from matplotlib import colors

    return x * len(colors.to_rgb("red"))

# %% import_pandas
# pure


def f(x):
    import pandas

    return x * len(pandas.__name__)

# %% import_scipy_stats
# pure


def f(x):
    import scipy.stats

    return x * scipy.stats.norm.cdf(0.0)

# %% catch_warnings
# pure
import jax
import jax.numpy as jnp
import numpy as np

import warnings


def f(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return x * 2

# %% catch_warnings_ignored
# pure

import warnings


def f(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return x.astype(float) * 2

# %% catch_warnings_recorded
# pure

import warnings


def f(x):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        y = x * 2
    return y + 0 * len(seen)

# %% errstate_context
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    with np.errstate(divide="ignore"):
        c = np.log(np.zeros(1))
    return jnp.where(jnp.isinf(c), x, 0.0)

# %% errstate_of_a_table
# pure

import numpy as np


def f(x):
    with np.errstate(divide="ignore", invalid="ignore"):
        table = np.log(np.arange(3.0))
    table = np.where(np.isfinite(table), table, 0.0)
    return x + table

# %% errstate_decorator
# pure

import numpy as np


@np.errstate(all="ignore")
def table(n):
    return np.nan_to_num(np.log(np.arange(float(n))), neginf=0.0)


def f(x):
    return x + table(3)

# %% localcontext_decimal
# pure

import decimal


def f(x):
    with decimal.localcontext() as context:
        context.prec = 30
        third = float(decimal.Decimal(1) / decimal.Decimal(3))
    return x * third

# %% printoptions
# pure

import numpy as np


def f(x):
    with np.printoptions(precision=3):
        width = len(str(np.arange(3.0)))
    return x * (width > 0)
