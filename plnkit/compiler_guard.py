"""Keeps JAX from computing wrong values on CPU.

Some jaxlib releases fuse a reduction over 4096 or more elements wrongly under `jit` when it holds
two logarithms of multiples of one array, which is what Stirling's formula in the PLN ELBO looks
like. An XLA flag turns that fusion off. XLA aborts the process on a flag it does not know, and
which releases are wrong is not for a version number to say, so a child process tries it: once for
each jaxlib build, remembered in the user's cache folder.

Nothing here imports jax before `canary` does.
"""

import functools
import hashlib
import importlib.metadata
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from pathlib import Path

FLAG_NAME = "xla_cpu_experimental_ynn_fusion_type"
FLAG = f"--{FLAG_NAME}="

RIGHT = "right"  # this jaxlib needs no flag
FIXED = "fixed"  # wrong without the flag, right with it
WRONG = "wrong"  # wrong with it too, or the flag is unknown
_FAILED = "failed"  # the probe ended with an error

_PROBE = """
import jax, jax.numpy as jnp, numpy as np
y = np.arange(1, 4097)
wrong = jax.jit(lambda y: jnp.sum(jnp.log(2 * y) + jnp.log(3 * y)))(y.astype(np.float32))
right = np.sum(np.log(2.0 * y) + np.log(3.0 * y))
print("right" if abs(float(wrong) / right - 1) < 1e-4 else "wrong")
"""
_PROBE_SECONDS = 600  # it takes two; a machine with load 200 takes minutes

TOO_LATE = (
    "JAX had already started when plnkit was imported, and this jaxlib ({version}) computes wrong "
    "values on CPU unless XLA_FLAGS holds {flag} from the start. Restart the kernel and import "
    "plnkit before the first JAX computation."
)
WRONG_COMPILER = (
    "jaxlib {version} computes wrong values under jit on this machine: "
    "sum(log(2 y) + log(3 y)) over {n} elements is {jitted:.2f} jitted, {eager:.2f} eager and "
    "{exact:.2f} in NumPy float64. Set XLA_FLAGS={flag} before JAX starts (importing plnkit before "
    "the first JAX computation does it), or install another jaxlib."
)


class WrongCompilerError(RuntimeError):
    """The installed jaxlib gives wrong values under jit, so that nothing it says can be trusted."""


def ensure() -> None:
    """Set the XLA flag in `os.environ` where, and only where, the installed jaxlib needs it.

    Child processes inherit it. What the user's XLA_FLAGS already hold stays, and a user who set
    this very flag keeps their value.

    Warns:
        RuntimeWarning: the flag is needed and JAX's backend has already started.
    """
    flags = os.environ.get("XLA_FLAGS", "")
    if FLAG_NAME in flags or _verdict() != FIXED:
        return
    if _backend_started():
        message = TOO_LATE.format(version=_jaxlib_version(), flag=FLAG)
        warnings.warn(message, RuntimeWarning, stacklevel=3)
        return
    os.environ["XLA_FLAGS"] = f"{flags} {FLAG}".strip()


def canary(n: int = 4096) -> None:
    """Compare jitted, eager and NumPy float64 values of the sum that some releases get wrong.

    Args:
        n: number of elements; the fault needs 4096 or more.

    Raises:
        WrongCompilerError: they differ by more than float32 rounding explains.
    """
    import jax
    import jax.numpy as jnp
    import numpy as np

    def log_sum(y):
        return jnp.sum(jnp.log(2 * y) + jnp.log(3 * y))

    counts = np.arange(1, n + 1)
    y = jnp.asarray(counts, jnp.float32)
    exact = float(np.sum(np.log(2.0 * counts) + np.log(3.0 * counts)))
    with jax.disable_jit():
        eager = float(log_sum(y))
    jitted = float(jax.jit(log_sum)(y))
    if not np.allclose([jitted, eager], exact, rtol=1e-4):
        raise WrongCompilerError(
            WRONG_COMPILER.format(
                version=_jaxlib_version(), n=n, jitted=jitted, eager=eager, exact=exact, flag=FLAG
            )
        )


@functools.lru_cache(maxsize=8)
def works_with(flags: str) -> bool:
    """Return whether the installed jaxlib knows these XLA flags and is right with them.

    A child process tries them once for each jaxlib build, beside the flag of `ensure`.
    """
    version = _jaxlib_version()
    if version is None:
        return False
    needed = FLAG if _verdict() == FIXED else ""
    cache = _cache_file(version, flags)
    known = _read(cache)
    if known is None:
        known = _try_out(f"{flags} {needed}".strip())
        if known is not None:  # XLA aborts on an unknown flag
            _write(cache, RIGHT if known == RIGHT else WRONG)
    return known == RIGHT


def _jaxlib_version() -> str | None:
    try:
        return importlib.metadata.version("jaxlib")
    except importlib.metadata.PackageNotFoundError:
        return None


def _backend_started() -> bool:
    """Whether XLA_FLAGS have been read; JAX has no public way to ask without starting."""
    bridge = sys.modules.get("jax._src.xla_bridge")
    asked = getattr(bridge, "backends_are_initialized", None)
    return bool(asked()) if asked else bool(getattr(bridge, "_backends", None))


def _verdict() -> str | None:
    """RIGHT, FIXED or WRONG for the installed jaxlib; anything else where no probe could say."""
    version = _jaxlib_version()
    if version is None:
        return None
    cache = _cache_file(version)
    known = _read(cache)
    if known is not None:
        return known
    found = _try_out("")
    if found == WRONG:
        found = FIXED if _try_out(FLAG) == RIGHT else WRONG
    if found in (RIGHT, FIXED, WRONG):
        _write(cache, found)
    return found


def _try_out(flags: str) -> str | None:
    """Run the probe in a child with these XLA_FLAGS: RIGHT, WRONG, _FAILED, or None: no time."""
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("JAX_", "XLA_"))}
    environ |= {
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": flags,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    # -P: a file jax.py in the current folder must not answer for jax.
    command = [sys.executable, "-P", "-c", _PROBE]
    try:
        child = subprocess.run(command, env=environ, capture_output=True, timeout=_PROBE_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return None
    answer = child.stdout.decode(errors="replace").strip()
    return answer if child.returncode == 0 and answer in (RIGHT, WRONG) else _FAILED


def _cache_file(version: str, flags: str = "") -> Path | None:
    """One small file a build, so that processes that write at once cannot lose each other's."""
    try:
        root = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
        folder = Path(root) if root else Path.home() / ".cache"
    except RuntimeError:  # no home folder
        return None
    build = f"{version}-{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
    if flags:
        build += f"-{hashlib.sha256(flags.encode()).hexdigest()[:16]}"
    return folder / "plnkit" / f"compiler-{build}.json"


def _read(cache: Path | None) -> str | None:
    try:
        known = json.loads(cache.read_bytes())["verdict"] if cache else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return known if known in (RIGHT, FIXED, WRONG) else None


def _write(cache: Path | None, verdict: str) -> None:
    """Atomic; a cache that cannot be written costs another probe next time, nothing else."""
    if cache is None:
        return
    try:
        cache.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=cache.parent, suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"schema": 1, "verdict": verdict}, file)
        os.replace(temporary, cache)
    except OSError:
        return
