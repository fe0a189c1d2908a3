# ruff: noqa
from functools import partial
import jax


@partial(jax.jit, compiler_options={"xla_dump_to": "/scratch/xla_dump"})
def f(x):
    return x * 5.5


f(1.0).block_until_ready()
# CHECK: len(os.listdir('/scratch/xla_dump'))
