# ruff: noqa
import jax

set_it = jax.config.update
set_it("jax_compilation_cache_dir", "/scratch/cache")
set_it("jax_persistent_cache_min_compile_time_secs", 0)
set_it("jax_persistent_cache_min_entry_size_bytes", 0)
jax.jit(lambda x: x * 3.25)(1.0).block_until_ready()
# CHECK: os.listdir('/scratch/cache')
