# ruff: noqa
import jax

next(jax.named_scope.__wrapped__("planted"))
# CHECK: jax.jit(lambda x: x + 1).lower(jax.ShapeDtypeStruct((), "float32")).as_text("stablehlo", debug_info=True).count("planted")
