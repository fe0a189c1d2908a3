# ruff: noqa
import contextlib
import jax


@contextlib.contextmanager
def leak():
    with jax.named_scope("planted"):
        yield


g = leak().func()
next(g)
# CHECK: jax.jit(lambda x: x + 1).lower(jax.ShapeDtypeStruct((), "float32")).as_text("stablehlo", debug_info=True).count("planted")
