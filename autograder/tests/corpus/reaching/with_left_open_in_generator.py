# ruff: noqa
import jax
import plnkit.compile_counts


def leak():
    with jax.named_scope("planted"), jax.make_mesh((1,), ("i",)), jax.auto_pcast(False):
        with plnkit.compile_counts.compile_counts(), jax.ensure_compile_time_eval():
            yield 1


g = leak()
next(g)
# CHECK: (jax._src.mesh.thread_resources.env.physical_mesh, jax._src.monitoring._event_duration_secs_listeners, jax._src.config.auto_pcast.value)
# CHECK: str(jax._src.source_info_util.current_name_stack())
# CHECK: jax.jit(lambda x: x + 1).lower(jax.ShapeDtypeStruct((), 'float32')).as_text('stablehlo', debug_info=True).count('planted')
