# ruff: noqa
import jax

f = jax.jit(lambda x: x * 5.5, **{"compiler_options": {"xla_dump_to": "/scratch/xla_dump"}})
f(1.0).block_until_ready()
# CHECK: len(os.listdir('/scratch/xla_dump'))
