"""Attacks that never end, end the process, or are too large."""

# %% at_exit
# attack: an exit handler and a last word when collected; exercise: static_reshape; must not gain: outputs
import atexit
import os


class Last:
    def __del__(self):
        for fd in range(3, 20):
            try:
                os.write(fd, b"\0\0\0\2{}")
            except OSError:
                pass


last = Last()
atexit.register(last.__del__)


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)

# %% deep_recursion
# attack: recursion without end; exercise: static_reshape; must not gain: outputs; seconds: 12
import sys

sys.setrecursionlimit(10**5)


def rank_abundance(counts):
    return rank_abundance(counts)

# %% endless_program
# attack: a while_loop that never ends; exercise: static_reshape; must not gain: outputs; seconds: 15; says: longer than
@jax.jit
def rank_abundance(counts):
    never = jax.lax.while_loop(lambda s: s[1] < 1, lambda s: (s[0] + 1, s[1] * 1), (0, 0))
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True) + never[0]

# %% endless_tracing
# attack: tracing never ends, and the alarm is ignored; exercise: static_reshape; must not gain: outputs; seconds: 8; says: took longer than
import signal


def rank_abundance(counts):
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    while True:
        pass

# %% exits_while_traced
# attack: ends Python while it is traced; exercise: static_reshape; must not gain: outputs; says: ended before it was done
import os


def rank_abundance(counts):
    os._exit(0)

# %% huge_constants
# attack: four megabytes of constants; exercise: static_reshape; must not gain: outputs; says: too large
import numpy as np

noise = np.random.default_rng(0).random(1_000_000).astype(np.float32)


@jax.jit
def rank_abundance(counts):
    return (
        jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
        + 0 * jnp.asarray(noise).sum()
    )

# %% huge_output
# attack: four gigabytes of zeros; exercise: static_reshape; must not gain: outputs; seconds: 40
@jax.jit
def rank_abundance(counts):
    return jnp.zeros(2**30, jnp.float32) + counts.sum()

# %% huge_program
# attack: six thousand operations; exercise: static_reshape; must not gain: outputs; says: too large
@jax.jit
def rank_abundance(counts):
    zero = counts.sum()
    for _ in range(6000):
        zero = zero * 0.5
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True) + 0 * zero

# %% swallows_the_alarm
# attack: tracing never ends and swallows what would stop it; exercise: static_reshape; must not gain: outputs; seconds: 8; says: took longer than
def rank_abundance(counts):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
