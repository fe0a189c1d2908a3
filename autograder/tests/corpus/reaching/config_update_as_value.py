# ruff: noqa
import jax

update = jax.config.update
update("jax_disable_jit", True)
jax.config.update(*["jax_compilation_cache_dir", "/scratch/cache"])
# CHECK: (jax.config.jax_disable_jit, jax.config.jax_compilation_cache_dir)
