# ruff: noqa
import jax

scope = jax.named_scope("planted")
next(scope.func("planted"))
# CHECK: jax.jit(lambda x: x + 1).lower(jax.ShapeDtypeStruct((), "float32")).as_text("stablehlo", debug_info=True).count("planted")
