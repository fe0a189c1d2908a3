# ruff: noqa
import jax


class Own:
    _member_map_ = _value2member_map_ = None


P = jax.lax.Precision
P._value2member_map_["patched"] = 5
P._value2member_map_.clear()
# CHECK: jax.lax.Precision._value2member_map_
