# ruff: noqa
import jax

compile_it = jax.jit(lambda x: x * 6.5).lower(1.0).compile
compile_it({"xla_dump_to": "/scratch/xla_dump2"})
# CHECK: len(os.listdir('/scratch/xla_dump2'))
