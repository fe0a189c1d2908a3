# ruff: noqa
from functools import partial
import jax

options = {"compiler" + "_options": {"xla_dump_to": "/scratch/xla_dump"}}


def call(function, *args, **kwargs):
    return function(*args, **kwargs)


jit = partial(jax.jit)
f = call(jit, lambda x: x * 5.5, **options)
f(1.0).block_until_ready()
# CHECK: len(os.listdir('/scratch/xla_dump'))
