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
