# ruff: noqa
import jax

a = jax.auto_pcast


class Own:
    _set = _name = None


a._name = "planted"
a._set("planted")
# CHECK: (jax.auto_pcast._name, jax.auto_pcast.value)
