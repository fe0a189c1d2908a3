# ruff: noqa
import jax


class Own:
    primitive = None


a, b = jax.export.symbolic_shape("a, b")
D = type(a)
D._leading_term = "patched"
D._normalize_term = "patched"
I = type(jax.make_jaxpr(lambda x: x)(1.0).jaxpr.debug_info)
I.func_name = "patched"


class Own2:
    debug_info = None


# CHECK: (type(ns['a'])._leading_term, jax._src.linear_util.DebugInfo.func_name)
