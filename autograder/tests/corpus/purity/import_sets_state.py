# pure
# ruff: noqa
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
